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
#include "platform/assembly/functional_phases.h"
#include "platform/assembly/kernel_context.h"
#include "platform/assembly/lasting_state.h"
#include "platform/assembly/measurement.h"
#include "platform/assembly/power_meter.h"
#include "platform/assembly/run.h"
#include "platform/assembly/sampling.h"
#include "platform/assembly/ssd_module.h"
#include "platform/assembly/stage_observation.h"
#include "platform/assembly/stall.h"
#include "platform/assembly/stall_watch.h"
#include "platform/assembly/supply.h"

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
    void simulate(Time at);
    // At this instant; the simulation is over (supply.h).
    void cutPower();
    void switchOff() { supply_.switchOff(); }
    // Into the lasting state, when the simulation is over. Once.
    void takeFindings();

    // When the simulation is over and its findings are taken: the time series, if it was requested.
    void finishSeries(Report& report) { sampling_.finish(report); }
    PlatformReport blocks() const;

    // Before the simulation: all resources report their jobs from now on.
    void watch(ActivityLog& log) { measurement_.watch(log); }
    // Before the simulation; until the object goes. REQUIRES: firmware on the RV32 core.
    void inspect(FirmwareInspector& inspector);
    // Before the simulation, after inspect(). The debugger must outlive the object.
    void debug(DriveDebugger& debugger);

private:
    [[noreturn]] void endStalled(Time at, const std::string& reason);
    void rethrowHostError();
    bool serveFunctionally(RunEnding& ending);
    void abandon(); // what did not end after the user had stopped the run
    HostState hostState() const { return {lasting_.driver.commands(), lasting_.driver.isPowered()}; }
    std::uint64_t operations() const { return ssd_.flash.controller().dispatcher().counters().finished; }

    KernelContext kernel_; // first, so that the modules go before it
    const Scenario& scenario_;
    LastingState& lasting_;
    RunObserver& observer_;
    StallWatch stallWatch_;
    Recording* recording_;
    std::shared_ptr<Agenda> agenda_ = Agenda::ofContext(); // before the modules that it wakes
    SsdModule ssd_;
    std::unique_ptr<host::PortModule> port_;
    host::HostDriverModule host_;
    Measurement measurement_;
    std::optional<PowerMeter> meter_; // nothing: no thermal model
    Sampling sampling_;
    Supply supply_;
    FunctionalPhases functional_;
    std::optional<StageObservation> stages_; // nothing: not requested
    FirmwareInspector* inspector_ = nullptr; // null: firmware is not inspected
    DriveDebugger* debugger_ = nullptr;      // null: none
};

} // namespace strobe::platform
