// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/lasting_state.h"

#include "models/base/bytes.h"
#include "platform/assembly/collect.h"
#include "platform/assembly/drive_file.h"
#include "platform/assembly/wear.h"
#include "platform/config/flash_plan.h"

#include <algorithm>

namespace strobe::platform {

namespace {

bool chooses(const host::SourceConfig& source)
{
    return !source.queues.isAny();
}

bool choosesQueues(const host::WorkloadConfig& workload)
{
    return std::any_of(workload.phases.begin(), workload.phases.end(), [](const host::PhaseConfig& phase) {
        return chooses(phase.source) || std::any_of(phase.concurrentJobs.begin(), phase.concurrentJobs.end(),
                                                    [](const host::JobConfig& job) { return chooses(job.source); });
    });
}

host::HostDriverConfig driverConfig(const Scenario& scenario, bool endsWithFlush)
{
    host::HostDriverConfig config;
    config.dataMode = scenario.dataMode;
    config.mappingUnitSectors = scenario.firmware.mappingUnitBytes / sectorBytes;
    config.expectsPowerLoss = scenario.power.hasCuts() || scenario.nand.contents.saves();
    if (scenario.firmware.writeCache == WriteCache::Protected)
        config.acknowledged = host::Durable::Everything;
    else if (scenario.firmware.completion == Completion::WriteThrough)
        config.acknowledged = host::Durable::Writes;
    config.readsBack = scenario.power.readBack;
    config.lost = scenario.power.lostCommands;
    config.endsWithFlush = endsWithFlush;
    config.namespaces = scenario.host.nvme.namespaces;
    if (choosesQueues(scenario.workload))
        config.queues = scenario.host.nvme.queues;
    if (scenario.firmware.ftl == Ftl::Zoned)
        config.zoneSectors = plannedZones(scenario.nand.part.geometry, scenario.nand.array,
                                          scenario.firmware.zoned.dies, scenario.firmware.zoned.rows)
                                 .sectors;
    return config;
}

} // namespace

LastingState::LastingState(const Scenario& scenario, bool endsWithFlush)
    : dies(makeDies(scenario)),
      driver(driverConfig(scenario, endsWithFlush), host::HostDriver::phasesOf(scenario.workload, scenario.seed)),
      failures(scenario.report.failureDetails),
      nextWearSample(scenario.report.wearEvery > Time{} ? scenario.report.wearEvery : never)
{
    if (scenario.thermal.isEnabled)
        thermal.emplace(scenario.thermal.network,
                        thermal::ThermalRecord::Thresholds{static_cast<double>(scenario.thermal.warning),
                                                           static_cast<double>(scenario.thermal.critical)});
    if (scenario.report.stages)
        stages.emplace(RequestStatistics{StageTally(dies.size()), SlowestRequests(scenario.report.slowest)});
    UserRecord known;
    if (loadDriveFile(scenario, DriveUser::Firmware, dies, known)) {
        isOrderly = known.isOrderly;
        powerOn = isOrderly ? PowerOn::AfterOff : PowerOn::AfterLoss;
    }
    if (known.versions.empty())
        return;
    try {
        const bool readsBack = scenario.power.readBack && !scenario.nand.contents.isImage();
        driver.continueFrom({known.capacitySectors, std::move(known.versions)}, readsBack);
    } catch (const DamagedBytes& damage) {
        refuseDriveFile(scenario, damage.what());
    }
}

std::string LastingState::file(const Scenario& scenario, const std::string& program) const
{
    UserRecord known;
    if (scenario.dataMode != DataMode::None) {
        host::HostDriver::Record host = driver.record();
        known = {host.capacitySectors, host.writtenSectors, std::move(host.versions)};
    }
    known.isOrderly = isOrderly;
    return driveFile(scenario, DriveUser::Firmware, dies, known, program);
}

// A point of the wear's history.
void LastingState::sampleWear(Time at)
{
    std::uint64_t sectors = 0;
    for (const host::PhaseResult& phase : driver.results())
        for (const auto kind : {host::RequestKind::Write, host::RequestKind::Append})
            sectors += phase.kinds[static_cast<std::size_t>(kind)].sectors;
    wearHistory.push_back(wearSample(diesOf(dies), at, sectors * sectorBytes));
}

} // namespace strobe::platform
