#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The drive of a scenario with the port of its host interface, whatever the protocol, with a host that gets its
// requests from outside; real bytes in its sectors. Simulated as far as the caller says. One per process.
//
// Errors while simulating: cpu::FirmwareFault and InternalError, as in runs of the drive with its own host, for
// firmware that ends or stalls with requests outstanding, too.

#include "models/host/port_module.h"
#include "models/tlm/agenda.h"
#include "platform/assembly/lasting_state.h"
#include "platform/assembly/measurement.h"
#include "platform/assembly/ssd_module.h"
#include "platform/assembly/stall_watch.h"
#include "platform/config/resolve.h"
#include "platform/config/scenario.h"
#include "platform/report/report.h"
#include "platform/serve/block_host.h"

#include <memory>
#include <string>

namespace strobe::platform::serve {

class ServedDrive {
public:
    explicit ServedDrive(const Scenario& scenario); // which must outlive the drive
    ServedDrive(const ServedDrive&) = delete;
    ServedDrive& operator=(const ServedDrive&) = delete;

    BlockHost& host() { return host_; }
    bool isUsed() const { return isUsed_; } // it began with the contents of a file
    std::uint32_t unitSectors() const { return unitSectors_; }
    // Trimmed units read as zeros: with Strobe's own firmware; not known of other images.
    bool trimsToZeros() const { return isImageOf(scenario_.firmware.image, scenario_.firmware.ftl); }

    void simulateUntil(Time end); // or until a request has ended, or the drive is ready
    bool isQuiet() const;         // it has nothing left to do
    Time nextTime() const;        // when it has something to do. REQUIRES: it is not quiet

    void beginMeasurement();
    Report finish(); // once

private:
    void lookForStall();
    [[noreturn]] void endStalled(Time at, const std::string& reason);

    const Scenario& scenario_;
    std::uint32_t unitSectors_;
    LastingState lasting_;
    bool isUsed_;
    std::shared_ptr<Agenda> agenda_ = Agenda::ofContext(); // before the modules that it wakes
    SsdModule ssd_;
    std::unique_ptr<host::PortModule> port_;
    BlockHost host_;
    StallWatch stallWatch_;
    Measurement measurement_;
};

} // namespace strobe::platform::serve
