#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A run is a sequence of power cycles. Each is a drive, a link and the host's end of it, made anew in a simulation
// context of their own, whose clock goes on where the one before stopped: nothing volatile can outlive it, because it
// does not exist any more. What outlives it is what it is given: the dies with their pages and wear, and the host with
// its requests, its results and its record of written data.

#include "models/host/driver.h"
#include "models/host/host_driver_module.h"
#include "models/host/port_module.h"
#include "models/tlm/agenda.h"
#include "platform/assembly/dies.h"
#include "platform/assembly/failure_sums.h"
#include "platform/assembly/firmware_inspection.h"
#include "platform/assembly/measurement.h"
#include "platform/assembly/run.h"
#include "platform/assembly/ssd_module.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace strobe::platform {

// What outlives a power loss, and what was found out so far.
struct LastingState {
    explicit LastingState(const Scenario& scenario);

    DieArray dies;
    host::HostDriver driver;
    MeasuredSums sums;
    std::vector<std::string> log; // of the firmware
    FailureSums failures;
    PowerReport power;
    std::optional<CalibrationReport> calibration;
    std::vector<WearSample> wearHistory;
    Time nextWearSample;

    bool isUsed = false;           // the drive has been switched on before, in this run or another
    bool hasFirmwareEnded = false; // by itself, as it should: nothing more will come

    void sampleWear(Time at);
    std::string file(const Scenario& scenario) const; // drive_file.h; REQUIRES: the power is off
    bool isOver() const { return driver.isFinished() || hasFirmwareEnded; }
};

class PowerCycle {
public:
    // The first one is at time 0. `recording`: null, or a channel whose operations are added to it.
    PowerCycle(const Scenario& scenario, LastingState& lasting, RunObserver& observer, Time powerOn,
               Recording* recording);
    ~PowerCycle();
    PowerCycle(const PowerCycle&) = delete;
    PowerCycle& operator=(const PowerCycle&) = delete;

    // The simulation up to `at`, or until the host has finished.
    void simulate(const Scenario& scenario, RunObserver& observer, Time at);
    // At this instant; the simulation is over.
    void cutPower();
    // Into the lasting state, when the simulation is over. Once.
    void takeFindings();

    // Before the simulation: all resources report their jobs from now on.
    void watch(ActivityLog& log) { measurement_.watch(log); }
    // Before the simulation; a debugger, if there is to be one, is waited for. REQUIRES: firmware on the RV32 core.
    void inspect(FirmwareInspection& inspection, RunObserver& observer);
    void finishInspection(int exitCode); // without an inspection nothing happens

private:
    class Kernel;
    void countRecovery();

    std::unique_ptr<Kernel> kernel_; // first, so that the modules go before it
    LastingState& lasting_;
    Time powerOn_;
    bool isNew_;
    bool isRecovered_ = false;
    Recording* recording_;
    std::shared_ptr<Agenda> agenda_ = Agenda::ofContext(); // before the modules that it wakes
    SsdModule ssd_;
    std::unique_ptr<host::PortModule> port_;
    host::HostDriverModule host_;
    Measurement measurement_;
    std::unique_ptr<FirmwareInspector> inspector_; // null: firmware is not inspected
};

} // namespace strobe::platform
