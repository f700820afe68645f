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

private:
    struct Probe {
        std::function<ResourceUsage()> usage;
        std::function<std::uint64_t()> maxQueue; // may be empty
    };
    void addResource(std::string name, std::string group, std::function<ResourceUsage()> usage,
                     std::function<std::uint64_t()> maxQueue = {});
    void enumerate();
    void reset();

    SsdModule& ssd_;
    host::PortModule& port_;
    bool isOpen_ = false;
    std::vector<Probe> probes_;             // as resources_
    std::vector<ResourceReport> resources_; // sums so far
    std::vector<FlashCounts> flash_;
    nand::DieCounters array_;
    std::vector<FirmwareCost> costs_;
};

} // namespace strobe::platform
