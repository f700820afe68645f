#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// What the stopped drive does with the host's data, as text: more of GDB's "monitor" commands (drive_monitor.h).
//   host                  commands at the drive, how long, and what they wait for
//   page DIE BLOCK PAGE   the sectors of a page: address and version, who wrote them and when
//   sector N              the versions that the host may read, every place that held the sector, and which still do
// Changes nothing and takes no simulated time.

#include "models/host/driver.h"
#include "platform/assembly/page_history.h"
#include "platform/assembly/ssd_module.h"

#include <cstdint>
#include <string>

namespace strobe::platform {

class DataMonitor {
public:
    DataMonitor(SsdModule& ssd, const host::HostDriver& driver, const PageHistory& history)
        : ssd_(ssd), driver_(driver), history_(history)
    {
    }

    std::string host() const;
    std::string page(std::uint64_t die, std::uint64_t block, std::uint64_t page) const;
    std::string sector(std::uint64_t sector) const;

private:
    SsdModule& ssd_;
    const host::HostDriver& driver_;
    const PageHistory& history_;
};

} // namespace strobe::platform
