// SPDX-License-Identifier: Apache-2.0
#include "platform/config/resolve.h"

#include "models/channel/clocked_times.h"
#include "platform/config/resolve_capacity.h"
#include "platform/config/resolve_channel.h"
#include "platform/config/resolve_sections.h"

#include <algorithm>

namespace strobe::platform {

namespace {

void channelAndPart(Resolving& r)
{
    r.result.channel = resolveChannel(r.file.channel, r.checks.problems());
    if (r.file.channel.wholeClocks && r.result.channel.timing.cycle > Time{})
        r.result.nand.part = channel::inWholeClocks(r.result.nand.part, r.result.channel.timing.cycle);
}

void workload(Resolving& r)
{
    for (host::WorkloadProblem& problem : host::problems(r.file.workload))
        r.checks.expect(false, pathOf(problem.place), std::move(problem.message));
    r.result.workload = r.file.workload;
}

void power(Resolving& r)
{
    r.result.power = r.file.power.config;
    r.result.power.meanCutInterval = r.file.power.meanCutInterval.value_or(Time{});
}

} // namespace

Scenario resolve(ScenarioFile& file, std::vector<Problem>& problems)
{
    Scenario result;
    Checks checks(problems);
    Resolving r{file, result, checks};
    result.name = file.name;
    result.description = file.description;
    result.seed = file.seed;
    result.dataMode = file.dataMode;
    result.memory = file.memory;
    result.sram = file.sram;
    result.fabric = file.fabric;
    result.cpu = file.cpu;
    result.report = file.report;
    resolveNand(r);
    channelAndPart(r);
    resolveCalibration(r);
    resolveController(r);
    resolveHost(r);
    resolveFirmware(r);
    resolveMemory(r);
    if (checks.isFlashValid())
        resolveCapacity(result, problems);
    workload(r);
    resolveOperations(r);
    resolveEnergy(r);
    power(r);
    return result;
}

std::string pathOf(const host::WorkloadPlace& place)
{
    std::string path = "/workload/phases";
    if (!place.phase)
        return path;
    std::string field = place.field;
    std::replace(field.begin(), field.end(), '.', '/');
    return path + "/" + std::to_string(*place.phase) + "/" + field;
}

} // namespace strobe::platform
