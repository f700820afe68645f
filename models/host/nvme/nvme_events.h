#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Asynchronous events of an NVMe controller (NVM Express 1.4, section 5.2), of the types error and health: a request of
// the host waits here for an event, an event for a request. After an event was reported, further ones of its type wait
// until the host has read the log of the type. At most 8 events are kept; later ones are lost. Not modelled: events of
// the other types (notice, I/O command set).

#include "models/host/nvme/nvme_format.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace strobe::host::nvme {

class AsyncEvents {
public:
    static constexpr std::uint32_t requestLimit = 4;
    static constexpr std::size_t eventLimit = 8;

    void reset() { *this = {}; }
    bool request(std::uint16_t id);  // false: requestLimit of them are outstanding already
    bool raise(std::uint32_t event); // false: it is lost
    void logRead(EventType type) { isMasked_[static_cast<std::size_t>(type)] = false; }

    struct Report {
        std::uint16_t id; // of the request
        std::uint32_t event;
    };
    std::optional<Report> next(); // the event to report now, if any

private:
    std::vector<std::uint16_t> requests_;
    std::vector<std::uint32_t> events_;
    std::array<bool, eventTypeMask + 1> isMasked_{}; // by type
};

} // namespace strobe::host::nvme
