// SPDX-License-Identifier: Apache-2.0
#include "models/host/workload/source_factory.h"

#include "models/base/check.h"
#include "models/base/config_error.h"
#include "models/base/content.h"
#include "models/host/workload/byte_text.h"
#include "models/host/workload/source_desktop.h"
#include "models/host/workload/source_hot_cold.h"
#include "models/host/workload/source_sequential.h"
#include "models/host/workload/source_trace.h"
#include "models/host/workload/source_uniform.h"
#include "models/host/workload/source_zipf.h"
#include "models/host/workload/source_zoned.h"

#include <fmt/format.h>

#include <array>

namespace strobe::host {

namespace {

struct Region {
    std::uint64_t firstSector;
    std::uint64_t sectors;
};

struct SourceRow {
    SourceKind kind;
    std::unique_ptr<RequestSource> (*make)(const SourceConfig& source, const SyntheticConfig& synthetic);
};

constexpr std::array<SourceRow, 5> generators{
    {{SourceKind::Sequential,
      [](const SourceConfig&, const SyntheticConfig& synthetic) -> std::unique_ptr<RequestSource> {
          return std::make_unique<SequentialSource>(synthetic);
      }},
     {SourceKind::Uniform,
      [](const SourceConfig&, const SyntheticConfig& synthetic) -> std::unique_ptr<RequestSource> {
          return std::make_unique<UniformSource>(synthetic);
      }},
     {SourceKind::Zipf,
      [](const SourceConfig& source, const SyntheticConfig& synthetic) -> std::unique_ptr<RequestSource> {
          return std::make_unique<ZipfSource>(synthetic, source.theta, source.spread);
      }},
     {SourceKind::HotCold,
      [](const SourceConfig& source, const SyntheticConfig& synthetic) -> std::unique_ptr<RequestSource> {
          return std::make_unique<HotColdSource>(synthetic, source.hot, source.spread);
      }},
     {SourceKind::Desktop,
      [](const SourceConfig& source, const SyntheticConfig& synthetic) -> std::unique_ptr<RequestSource> {
          return std::make_unique<DesktopSource>(synthetic, source.reads, source.writes, source.nearDistance);
      }}}};

// `key`: of the phase, whose number makePhases() adds.
[[noreturn]] void fail(const PhaseConfig& phase, const char* key, const std::string& message)
{
    throw WorkloadError({std::nullopt, key}, fmt::format("phase '{}': {}", phase.name, message));
}

// Shares are rounded down to 4 KiB, so that a third of a drive does not misalign every request.
std::uint64_t resolve(SizeOrShare size, std::uint64_t capacityBytes)
{
    const std::uint64_t bytes = size.of(capacityBytes);
    return size.bytes == 0 && bytes != capacityBytes ? bytes / 4096 * 4096 : bytes;
}

// The sectors of the drive that the phase can use: of its namespace.
SectorPart spaceOf(const PhaseConfig& phase, std::uint64_t capacitySectors)
{
    const NamespaceChoice& choice = phase.source.space;
    const std::vector<SectorPart> spaces = partition(choice.sizes, capacitySectors);
    check(choice.number >= 1 && choice.number <= spaces.size(), "a phase for a namespace that the drive does not have");
    return spaces[choice.number - 1];
}

Region resolveRegion(const PhaseConfig& phase, std::uint64_t capacityBytes, std::uint64_t firstSector)
{
    const RegionConfig& region = phase.source.region;
    const std::uint64_t offset = resolve(region.offset, capacityBytes);
    const char* const whose = phase.source.space.sizes.empty() ? "drive" : "namespace";
    if (offset >= capacityBytes)
        fail(phase, "region.offset",
             fmt::format("the region begins at {}, beyond the {}'s capacity of {}", byteText(offset), whose,
                         byteText(capacityBytes)));
    const std::uint64_t rest = capacityBytes - offset;
    const std::uint64_t size = region.size.isSet() ? resolve(region.size, capacityBytes) : rest;
    if (size > rest)
        fail(phase, "region.size",
             fmt::format("the region of {} at {} ends beyond the {}'s capacity of {}", byteText(size), byteText(offset),
                         whose, byteText(capacityBytes)));
    if (size < sectorBytes)
        fail(phase, "region.size", fmt::format("the region of {} is smaller than a sector", byteText(size)));
    return {firstSector + offset / sectorBytes, size / sectorBytes};
}

SourceLimits resolveLimits(const SourceConfig& source, const Region& region)
{
    SourceLimits limits;
    if (source.requests != 0)
        limits.requests = source.requests;
    if (source.volume.isSet())
        limits.sectors = (source.volume.of(region.sectors * sectorBytes) + sectorBytes - 1) / sectorBytes;
    return limits;
}

// Each request of a habit must find a place in its span.
void checkHabit(const PhaseConfig& phase, const HabitConfig& habit, const char* key, const Region& region)
{
    const std::uint64_t bytes = region.sectors * sectorBytes;
    const std::uint64_t span = habit.span.isSet() ? habit.span.of(bytes) : bytes;
    for (const SizeWeight& size : habit.sizes) {
        if (size.bytes > span || span > bytes)
            fail(phase, key,
                 span > bytes
                     ? fmt::format("a span of {} is larger than the region of {}", byteText(span), byteText(bytes))
                     : fmt::format("a request of {} does not fit into the span of {}", byteText(size.bytes),
                                   byteText(span)));
    }
}

BlockSpace makeBlocks(const PhaseConfig& phase, const Region& region)
{
    const SourceConfig& source = phase.source;
    BlockSpace space;
    space.firstSector = region.firstSector;
    space.sectors = region.sectors;
    space.blockSectors = static_cast<std::uint32_t>(source.blockSize / sectorBytes);
    if (source.zones.command != ZoneCommand::None && source.zones.space.sectors != 0) { // a block is a zone
        space.blockSectors = static_cast<std::uint32_t>(source.zones.space.capacity);
        space.stepSectors = space.blockSectors;
        if (space.wholeBlocks() == 0)
            fail(phase, "zones.command",
                 fmt::format("a zone of {} does not fit into the region of {}",
                             byteText(space.blockSectors * sectorBytes), byteText(region.sectors * sectorBytes)));
        return space;
    }
    space.stepSectors = (source.alignment == 0 ? source.blockSize : source.alignment) / sectorBytes;
    if (source.kind == SourceKind::Sequential) // blocks follow each other without overlap
        space.stepSectors = (space.blockSectors + space.stepSectors - 1) / space.stepSectors * space.stepSectors;
    if (space.wholeBlocks() == 0)
        fail(phase, "blockSize",
             fmt::format("a block of {} does not fit into the region of {}", byteText(source.blockSize),
                         byteText(region.sectors * sectorBytes)));
    if (source.kind == SourceKind::Desktop) {
        checkHabit(phase, source.reads, "desktop.reads.span", region);
        checkHabit(phase, source.writes, "desktop.writes.span", region);
    }
    return space;
}

// The sectors that requests may go to.
std::uint64_t usableBytes(const PhaseConfig& phase, std::uint64_t capacitySectors)
{
    const ZoneSpace& zones = phase.source.zones.space;
    const std::uint64_t sectors =
        zones.sectors == 0 ? capacitySectors : capacitySectors / zones.sectors * zones.capacity;
    return sectors * sectorBytes;
}

Region regionOf(const PhaseConfig& phase, std::uint64_t capacitySectors)
{
    const SectorPart space = spaceOf(phase, capacitySectors);
    return resolveRegion(phase, usableBytes(phase, space.sectors), space.first);
}

void checkFit(const PhaseConfig& phase, std::uint64_t capacitySectors)
{
    const Region region = regionOf(phase, capacitySectors);
    if (phase.source.kind != SourceKind::Trace)
        makeBlocks(phase, region);
}

} // namespace

std::vector<WorkloadProblem> misfits(const WorkloadConfig& workload, std::uint64_t capacitySectors)
{
    std::vector<WorkloadProblem> found;
    for (std::size_t i = 0; i < workload.phases.size(); ++i) {
        const PhaseConfig& phase = workload.phases[i];
        try {
            checkFit(phase, capacitySectors);
        } catch (const WorkloadError& error) {
            found.push_back({{i, error.place().field}, error.what()});
        }
        for (std::size_t job = 0; job < phase.concurrentJobs.size(); ++job) {
            try {
                checkFit(concurrentJobAsPhase(phase, job), capacitySectors);
            } catch (const WorkloadError& error) {
                found.push_back({{i, concurrentJobField(job, error.place().field)}, error.what()});
            }
        }
    }
    return found;
}

std::unique_ptr<RequestSource> makeSource(const PhaseConfig& phase, std::uint64_t capacitySectors, std::uint64_t seed)
{
    check(capacitySectors > 0, "a workload needs a drive that has announced its capacity");
    const SourceConfig& source = phase.source;
    const Region region = regionOf(phase, capacitySectors);
    const SourceLimits limits = resolveLimits(source, region);
    if (source.kind == SourceKind::Trace)
        return std::make_unique<TraceSource>(source.trace, TraceFold{region.firstSector, region.sectors}, limits);

    SyntheticConfig synthetic;
    synthetic.space = makeBlocks(phase, region);
    synthetic.mix = source.mix;
    synthetic.limits = limits;
    synthetic.interval = phase.pacing.mode == PacingMode::Open ? phase.pacing.interval : Time{};
    synthetic.arrivals = phase.pacing.arrivals;
    synthetic.seed = seed;
    synthetic.name = "workload/" + phase.name;
    for (const SourceRow& row : generators) {
        if (row.kind != source.kind)
            continue;
        std::unique_ptr<RequestSource> made = row.make(source, synthetic);
        if (source.zones.space.sectors == 0)
            return made;
        return std::make_unique<ZonedSource>(std::move(made), source.zones);
    }
    check(false, "a source kind without a generator");
    return nullptr;
}

} // namespace strobe::host
