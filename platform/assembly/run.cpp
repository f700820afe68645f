// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/run.h"

#include "models/base/config_error.h"
#include "models/cpu/firmware_fault.h"
#include "models/tlm/time_bridge.h"
#include "platform/assembly/collect.h"
#include "platform/assembly/drive_debugger.h"
#include "platform/assembly/drive_file.h"
#include "platform/assembly/firmware_inspection.h"
#include "platform/assembly/power_cuts.h"
#include "platform/assembly/power_cycle.h"
#include "platform/assembly/timeline_recorder.h"
#include "platform/config/resolve.h"

#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <sys/resource.h>

namespace strobe::platform {

namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start)
{
    return std::chrono::duration<double>(Clock::now() - start).count();
}

HostTime hostTime(double setUp, double run, const Report& report)
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    HostTime time;
    time.setUpSeconds = setUp;
    time.runSeconds = run;
    time.peakMemoryBytes = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
    for (const PhaseReport& phase : report.phases) {
        for (const KindTotals& kind : phase.kinds)
            time.requests += kind.requests;
    }
    return time;
}

// Random cuts that always occur before the drive is ready and everything is read back would repeat endlessly.
class CutsWithoutProgress {
public:
    explicit CutsWithoutProgress(const Scenario& scenario) : scenario_(scenario) {}

    void after(const host::HostProgress& progress)
    {
        const bool isFurther = progress.phase != phase_ || progress.done != done_;
        phase_ = progress.phase;
        done_ = progress.done;
        count_ = isFurther ? 0 : count_ + 1;
        if (count_ < most || scenario_.power.meanCutInterval == Time{} || scenario_.power.maxCuts != 0)
            return;
        const std::string path = "/power/meanCutInterval";
        throw ConfigError(fmt::format(
            "{}{}: with {} power was lost {} times in a row before a request of the workload "
            "had ended, because the drive has "
            "to start{} first; a longer interval lets the run continue, and maxCuts lets it end",
            scenario_.origin ? scenario_.origin(path) + ": " : "", path, toText(scenario_.power.meanCutInterval),
            count_, scenario_.power.readBack ? " and all data is read back" : ""));
    }

private:
    static constexpr std::uint32_t most = 500;

    const Scenario& scenario_;
    std::uint32_t phase_ = 0;
    std::uint64_t done_ = 0;
    std::uint32_t count_ = 0;
};

DriveDebugger::Settings debuggerSettings(const FirmwareInspection& inspection, RunObserver& observer)
{
    DriveDebugger::Settings settings;
    settings.port = *inspection.gdbPort;
    settings.onListening = inspection.onListening;
    settings.givenUp = [&observer] { return observer.stopRequested(); };
    return settings;
}

// Tells the observer, whatever ends the simulation.
class Simulating {
public:
    explicit Simulating(RunObserver& observer) : observer_(observer) { observer_.simulating(true); }
    ~Simulating() { observer_.simulating(false); }
    Simulating(const Simulating&) = delete;
    Simulating& operator=(const Simulating&) = delete;

private:
    RunObserver& observer_;
};

std::string reasonForNoImage(const Report& report, const LastingState& lasting)
{
    if (report.interrupted)
        return "the run was interrupted";
    if (report.foundErrors())
        return "the run found errors";
    if (lasting.hasFirmwareEnded)
        return "firmware ended";
    return lasting.driver.isFlushed() ? "" : "the drive refused the flush after the last phase";
}

void save(DriveSaving& saving, const Scenario& scenario, const Report& report, PowerCycle& cycle, LastingState& lasting)
{
    if (saving.isOrderly) {
        saving.notSavedBecause = reasonForNoImage(report, lasting);
        if (!saving.notSavedBecause.empty())
            return;
        cycle.switchOff();
    } else {
        cycle.cutPower();
    }
    saving.file = lasting.file(scenario, saving.program);
}

