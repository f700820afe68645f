#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The figures of the measured phases, and only of those: counters of all blocks start from zero when a measured phase
// begins and are added up when it ends, so preconditioning does not affect utilisation, operation counts or energy.
// (Erase counts are kept by the dies and are not included.) A power loss interrupts a measured phase: the drive's
// activity until then counts, and the phase continues when the workload does; the host's read-back does not count.

#include "models/base/resource.h"
#include "models/controller/failure_log.h"
#include "models/host/port_module.h"
#include "models/nand/die.h"
#include "platform/assembly/counter_blocks.h"
#include "platform/assembly/series_recorder.h"
#include "platform/assembly/ssd_module.h"
#include "platform/assembly/write_buffer_probe.h"
#include "platform/report/report.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace strobe::platform {

// Over all power cycles.
struct MeasuredSums {
    std::vector<ResourceReport> resources;
    std::size_t writeBuffer = 0; // in resources
    CounterSums counters;
    nand::DieCounters array;     // over all dies, for their energy
    std::vector<Statistic> link; // of the host protocol
    std::vector<host::PortFigures::PowerState> powerStates;
    std::vector<double> meteredJoule; // in each, by the power meter; empty: there is none
    std::vector<FirmwareCost> costs;
    ExecutedInstructions instructions;
    FirmwareResponse response;
    bool isOpen = false; // a measured phase has begun and not ended
};

class Measurement {
public:
    Measurement(SsdModule& ssd, host::PortFigures& port, MeasuredSums& sums); // all must outlive it

    void begin();              // a measured phase begins
    void end() { end(now()); } // it has ended, or the run was stopped; without a begin() nothing happens
    void end(Time at);         // it had ended at that instant: the drive has done nothing since
    void suspend();            // power is lost
    void resume();             // the workload goes on, with the measured phase if there was one
    // So far, over all power cycles, for a time series.
    CumulativeFigures figures() const;
    // What all parts have done since this power cycle began, measured or not.
    struct Activity {
        std::vector<ResourceReport> resources;
        nand::DieCounters array;
        nand::PslcCounters pslc;
        std::vector<host::PortFigures::PowerState> powerStates;
    };
    void keepActivity(); // before the simulation; else it is not counted
    const Activity& activity(Time now);
    bool isCounting() const { return isCounting_; } // measured time runs
    // From now on all resources report to `log` their jobs, measured or not, under the names of the report; the CPU
    // reports when it is awake, and native firmware reports as "firmware" which cost point takes its time.
    void watch(ActivityLog& log);

private:
    struct Probe {
        std::function<ResourceUsage()> usage;
        const Resource* resource; // null: a CPU, a pool
    };
    void addResource(std::string name, ResourceGroup group, std::function<ResourceUsage()> usage,
                     const Resource* resource = nullptr, const ResourcePlace& place = {});
    void addResource(std::string name, ResourceGroup group, const Resource& resource, const ResourcePlace& place = {});
    ResourceUsage cpuUsage(const cpu::CpuModule& cpu, bool hasHost, bool hasFlash) const;
    void enumerate();
    void addResponse();
    void stopCounting(Time at);
    void addPowerStates(Time at);
    void reset();
    void addActivity(Activity& sum) const;

    SsdModule& ssd_;
    host::PortFigures& port_;
    WriteBufferProbe writeBuffer_;
    MeasuredSums& sums_;
    bool isCounting_ = false;                                // the counters of this power cycle
    std::vector<host::PortFigures::PowerState> powerStates_; // when they began to count
    std::vector<Probe> probes_;                              // as sums_.resources
    std::optional<Activity> before_;                         // until the counters were reset last; nothing: not kept
    Activity activity_;                                      // the result of activity()
};

} // namespace strobe::platform
