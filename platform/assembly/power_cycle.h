#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A run is a sequence of power cycles. Each consists of a drive, a link and the host's end of it, newly made in a
// separate simulation context, whose clock continues where the previous one stopped: nothing volatile survives, because
// the objects no longer exist. The surviving state is passed in: the dies with their pages and wear, and the host with
// its requests, its results and its record of written data.

#include "models/host/host_driver_module.h"
#include "models/host/port_module.h"
#include "models/tlm/agenda.h"
#include "platform/assembly/drive_debugger.h"
#include "platform/assembly/firmware_inspection.h"
#include "platform/assembly/lasting_state.h"
#include "platform/assembly/measurement.h"
#include "platform/assembly/recovery_watch.h"
#include "platform/assembly/run.h"
#include "platform/assembly/ssd_module.h"
#include "platform/assembly/stage_observation.h"
#include "platform/assembly/stall.h"

#include <memory>
#include <optional>
#include <string>

namespace strobe::platform {

class RunEnding;

class PowerCycle {
public:
    // The first one is at time 0. `recording`: null, or a channel whose operations are added to it. `sink`: null, or
    // told of requests, flash jobs, operations and bus segments.
    PowerCycle(const Scenario& scenario, LastingState& lasting, RunObserver& observer, Time powerOn,
               Recording* recording, StageSink* sink);
    ~PowerCycle();
    PowerCycle(const PowerCycle&) = delete;
    PowerCycle& operator=(const PowerCycle&) = delete;

    // The simulation up to `at`, or until the host has finished.
    void simulate(const Scenario& scenario, RunObserver& observer, Time at);
    // At this instant; the simulation is over. Capacitors supply a drive with a protected write cache for a while.
    void cutPower(const Scenario& scenario);
    // The same, but each die ends the operation that is in its array; what it has suspended is interrupted.
    void switchOff(const Scenario& scenario);
    // Into the lasting state, when the simulation is over. Once.
    void takeFindings();

    // When the simulation is over and its findings are taken: the time series, if it was requested.
    void finishSeries(Report& report);
    PlatformReport blocks() const;

    // Before the simulation: all resources report their jobs from now on.
    void watch(ActivityLog& log) { measurement_.watch(log); }
    // Before the simulation; until the object goes. REQUIRES: firmware on the RV32 core.
    void inspect(FirmwareInspector& inspector);
    // Before the simulation, after inspect(). The debugger must outlive the object.
    void debug(DriveDebugger& debugger);

private:
    class Kernel;
    [[noreturn]] void endStalled(const Scenario& scenario, Time at, const std::string& reason);
    void lookForStall(const Scenario& scenario);
    bool goesOnRecovering(Time limit); // since the last look
    void abandon();                    // what did not end after the user had stopped the run
    HostState hostState() const { return {lasting_.driver.commands(), lasting_.driver.isPowered()}; }
    bool isFunctional();
    bool isBeforeFunctionalPhase(const Scenario& scenario) const;
    void serveFunctionally(const Scenario& scenario, RunObserver& observer, RunEnding& ending);
    void countRecovery();
    void countReadBack(std::optional<Time> end); // nothing: power was lost before
    std::uint64_t sectorsReadBack() const;
    void startSeries(); // measured time runs
    void stopSeries();
    Observed observe() const;
    void sampleSeries();                       // if a sample is due
    void sampleWear(const Scenario& scenario); // the same
    void losePower(Time ofDies);
    void holdUp(const Scenario& scenario);

    std::unique_ptr<Kernel> kernel_; // first, so that the modules go before it
    LastingState& lasting_;
    RunObserver& observer_;
    Time powerOn_;
    Time nextStallLook_ = never;
    RecoveryWatch recovery_;
    bool isNew_;
    bool isRecovered_ = false;
    bool isReadBack_ = false;
    std::uint64_t readBackBefore_ = 0; // sectors, when the drive was ready
    Recording* recording_;
    std::shared_ptr<Agenda> agenda_ = Agenda::ofContext(); // before the modules that it wakes
    SsdModule ssd_;
    std::unique_ptr<host::PortModule> port_;
    host::HostDriverModule host_;
    Measurement measurement_;
    std::optional<StageObservation> stages_; // nothing: not requested
    FirmwareInspector* inspector_ = nullptr; // null: firmware is not inspected
    DriveDebugger* debugger_ = nullptr;      // null: none
};

} // namespace strobe::platform
