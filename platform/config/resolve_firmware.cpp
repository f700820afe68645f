// SPDX-License-Identifier: Apache-2.0
#include "firmware/ftl/superblock_map/buffer_ring.h"
#include "platform/config/firmware_memory.h"
#include "platform/config/resolve.h"
#include "platform/config/resolve_sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace strobe::platform {

namespace {

// What excludes a part that is overwritten in place.
void firmwareForPcm(Resolving& r)
{
    const bool isPcm = r.file.nand.part.isOverwritable();
    const bool isStartGap = r.file.firmware.config.ftl == Ftl::StartGap;
    r.checks.expectOfFlash(!isPcm || isStartGap || r.file.workload.phases.empty(), "/nand/part/cell",
                           "PCM has no erase, which this firmware needs: set firmware.ftl to auto or start_gap",
                           {"/firmware/ftl"});
    r.firmwareChecks.expect(isPcm || !isStartGap, "/firmware/ftl",
                            "start_gap overwrites pages in place: use a PCM part (nand.part.cell)", {"/nand/part"});
    if (!isPcm)
        return;
    const PowerSection& power = r.file.power;
    r.checks.expect(power.config.cuts.empty() && !power.meanCutInterval, "/power",
                    "start_gap keeps its registers in memory: power cannot be cut", {"/firmware/ftl", "/nand/part"});
    r.checks.expectOfFlash(
        r.file.nand.contents.file.empty(), "/nand/contents/file",
        "must be empty: start_gap keeps its registers in memory, so another run cannot use the contents of the dies",
        {"/firmware/ftl", "/nand/part"});
}

void superblockMap(Resolving& r)
{
    FirmwareSection& c = r.file.firmware;
    SuperblockMapConfig& map = c.config.superblockMap;
    const auto available = static_cast<std::uint32_t>(r.file.memory.bufferSize / sectorBytes);
    // The largest ring that leaves a sector of zeros.
    const std::uint32_t largest = std::max(FEED_PIECE_MOST, buffer_ring_sectors(available) / 2);
    map.sectorBuffer = c.sectorBufferBytes ? static_cast<std::uint32_t>(*c.sectorBufferBytes / sectorBytes) : largest;
    const std::uint32_t needed = buffer_ring_sectors(map.sectorBuffer) + 1;
    r.firmwareChecks.expect(
        needed <= available, "/firmware/superblockMap/sectorBuffer",
        fmt::format("{} take {} sectors of the data buffer (a power of two, and one of zeros); it has {}: make "
                    "/memory/bufferSize larger",
                    sizeText(map.sectorBuffer * sectorBytes), needed, available),
        {"/memory/bufferSize"});
    c.sectorBufferBytes = map.sectorBuffer * sectorBytes;
}

constexpr std::uint32_t mostUnitsOfBlock = 65'535; // firmware counts them in 16 bits
constexpr std::uint32_t mostPagesOfBlock = 65'535; // firmware counts them in 16 bits
constexpr std::uint32_t recordUnit = nand::sectorsPerRecord * static_cast<std::uint32_t>(sectorBytes);

void mappingUnit(Resolving& r)
{
    const nand::DieGeometry& die = r.file.nand.part.geometry;
    const bool hasRecords = die.pageBytes % recordUnit == 0 && die.spareRecords() == die.pageBytes / recordUnit;
    const bool hasUnits = hasRecords && r.file.firmware.config.ftl == Ftl::PageMap;
    const std::uint32_t unit = hasUnits ? std::min(r.file.firmware.mappingUnitBytes, die.pageBytes) : die.pageBytes;
    const bool isLegal = r.firmwareChecks.expectOfFlash(
        unit == die.pageBytes || (unit % recordUnit == 0 && die.pageBytes % unit == 0), "/firmware/pageMap/mappingUnit",
        fmt::format("{} does not fit a page of {}: must divide it and be a multiple of {}, or not be smaller than the "
                    "page",
                    sizeText(unit), sizeText(die.pageBytes), sizeText(recordUnit)),
        {"/nand/part"});
    r.checks.expectOfFlash(
        !die.hasWordLines() || hasRecords, "/nand/part/pagesPerProgram",
        fmt::format("word lines need pages of whole {} with a spare record of {} bytes for each, not "
                    "{} with {} spare bytes",
                    sizeText(recordUnit), nand::recordBytes, sizeText(die.pageBytes), die.spareBytes));
    const std::uint64_t units = std::uint64_t{die.pagesPerBlock} * (die.pageBytes / std::max(unit, 1U));
    r.checks.expectOfFlash(!isLegal || units <= mostUnitsOfBlock, "/nand/part/pagesPerBlock",
                           fmt::format("{} pages of {} are {} mapping units of {}: a block has at most {}",
                                       die.pagesPerBlock, sizeText(die.pageBytes), units, sizeText(unit),
                                       mostUnitsOfBlock),
                           {"/firmware/pageMap/mappingUnit"});
    r.result.firmware.mappingUnitBytes = isLegal ? unit : die.pageBytes;
    const std::uint32_t result = r.result.firmware.mappingUnitBytes;
    const bool isWritable =
        result >= leastMappingUnitBytes && result <= mostMappingUnitBytes && (result & (result - 1)) == 0;
    if (r.file.firmware.config.ftl == Ftl::PageMap && isWritable)
        r.file.firmware.mappingUnitBytes = result;
}

void superblock(Resolving& r)
{
    const FirmwareSection& c = r.file.firmware;
    FirmwareConfig& result = r.result.firmware;
    const std::uint32_t dies = r.file.nand.array.dies();
    const nand::DieGeometry& die = r.file.nand.part.geometry;
    const auto& join = r.result.channel.join;
    const bool isPageMap = result.ftl == Ftl::PageMap;
    const bool isWhole = join.multiPlane && join.planesAtOnce == die.planes;
    result.rowPlanes = isPageMap && c.joinPlanes.value_or(die.hasWordLines() && isWhole) ? die.planes : 1;
    const std::uint32_t width = result.superblockDies;
    if (!isPageMap || !r.checks.expect(dies % std::max(width, 1U) == 0, "/firmware/pageMap/superblock/dies",
                                       fmt::format("must divide the {} dies, not {}", dies, width), dieCountKeys()))
        result.superblockDies = 1;
    r.checks.expect(result.superblockDies == 1 || result.commandPlacement == CommandPlacement::Striped,
                    "/firmware/pageMap/superblock/dies",
                    fmt::format("must be 1 if commands are placed by channel (commandPlacement), not {}", width),
                    {"/firmware/pageMap/commandPlacement"});
    if (!isPageMap)
        result.superblockParity = false;
    r.checks.expect(!result.superblockParity || width >= 2, "/firmware/pageMap/superblock/parity",
                    "needs a superblock of at least 2 dies (dies), of which one holds the parity",
                    {"/firmware/pageMap/superblock/dies"});
    result.superblockParity = result.superblockParity && result.superblockDies >= 2;
    const std::uint64_t pages = std::uint64_t{die.pagesPerBlock} / std::max(die.pagesPerProgram, 1U);
    r.checks.expectOfFlash(pages * result.superblockDies <= mostPagesOfBlock, "/firmware/pageMap/superblock/dies",
                           fmt::format("{} dies with {} word lines or pages in a block are {}: a superblock has at "
                                       "most {}",
                                       width, pages, pages * result.superblockDies, mostPagesOfBlock),
                           {"/nand/part"});
}

void pslcCache(Resolving& r)
{
    const nand::DieGeometry& die = r.file.nand.part.geometry;
    PslcCacheConfig& cache = r.result.firmware.pslcCache;
    if (cache.kind == PslcCacheMode::None || r.result.firmware.ftl != Ftl::PageMap) {
        cache = {};
        return;
    }
    r.checks.expect(r.result.firmware.hostStreams == HostStreams::One, "/firmware/pageMap/hostStreams",
                    fmt::format("must be one with a pSLC cache, which takes all new data, not {}",
                                enumName(r.result.firmware.hostStreams)),
                    {"/firmware/pageMap/pslcCache/mode"});
    const std::uint64_t bytes = std::uint64_t{die.pslcPages} * die.pageBytes; // of a block
    if (!r.checks.expectOfFlash(bytes != 0, "/firmware/pageMap/pslcCache/mode",
                                "the part has no pSLC mode (nand.part.pslc): must be none", {"/nand/part"}))
        return;
    const std::uint64_t dies = std::max(r.file.nand.array.dies(), 1U);
    const std::uint64_t planes = std::max(die.planes, 1U);
    constexpr std::uint64_t reservedPart = 100; // of the blocks, by default
    std::uint64_t blocks = cache.kind == PslcCacheMode::Dynamic ? die.blocks() : die.blocks() / reservedPart;
    if (r.file.firmware.pslcCacheBytes)
        blocks = (*r.file.firmware.pslcCacheBytes + dies * bytes - 1) / (dies * bytes);
    blocks = std::max((blocks + planes - 1) / planes * planes, planes);
    r.checks.expectOfFlash(blocks <= die.blocks(), "/firmware/pageMap/pslcCache/size",
                           fmt::format("{} in pSLC mode are more than the drive has: all its blocks hold {}",
                                       sizeText(r.file.firmware.pslcCacheBytes.value_or(0)),
                                       sizeText(bytes * die.blocks() * dies)),
                           flashSizeKeys());
    cache.blocks = static_cast<std::uint32_t>(std::min<std::uint64_t>(blocks, die.blocks()));
}

// What data placement needs.
void placement(Resolving& r)
{
    FirmwareConfig& result = r.result.firmware;
    if (result.placement.handles == 0 || result.ftl != Ftl::PageMap) {
        result.placement = {};
        return;
    }
    const HostProtocol port = r.file.host.config.interface;
    const std::uint32_t dies = r.file.nand.array.dies();
    const bool isPossible =
        r.checks.expect(port == HostProtocol::Nvme || port == HostProtocol::Direct, "/host/interface",
                        fmt::format("{} has no data placement: must be nvme or direct", enumName(port)),
                        {"/firmware/pageMap/placement/handles"}) &&
        r.checks.expect(result.superblockDies == dies && result.rowPlanes == r.file.nand.part.geometry.planes,
                        "/firmware/pageMap/placement/handles",
                        fmt::format("a reclaim unit is a superblock of all dies and planes: superblock.dies must be "
                                    "{}, and superblock.joinPlanes true",
                                    dies),
                        {"/firmware/pageMap/superblock"}) &&
        r.checks.expect(result.hostStreams == HostStreams::One && result.pslcCache.kind == PslcCacheMode::None &&
                            result.gcPacing == GcPacing::None && !result.serialWrites,
                        "/firmware/pageMap/placement/handles",
                        "data placement excludes hostStreams hot-cold, a pSLC cache, gc.pacing and serialWrites",
                        {"/firmware/pageMap/hostStreams", "/firmware/pageMap/pslcCache/mode",
                         "/firmware/pageMap/gc/pacing", "/firmware/pageMap/serialWrites"});
    if (!isPossible)
        result.placement = {};
}

// Word lines of each block of a zone. The dies of a zone are known.
void zoneCapacity(Resolving& r)
{
    const std::optional<std::uint64_t>& wanted = r.file.firmware.zoneCapacityBytes;
    if (!wanted)
        return;
    const nand::DieGeometry& die = r.file.nand.part.geometry;
    ZonedConfig& zones = r.result.firmware.zoned;
    const std::uint64_t row = std::uint64_t{zones.dies} * die.planes * die.pagesPerProgram * die.pageBytes;
    const std::uint64_t rows = die.pagesPerBlock / die.pagesPerProgram;
    if (r.firmwareChecks.expect(
            *wanted >= row && *wanted <= row * rows, "/firmware/zoned/capacity",
            fmt::format("{} does not fit the blocks of a zone: must be from {}, what its dies program at a time, to {}",
                        sizeText(*wanted), sizeText(row), sizeText(row * rows)),
            {"/firmware/zoned/diesPerZone", "/nand/part"}))
        zones.rows = static_cast<std::uint32_t>(*wanted / row);
}

// What excludes zones, and the dies of a zone.
void zoned(Resolving& r)
{
    FirmwareConfig& result = r.result.firmware;
    if (result.ftl != Ftl::Zoned)
        return;
    const HostProtocol port = r.file.host.config.interface;
    r.checks.expect(port == HostProtocol::Nvme || port == HostProtocol::Direct, "/host/interface",
                    fmt::format("{} has no commands for zones: must be nvme or direct", enumName(port)),
                    {"/firmware/ftl"});
    const std::uint32_t dies = r.file.nand.array.dies();
    result.zoned.dies = r.file.firmware.zoneDies.value_or(dies);
    if (!r.checks.expect(dies % std::max(result.zoned.dies, 1U) == 0, "/firmware/zoned/diesPerZone",
                         fmt::format("must divide the {} dies, not {}", dies, result.zoned.dies), dieCountKeys()))
        result.zoned.dies = dies;
    zoneCapacity(r);
    if (!r.checks.expect(
            result.zoned.activeZones >= result.zoned.openZones, "/firmware/zoned/activeZones",
            fmt::format("must be at least the {} open zones, not {}", result.zoned.openZones, result.zoned.activeZones),
            {"/firmware/zoned/openZones"}))
        result.zoned.activeZones = result.zoned.openZones;
    result.writeCache = WriteCache::Protected;
    const nand::DieGeometry& die = r.file.nand.part.geometry;
    const std::uint64_t unit = std::uint64_t{die.planes} * die.pagesPerProgram;
    const std::uint64_t least = (result.zoned.activeZones + std::uint64_t{1}) * unit;
    r.firmwareChecks.expect(*r.file.firmware.writeBufferPages >= least, "/firmware/zoned/writeBufferPages",
                            fmt::format("{} pages are too few: each of {} active zones may hold {} of them, what a die "
                                        "programs at a time; must be {} or more",
                                        *r.file.firmware.writeBufferPages, result.zoned.activeZones, unit, least),
                            {"/memory/bufferSize", "/nand/part", "/firmware/zoned/activeZones"});
}

// The name of an image; of a file that is named like the project's images, the name that it is built with.
std::string nameOfImage(const std::string& image)
{
    constexpr std::string_view prefix = "strobe_firmware_";
    if (image.find('/') == std::string::npos)
        return image;
    const std::string stem = std::filesystem::path(image).stem().string();
    return stem.rfind(prefix, 0) == 0 ? stem.substr(prefix.size()) : image;
}

// A drive is configured for one layer: the boot block, the units of the controller, the capacity.
void imageOfLayer(Resolving& r)
{
    FirmwareConfig& c = r.file.firmware.config;
    const std::string name = nameOfImage(c.image);
    for (const auto& row : ftlTable) {
        const bool isOther = row.value != c.ftl && isImageOf(name, row.value);
        if (!r.firmwareChecks.expectEffect(
                !isOther, "/firmware/image",
                fmt::format("\"{}\" is of the layer {}, but /firmware/ftl, for which the drive is configured, is {}",
                            c.image, row.name, enumName(c.ftl)),
                {"/firmware/ftl", "/nand/part/cell", "/nand/part/extends"}))
            c.image = enumName(c.ftl);
    }
}

void refresh(Resolving& r)
{
    RefreshConfig& result = r.result.firmware.refresh;
    const controller::EccCode& code = r.file.controller.eccCode;
    if (r.result.firmware.ftl != Ftl::PageMap)
        result = {};
    if (result.scrubInterval != Time{})
        result.scrubBits = r.file.firmware.scrubBits.value_or(code.correctableBits * 3 / 4);
}

} // namespace

