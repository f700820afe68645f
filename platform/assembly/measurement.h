#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The figures of the measured phases, and only of those: counters of all blocks start from zero when a measured phase
// begins and are added up when it ends, so preconditioning leaves no trace in utilisation, operation counts or energy.
// (Erase counts are kept by the dies since power-on and are not in here.)

#include "models/base/resource.h"
#include "models/controller/failure_log.h"
#include "models/host/port_module.h"
#include "models/nand/die.h"
#include "platform/assembly/ssd_module.h"
#include "platform/assembly/write_buffer_probe.h"
#include "platform/report/report.h"

#include <functional>
#include <string>
#include <vector>

namespace strobe::platform {

class Measurement {
public:
    Measurement(SsdModule& ssd, host::PortModule& port); // both must outlive it

    void begin(); // a measured phase begins
    void end();   // it has ended, or the run was stopped; without a begin() nothing happens

    const std::vector<ResourceReport>& resources() const { return resources_; }
    const std::vector<FlashCounts>& flash() const { return flash_; }
    const nand::DieCounters& array() const { return array_; } // over all dies
    const std::vector<FirmwareCost>& costs() const { return costs_; }
    std::uint64_t instructions() const { return instructions_; }
    const std::vector<NamedCount>& linkCounters() const { return linkCounters_; }
    const std::vector<StageReport>& stages() const { return stages_; } // of the flash units, over all units
    std::uint64_t behindAnotherUnit() const { return behindAnotherUnit_; }
    const std::vector<NamedCount>& foreground() const { return foreground_; } // empty without a foreground unit

private:
    using Probe = std::function<ResourceUsage()>;
    void addResource(std::string name, std::string group, Probe usage);
    ResourceUsage cpuUsage() const;
    void enumerate();
    void reset();
    std::vector<NamedCount> foregroundCounts() const;

    SsdModule& ssd_;
    host::PortModule& port_;
    WriteBufferProbe writeBuffer_;
    std::size_t writeBufferIndex_ = 0; // in resources_
    bool isOpen_ = false;
    std::vector<Probe> probes_;             // as resources_
    std::vector<ResourceReport> resources_; // sums so far
    std::vector<FlashCounts> flash_;
    nand::DieCounters array_;
    std::vector<FirmwareCost> costs_;
    std::uint64_t instructions_ = 0;
    std::vector<NamedCount> linkCounters_;
    std::vector<StageReport> stages_;
    std::uint64_t behindAnotherUnit_ = 0;
    std::vector<NamedCount> foreground_;
};

} // namespace strobe::platform