Report runDrive(const Scenario& scenario, RunObserver& observer, const RunObservations& observations,
                FirmwareInspector* inspector)
{
    check(sc_core::sc_get_time_resolution() == sc_core::sc_time(1, sc_core::SC_PS),
          "the kernel does not count picoseconds");
    // The report and errors announce a stop; the kernel must not print it on standard output.
    sc_core::sc_report_handler::set_actions("/OSCI/SystemC", sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
    DriveSaving* const saving = observations.saving;
    if (scenario.nand.contents.saves() && saving == nullptr)
        throw ConfigError(
            "/nand/contents/mode: only `strobe run` and `strobe operations` write such a file; must be load");
    if (observations.timeline != nullptr)
        observations.timeline->setDies(scenario.nand.array.diesPerChannel(),
                                       scenario.nand.part.hasPlaneReads() ? scenario.nand.part.geometry.planes : 0);
    LastingState lasting(scenario, saving != nullptr && saving->isOrderly);
    if (observations.series && scenario.report.seriesEvery != Time{})
        lasting.series.emplace(scenario.report.seriesEvery);
    std::optional<DriveDebugger> debugger;
    if (observations.inspection != nullptr && observations.inspection->gdbPort)
        debugger.emplace(debuggerSettings(*observations.inspection, observer), lasting.dies, lasting.driver);
    PowerCuts cuts(scenario.power, scenario.seed);
    CutsWithoutProgress withoutProgress(scenario);
    std::unique_ptr<PowerCycle> cycle;
    double setUp = 0;
    double run = 0;
    Time end{};
    for (Time powerOn{}; !lasting.isOver(); powerOn = end + scenario.power.offTime) {
        const auto begin = Clock::now();
        cycle.reset(); // the one before, with its kernel
        cycle = std::make_unique<PowerCycle>(scenario, lasting, observer, powerOn, observations.recording,
                                             observations.timeline);
        setUp += secondsSince(begin);
        if (observations.activity != nullptr)
            cycle->watch(*observations.activity);
        if (inspector != nullptr)
            cycle->inspect(*inspector);
        if (debugger)
            cycle->debug(*debugger);
        const auto ready = Clock::now();
        try {
            const Simulating simulating(observer);
            cycle->simulate(cuts.next(powerOn));
        } catch (const host::WorkloadError& error) { // found only when the capacity was known
            const std::string path = pathOf(error.place(), scenario.skippedPhases);
            throw ConfigError((scenario.origin ? scenario.origin(path) + ": " : "") + path + ": " + error.what());
        } catch (const host::OtherCapacity& error) {
            refuseDriveFile(scenario, error.what());
        }
        if (!lasting.isOver()) {
            cycle->cutPower();
            if (saving != nullptr && saving->isAtFirstCut && saving->file.empty())
                saving->file = lasting.file(scenario, saving->program);
        }
        end = now();
        withoutProgress.after(lasting.driver.progress());
        cycle->takeFindings();
        run += secondsSince(ready);
    }
    if (scenario.report.wearEvery > Time{})
        lasting.sampleWear(end);

    Report report = collect({scenario, lasting, end});
    cycle->finishSeries(report);
    report.platform = cycle->blocks();
    report.host = hostTime(setUp, run, report);
    if (debugger)
        debugger->ended(report.foundErrors() ? 1 : 0);
    if (saving != nullptr && !saving->isAtFirstCut)
        save(*saving, scenario, report, *cycle, lasting);
    return report;
}

} // namespace

Report runScenario(const Scenario& scenario, RunObserver& observer, const RunObservations& observations)
{
    FirmwareInspection ofTimeline;
    FirmwareInspection* inspection = observations.inspection;
    if (observations.timeline != nullptr && scenario.firmware.mode == FirmwareMode::Rv32) {
        inspection = inspection == nullptr ? &ofTimeline : inspection;
        inspection->onCall = [timeline = observations.timeline](const cpu::FunctionCall& call) {
            timeline->function(call);
        };
    }
    if (inspection == nullptr)
        return runDrive(scenario, observer, observations, nullptr);
    FirmwareInspector inspector(*inspection); // outlives the power cycles
    const struct Unhook {
        FirmwareInspection& inspection;
        ~Unhook() { inspection.onCall = nullptr; } // the timeline is the caller's
    } unhook{*inspection};
    try {
        Report report = runDrive(scenario, observer, observations, &inspector);
        inspector.finish();
        if (inspection->checkMemory)
            report.firmware.memory = inspection->memory;
        return report;
    } catch (const cpu::FirmwareFault&) { // what happened until then has been found, too
        inspector.finish();
        throw;
    }
}

} // namespace strobe::platform