bool isImageOf(std::string_view image, Ftl layer)
{
    const std::string_view name = enumName(layer);
    return image.substr(0, name.size()) == name && (image.size() == name.size() || image[name.size()] == '_') &&
           image.find('/') == std::string_view::npos;
}

void resolveFirmware(Resolving& r)
{
    FirmwareSection& c = r.file.firmware;
    r.firmwareChecks.expect(
        c.config.cores == 1 || c.config.mode == FirmwareMode::Rv32 ||
            c.config.image.find_first_of("./") == std::string::npos,
        "/firmware/cores",
        fmt::format("a native image from a file, \"{}\", is for one core; must be 1", c.config.image),
        {"/firmware/image"});
    if (c.config.image.empty())
        c.config.image = enumName(c.config.ftl);
    imageOfLayer(r);
    if (c.config.ftl == Ftl::SuperblockMap)
        superblockMap(r);
    r.result.firmware = c.config;
    firmwareForPcm(r);
    mappingUnit(r);
    superblock(r);
    pslcCache(r);
    placement(r);
    refresh(r);
    const std::uint32_t page = std::max(r.file.nand.part.geometry.pageBytes, 512U);
    const std::uint32_t bufferPages = r.file.memory.bufferSize / page;
    if (!c.writeBufferPages)
        c.writeBufferPages = usualWriteBufferPages(r.result, static_cast<std::uint32_t>(r.file.memory.bufferSize));
    const std::string layer = r.result.firmware.ftl == Ftl::Zoned ? "zoned" : "pageMap";
    if (!r.firmwareChecks.expect(*c.writeBufferPages < bufferPages, "/firmware/" + layer + "/writeBufferPages",
                                 fmt::format("{} pages leave nothing for reads: the buffer of {} has {} pages of {}",
                                             *c.writeBufferPages, sizeText(r.file.memory.bufferSize), bufferPages,
                                             sizeText(page)),
                                 {"/memory/bufferSize", "/nand/part"}))
        c.writeBufferPages = std::max(bufferPages / 2, 1U);
    zoned(r);
    r.result.firmware.writeBufferPages = *c.writeBufferPages;
    r.result.firmware.capacitySectors = c.capacityBytes.value_or(0) / sectorBytes;
    r.firmwareChecks.expect(c.capacityBytes.value_or(0) % sectorBytes == 0, "/firmware/capacity",
                            "must be a whole number of 512-byte sectors");
}

} // namespace strobe::platform
