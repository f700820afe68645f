#pragma once
// SPDX-License-Identifier: Apache-2.0
// Generated from firmware/regs/strobe.rdl by scripts/generate-registers (a882d654b6099deb). Do not edit.
//
// Policies that the boot block passes to firmware: values, and names and help for scenarios, reports and the
// reference (enum_table.h). In namespace bounds: the least and the largest value of a boot word.

#include "models/base/enum_table.h"

#include <array>
#include <cstdint>

namespace strobe::regs {

enum class Dimension : std::uint8_t { Channel = 0, Way = 1, Lun = 2, Plane = 3 };
inline constexpr std::array<EnumRow<Dimension>, 4> dimensionTable{{
    {Dimension::Channel, "channel", "next channel"},
    {Dimension::Way, "way", "next chip enable of the channel"},
    {Dimension::Lun, "lun", "next die of the chip enable"},
    {Dimension::Plane, "plane", "next plane of the die"},
}};
constexpr const auto& enumTable(Dimension)
{
    return dimensionTable;
}

enum class GcPolicy : std::uint8_t { Greedy = 0, CostBenefit = 1 };
inline constexpr std::array<EnumRow<GcPolicy>, 2> gcPolicyTable{{
    {GcPolicy::Greedy, "greedy", "the block with the fewest valid pages"},
    {GcPolicy::CostBenefit, "cost-benefit", "few valid pages weighed against age"},
}};
constexpr const auto& enumTable(GcPolicy)
{
    return gcPolicyTable;
}

enum class Completion : std::uint8_t { WriteBack = 0, WriteThrough = 1 };
inline constexpr std::array<EnumRow<Completion>, 2> completionTable{{
    {Completion::WriteBack, "write-back", "a write completes when its data is in the buffer"},
    {Completion::WriteThrough, "write-through", "a write completes when its data is in flash"},
}};
constexpr const auto& enumTable(Completion)
{
    return completionTable;
}

enum class CommandPlacement : std::uint8_t { Striped = 0, Channel = 1 };
inline constexpr std::array<EnumRow<CommandPlacement>, 2> commandPlacementTable{{
    {CommandPlacement::Striped, "striped", "pages of a command go to all dies in allocation order"},
    {CommandPlacement::Channel, "channel", "the pages of a command stay on one channel"},
}};
constexpr const auto& enumTable(CommandPlacement)
{
    return commandPlacementTable;
}

enum class FlushHandling : std::uint8_t { Merge = 0, Park = 1, Ignore = 2 };
inline constexpr std::array<EnumRow<FlushHandling>, 3> flushHandlingTable{{
    {FlushHandling::Merge, "merge", "everything that is buffered is merged into its superblocks"},
    {FlushHandling::Park, "park", "buffered sectors are written to a known place in flash, and merged later"},
    {FlushHandling::Ignore, "ignore", "a flush completes at once and does nothing"},
}};
constexpr const auto& enumTable(FlushHandling)
{
    return flushHandlingTable;
}

enum class BackgroundUnits : std::uint8_t { Hardware = 0, Software = 1 };
inline constexpr std::array<EnumRow<BackgroundUnits>, 2> backgroundUnitsTable{{
    {BackgroundUnits::Hardware, "hardware", "flash units"},
    {BackgroundUnits::Software, "software", "firmware, page by page and chip by chip"},
}};
constexpr const auto& enumTable(BackgroundUnits)
{
    return backgroundUnitsTable;
}

enum class GcErase : std::uint8_t { AtOnce = 0, WhenIdle = 1 };
inline constexpr std::array<EnumRow<GcErase>, 2> gcEraseTable{{
    {GcErase::AtOnce, "at-once", "as soon as it is empty"},
    {GcErase::WhenIdle, "when-idle", "while nothing else waits for its die, or when host data has no room without it"},
}};
constexpr const auto& enumTable(GcErase)
{
    return gcEraseTable;
}

enum class PslcCacheMode : std::uint8_t { None = 0, Static = 1, Dynamic = 2 };
inline constexpr std::array<EnumRow<PslcCacheMode>, 3> pslcCacheModeTable{{
    {PslcCacheMode::None, "none", "host data goes to blocks with all their bits per cell"},
    {PslcCacheMode::Static, "static", "in blocks that are reserved for it"},
    {PslcCacheMode::Dynamic, "dynamic", "in free blocks, as long as there are enough"},
}};
constexpr const auto& enumTable(PslcCacheMode)
{
    return pslcCacheModeTable;
}

enum class WriteCache : std::uint8_t { Volatile = 0, Protected = 1 };
inline constexpr std::array<EnumRow<WriteCache>, 2> writeCacheTable{{
    {WriteCache::Volatile, "volatile", "a power loss loses it: a flush and FUA wait for the flash"},
    {WriteCache::Protected, "protected", "capacitors supply the drive until firmware has written the buffer to flash: what is in the buffer is durable"},
}};
constexpr const auto& enumTable(WriteCache)
{
    return writeCacheTable;
}

enum class GcPacing : std::uint8_t { None = 0, FreeSpace = 1 };
inline constexpr std::array<EnumRow<GcPacing>, 2> gcPacingTable{{
    {GcPacing::None, "none", "host data takes every page that it finds; collection starts at lowBlocks free blocks"},
    {GcPacing::FreeSpace, "free-space", "collection is the faster the less space there is, and host data takes at most the pages that it gains"},
}};
constexpr const auto& enumTable(GcPacing)
{
    return gcPacingTable;
}

enum class HostStreams : std::uint8_t { One = 0, HotCold = 1 };
inline constexpr std::array<EnumRow<HostStreams>, 2> hostStreamsTable{{
    {HostStreams::One, "one", "all data of the host goes to the same blocks"},
    {HostStreams::HotCold, "hot-cold", "data that is written again before collection has moved it goes to blocks of its own"},
}};
constexpr const auto& enumTable(HostStreams)
{
    return hostStreamsTable;
}

enum class ZoneErase : std::uint8_t { AtReset = 0, WhenOpened = 1 };
inline constexpr std::array<EnumRow<ZoneErase>, 2> zoneEraseTable{{
    {ZoneErase::AtReset, "at-reset", "by the reset of the zone, which completes when they are erased"},
    {ZoneErase::WhenOpened, "when-opened", "when a zone takes them again; a reset completes at once"},
}};
constexpr const auto& enumTable(ZoneErase)
{
    return zoneEraseTable;
}

enum class PlacementIsolation : std::uint8_t { Initially = 0, Persistently = 1 };
inline constexpr std::array<EnumRow<PlacementIsolation>, 2> placementIsolationTable{{
    {PlacementIsolation::Initially, "initially-isolated", "collection moves the data of all handles to the same blocks"},
    {PlacementIsolation::Persistently, "persistently-isolated", "data that collection moves stays with that of its handle"},
}};
constexpr const auto& enumTable(PlacementIsolation)
{
    return placementIsolationTable;
}

namespace bounds {
struct Bounds {
    std::int64_t minimum;
    std::int64_t maximum;
};
inline constexpr Bounds channels{1, 64};
inline constexpr Bounds ways{1, 64};
inline constexpr Bounds luns{1, 8};
inline constexpr Bounds planes{1, 16};
inline constexpr Bounds blocksPerPlane{1, 1048576};
inline constexpr Bounds pagesPerBlock{2, 65535};
inline constexpr Bounds pageBytes{512, 16384};
inline constexpr Bounds units{1, 4096};
inline constexpr Bounds bufferBase{0, 4294967295};
inline constexpr Bounds hostSlots{1, 65535};
inline constexpr Bounds overprovisionPermille{0, 900};
inline constexpr Bounds gcLowBlocks{0, 1000};
inline constexpr Bounds gcIdleBlocks{0, 65535};
inline constexpr Bounds gcCopyback{0, 1};
inline constexpr Bounds wearThreshold{0, 1000000};
inline constexpr Bounds spareBlocks{0, 65535};
inline constexpr Bounds cores{1, 2};
inline constexpr Bounds serialWrites{0, 1};
inline constexpr Bounds readPolls{0, 100};
inline constexpr Bounds readUnits{0, 4095};
inline constexpr Bounds superchipBus{0, 64};
inline constexpr Bounds superchipChip{0, 64};
inline constexpr Bounds foregroundUnit{0, 4095};
inline constexpr Bounds synthesizer{0, 1};
inline constexpr Bounds recover{0, 2};
inline constexpr Bounds superblockLimit{0, 200};
inline constexpr Bounds parkingSuperblocks{0, 32};
inline constexpr Bounds replicateTables{0, 1};
inline constexpr Bounds checkpointRecords{0, 1000000};
inline constexpr Bounds implicitWear{0, 1};
inline constexpr Bounds startGapInterval{0, 1000000};
inline constexpr Bounds programPages{1, 4};
inline constexpr Bounds rowPlanes{1, 16};
inline constexpr Bounds superblockDies{1, 4096};
inline constexpr Bounds pslcCacheResume{0, 999};
inline constexpr Bounds pslcCacheFold{0, 1};
inline constexpr Bounds pslcPages{0, 65535};
inline constexpr Bounds readAheadStreams{0, 64};
inline constexpr Bounds readAheadWindow{1, 4096};
inline constexpr Bounds retryOptions{0, 32};
inline constexpr Bounds softSenses{0, 7};
inline constexpr Bounds readDepth{0, 64};
inline constexpr Bounds refreshAge{0, 2147483647};
inline constexpr Bounds scrubInterval{0, 2147483647};
inline constexpr Bounds scrubBits{0, 8191};
inline constexpr Bounds writePolls{0, 100};
inline constexpr Bounds zoneDies{1, 4096};
inline constexpr Bounds openZones{1, 4096};
inline constexpr Bounds activeZones{1, 4096};
inline constexpr Bounds superblockParity{0, 1};
inline constexpr Bounds placementHandles{0, 8};
inline constexpr Bounds thermalLight{0, 2400};
inline constexpr Bounds thermalHeavy{0, 2400};
inline constexpr Bounds thermalHysteresis{0, 800};
inline constexpr Bounds thermalLightDies{1, 32768};
inline constexpr Bounds thermalHeavyDies{1, 32768};
inline constexpr Bounds zoneRows{0, 65536};
} // namespace bounds

} // namespace strobe::regs
