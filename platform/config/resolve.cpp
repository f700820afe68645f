// SPDX-License-Identifier: Apache-2.0
#include "platform/config/resolve.h"

#include "models/channel/clocked_times.h"
#include "models/host/integrity.h"
#include "models/host/workload/source_factory.h"
#include "platform/config/resolve_capacity.h"
#include "platform/config/resolve_channel.h"
#include "platform/config/resolve_sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace strobe::platform {

namespace {

void channelAndPart(Resolving& r)
{
    r.result.channel = resolveChannel(r.file.channel, r.checks.problems());
    if (r.file.channel.wholeClocks && r.result.channel.timing.cycle > Time{})
        r.result.nand.part = channel::inWholeClocks(r.result.nand.part, r.result.channel.timing.busClock());
    if (!r.result.channel.timing.hasCommandLines)
        return;
    const NandConfig& nand = r.result.nand;
    const char* const rule = "only chips with a data strobe understand packets on separate command lines";
    r.checks.expect(nand.part.dataStrobe, "/channel/separateCommandAddress",
                    fmt::format("{}; {} has none", rule, nand.part.name), {"/nand/part"});
    r.checks.expect(nand.conventionalWays == 0, "/channel/separateCommandAddress",
                    fmt::format("{}; nand.conventionalWays is {}", rule, nand.conventionalWays),
                    {"/nand/conventionalWays"});
}

// A drive image replaces the phases before the first measured one.
void skipPreconditioning(Resolving& r)
{
    auto& phases = r.result.workload.phases;
    if (!r.file.nand.contents.isImage() || phases.empty())
        return;
    r.result.skippedPhases = preconditioningPhases(r.result);
    phases.erase(phases.begin(), phases.begin() + r.result.skippedPhases);
    r.checks.expect(!phases.empty(), "/workload/phases",
                    "a drive image replaces preconditioning phases, and there is no other phase");
}

constexpr std::uint64_t anyCapacity = std::uint64_t{1} << 42U; // sectors: more than any drive announces

// `capacity`: sectors that the drive will announce; 0: not known, so only what fits on no drive is a problem.
void workload(Resolving& r, std::uint64_t capacity)
{
    std::vector<host::WorkloadProblem> problems = host::problems(r.file.workload);
    if (problems.empty())
        problems = host::misfits(r.file.workload, capacity != 0 ? capacity : anyCapacity);
    for (host::WorkloadProblem& problem : problems)
        r.checks.expect(false, pathOf(problem.place), std::move(problem.message));
    r.result.workload = r.file.workload;
    r.checks.expect(r.file.dataMode == DataMode::None || capacity <= host::Integrity::mostSectors, "/data",
                    fmt::format("sectors can be distinguished on drives of up to 2 TiB; this one has {}: must be none",
                                sizeText(capacity * sectorBytes)));
    skipPreconditioning(r);
}

// Firmware supplied with Strobe announces what resolveCapacity() computes; that of others is known when it runs.
bool announcesPlanned(const FirmwareConfig& firmware)
{
    return isImageOf(firmware.image, firmware.ftl);
}

// What can run functional phases. Those that a drive image replaces do not run.
void functionalPhases(Resolving& r)
{
    const FirmwareConfig& firmware = r.result.firmware;
    for (std::size_t i = r.result.skippedPhases; i < r.file.workload.phases.size(); ++i) {
        const std::string path = fmt::format("/workload/phases/{}/precondition", i);
        if (!r.file.workload.phases[i].isFunctional)
            continue;
        r.checks.expect(
            firmware.mode == FirmwareMode::Native, path,
            fmt::format("functional preconditioning runs native firmware, but /firmware/mode is {}: must be "
                        "true or false",
                        enumName(firmware.mode)));
        r.checks.expect(firmware.cores == 1, path,
                        fmt::format("functional preconditioning runs firmware on one core, but /firmware/cores is {}: "
                                    "must be true or false",
                                    firmware.cores));
    }
}

// The shortest time in which the dies can program a full write buffer, all of them at the same time.
Time shortestSave(const Scenario& scenario)
{
    const nand::Part& part = scenario.nand.part;
    const auto& join = scenario.channel.join;
    const std::uint64_t atOnce = std::uint64_t{scenario.nand.array.dies()} *
                                 (join.multiPlane ? std::min(join.planesAtOnce, part.geometry.planes) : 1U) *
                                 std::max(part.geometry.pagesPerProgram, 1U);
    Time program = part.tPROG(0);
    for (std::uint32_t page = 1; page < part.pageTypes.size(); ++page)
        program = std::min(program, part.tPROG(page));
    const std::uint64_t rounds = (scenario.firmware.writeBufferPages + atOnce - 1) / std::max(atOnce, std::uint64_t{1});
    return program * static_cast<std::int64_t>(rounds);
}

void protectedCache(Resolving& r)
{
    const FirmwareConfig& firmware = r.result.firmware;
    if (firmware.writeCache == WriteCache::Volatile)
        return;
    const char* const layer = firmware.ftl == Ftl::Zoned ? "zoned" : "pageMap";
    constexpr Time usual = std::chrono::milliseconds(25);
    const Time least = shortestSave(r.result);
    std::optional<Time>& holdUp = r.file.power.holdUp;
    holdUp = holdUp.value_or(std::max(usual, least * 8)); // collection may go on meanwhile
    r.result.power.holdUp = *holdUp;
    r.checks.expect(
        *holdUp >= least, "/power/holdUp",
        fmt::format("a hold-up time of {} is too short to save a write buffer of {} pages: its programs alone take {}, "
                    "all dies at once; must be at least that, or the buffer smaller (firmware.{}.writeBufferPages)",
                    toText(*holdUp), firmware.writeBufferPages, toText(least), layer),
        {fmt::format("/firmware/{}/writeBufferPages", layer), "/firmware/pageMap/writeCache", "/nand/part",
         "/memory/bufferSize"});
}

void power(Resolving& r)
{
    r.result.power = r.file.power.config;
    r.result.power.meanCutInterval = r.file.power.meanCutInterval.value_or(Time{});
    protectedCache(r);
}

// Returns the sectors that firmware will announce; 0: not known.
std::uint64_t firmware(Resolving& r, bool runsFirmware)
{
    resolveFirmware(r);
    resolveMemory(r);
    const bool isPlanned = runsFirmware && r.checks.isFlashValid() && r.firmwareChecks.isFlashValid();
    return isPlanned ? resolveCapacity(r.result, r.checks.problems()) : 0;
}

} // namespace

