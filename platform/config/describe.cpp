// SPDX-License-Identifier: Apache-2.0
//
// Every parameter of a drive, once: key, unit, range, sentence. Host and workload are in describe_host.cpp.
#include "models/base/resource_group.h"
#include "models/channel/interface_rows.h"
#include "platform/config/resolve_channel.h"
#include "platform/config/scenario_file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace strobe::platform {

using nlohmann::json;

namespace {

namespace bounds = regs::bounds; // of what firmware gets in its boot block

constexpr Range within(const bounds::Bounds& b)
{
    return {b.minimum, b.maximum};
}

constexpr std::int64_t nanosecond = 1'000;
constexpr std::int64_t microsecond = 1'000 * nanosecond;
constexpr std::int64_t millisecond = 1'000 * microsecond;
constexpr std::int64_t second = 1'000 * millisecond;
constexpr std::int64_t kibibyte = 1'024;
constexpr std::int64_t mebibyte = 1'024 * kibibyte;
constexpr std::int64_t gibibyte = 1'024 * mebibyte;
constexpr std::int64_t megahertz = 1'000'000;
constexpr std::int64_t megabytePerSecond = 1'000'000;

constexpr double femto = 1e-15;
constexpr double nano = 1e-9;

// Energies and powers are doubles in the models and integers (fJ, nW) in a scenario.
void physical(Fields& f, std::string_view name, Quantity kind, double& value, std::string_view text)
{
    const double scale = kind == Quantity::Energy ? femto : nano;
    const auto units = [&value, scale] { return std::llround(value / scale); };
    f.custom({std::string(name), std::string(quantityName(kind)), "", std::string(text)},
             {[&value, kind, scale](const json& j) -> std::string {
                  if (!j.is_string())
                      return fmt::format("must be a {} in quotes with a unit ({}), like \"{}\", not {}",
                                         quantityName(kind), unitChoices(kind), quantityExample(kind), j.dump());
                  const Parsed parsed = parseQuantity(kind, j.get<std::string>());
                  if (!parsed.value)
                      return j.dump() + ": " + parsed.error;
                  value = static_cast<double>(*parsed.value) * scale;
                  return {};
              },
              [kind, units] { return json(quantityText(kind, units())); },
              [kind] {
                  return json{{"$ref", "#/definitions/" + std::string(quantityName(kind))}};
              }});
}

void describeId(Fields& f, std::vector<std::uint8_t>& id)
{
    f.custom({"id", "list of bytes", "up to 8 numbers from 0 to 255", "Answer to READ ID."},
             {[&id](const json& j) -> std::string {
                  const auto isByte = [](const json& b) {
                      return b.is_number_unsigned() && b.get<std::uint64_t>() <= 255;
                  };
                  if (!j.is_array() || j.size() > 8 || !std::all_of(j.begin(), j.end(), isByte))
                      return "must be a list of up to 8 numbers from 0 to 255";
                  id = j.get<std::vector<std::uint8_t>>();
                  return {};
              },
              [&id] { return json(id); },
              [] {
                  return json{{"type", "array"},
                              {"maxItems", 8},
                              {"items", {{"type", "integer"}, {"minimum", 0}, {"maximum", 255}}}};
              }});
}

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

void describeCuts(Fields& f, std::vector<Time>& cuts)
{
    f.custom({"cuts", "list of times", "ascending, above 0, like [\"1.5ms\", \"20ms\"]",
              "Simulated times of power losses. A time at which there is no power has no effect."},
             {[&cuts](const json& j) -> std::string {
                  std::string wanted = "must be a list of ascending times above 0, like [\"1.5ms\", \"20ms\"]";
                  if (!j.is_array() || j.size() > 100'000)
                      return wanted;
                  std::vector<Time> read;
                  for (const json& item : j) {
                      const Parsed time =
                          item.is_string() ? parseQuantity(Quantity::Time, item.get<std::string>()) : Parsed{};
                      if (!time.value || picoseconds(*time.value) <= (read.empty() ? Time{} : read.back()))
                          return wanted;
                      read.push_back(picoseconds(*time.value));
                  }
                  cuts = read;
                  return {};
              },
              [&cuts] {
                  json list = json::array();
                  for (const Time cut : cuts)
                      list.push_back(quantityText(Quantity::Time, cut.count()));
                  return list;
              },
              [] {
                  return json{{"type", "array"}, {"maxItems", 100'000}, {"items", {{"$ref", "#/definitions/time"}}}};
              }});
}

void describePower(Fields& f, PowerSection& c)
{
    describeCuts(f, c.config.cuts);
    f.quantityOr("meanCutInterval", Quantity::Time, c.meanCutInterval, "never", {1'000'000, 1'000 * second},
                 "Additional random power losses: mean time from power-on to the next one, uniform from 0 to twice the "
                 "mean, so that some fall into recovery.");
    f.onlyIf(c.meanCutInterval.has_value(), "random power losses", "meanCutInterval is not given")
        .number("maxCuts", c.config.maxCuts, {0, 1'000'000}, "Maximum number of random power losses; 0: no limit.");
    f.quantity("offTime", Quantity::Time, c.config.offTime, {0, 1'000 * second}, "Time without power.");
    f.flag("readBack", c.config.readBack,
           "After each power loss the host reads back everything that it has written before the workload continues.");
    f.choice("lostCommands", c.config.lostCommands, "What the host does with commands in progress at a power loss.");
}

// A word for no value ("minimum"), a period ("20ns") or a frequency ("50MHz").
void describeClock(Fields& f, const std::string& name, const std::string& word, std::optional<Time>& period,
                   std::string_view help)
{
    f.custom({name, fmt::format("\"{}\", time or frequency", word), "", std::string(help)},
             {[&period, word](const json& j) -> std::string {
                  std::string wanted = fmt::format(
                      "must be \"{}\", a period like \"20ns\" or a frequency like \"50MHz\", not {}", word, j.dump());
                  if (!j.is_string())
                      return wanted;
                  const auto text = j.get<std::string>();
                  if (text == word) {
                      period.reset();
                  } else if (const Parsed time = parseQuantity(Quantity::Time, text); time.value && *time.value > 0) {
                      period = picoseconds(*time.value);
                  } else if (const Parsed rate = parseQuantity(Quantity::Frequency, text);
                             rate.value && *rate.value > 0) {
                      period = picoseconds((second + *rate.value - 1) / *rate.value);
                  } else {
                      return wanted;
                  }
                  return {};
              },
              [&period, word] { return json(period ? quantityText(Quantity::Time, period->count()) : word); },
              [word] {
                  return json{{"anyOf", json::array({json{{"const", word}}, json{{"$ref", "#/definitions/time"}},
                                                     json{{"$ref", "#/definitions/frequency"}}})}};
              }});
}

void describeNand(Fields& f, NandSection& c)
{
    f.required().object("part",
                        "The chip: the name of a file in scenarios/parts/, or an object with these keys; with "
                        "\"extends\" the object changes single values of a part.",
                        [&](Fields& g) { describePart(g, c.part); });
    f.number("channels", c.array.channels, within(bounds::channels), "Channels, each with its own NAND bus.");
    f.number("ways", c.array.ways, within(bounds::ways), "Chip enables per channel.");
    f.number("luns", c.array.luns, within(bounds::luns), "Dies per chip enable.");
    f.number("conventionalWays", c.conventionalWays, {0, 64},
             "Number of chip enables of each channel, counted from the last, whose chips have no data strobe and use "
             "CONV timing.");
    f.real("preAged", c.preAged, 0, 100,
           "Wear of every cell at the start; 1: the rated endurance is used up. For parts that age (wear).");
    f.numberOr("preAgedCycles", c.preAgedCycles, "preAged", {0, 1'000'000'000},
               "The same in program/erase cycles (PCM: overwrites).");
    f.choice("corner", c.corner, "Process corner of the dies, which determines their output delay.");
    f.numberOr("factoryBadBlocks", c.factoryBadBlocks, "part max", {0, 65'535},
               "Factory bad blocks per die, at random places.");
    f.listOf("wornBlocks", c.wornBlocks, "Failure injection: blocks whose programs and erases fail.",
             [](Fields& g, NandSection::Worn& w) {
                 g.number("die", w.die, {0, 511}, "Die: (channel x ways + way) x luns + lun.");
                 g.number("block", w.block, {0, 1'048'575}, "Block of the die.");
                 g.quantity("at", Quantity::Time, w.at, {}, "Simulated time from which it fails.");
             });
    f.object("contents", "A file that carries the contents of the dies from one run to another.", [&](Fields& g) {
        g.text("file", c.contents.file, "File name, relative to the current directory; empty: no file.");
        g.onlyIf(!c.contents.file.empty(), "a file", "there is none")
            .choice("mode", c.contents.mode, "Whether the file is read, written or both.");
    });
}

void describeInterface(Fields& f, std::string& name)
{
    f.custom(
        {"interface", "word", interfaceChoices(), "NAND interface: one with a computed clock, or an ONFI timing mode."},
        {[&name](const json& j) -> std::string {
             const std::vector<std::string> names = channel::interfaceNames();
             const std::string said = j.is_string() ? j.get<std::string>() : std::string();
             if (std::find(names.begin(), names.end(), said) == names.end()) {
                 const std::string near = nearestName(said, names);
                 return fmt::format("must be {}, not {}{}", interfaceChoices(), j.dump(),
                                    near.empty() ? "" : "; did you mean \"" + near + "\"?");
             }
             name = said;
             return {};
         },
         [&name] { return json(name); },
         [] {
             return json{{"enum", channel::interfaceNames()}};
         }});
}

void describeChannel(Fields& f, ChannelSection& c)
{
    const Range wait{0, 100 * microsecond};
    describeInterface(f, c.interface);
    describeClock(
        f, "clock", "minimum", c.period,
        "Clock of the NAND bus: a period or a frequency within the limit of the interface, or its minimum period.");
    describeClock(
        f, "readClock", "clock", c.readPeriod,
        "Separate clock of data out of the flash, within the limit of the interface; by default that of the bus.");
    f.onlyIf(enumValue<channel::InterfaceKind>(c.interface).has_value(), "interfaces with a computed clock",
             "the interface is " + c.interface);
    f.object("parameters", "Electrical parameters; defaults from Table 2 of the DDR NAND paper.", [&](Fields& g) {
        const Range range{0, microsecond};
        auto& p = c.parameters;
        g.quantity("tOUT", Quantity::Time, p.tOUT, range, "Delay from controller pad to chip.");
        g.quantity("tIN", Quantity::Time, p.tIN, range, "Delay from chip to controller pad.");
        g.quantity("tS", Quantity::Time, p.tS, range, "Set-up time of the controller's latch.");
        g.quantity("tH", Quantity::Time, p.tH, range, "Hold time of the controller's latch.");
        g.quantity("tREA", Quantity::Time, p.tREA, range, "Read enable to data valid.");
        g.quantity("tDIFF", Quantity::Time, p.tDIFF, range, "Skew between strobe and data on the board.");
        g.quantity("tBYTE", Quantity::Time, p.tBYTE, range, "Page register to chip pad, one byte.");
        g.quantity("alpha", Quantity::Percent, p.alphaPermille, {0, 500}, "Strobe delay tD as a share of the period.");
    });
    f.quantityOr("tCS", Quantity::Time, c.tCS, "interface", wait,
                 "Chip enable set-up before the first cycle; \"interface\": the value of the interface.");
    f.quantityOr("tADL", Quantity::Time, c.tADL, "interface", wait, "Last address cycle to first data-in cycle.");
    f.quantityOr("tWB", Quantity::Time, c.tWB, "interface", wait, "Confirm command to R/B# low.");
    f.quantityOr("tRR", Quantity::Time, c.tRR, "interface", wait, "R/B# high to first data-out cycle.");
    f.quantityOr("tWHR", Quantity::Time, c.tWHR, "interface", wait, "Status or id command to data-out.");
    f.quantityOr("tCCS", Quantity::Time, c.tCCS, "interface", wait, "Change of plane to data-out.");
    f.flag("wholeClocks", c.wholeClocks, "Round array times and waits up to whole clock cycles.");
    f.flag("statusAfterArray", c.statusAfterArray, "Read the status byte after program, erase and copy-back.");
    f.quantity("statusPollDelay", Quantity::Time, c.statusPollDelay, {0, millisecond},
               "From R/B# high to its detection by the controller.");
    f.choice("order", c.order, "Order in which waiting segments get the bus.");
    f.choice("suspend", c.suspend, "Operations that a waiting read suspends on its die.");
    f.onlyIf(c.suspend != channel::Suspend::None, "suspend other than none", "nothing is suspended");
    f.number("suspendReads", c.suspendReads, {1, 64},
             "Maximum number of reads per suspension, and of consecutive reads that pass waiting programs and erases.");
    f.object("calibration", "Data out at a clock that firmware calibrates for each die.",
             [&](Fields& g) { describeCalibration(g, c.calibration); });
}

void describeController(Fields& f, ControllerSection& c)
{
    f.numberOr("units", c.units, "per-die", within(bounds::units),
               "Background flash units; if there are fewer than dies, dies share them.");
    f.choice("backgroundUnits", c.backgroundUnits,
             "Who executes the operations of the background units. Software needs superblock mapping.");
    f.number("unitDepth", c.unitDepth, {1, 254},
             "Descriptor lists that a unit queues in addition to the one in execution.");
    f.object("superchip", "Chips operated as one: adjacent channels times adjacent dies on each.", [&](Fields& g) {
        g.number("bus", c.superchip.bus, {1, bounds::superchipBus.maximum},
                 "Bus-level interleaving: channels of a superchip.");
        g.number("chip", c.superchip.chip, {1, bounds::superchipChip.maximum},
                 "Chip-level interleaving: dies on each of them.");
    });
    f.flag("foreground", c.foreground, "A unit for host reads that has priority over the background units.");
    f.flag("synthesizer", c.synthesizer,
           "Hardware turns host reads into foreground requests, using tables of the firmware; needs foreground.");
    f.flag("priority", c.priority,
           "Operations of the foreground unit go first; false: they are scheduled like those of background units.");
    f.choice("interleaving", c.interleaving, "Unit of bus sharing.");
    f.flag("multiPlane", c.multiPlane,
           "Join operations on several planes that wait for a die into multi-plane commands.");
    f.onlyIf(c.multiPlane, "multiPlane true", "planes work one at a time");
    f.numberOr("planesAtOnce", c.planesAtOnce, "all", {2, 16}, "Maximum number of planes per command.");
    f.flag("cacheOperations", c.cacheOperations,
           "Join reads and programs that wait for a die into cache reads and cache programs.");
    f.object("ecc", "Error correction, one encoder and decoder per channel.", [&](Fields& g) {
        g.quantity("encodeLatency", Quantity::Time, c.encodeLatency, {0, millisecond}, "Added to each page written.");
        g.quantity("decodeLatency", Quantity::Time, c.decodeLatency, {0, millisecond}, "Added to each page read.");
        g.quantityOr("rate", Quantity::Rate, c.eccRate, "unlimited", {megabytePerSecond, 1'000'000'000'000},
                     "Throughput of an encoder or decoder.");
        controller::EccCode& code = c.eccCode;
        g.quantity("codeword", Quantity::Size, code.codewordBytes, {512, 16'384},
                   "Data bytes of a codeword, whole sectors.");
        g.number("correctableBits", code.correctableBits, {0, 4'096},
                 "Bit errors that can be corrected in a codeword; 0: no code, errors are not detected.");
        g.number("bitsPerIteration", code.bitsPerIteration, {1, 4'096}, "Bit errors found by one decoding iteration.");
        g.number("maxIterations", code.maxIterations, {1, 1'000},
                 "Maximum iterations per codeword, which an uncorrectable codeword takes.");
        g.quantity("iterationTime", Quantity::Time, code.iterationTime, {0, millisecond},
                   "Decoder time of one iteration; a page without errors takes none.");
        g.real("miscorrection", code.miscorrection, 0, 1,
               "Probability that an uncorrectable codeword is delivered as corrected.");
    });
}

void describeMemories(Fields& f, ScenarioFile& c)
{
    f.object("memory", "Bulk SDRAM: firmware tables, descriptors and the sector buffer.", [&](Fields& g) {
        g.quantity("size", Quantity::Size, c.memory.size, {mebibyte, 3 * gibibyte}, "Size of the memory.");
        g.quantity("bufferSize", Quantity::Size, c.memory.bufferSize, {16 * kibibyte, 2 * gibibyte},
                   "Part of the memory that buffers sectors.");
        g.quantity("bandwidth", Quantity::Rate, c.memory.bytesPerSecond, {megabytePerSecond, 1'000'000'000'000},
                   "Bandwidth of the data path that all ports share.");
        g.quantity("latency", Quantity::Time, c.memory.latency, {0, 100 * microsecond},
                   "Latency of the first access of a burst.");
    });
    f.object("sram", "On-chip SRAM of the CPU.", [&](Fields& g) {
        g.quantity("size", Quantity::Size, c.sram.size, {4 * kibibyte, 16 * mebibyte}, "Size.");
        g.quantity("latency", Quantity::Time, c.sram.latency, {0, 100 * microsecond}, "Latency of an access.");
    });
    f.object("fabric", "Bus between the CPU and registers and memories.", [&](Fields& g) {
        g.quantity("latency", Quantity::Time, c.fabric.latency, {0, 100 * microsecond},
                   "Latency of an access, added to that of the target.");
    });
    f.object("cpu", "The CPU that runs the firmware.", [&](Fields& g) {
        g.quantity("clock", Quantity::Frequency, c.cpu.hertz, {megahertz, 10'000 * megahertz}, "Clock.");
        g.quantity("quantum", Quantity::Time, c.cpu.quantum, {0, millisecond},
                   "How far the CPU may run ahead of simulated time before it synchronises.");
    });
}

void describeSuperblockMap(Fields& f, FirmwareSection& s)
{
    SuperblockMapConfig& c = s.config.superblockMap;
    f.quantityOr("sectorBuffer", Quantity::Size, s.sectorBufferBytes, "auto", {32'768, 1'073'741'824},
                 "Ring of written sectors in the data buffer; auto: the largest that fits.");
    f.quantity("flushHighWatermark", Quantity::Percent, c.flushHighWatermarkPermille, {0, 1'000},
               "Materialisation begins when less of the sector buffer is free than this.");
    f.number("superblockLimit", c.superblockLimit, {1, bounds::superblockLimit.maximum},
             "Materialisation begins when more superblocks than this have sectors in the buffer.");
    f.choice("flush", c.flush, "Effect of a flush command of the host.");
    f.onlyIf(c.flush == FlushHandling::Park, "flush park", fmt::format("flush is {}", enumName(c.flush)))
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

void describePageMap(Fields& f, FirmwareSection& s)
{
    FirmwareConfig& c = s.config;
    const auto here = [&]() -> Fields& {
        return f.onlyIf(c.ftl == Ftl::PageMap, "ftl page_map", fmt::format("ftl is {}", enumName(c.ftl)));
    };
    here().number(
        "channelScanSteps", c.channelScanSteps, within(bounds::channelScanSteps),
        "Steps in which the CPU checks each channel besides the first before a command begins in flash (cost points "
        "read_channel_scan and write_channel_scan); 0: it does not.");
    here();
    describeAllocation(f, c.allocation);
    here().choice("commandPlacement", c.commandPlacement, "Placement of the pages of one host command.");
    here().object("gc", "Garbage collection.", [&](Fields& g) {
        g.choice("policy", c.gcPolicy, "Victim choice.");
        g.number("lowBlocks", c.gcLowBlocks, {2, bounds::gcLowBlocks.maximum},
                 "A die with fewer free blocks than this is collected.");
        g.number("idleBlocks", c.gcIdleBlocks, within(bounds::gcIdleBlocks),
                 "Idle dies are collected in the background up to this many free blocks; 0: never.");
        g.flag("copyBack", c.gcCopyBack, "Move pages inside a plane by copy-back where possible.");
        g.choice("erase", c.gcErase, "Time at which an emptied block is erased.");
    });
    here().flag("serialWrites", c.serialWrites,
                "A write starts in flash when the previous one (on its channel, if commands are placed by channel) is "
                "complete; its data may arrive earlier. Needs write-through.");
    here().numberOr("writeBufferPages", s.writeBufferPages, "auto", {1, 1'048'576},
                    "Buffer pages that may hold data on its way to flash; auto: half of the buffer.");
    here().number("checkpointPages", c.checkpointPages, {0, 4'294'967'295},
                  "Pages programmed between two checkpoints of the mapping table, from which recovery after a power "
                  "loss starts; 0: one when the journal is full, and not before.");
}

void describeFirmware(Fields& f, FirmwareSection& s)
{
    FirmwareConfig& c = s.config;
    f.choice("mode", c.mode, "How firmware is executed.");
    f.choice("ftl", c.ftl, "Flash translation layer.");
    f.text("image", c.image, "Name or path of a firmware image; empty: the image of the layer.");
    f.number("cores", c.cores, within(bounds::cores),
             "CPUs that run the firmware, each with the clock of cpu; 2: one runs the host side and the flash "
             "translation layer, the other the flash controller.");
    f.quantityOr("capacity", Quantity::Size, s.capacityBytes, "auto", {mebibyte, 2'048 * gibibyte},
                 "Capacity that the drive reports; auto: from overProvisioning.");
    const bool isFlash = c.ftl != Ftl::StartGap;
    const auto flashOnly = [&]() -> Fields& { return f.onlyIf(isFlash, "layers for flash", "ftl is start_gap"); };
    f.onlyIf(!s.capacityBytes && isFlash, isFlash ? "capacity auto" : "layers for flash",
             isFlash ? "the capacity is given" : "ftl is start_gap");
    f.quantity("overProvisioning", Quantity::Percent, c.overProvisioningPermille, within(bounds::overprovisionPermille),
               "Flash that the host cannot use, as a share of all good pages.");
    flashOnly().choice("completion", c.completion, "When a write is acknowledged.");
    describePageMap(f, s);
    f.onlyIf(c.ftl == Ftl::SuperblockMap, "ftl superblock_map", fmt::format("ftl is {}", enumName(c.ftl)))
        .object("superblockMap", "Superblock mapping.", [&](Fields& g) { describeSuperblockMap(g, s); });
    f.onlyIf(!isFlash, "ftl start_gap", fmt::format("ftl is {}", enumName(c.ftl)))
        .object("startGap", "Start-Gap.", [&](Fields& g) {
            g.number("interval", c.startGapInterval, within(bounds::startGapInterval),
                     "Pages written between two moves of the gap; 0: the gap does not move.");
        });
    flashOnly().number(
        "wearThreshold", c.wearThreshold, within(bounds::wearThreshold),
        "Static (explicit) wear levelling when erase counts of a die, or of the superblocks of a superchip, "
        "differ by more than this; 0: never.");
    flashOnly().number("spareBlocks", c.spareBlocks, within(bounds::spareBlocks),
                       "Blocks per die kept to replace blocks that go bad.");
    flashOnly().choice("badBlockScan", c.badBlockScan, "How firmware finds factory bad blocks.");
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

void describeEnergy(Fields& f, EnergyConfig& c)
{
    f.listOf("components", c.components, "Consumers other than the arrays of the dies, whose energies are in the part.",
             [](Fields& g, EnergyComponent& e) {
                 g.required().text("name", e.name, "Name in the report.");
                 g.text("group", e.group,
                        "Group of resources whose busy time counts (" + energyGroups() +
                            "); empty: a constant consumer.");
                 const auto counted = [&]() -> Fields& {
                     return g.onlyIf(!e.group.empty(), "a group of resources",
                                     "without a group it is a constant consumer, which is idle all the time");
                 };
                 physical(counted(), "active", Quantity::Power, e.activeWatt, "Power of each resource while busy.");
                 physical(g, "idle", Quantity::Power, e.idleWatt, "Power of each resource while idle.");
                 physical(counted(), "perJob", Quantity::Energy, e.perJobJoule, "Energy of each job served.");
                 g.text("source", e.source, "Source of the numbers.");
             });
}

} // namespace

channel::ElectricalParameters ChannelSection::tableTwo()
{
    channel::ElectricalParameters p;
    p.tOUT = picoseconds(7'820);
    p.tIN = picoseconds(1'650);
    p.tS = picoseconds(250);
    p.tH = picoseconds(20);
    p.tREA = picoseconds(20'000);
    p.tDIFF = picoseconds(4'690);
    p.tBYTE = picoseconds(12'000);
    p.alphaPermille = 500;
    return p;
}

FirmwareSection::FirmwareSection()
{
    config.gcLowBlocks = 3;
#define HAL_COST_POINT(name, cycles, text) config.costs.push_back({#name, cycles});
#include "firmware/hal/cost_points.def"
#undef HAL_COST_POINT
}

void describePart(Fields& f, nand::Part& c)
{
    const Range busy{0, 100 * second};
    auto& geometry = c.geometry;
    f.required().text("name", c.name, "Part number.");
    f.required().text("source", c.source, "Source of the numbers.");
    f.choice("cell", c.cell, "Cell technology.");
    f.number("planes", geometry.planes, within(bounds::planes), "Planes per die.");
    f.required().number("blocksPerPlane", geometry.blocksPerPlane, {2, bounds::blocksPerPlane.maximum},
                        "Blocks per plane.");
    f.required().number("pagesPerBlock", geometry.pagesPerBlock, within(bounds::pagesPerBlock), "Pages per block.");
    f.required().quantity("pageSize", Quantity::Size, geometry.pageBytes, within(bounds::pageBytes),
                          "Data bytes of a page, whole 512-byte sectors.");
    f.required().quantity("spareSize", Quantity::Size, geometry.spareBytes, {0, 16 * kibibyte},
                          "Out-of-band bytes of a page.");
    f.required().quantity("tR", Quantity::Time, c.times.tR, busy, "Page to page register.");
    f.required().quantity("tPROG", Quantity::Time, c.times.tPROG, busy, "Page register to page.");
    f.listOf("pageTypes", c.pageTypes,
             "Page types with their own times; page p of a block is of type p modulo their number.",
             [busy](Fields& g, nand::PageType& t) {
                 g.required().text("name", t.name, "Like LSB.");
                 g.quantity("tR", Quantity::Time, t.tR, busy, "Page to page register; 0: the value of the part.");
                 g.quantity("tPROG", Quantity::Time, t.tPROG, busy, "Page register to page; 0: the value of the part.");
             });
    f.required().quantity("tBERS", Quantity::Time, c.times.tBERS, busy, "Block erase.");
    f.quantity("tRstIdle", Quantity::Time, c.times.tRstIdle, busy, "Reset while idle.");
    f.quantity("tRstRead", Quantity::Time, c.times.tRstRead, busy, "Reset during a read.");
    f.quantity("tRstProgram", Quantity::Time, c.times.tRstProgram, busy, "Reset during a program.");
    f.quantity("tRstErase", Quantity::Time, c.times.tRstErase, busy, "Reset during an erase.");
    f.quantity("tDBSY", Quantity::Time, c.times.tDBSY, busy, "Between the planes of a multi-plane command.");
    f.quantity("tRCBSY", Quantity::Time, c.times.tRCBSY, busy, "Cache read: page register to cache register.");
    f.quantity("tCBSY", Quantity::Time, c.times.tCBSY, busy, "Cache program: cache register to page register.");
    f.quantity("tPSUSP", Quantity::Time, c.times.tPSUSP, busy, "Program suspend to R/B# high.");
    f.quantity("tESUSP", Quantity::Time, c.times.tESUSP, busy, "Erase suspend to R/B# high.");
    f.quantity("tPRSM", Quantity::Time, c.times.tPRSM, busy, "Added to a program each time it is resumed.");
    f.quantity("tERSM", Quantity::Time, c.times.tERSM, busy, "Added to an erase each time it is resumed.");
    f.number("maxSuspends", c.maxSuspends, {0, 1'000}, "Maximum number of suspensions of one program or erase.");
    f.choice("multiPlane", c.multiPlane, "Addresses that one multi-plane command may combine.");
    f.number("columnCycles", c.columnCycles, {1, 4}, "Address cycles of a column.");
    f.number("rowCycles", c.rowCycles, {1, 4}, "Address cycles of a row.");
    f.flag("dataStrobe", c.dataStrobe,
           "Whether the part has a data strobe; without one it works with CONV timing only.");
    describeId(f, c.id);
    f.number("endurance", c.endurance, {0, 100'000'000}, "Rated program/erase cycles per block.");
    f.number("maxBadBlocks", c.maxBadBlocks, {0, 1'048'576}, "Maximum number of factory bad blocks per die.");
    f.quantity("accessSize", Quantity::Size, c.accessBytes, {0, 16 * kibibyte},
               "PCM: data bytes of one access; a page takes several accesses, each with its own command and tPROG. 0: "
               "one access.");
    f.object(
        "wear", "Effect of wear on program times and bit errors, interpolated between the points.", [&](Fields& g) {
            g.text("source", c.wear.source, "Source of the points.");
            g.listOf("points", c.wear.points, "Ascending in wear; none: the part does not age.",
                     [](Fields& h, nand::WearPoint& w) {
                         h.required().real("wear", w.wear, 0, 100,
                                           "Erases (PCM: overwrites) divided by the rated endurance.");
                         h.real("programMean", w.programMean, 0.01, 100, "Mean program time, multiple of tPROG.");
                         h.real("programMin", w.programMin, 0.01, 100, "Shortest program time, multiple of tPROG.");
                         h.real("programMax", w.programMax, 0.01, 100, "Longest program time, multiple of tPROG.");
                         h.real("bitErrorRate", w.bitErrorRate, 0, 0.1, "Raw bit errors per bit read.");
                     });
        });
    f.object("output",
             "Output delay of a die: limits of the data sheet, and dependence on process, voltage and temperature.",
             [&](Fields& g) { describeOutput(g, c.output); });
    f.object("energy", "Energy of the array operations of one die.", [&](Fields& g) {
        physical(g, "read", Quantity::Energy, c.energy.readJoule, "Per page read.");
        physical(g, "program", Quantity::Energy, c.energy.programJoule, "Per page programmed.");
        physical(g, "erase", Quantity::Energy, c.energy.eraseJoule, "Per block erased.");
        physical(g, "idle", Quantity::Power, c.energy.idleWatt, "Standby power of a die.");
    });
}

void describe(Fields& f, ScenarioFile& c)
{
    f.text("name", c.name, "Name of the scenario, printed in the report.");
    f.text("description", c.description, "Purpose of the scenario, one or two sentences.");
    f.number("seed", c.seed, {0},
             "Seed of all random choices; the same scenario with the same seed gives the same report.");
    f.choice("data", c.dataMode, "Contents of sectors.");
    f.required().object("nand", "The flash array.", [&](Fields& g) { describeNand(g, c.nand); });
    f.object("environment", "Supply and temperature of the dies, which determine their output delay.",
             [&](Fields& g) { describeEnvironment(g, c.environment); });
    f.object("channel", "The NAND buses.", [&](Fields& g) { describeChannel(g, c.channel); });
    f.object("controller", "The flash controller.", [&](Fields& g) { describeController(g, c.controller); });
    describeMemories(f, c);
    f.object("firmware", "The firmware and its policies.", [&](Fields& g) { describeFirmware(g, c.firmware); });
    f.object("host", "The host's link to the drive.", [&](Fields& g) { describeHost(g, c.host); });
    f.required().object("workload", "The requests of the host.", [&](Fields& g) { describeWorkload(g, c.workload); });
    f.object("operations", "NAND operations on the dies, for `strobe operations`; `strobe run` ignores them.",
             [&](Fields& g) { describeOperations(g, c.operations); });
    f.object("energy", "Energy figures.", [&](Fields& g) { describeEnergy(g, c.energy); });
    f.object("power", "Power losses, and the return of power.", [&](Fields& g) { describePower(g, c.power); });
    f.object("report", "The report.", [&](Fields& g) {
        g.number("mismatchDetails", c.report.mismatchDetails, {0, 16}, "Data mismatches listed in full.");
        g.number("failureDetails", c.report.failureDetails, {0, 16}, "Modelled failures of each kind listed in full.");
        g.flag("wearMap", c.report.wearMap, "Include the erase count of every block in the JSON report.");
        g.quantity("wearEvery", Quantity::Time, c.report.wearEvery, {0, 1'000'000'000'000'000},
                   "Simulated time between the points of the wear history; 0s: no history.");
    });
}

} // namespace strobe::platform
