// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/power_cycle.h"

#include "models/tlm/sanitizer_stack.h"
#include "models/tlm/time_bridge.h"
#include "platform/assembly/blocks.h"
#include "platform/assembly/calibration_findings.h"
#include "platform/assembly/collect.h"
#include "platform/assembly/fault_report.h"
#include "platform/assembly/firmware_image.h"
#include "platform/assembly/functional_drive.h"
#include "platform/assembly/host_port.h"
#include "platform/assembly/run_ending.h"
#include "platform/assembly/slices.h"
#include "platform/config/resolve.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <systemc>
#include <utility>

#if defined(__SANITIZE_ADDRESS__)
// SystemC 2.3.4 forgets the timed notifications that are pending when a simulation context is destroyed: a few bytes
// for each power loss. Strobe cannot free them.
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions()
{
    return "leak:sc_core::sc_event_timed::allocate\n";
}
#endif

namespace strobe::platform {

namespace {

using Clock = std::chrono::steady_clock;

Progress progressOf(const Scenario& scenario, const host::HostDriver& driver)
{
    const host::HostProgress at = driver.progress();
    const auto& phases = scenario.workload.phases;
    const std::string_view name =
        at.phase < phases.size() ? std::string_view(phases[at.phase].name) : std::string_view();
    return {name, at.phase, at.phases, at.done, at.total, now()};
}

} // namespace

// The first cycle runs in the program's initial context; each later one in its own.
class PowerCycle::Kernel {
public:
    Kernel(bool isFirst, Time origin) : previous_(sc_core::sc_curr_simcontext)
    {
        startKernelAt(origin);
        if (isFirst)
            return;
        context_ = std::make_unique<sc_core::sc_simcontext>();
        sc_core::sc_curr_simcontext = context_.get();
    }
    ~Kernel()
    {
        context_.reset();
        sc_core::sc_curr_simcontext = previous_;
    }
    Kernel(const Kernel&) = delete;
    Kernel& operator=(const Kernel&) = delete;

private:
    std::unique_ptr<sc_core::sc_simcontext> context_;
    sc_core::sc_simcontext* previous_;
};

PowerCycle::PowerCycle(const Scenario& scenario, LastingState& lasting, RunObserver& observer, Time powerOn,
                       Recording* recording, StageSink* sink)
    : kernel_(std::make_unique<Kernel>(powerOn == Time{}, powerOn)), lasting_(lasting), observer_(observer),
      powerOn_(powerOn),
      recovery_(scenario.nand.array.dies() * scenario.nand.part.geometry.pages(), lasting.powerOn == PowerOn::First),
      isNew_(lasting.powerOn == PowerOn::First), recording_(recording),
      ssd_(
          "ssd", scenario, lasting.dies, lasting.powerOn, findFirmwareImage(scenario.firmware),
          [this, &lasting, &observer](Time at, std::string_view line) {
              lasting.log.push_back(toText(at) + ": " + std::string(line));
              if (debugger_ == nullptr || !debugger_->isReplaying())
                  observer.firmwareSays(lasting.log.back());
          },
          recording == nullptr ? nullptr : &recording->request),
      port_(makeHostPort(scenario, lasting.power.cuts)), host_("host", lasting.driver),
      measurement_(ssd_, *port_, lasting.sums)
{
    lasting.powerOn = PowerOn::AfterLoss;
    ssd_.hostInterface.connect(*port_);
    port_->connect(ssd_.hostInterface, host_);
    host_.connect(*port_);
    if (lasting.stages || sink != nullptr) {
        stages_.emplace(ssd_, *port_, lasting.driver, lasting.stages ? &*lasting.stages : nullptr, sink);
    }
    lasting.driver.onPhase([this, &observer](const host::PhaseResult& phase, bool begins) {
        if (inspector_ != nullptr)
            inspector_->phase(phase.name, phase.measured, begins);
        if (!phase.measured)
            return;
        begins ? measurement_.begin() : measurement_.end();
        begins ? startSeries() : stopSeries();
        observer.measuring(begins);
    });
    lasting.driver.onFinished([this](Time) { agenda_->pause(); });
    lasting.driver.onSwitch([this](Time) { agenda_->pause(); });
    lasting.driver.onReturned([this](Time) { countRecovery(); });
    lasting.driver.onResumed([this](Time at) {
        countReadBack(at);
        measurement_.resume();
        if (inspector_ != nullptr)
            inspector_->resumed();
        if (lasting_.sums.isOpen)
            startSeries();
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
}

void PowerCycle::inspect(FirmwareInspector& inspector)
{
    inspector_ = &inspector;
    inspector.attach(ssd_);
}

void PowerCycle::debug(DriveDebugger& debugger)
{
    debugger_ = &debugger;
    debugger.attach(ssd_);
    debugger.waitForDebugger();
}

// The slice that is being simulated may be longer than an interval: it ends here.
void PowerCycle::startSeries()
{
    if (!lasting_.series)
        return;
    lasting_.series->start(now());
    agenda_->pause();
}

void PowerCycle::stopSeries()
{
    if (lasting_.series)
        lasting_.series->stop(now());
}

Observed PowerCycle::observe() const
{
    return {measurement_.figures(), lasting_.driver.results(), lasting_.driver.outstandingTime(now())};
}

void PowerCycle::sampleSeries()
{
    if (lasting_.series && now() >= lasting_.series->nextSample())
        lasting_.series->sample(now(), observe());
}

// Without power nothing changes: samples that were due then are one sample.
void PowerCycle::sampleWear(const Scenario& scenario)
{
    if (now() < lasting_.nextWearSample)
        return;
    lasting_.sampleWear(now());
    const Time every = scenario.report.wearEvery;
    lasting_.nextWearSample += every * ((now() - lasting_.nextWearSample) / every + 1);
}

void PowerCycle::finishSeries(Report& report)
{
    if (lasting_.series)
        report.series = lasting_.series->finish(observe());
}

PlatformReport PowerCycle::blocks() const
{
    return blocksOf(ssd_, *port_, port_->basename());
}

void PowerCycle::takeFindings()
{
    ssd_.uart.flush();
    measurement_.suspend();
    stopSeries();
    if (stages_)
        stages_->flush();
    ssd_.checkBootBlock();
    lasting_.failures.add(ssd_);
    accumulate(lasting_.hostFaults, port_->faults());
    addCalibration(lasting_.calibration, ssd_.flash.controller());
    if (recording_ != nullptr) {
        const auto& operations = ssd_.recorder->operations();
        recording_->operations.insert(recording_->operations.end(), operations.begin(), operations.end());
    }
}

// A functional phase is next, and the drive has nothing left to do before it.
bool PowerCycle::isFunctional()
{
    return lasting_.driver.awaitsSwitch() && FunctionalDrive::isQuiet(ssd_);
}

bool PowerCycle::isBeforeFunctionalPhase(const Scenario& scenario) const
{
    const std::uint32_t phase = lasting_.driver.progress().phase;
    return phase < scenario.workload.phases.size() && scenario.workload.phases[phase].isFunctional;
}

void PowerCycle::abandon()
{
    lasting_.abandoned = lasting_.driver.outstanding();
    observer_.abandoned(describeStall(ssd_, hostState(), now(), "the run was interrupted, and commands do not end"));
}

// --- firmware that serves the host no more ---------------------------------------------------------------------------

// A bug of Strobe only if its own firmware runs.
void PowerCycle::endStalled(const Scenario& scenario, Time at, const std::string& reason)
{
    const std::string& image = scenario.firmware.image;
    const std::string text = describeStall(ssd_, hostState(), at, reason);
    if (debugger_ != nullptr)
        debugger_->stalled(text);
    if (isImageOf(image, scenario.firmware.ftl))
        throw InternalError(fmt::format("firmware image \"{}\" has {}", image, text));
    throw cpu::FirmwareFault(fmt::format("firmware image \"{}\" has {}", image, text));
}

bool PowerCycle::goesOnRecovering(Time limit)
{
    const bool isRecovering = !lasting_.driver.isPowered();
    return isRecovering &&
           recovery_.goesOn(ssd_.flash.controller().dispatcher().counters().finished, now() - powerOn_, limit);
}

// It looks only when a stall is possible: commands that do not end are found at the exact time, and nothing is done in
// between.
void PowerCycle::lookForStall(const Scenario& scenario)
{
    const std::optional<Time>& limit = scenario.firmware.stallAfter;
    if (!limit || now() < nextStallLook_)
        return;
    const host::HostDriver& driver = lasting_.driver;
    const Time since = driver.isPowered() ? driver.waitingSince() : powerOn_;
    if (since == never || goesOnRecovering(*limit)) {
        nextStallLook_ = now() + *limit;
        return;
    }
    if (now() - since >= *limit)
        endStalled(scenario, now(),
                   fmt::format("{} for {} (firmware.stallAfter)",
                               driver.isPowered() ? "commands are outstanding, and none has ended"
                                                  : "the drive has not become ready",
                               toText(now() - since)));
    nextStallLook_ = since + *limit;
}

// The functional phases that the host has come to, at this instant.
void PowerCycle::serveFunctionally(const Scenario& scenario, RunObserver& observer, RunEnding& ending)
{
    constexpr std::chrono::milliseconds slice{50};
    host::HostDriver& driver = lasting_.driver;
    FunctionalDrive drive(ssd_, driver, host_);
    while (drive.run(slice)) {
        ending.begins(false, now());
        if (drive.isStuck())
            endStalled(scenario, now(),
                       "firmware sleeps and the flash has nothing to do, but requests of a functional phase are "
                       "outstanding");
        if (ending.isOverdue()) {
            abandon();
            return;
        }
        observer.progress(progressOf(scenario, driver));
    }
    drive.end(*port_);
    host_.rethrowError();
}

namespace {

// Another capacity after a power loss is a mistake of firmware; at the first start it does not fit the contents of a
// file.
void rethrowErrorOf(const host::HostDriverModule& module, const host::HostDriver& driver,
                    const FirmwareConfig& firmware, DriveDebugger* debugger)
{
    try {
        module.rethrowError();
    } catch (const host::OtherCapacity& error) {
        if (driver.poweredAt() == driver.readyTime())
            throw;
        const std::string text = fmt::format("firmware image \"{}\": {}", firmware.image, error.what());
        if (isImageOf(firmware.image, firmware.ftl))
            throw InternalError(text);
        if (debugger != nullptr)
            debugger->stalled(text);
        throw cpu::FirmwareFault(text);
    }
}

} // namespace

// In slices, so that progress and stop requests are served promptly at any speed of the scenario.
void PowerCycle::simulate(const Scenario& scenario, RunObserver& observer, Time at)
{
    host::HostDriver& driver = lasting_.driver;
    Slices slices;
    RunEnding ending(driver, observer);
    if (scenario.firmware.stallAfter)
        nextStallLook_ = powerOn_ + *scenario.firmware.stallAfter;
    bool wasStill = false;
    while (!lasting_.isOver() && now() < at) {
        if (debugger_ != nullptr)
            debugger_->betweenSlices();
        if (ending.begins(debugger_ != nullptr && debugger_->isKilled(), now())) {
            slices.restart();
            continue;
        }
        if (ending.isOverdue()) {
            abandon();
            return;
        }
        lookForStall(scenario);
        if (isFunctional()) {
            serveFunctionally(scenario, observer, ending);
            continue;
        }
        const auto start = Clock::now();
        sampleSeries();
        sampleWear(scenario);
        const Time series = lasting_.series ? lasting_.series->nextSample() : never;
        const Time step = std::min(
            {slices.length(), at - now(), lasting_.nextWearSample - now(), series - now(), nextStallLook_ - now()});
        agenda_->runAheadUntil(now() + step);
        sc_core::sc_start(toSc(step));
        restoreSanitizerStack();
        try {
            ssd_.rethrowFault();
        } catch (const cpu::FirmwareEnded&) {
            lasting_.hasFirmwareEnded = true;
            return;
        } catch (const cpu::FirmwareFault& fault) {
            throw cpu::FirmwareFault(fault.what() + describeFault(ssd_, ssd_.cpu->isFaulted() ? 0 : 1));
        }
        rethrowErrorOf(host_, driver, scenario.firmware, debugger_);
        const bool isStill = !sc_core::sc_pending_activity();
        // Before a functional phase, firmware may have fallen asleep ahead of simulated time.
        const bool isWaiting = driver.awaitsSwitch() && (!wasStill || isFunctional());
        if (!driver.isFinished() && isStill && !isWaiting)
            endStalled(scenario, agenda_->lastInstant(),
                       driver.isPowered() ? "no event is left, but requests are outstanding"
                                          : "no event is left, but the drive has not become ready");
        wasStill = isStill;
        sampleWear(scenario);
        slices.ended(std::chrono::duration<double>(Clock::now() - start).count(), isBeforeFunctionalPhase(scenario));
        observer.progress(progressOf(scenario, driver));
    }
}

void PowerCycle::cutPower(const Scenario& scenario)
{
    if (debugger_ != nullptr)
        debugger_->losesPower(fmt::format("power is lost at {}", toText(now())));
    PowerReport& power = lasting_.power;
    ++power.cuts;
    lasting_.isOrderly = false;
    if (!isNew_ && !isRecovered_) {
        ++power.cutsInRecovery;
        countRecovery();
    } else if (isRecovered_ && !isReadBack_) {
        countReadBack(std::nullopt);
    }
    holdUp(scenario);
    losePower(now());
}

void PowerCycle::switchOff(const Scenario& scenario)
{
    holdUp(scenario);
    losePower(never);
}

// The host is gone; firmware saves what it has acknowledged, as long as the capacitors last. Before the drive was ready
// it has acknowledged nothing.
void PowerCycle::holdUp(const Scenario& scenario)
{
    if (scenario.firmware.writeCache == WriteCache::Volatile || !lasting_.driver.isPowered() ||
        lasting_.isFirmwareGone())
        return;
    measurement_.suspend();
    stopSeries();
    host_.powerLost();
    const Time begin = now();
    bool isSaved = false;
    ssd_.hostInterface.supplyFails([&](Time) {
        isSaved = true;
        agenda_->pause();
    });
    while (!isSaved && now() < begin + scenario.power.holdUp && sc_core::sc_pending_activity()) {
        const Time step = begin + scenario.power.holdUp - now();
        agenda_->runAheadUntil(now() + step);
        sc_core::sc_start(toSc(step));
        restoreSanitizerStack();
        try {
            ssd_.rethrowFault();
        } catch (const cpu::FirmwareEnded&) {
            lasting_.hasFirmwareEnded = true;
            break;
        }
    }
    PowerReport& power = lasting_.power;
    ++power.holdUps;
    power.notSaved += isSaved ? 0U : 1U;
    power.longestHoldUp = std::max(power.longestHoldUp, isSaved ? now() - begin : scenario.power.holdUp);
}

void PowerCycle::losePower(Time ofDies)
{
    measurement_.suspend();
    stopSeries();
    std::uint64_t interrupted = 0;
    for (const auto& die : lasting_.dies)
        interrupted += die->powerOff(ofDies);
    lasting_.power.operationsCut += interrupted;
    lasting_.isOrderly = lasting_.isOrderly && interrupted == 0;
    if (!host_.isGone())
        lasting_.driver.powerLost(now());
}

// The drive is back, or was about to be.
void PowerCycle::countRecovery()
{
    const auto& operations = ssd_.flash.controller().dispatcher().counters().operations;
    const auto count = [&operations](nand::Purpose purpose, nand::Opcode opcode) {
        return operations[static_cast<std::size_t>(purpose)][static_cast<std::size_t>(opcode)];
    };
    RecoveryReport start;
    start.at = powerOn_;
    start.pagesScanned = count(nand::Purpose::Metadata, nand::Opcode::Read);
    for (std::size_t purpose = 0; purpose < operations.size(); ++purpose) {
        start.otherReads += operations[purpose][static_cast<std::size_t>(nand::Opcode::Read)];
        start.programs += operations[purpose][static_cast<std::size_t>(nand::Opcode::Program)];
        start.erases += operations[purpose][static_cast<std::size_t>(nand::Opcode::Erase)];
    }
    start.otherReads -= start.pagesScanned;
    PowerReport& power = lasting_.power;
    power.pagesScanned += start.pagesScanned;
    isRecovered_ = lasting_.driver.isPowered();
    if (isRecovered_) {
        start.ready = lasting_.driver.poweredAt() - powerOn_;
        ++power.recoveries;
        power.recovery += *start.ready;
        power.longestRecovery = std::max(power.longestRecovery, *start.ready);
        readBackBefore_ = sectorsReadBack();
    }
    power.starts.push_back(start);
}

std::uint64_t PowerCycle::sectorsReadBack() const
{
    return lasting_.driver.isReady() ? lasting_.driver.integrity().power().readBack : 0;
}

// REQUIRES: the drive is back
void PowerCycle::countReadBack(std::optional<Time> end)
{
    RecoveryReport& start = lasting_.power.starts.back();
    start.sectorsReadBack = sectorsReadBack() - readBackBefore_;
    if (end)
        start.readBack = *end - lasting_.driver.poweredAt();
    isReadBack_ = true;
}

} // namespace strobe::platform