Scenario resolve(ScenarioFile& file, std::vector<Problem>& problems, bool runsFirmware)
{
    Scenario result;
    Checks checks(problems);
    std::vector<Problem> ignored; // those of firmware that does not run
    Checks firmwareChecks(runsFirmware ? problems : ignored);
    Resolving r{file, result, checks, firmwareChecks};
    result.name = file.name;
    result.description = file.description;
    result.seed = file.seed;
    result.dataMode = file.dataMode;
    result.memory = file.memory;
    result.sram = file.sram;
    result.fabric = file.fabric;
    result.cpu = file.cpu;
    result.report = file.report;
    resolveAlternatives(r);
    resolveNand(r);
    channelAndPart(r);
    resolveCalibration(r);
    resolveController(r);
    resolveHost(r);
    const std::uint64_t capacity = firmware(r, runsFirmware);
    const std::uint64_t announced = announcesPlanned(result.firmware) ? capacity : 0;
    resolvePhases(r, announced);
    workload(r, announced);
    functionalPhases(r);
    resolveOperations(r);
    resolveEnergy(r);
    resolveThermal(r);
    resolveFaults(r);
    power(r);
    return result;
}

std::uint32_t preconditioningPhases(const Scenario& scenario)
{
    const auto& phases = scenario.workload.phases;
    const auto measured = std::find_if(phases.begin(), phases.end(), [](const auto& phase) { return phase.measured; });
    return static_cast<std::uint32_t>(measured - phases.begin());
}

std::string pathOf(const host::WorkloadPlace& place, std::uint32_t skippedPhases)
{
    std::string path = "/workload/phases";
    if (!place.phase)
        return path;
    std::string field = place.field;
    std::replace(field.begin(), field.end(), '.', '/');
    return path + "/" + std::to_string(*place.phase + skippedPhases) + "/" + field;
}

} // namespace strobe::platform
