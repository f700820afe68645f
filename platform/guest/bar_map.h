#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The memory BARs of the drive's PCI function and where software has put them: which BAR has an address. Found as
// software finds them; configuration space is afterwards as it was.

#include "platform/guest/guest_port_module.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace strobe::platform::guest {

class BarMap {
public:
    static constexpr std::uint32_t registerBytes = 4; // of a BAR in configuration space
    struct Bar {
        std::uint32_t number;
        std::uint64_t bytes;
        bool isWide; // its address has 64 bits, and two registers
    };
    struct Place {
        std::uint32_t bar;
        std::uint32_t offset;
    };

    explicit BarMap(GuestPortModule& port); // which must outlive the map

    // Nothing: the access is not wholly within a BAR.
    std::optional<Place> find(std::uint64_t address, std::uint32_t bytes) const;
    const std::vector<Bar>& bars() const { return bars_; }

private:
    GuestPortModule& port_;
    std::vector<Bar> bars_;
};

} // namespace strobe::platform::guest
