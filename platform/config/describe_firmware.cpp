// SPDX-License-Identifier: Apache-2.0
//
// Every parameter of the firmware, once.
#include "platform/config/describe_tools.h"
#include "platform/config/scenario_file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <iterator>

namespace strobe::platform {

using nlohmann::json;

namespace {

// A permutation of the four dimensions.
void describeAllocation(Fields& f, std::array<Dimension, 4>& order)
{
    f.custom({"allocation", "list of words", "channel, way, lun and plane in any order",
              "Dimensions along which consecutive page writes move, fastest first."},
             {[&order](const json& j) -> std::string {
                  std::string wanted =
                      "must list each of " + enumChoices<Dimension>() + " once, like [\"channel\", \"way\", ...]";
                  if (!j.is_array() || j.size() != order.size())
                      return wanted;
                  std::array<Dimension, 4> read{};
                  for (std::size_t i = 0; i < read.size(); ++i) {
                      const auto value =
                          j[i].is_string() ? enumValue<Dimension>(j[i].get<std::string>()) : std::nullopt;
                      if (!value || std::find(read.begin(), read.begin() + i, *value) != read.begin() + i)
                          return wanted;
                      read[i] = *value;
                  }
                  order = read;
                  return {};
              },
              [&order] {
                  json list = json::array();
                  for (const Dimension d : order)
                      list.push_back(enumName(d));
                  return list;
              },
              [] {
                  json names = json::array();
                  for (const auto& row : enumTable(Dimension{}))
                      names.push_back(row.name);
                  return json{{"type", "array"},
                              {"minItems", 4},
                              {"maxItems", 4},
                              {"uniqueItems", true},
                              {"items", {{"enum", names}}}};
              }});
}

void describeSuperblockMap(Fields& f, FirmwareSection& s)
{
    SuperblockMapConfig& c = s.config.superblockMap;
    f.quantityOr("sectorBuffer", Quantity::Size, s.sectorBufferBytes, "auto", {32'768, 1'073'741'824},
                 "Ring of written sectors in the data buffer; auto: the largest that fits.");
    f.quantity("flushHighWatermark", Quantity::Percent, c.flushHighWatermarkPermille, {0, 1'000},
               "Merging begins when less of the sector buffer is free than this.");
    f.number("superblockLimit", c.superblockLimit, {1, bounds::superblockLimit.maximum},
             "Merging begins when more superblocks than this have sectors in the buffer.");
    f.choice("flush", c.flush, "Effect of a flush command of the host.");
    f.onlyIf(c.flush == FlushHandling::Park, "flush park", fmt::format("flush is {}", enumName(c.flush)), {"flush"})
        .number("parkingSuperblocks", c.parkingSuperblocks, {2, bounds::parkingSuperblocks.maximum},
                "Superblocks reserved for sectors that a flush writes without merging them.");
    f.flag("replicateTables", c.replicateTables,
           "Keep block mapping table, erase counts and log twice, on two superchips if there are two.");
    f.number("checkpointRecords", c.checkpointRecords, {1, bounds::checkpointRecords.maximum},
             "Changes after which the tables are written to flash again, if the log is not full earlier.");
    f.flag(
        "implicitWear", c.implicitWear,
        "A merge writes to the free superblock with the fewest erases; false: to the one that has been free longest.");
}

void describeRefresh(Fields& f, FirmwareSection& s)
{
    RefreshConfig& c = s.config.refresh;
    constexpr std::int64_t millisecond = 1'000'000'000; // of picoseconds
    f.number("readLimit", c.readLimit, {0, 4'294'967'295},
             "A block of the flash that was read at least this many times since its erase is due: its data is moved; "
             "0: no limit.");
    f.quantity(
        "ageLimit", Quantity::Time, c.ageLimit, {0, std::int64_t{bounds::refreshAge.maximum} * millisecond},
        "A block that was programmed at least this long ago is due, in simulated time since power-on; rounded up to "
        "milliseconds; 0: no limit.");
    f.object("scrub", "Reads that look for data that is close to the correction limit.", [&](Fields& g) {
        g.quantity("interval", Quantity::Time, c.scrubInterval,
                   {0, std::int64_t{bounds::scrubInterval.maximum} * (millisecond / 1'000)},
                   "From one read of a page to the next while the host is idle, block after block; 0: no scrubbing.");
        g.onlyIf(c.scrubInterval != Time{}, "scrubbing", "interval is 0", {"interval"})
            .numberOr(
                "correctedBits", s.scrubBits, "auto", within(bounds::scrubBits),
                "A read of any purpose with at least this many corrected bits in a codeword makes its block due; so "
                "does one that had to be tried again. 0: only reads that had to be tried again; auto: three quarters "
                "of what the code corrects.");
    });
}

void describePageMap(Fields& f, FirmwareSection& s)
{
    FirmwareConfig& c = s.config;
    f.number("readPolls", c.readPolls, within(bounds::readPolls),
             "With several channels: how often firmware polls each channel for every sector of a read, before the read "
             "begins in flash; 0: not.");
    f.number("writePolls", c.writePolls, within(bounds::writePolls),
             "With several channels: how often firmware polls each channel for every sector of a write, before the "
             "write begins in flash; 0: not.");
    describeAllocation(f, c.allocation);
    f.choice("commandPlacement", c.commandPlacement, "Placement of the pages of one host command.");
    f.object("gc", "Garbage collection.", [&](Fields& g) {
        g.choice("policy", c.gcPolicy, "How the block to collect is chosen.");
        g.number("lowBlocks", c.gcLowBlocks, {2, bounds::gcLowBlocks.maximum},
                 "A die with fewer free blocks than this is collected; firmware raises it to 2 per plane.");
        g.number("idleBlocks", c.gcIdleBlocks, within(bounds::gcIdleBlocks),
                 "Idle dies are collected in the background up to this many free blocks; 0: never.");
        g.flag("copyBack", c.gcCopyBack, "Move pages inside a plane by copy-back where possible (not in superblocks).");
        g.choice("erase", c.gcErase, "Time at which an emptied block is erased.");
        g.choice("pacing", c.gcPacing, "How collection shares a plane with host data.");
    });
    f.choice("hostStreams", c.hostStreams, "How host data is divided among blocks; one with a pSLC cache.");
    f.object("placement", "Flexible data placement: the host says which writes belong together.", [&](Fields& g) {
        g.number(
            "handles", c.placement.handles, within(bounds::placementHandles),
            "Placement handles, each with a reclaim unit (a superblock of all dies and planes) that takes its data; "
            "0: no data placement.");
        g.onlyIf(c.placement.handles != 0, "handles above 0", "handles is 0", {"handles"})
            .choice("isolation", c.placement.isolation, "What collection does with data of several handles.");
    });
    f.flag("readRetry", c.readRetry,
           "A read that cannot be corrected is tried again under the options of the part's retry table, if it has one "
           "(errors).");
    f.number("softSenses", c.softSenses, within(bounds::softSenses),
             "Senses of the soft read that follows when all options have failed, for parts with an error model "
             "(errors); 0: no soft read.");
    f.flag("serialWrites", c.serialWrites,
           "A write starts in flash when the previous one (on its channel, if commands are placed by channel) is "
           "complete; its data may arrive earlier. Needs write-through.");
    f.choice("writeCache", c.writeCache, "What a power loss does to the write buffer.");
    f.numberOr("writeBufferPages", s.writeBufferPages, "auto", {1, 1'048'576},
               "Flash pages of the buffer that may hold data on its way to flash; auto: half of the buffer, or less if "
               "reads would have few slots.");
    f.object("readAhead", "Read-ahead for sequential streams of host reads.", [&](Fields& g) {
        g.number("streams", c.readAheadStreams, within(bounds::readAheadStreams),
                 "Streams that firmware follows at a time; 0: no read-ahead.");
        g.onlyIf(c.readAheadStreams != 0, "streams above 0", "streams is 0", {"streams"})
            .number("window", c.readAheadWindow, within(bounds::readAheadWindow),
                    "Mapping units that are read ahead of each stream.");
    });
    f.quantity(
        "mappingUnit", Quantity::Size, s.mappingUnitBytes, {leastMappingUnitBytes, mostMappingUnitBytes, 1, true},
        "Size of a mapping unit: 4, 8 or 16 KiB if that is less than a page, several of which are gathered in a page; "
        "else the size of the page. The unit is also the page if its spare area has less than 16 bytes for each 4 "
        "KiB.");
    f.object("superblock", "What the layer programs and erases together.", [&](Fields& g) {
        g.flagOr("joinPlanes", s.joinPlanes, "auto",
                 "Program the word lines of all planes of a die together, and erase their blocks together; auto: if a "
                 "program writes a word line and controller.multiPlane joins all planes.");
        g.number("dies", c.superblockDies, within(bounds::superblockDies),
                 "Dies over which the pages of a block are striped and whose blocks are erased together; divides the "
                 "number of dies.");
        g.flag("parity", c.superblockParity,
               "The last die of a superblock holds the parity (XOR) of the others, from which data is reconstructed "
               "that cannot be corrected. The capacity is smaller by this die's share. Needs dies of at least 2.");
    });
    f.object("pslcCache", "Host data is programmed in pSLC mode (nand.part.pslc) first.", [&](Fields& g) {
        g.choice("mode", c.pslcCache.kind, "Which blocks the cache uses.");
        const bool isUsed = c.pslcCache.kind != PslcCacheMode::None;
        const auto used = [&]() -> Fields& {
            return g.onlyIf(isUsed, "mode static and dynamic", "mode is none", {"mode"});
        };
        used().quantityOr("size", Quantity::Size, s.pslcCacheBytes, "auto", {1, 2'048 * gibibyte},
                          "Data that the cache holds at most, rounded up to whole blocks of each die; auto: all that "
                          "is free (dynamic), or a hundredth of the blocks (static).");
        used().quantity("resume", Quantity::Percent, c.pslcCache.resumePermille, within(bounds::pslcCacheResume),
                        "A full cache takes data again when it has been emptied to this share of its size.");
        used().flag("foldWhileIdle", c.pslcCache.foldsWhileIdle,
                    "Move cached data to other blocks while the host is idle.");
    });
    f.object("refresh", "Moving data before it can no longer be corrected.", [&](Fields& g) { describeRefresh(g, s); });
    f.number("checkpointPages", c.checkpointPages, {0, 4'294'967'295},
             "Pages programmed between two checkpoints of the mapping table, from which recovery after a power "
             "loss starts; 0: one when the journal is full, and not before.");
    f.choice("badBlockScan", c.badBlockScan, "How firmware finds factory bad blocks; the other layers have the table.");
}

void describeZoned(Fields& f, FirmwareSection& s)
{
    ZonedConfig& c = s.config.zoned;
    f.numberOr("diesPerZone", s.zoneDies, "all", within(bounds::zoneDies),
               "Dies that a zone spans: its data is striped over them; all: of the drive.");
    f.quantityOr("capacity", Quantity::Size, s.zoneCapacityBytes, "all", {512, 2'048 * gibibyte},
                 "What the host can write to a zone, rounded down to a multiple of what its dies program at a time; "
                 "all: all pages of its blocks.");
    f.number("openZones", c.openZones, within(bounds::openZones), "Open zones at a time.");
    f.number("activeZones", c.activeZones, within(bounds::activeZones),
             "Active zones, which are open or closed, at a time.");
    f.choice("erase", c.erase, "When the blocks of a zone that was reset are erased.");
    f.numberOr("writeBufferPages", s.writeBufferPages, "auto", {1, 4'194'304},
               "Flash pages of the data buffer that may hold write data, in units of what a die programs at a time; "
               "auto: half of "
               "it.");
}

} // namespace

Ftl FirmwareSection::layerFor(const nand::Part& part) const
{
    return ftl.value_or(part.isOverwritable() ? Ftl::StartGap : Ftl::PageMap);
}

FirmwareSection::FirmwareSection()
{
    config.gcLowBlocks = 3;
#define HAL_COST_POINT(name, cycles, text) config.costs.push_back({#name, cycles});
#include "firmware/hal/cost_points.def"
#undef HAL_COST_POINT
}

void describeFirmware(Fields& f, FirmwareSection& s, const nand::Part& part)
{
    FirmwareConfig& c = s.config;
    f.choice("mode", c.mode, "How firmware is executed.");
    f.choiceOr("ftl", s.ftl, "auto", "Flash translation layer; auto: page_map for flash, start_gap for PCM.");
    const Ftl ftl = s.layerFor(part);
    f.text("image", c.image, "Name or path of a firmware image; empty: the image of the layer.");
    f.number("cores", c.cores, within(bounds::cores),
             "CPUs that run the firmware, each with the clock of cpu; 2: one runs the host side and the flash "
             "translation layer, the other the flash controller.");
    f.quantityOr("stallAfter", Quantity::Time, c.stallAfter, "never", {1'000'000, 1'000 * second},
                 "Simulated time after which firmware that is not ready, or that ends none of the outstanding "
                 "commands, counts as "
                 "stalled: the run ends with a diagnosis.");
    f.quantityOr("capacity", Quantity::Size, s.capacityBytes, "auto", {mebibyte, 2'048 * gibibyte},
                 "Capacity that the drive reports; auto: from overProvisioning.");
    const bool isMapping = ftl == Ftl::PageMap || ftl == Ftl::SuperblockMap;
    const std::vector<std::string> layer{"ftl", "../nand/part/cell", "../nand/part/extends"};
    const auto flashOnly = [&]() -> Fields& {
        return f.onlyIf(isMapping, "ftl page_map and superblock_map", fmt::format("ftl is {}", enumName(ftl)), layer);
    };
    if (isMapping)
        f.onlyIf(!s.capacityBytes, "capacity auto", "the capacity is given", {"capacity"});
    else
        flashOnly();
    f.quantity("overProvisioning", Quantity::Percent, c.overProvisioningPermille, within(bounds::overprovisionPermille),
               "Flash that the host cannot use, as a share of all good pages.");
    flashOnly().choice("completion", c.completion, "When a write is acknowledged.");
    f.ifChosen(ftl == Ftl::PageMap, "ftl page_map").object("pageMap", "Page mapping.", [&](Fields& g) {
        describePageMap(g, s);
    });
    f.ifChosen(ftl == Ftl::SuperblockMap, "ftl superblock_map")
        .object("superblockMap", "Superblock mapping.", [&](Fields& g) { describeSuperblockMap(g, s); });
    f.ifChosen(ftl == Ftl::Zoned, "ftl zoned").object("zoned", "Zones.", [&](Fields& g) { describeZoned(g, s); });
    f.ifChosen(ftl == Ftl::StartGap, "ftl start_gap").object("startGap", "Start-Gap.", [&](Fields& g) {
        g.number("interval", c.startGapInterval, within(bounds::startGapInterval),
                 "Pages written between two moves of the gap; 0: the gap does not move.");
    });
    flashOnly().number(
        "wearThreshold", c.wearThreshold, within(bounds::wearThreshold),
        "Static (explicit) wear levelling when erase counts of a plane, or of the superblocks of a superchip, "
        "differ by more than this; 0: never.");
    f.onlyIf(ftl != Ftl::StartGap, "ftl page_map, superblock_map and zoned", "ftl is start_gap", layer)
        .number("spareBlocks", c.spareBlocks, within(bounds::spareBlocks),
                "Blocks per die kept to replace blocks that go bad.");
    f.object(
        "costs",
        "CPU cycles of the cost points of native firmware; the RV32 core takes the time of its instructions instead.",
        [&](Fields& g) {
            struct Row {
                const char* name;
                const char* text;
            };
            static constexpr Row rows[] = {
#define HAL_COST_POINT(name, cycles, text) {#name, text},
#include "firmware/hal/cost_points.def"
#undef HAL_COST_POINT
            };
            for (std::size_t i = 0; i < std::size(rows); ++i) {
                std::string text = rows[i].text;
                text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
                g.number(rows[i].name, c.costs[i].cycles, {0, 100'000'000}, text + ".");
            }
        });
}

} // namespace strobe::platform
