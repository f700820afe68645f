// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/collect.h"

#include "platform/assembly/counter_blocks.h"
#include "platform/assembly/energy.h"

#include <fmt/format.h>

#include <algorithm>

namespace strobe::platform {

namespace {

KindTotals totalsOf(host::RequestKind kind, const host::KindResult& result)
{
    KindTotals totals;
    totals.kind = kind;
    totals.requests = result.requests;
    totals.bytes = result.sectors * sectorBytes;
    totals.failed = result.failed;
    totals.latency = summarise(result.latency);
    totals.distribution = result.latency;
    return totals;
}

std::vector<KindTotals> totalsOf(const host::KindResults& results)
{
    std::vector<KindTotals> totals;
    for (const auto& row : host::requestKindTable) {
        const host::KindResult& result = results[static_cast<std::size_t>(row.value)];
        if (result.requests != 0)
            totals.push_back(totalsOf(row.value, result));
    }
    return totals;
}

LatencySummary latencyOfAll(const host::KindResults& results)
{
    LatencyHistogram all;
    for (const host::KindResult& result : results)
        all.merge(result.latency);
    return summarise(all);
}

JobReport jobReport(const host::JobResult& result)
{
    JobReport job;
    job.name = result.name;
    job.workload = result.workload;
    job.pacing = result.pacing;
    job.queueDepth = result.queueDepth;
    job.kinds = totalsOf(result.kinds);
    job.all = latencyOfAll(result.kinds);
    job.source = result.source;
    return job;
}

PhaseReport phaseReport(const host::PhaseResult& result)
{
    PhaseReport phase;
    static_cast<JobReport&>(phase) = jobReport(result);
    phase.measured = result.measured;
    phase.isFunctional = result.isFunctional;
    phase.start = result.start;
    phase.end = result.end;
    for (const host::JobResult& job : result.jobs)
        phase.jobs.push_back(jobReport(job));
    return phase;
}

IntegrityReport integrityOf(const Finished& finished)
{
    IntegrityReport report;
    report.enabled = finished.scenario.dataMode != DataMode::None;
    if (!finished.lasting.driver.isReady())
        return report;
    const host::Integrity& integrity = finished.lasting.driver.integrity();
    report.checkedSectors = integrity.checkedSectors();
    report.mismatches = integrity.mismatches();
    for (const host::Mismatch& mismatch : integrity.firstMismatches()) {
        if (report.details.size() < finished.scenario.report.mismatchDetails)
            report.details.push_back(mismatch.text());
    }
    return report;
}

std::vector<FailureReport> failuresOf(const Finished& finished)
{
    std::vector<FailureReport> reports = finished.lasting.failures.reports();
    std::vector<std::string> failedRequests;
    for (const host::FailedRequest& failed : finished.lasting.driver.firstFailures())
        failedRequests.push_back(failed.text());
    std::uint64_t failedCount = 0;
    for (const host::PhaseResult& phase : finished.lasting.driver.results()) {
        for (const host::KindResult& kind : phase.kinds)
            failedCount += kind.failed;
    }
    if (failedCount != 0)
        reports.push_back({"failed host request", failedCount, true, std::move(failedRequests)});
    return reports;
}

PowerReport powerOf(const Finished& finished)
{
    PowerReport report = finished.lasting.power;
    const host::HostDriver& driver = finished.lasting.driver;
    const std::vector<Time>& cuts = finished.scenario.power.cuts;
    report.holdUpWatt = finished.scenario.power.holdUpWatt;
    report.cutsAfterEnd = static_cast<std::uint64_t>(
        std::count_if(cuts.begin(), cuts.end(), [&](Time cut) { return cut >= finished.end; }));
    report.commandsLost = driver.power().lostCommands;
    report.unreadable = driver.power().unreadable;
    if (!driver.isReady())
        return report;
    const host::Integrity::PowerCounts& counts = driver.integrity().power();
    report.sectorsAtRisk = counts.atRisk;
    report.sectorsReadBack = counts.readBack;
    report.sectorsReverted = counts.reverted;
    return report;
}

// Without data refresh there is no row for it.
std::vector<FlashCounts> flashCountsOf(const controller::DispatcherCounters& counters, bool hasRefresh)
{
    std::vector<FlashCounts> rows;
    for (const auto& row : nand::purposeTable) {
        if (row.value == nand::Purpose::Refresh && !hasRefresh)
            continue;
        const auto& done = counters.operations[static_cast<std::size_t>(row.value)];
        const auto count = [&done](nand::Opcode opcode) { return done[static_cast<std::size_t>(opcode)]; };
        rows.push_back({std::string(row.name), count(nand::Opcode::Read), count(nand::Opcode::Program),
                        count(nand::Opcode::Erase), count(nand::Opcode::CopyBack)});
    }
    return rows;
}

FirmwareReport firmwareOf(const Finished& finished)
{
    const FirmwareConfig& config = finished.scenario.firmware;
    FirmwareReport firmware;
    firmware.image = config.image;
    firmware.mode = enumName(config.mode);
    firmware.costs = finished.lasting.sums.costs;
    if (config.mode == FirmwareMode::Rv32)
        firmware.instructions = finished.lasting.sums.instructions;
    firmware.response = finished.lasting.sums.response;
    firmware.log = finished.lasting.log;
    return firmware;
}

MemoryReport memoryOf(const Finished& finished)
{
    MemoryReport memory;
    for (const auto& die : finished.lasting.dies)
        memory.flashPages += die->cells().bytesInUse();
    if (finished.lasting.driver.isReady())
        memory.integrityCheck = finished.lasting.driver.integrity().bytesUsed();
    return memory;
}

} // namespace

Dies diesOf(const DieArray& array)
{
    Dies dies;
    for (const auto& die : array)
        dies.push_back(die.get());
    return dies;
}

void addHostFindings(Report& report, const HostFindings& findings)
{
    report.capacitySectors = findings.capacitySectors;
    report.ready = findings.ready == never ? Time{} : findings.ready;
    report.measured = host::measuredLength(findings.phases);
    report.phases.clear();
    for (const host::PhaseResult& result : findings.phases)
        report.phases.push_back(phaseReport(result));
    const host::KindResults measured = host::measuredResults(findings.phases);
    report.kinds = totalsOf(measured);
    report.all = latencyOfAll(measured);
}

Report collect(const Finished& finished)
{
    const Scenario& scenario = finished.scenario;
    host::HostDriver& driver = finished.lasting.driver;

    Report report;
    report.scenario = scenario.name;
    report.description = scenario.description;
    report.seed = scenario.seed;
    report.dataMode = enumName(scenario.dataMode);
    report.resolvedJson = scenario.resolvedJson;
    report.differencesJson = scenario.differencesJson;
    if (driver.wasStopped()) {
        report.interrupted = true;
        report.interruption = "stopped by the user before the workload was done";
        if (const std::uint32_t abandoned = finished.lasting.abandoned; abandoned != 0)
            report.interruption += fmt::format("; {} command{} did not end", abandoned, abandoned == 1 ? "" : "s");
    }

    if (finished.lasting.hasFirmwareEnded) {
        report.interrupted = true;
        report.interruption = "firmware ended it";
    }

    const nand::ArrayGeometry& drive = scenario.nand.array;
    report.drive = fmt::format("{} channels x {} ways{} of {}", drive.channels, drive.ways,
                               drive.luns > 1 ? fmt::format(" x {} LUNs", drive.luns) : "", scenario.nand.part.name);
    report.pageBytes = scenario.nand.part.geometry.pageBytes;
    report.simulated = finished.end;
    addHostFindings(report, {driver.results(), driver.readyTime(), driver.capacitySectors()});

    if (finished.lasting.stages) {
        const RequestStatistics& stages = *finished.lasting.stages;
        const nand::ArrayGeometry& array = scenario.nand.array;
        report.requestStages = stageReport(stages.tally, stages.slowest, array.channels, array.dies() / array.channels);
    }

    const MeasuredSums& sums = finished.lasting.sums;
    report.resources = sums.resources;
    report.resources.erase(std::remove_if(report.resources.begin(), report.resources.end(),
                                          [](const ResourceReport& r) { return r.pool && r.pool->places == 0; }),
                           report.resources.end()); // firmware that keeps no statistics
    report.link = sums.link;
    report.flash = flashCountsOf(sums.counters.of<controller::DispatcherCounters>(),
                                 scenario.firmware.refresh.isOn() || scenario.firmware.superblockParity);
    report.counters = counterBlocks(finished);
    const Dies dies = diesOf(finished.lasting.dies);
    report.wear = wearOf(dies);
    report.wear.endurance = scenario.nand.part.endurance;
    report.wear.preAged = scenario.nand.preAged;
    report.wear.history = finished.lasting.wearHistory;
    if (scenario.report.wearMap)
        report.wear.map = wearMapOf(dies, scenario.nand.array.dies() / scenario.nand.array.channels);
    report.energy = energyOf(scenario, report.resources, sums.array, sums.counters.of<nand::PslcCounters>(),
                             sums.powerStates, report.measured);
    if (const auto& record = finished.lasting.thermal)
        report.thermal = ThermalReport{record->figures(finished.end), record->course()};
    report.powerStates = powerStatesOf(sums.powerStates, sums.meteredJoule, report.energy);
    report.integrity = integrityOf(finished);
    report.failures = failuresOf(finished);
    report.power = powerOf(finished);
    report.calibration = finished.lasting.calibration;
    report.firmware = firmwareOf(finished);
    report.memory = memoryOf(finished);
    return report;
}

} // namespace strobe::platform
