// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/power_cycle.h"

#include "platform/assembly/blocks.h"
#include "platform/assembly/calibration_findings.h"
#include "platform/assembly/collect.h"
#include "platform/assembly/firmware_image.h"
#include "platform/assembly/host_port.h"
#include "platform/assembly/run_ending.h"
#include "platform/assembly/run_progress.h"
#include "platform/assembly/simulation_step.h"
#include "platform/assembly/slices.h"
#include "platform/config/resolve.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <systemc>
#include <utility>

namespace strobe::platform {

namespace {

using Clock = std::chrono::steady_clock;

} // namespace

PowerCycle::PowerCycle(const Scenario& scenario, LastingState& lasting, RunObserver& observer, Time powerOn,
                       Recording* recording, StageSink* sink)
    : kernel_(powerOn == Time{}, powerOn), scenario_(scenario), lasting_(lasting), observer_(observer),
      stallWatch_(scenario.firmware.stallAfter, powerOn,
                  RecoveryWatch(scenario.nand.array.dies() * scenario.nand.part.geometry.pages(),
                                lasting.powerOn == PowerOn::First)),
      recording_(recording),
      ssd_(
          "ssd", scenario, lasting.dies, lasting.powerOn, findFirmwareImage(scenario.firmware),
          [this, &lasting, &observer](Time at, std::string_view line) {
              lasting.log.push_back(toText(at) + ": " + std::string(line));
              if (debugger_ == nullptr || !debugger_->isReplaying())
                  observer.firmwareSays(lasting.log.back());
          },
          recording == nullptr ? nullptr : &recording->request, lasting.thermal ? &*lasting.thermal : nullptr),
      port_(makeHostPort(scenario, lasting.power.cuts)), host_("host", lasting.driver),
      measurement_(ssd_, *port_, lasting.sums), sampling_(scenario, lasting, measurement_, *agenda_),
      supply_(scenario, lasting, ssd_, host_, measurement_, sampling_, *agenda_, powerOn),
      functional_(scenario, lasting.driver, ssd_, host_, *port_)
{
    lasting.powerOn = PowerOn::AfterLoss;
    ssd_.hostInterface.connect(*port_);
    port_->connect(ssd_.hostInterface, host_);
    host_.connect(*port_);
    if (lasting.thermal) {
        lasting.thermal->powerOn(powerOn);
        meter_.emplace(scenario, measurement_, lasting.sums, powerOn);
        ssd_.temperature->connect([this](Time at) { return meter_->taken(at); });
    }
    if (lasting.stages || sink != nullptr) {
        stages_.emplace(ssd_, *port_, lasting.driver, lasting.stages ? &*lasting.stages : nullptr, sink);
    }
    lasting.driver.onPhase([this, &observer](const host::PhaseResult& phase, bool begins) {
        if (inspector_ != nullptr)
            inspector_->phase(phase.name, phase.measured, begins);
        if (!phase.measured)
            return;
        begins ? measurement_.begin() : measurement_.end(phase.end);
        begins ? sampling_.begin() : sampling_.end();
        observer.measuring(begins);
    });
    lasting.driver.onFinished([this](Time) { agenda_->pause(); });
    lasting.driver.onSwitch([this](Time) { agenda_->pause(); });
    if (scenario.firmware.ftl == Ftl::Zoned)
        lasting.driver.readsPointers([this](std::uint64_t zone) {
            return std::uint64_t{
                ssd_.hostInterface.zoneStates(static_cast<std::uint32_t>(zone), 1, now()).zones.front().written};
        });
    lasting.driver.onReturned([this](Time) { supply_.countRecovery(); });
    lasting.driver.onResumed([this](Time at) {
        supply_.countReadBack(at);
        measurement_.resume();
        if (inspector_ != nullptr)
            inspector_->resumed();
        if (lasting_.sums.isOpen)
            sampling_.begin();
    });
}

PowerCycle::~PowerCycle()
{
    if (debugger_ != nullptr)
        debugger_->detach();
    if (inspector_ != nullptr)
        inspector_->detach();
    lasting_.driver.onPhase({});
    lasting_.driver.onFinished({});
    lasting_.driver.onSwitch({});
    lasting_.driver.onReturned({});
    lasting_.driver.onResumed({});
    lasting_.driver.readsPointers({});
}

void PowerCycle::inspect(FirmwareInspector& inspector)
{
    inspector_ = &inspector;
    inspector.attach(ssd_);
}

void PowerCycle::debug(DriveDebugger& debugger)
{
    debugger_ = &debugger;
    if (stages_)
        stages_->stayInThread(); // the process forks (process_snapshots.h)
    debugger.attach(ssd_);
    debugger.waitForDebugger();
}

PlatformReport PowerCycle::blocks() const
{
    return blocksOf(ssd_, *port_, port_->basename());
}

void PowerCycle::takeFindings()
{
    ssd_.uart.flush();
    if (meter_) {
        ssd_.temperature->takeLast();
        lasting_.thermal->powerOff(now());
    }
    measurement_.suspend();
    sampling_.end();
    if (stages_)
        stages_->end(); // a switch-off may follow, which is of no request
    ssd_.checkBootBlock();
    lasting_.failures.add(ssd_);
    accumulate(lasting_.hostFaults, port_->faults());
    addCalibration(lasting_.calibration, ssd_.flash.controller());
    if (recording_ != nullptr) {
        const auto& operations = ssd_.recorder->operations();
        recording_->operations.insert(recording_->operations.end(), operations.begin(), operations.end());
    }
}

void PowerCycle::abandon()
{
    lasting_.abandoned = lasting_.driver.outstanding();
    observer_.abandoned(describeStall(ssd_, hostState(), now(), "the run was interrupted, and commands do not end"));
}

// --- firmware that serves the host no more ---------------------------------------------------------------------------

void PowerCycle::endStalled(Time at, const std::string& reason)
{
    const std::string text = describeStall(ssd_, hostState(), at, reason);
    if (debugger_ != nullptr)
        debugger_->stalled(text);
    throwFirmwareFailure(scenario_.firmware,
                         fmt::format("firmware image \"{}\" has {}", scenario_.firmware.image, text));
}

// Another capacity after a power loss is a mistake of firmware; at the first start it does not fit the contents of a
// file.
void PowerCycle::rethrowHostError()
{
    try {
        host_.rethrowError();
    } catch (const host::OtherCapacity& error) {
        if (lasting_.driver.poweredAt() == lasting_.driver.readyTime())
            throw;
        const std::string text = fmt::format("firmware image \"{}\": {}", scenario_.firmware.image, error.what());
        if (debugger_ != nullptr)
            debugger_->stalled(text);
        throwFirmwareFailure(scenario_.firmware, text);
    }
}

// False: there is nothing more to simulate.
bool PowerCycle::serveFunctionally(RunEnding& ending)
{
    if (meter_)
        meter_->suspend(now());
    const FunctionalPhases::End end = functional_.serve(observer_, ending);
    if (meter_)
        meter_->resume(now());
    if (end == FunctionalPhases::End::Stuck)
        endStalled(now(), "firmware sleeps and the flash has nothing to do, but requests of a functional phase are "
                          "outstanding");
    if (end == FunctionalPhases::End::Overdue)
        abandon();
    return end == FunctionalPhases::End::Served;
}

// In slices, so that progress and stop requests are served promptly at any speed of the scenario.
void PowerCycle::simulate(Time at)
{
    host::HostDriver& driver = lasting_.driver;
    Slices slices;
    RunEnding ending(driver, observer_);
    bool wasStill = false;
    while (!lasting_.isOver() && now() < at) {
        if (debugger_ != nullptr)
            debugger_->betweenSlices();
        if (ending.begins(debugger_ != nullptr && debugger_->isKilled(), now())) {
            if (!driver.isPowered())
                observer_.abandoned(describeStall(ssd_, hostState(), now(),
                                                  "the run was interrupted before the drive had become ready"));
            slices.restart();
            continue;
        }
        if (ending.isOverdue()) {
            abandon();
            return;
        }
        if (const auto reason = stallWatch_.look(now(), {driver.isPowered(), driver.waitingSince()}, operations())) {
            requireUsualStallLimit(scenario_, *reason);
            endStalled(now(), *reason);
        }
        if (functional_.isDue()) {
            if (!serveFunctionally(ending))
                return;
            continue;
        }
        const auto start = Clock::now();
        sampling_.takeDue();
        const Time step =
            std::min({slices.length(), at - now(), sampling_.next() - now(), stallWatch_.nextLook() - now()});
        if (simulateStep(ssd_, *agenda_, step) == StepEnd::FirmwareEnded) {
            lasting_.hasFirmwareEnded = true;
            return;
        }
        rethrowHostError();
        const bool isStill = !sc_core::sc_pending_activity() || (ssd_.temperature && ssd_.temperature->isAlone());
        // Before a functional phase, firmware may have fallen asleep ahead of simulated time.
        const bool isWaiting = driver.awaitsSwitch() && (!wasStill || functional_.isDue());
        if (!driver.isFinished() && isStill && !isWaiting)
            endStalled(agenda_->lastInstant(), driver.isPowered()
                                                   ? "no event is left, but requests are outstanding"
                                                   : "no event is left, but the drive has not become ready");
        wasStill = isStill;
        sampling_.takeWear();
        slices.ended(std::chrono::duration<double>(Clock::now() - start).count(), functional_.isNext());
        observer_.progress(progressOf(scenario_, driver));
    }
}

void PowerCycle::cutPower()
{
    if (debugger_ != nullptr)
        debugger_->losesPower(fmt::format("power is lost at {}", toText(now())));
    supply_.fail();
}

} // namespace strobe::platform
