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
              "Simulated times at which power is lost. A cut that falls into a time without power changes nothing."},
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
    f.quantityOr(
        "meanCutInterval", Quantity::Time, c.meanCutInterval, "never", {1'000'000, 1'000 * second},
        "Random cuts besides: mean time from power-on to the next one, uniform from 0 to twice as much, so that "
        "some fall into recovery.");
    f.onlyIf(c.meanCutInterval.has_value(), "a mean interval of random cuts", "there are no random cuts")
        .number("maxCuts", c.config.maxCuts, {0, 1'000'000}, "Random cuts at most; 0: no limit.");
    f.quantity("offTime", Quantity::Time, c.config.offTime, {0, 1'000 * second}, "Time without power.");
    f.flag("readBack", c.config.readBack,
           "After each loss the host reads back all that it ever wrote before the workload goes on.");
    f.choice("lostCommands", c.config.lostCommands, "What the host does with the commands that were under way.");
}

// A word that leaves it open ("minimum"), a period ("20ns") or a frequency ("50MHz").
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
                        "\"extends\" such an object changes single values of a part.",
                        [&](Fields& g) { describePart(g, c.part); });
    f.number("channels", c.array.channels, within(bounds::channels), "Channels, each with its own NAND bus.");
    f.number("ways", c.array.ways, within(bounds::ways), "Chip enables per channel.");
    f.number("luns", c.array.luns, within(bounds::luns), "Dies behind one chip enable.");
    f.number("conventionalWays", c.conventionalWays, {0, 64},
             "Chip enables of each channel, the last ones, whose chips have no data strobe: CONV reaches them.");
    f.real("preAged", c.preAged, 0, 100,
           "Wear of every cell at the beginning, 1: the rated endurance is used up; for parts that age (wear).");
    f.numberOr("preAgedCycles", c.preAgedCycles, "preAged", {0, 1'000'000'000},
               "The same as program/erase cycles (PCM: overwrites).");
    f.choice("corner", c.corner, "Process corner of the dies: decides their output delay.");
    f.numberOr("factoryBadBlocks", c.factoryBadBlocks, "part max", {0, 65'535},
               "Factory bad blocks per die, at random places.");
    f.listOf("wornBlocks", c.wornBlocks, "Blocks whose programs and erases fail: failure injection.",
             [](Fields& g, NandSection::Worn& w) {
                 g.number("die", w.die, {0, 511}, "Die: (channel x ways + way) x luns + lun.");
                 g.number("block", w.block, {0, 1'048'575}, "Block of the die.");
                 g.quantity("at", Quantity::Time, w.at, {}, "Simulated time from which it fails.");
             });
    f.object("contents", "A file that carries what the dies hold from one run to another.", [&](Fields& g) {
        g.text("file", c.contents.file, "Its name, from the directory of the call; empty: there is none.");
        g.onlyIf(!c.contents.file.empty(), "a file", "there is none")
            .choice("mode", c.contents.mode, "What is done with it.");
    });
}

void describeInterface(Fields& f, std::string& name)
{
    f.custom(
        {"interface", "word", interfaceChoices(), "NAND interface: with a computed clock, or a timing mode of ONFI."},
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
    describeClock(f, "clock", "minimum", c.period,
                  "Clock of the NAND bus: a period or a frequency not below the interface's minimum period, or that "
                  "minimum.");
    describeClock(
        f, "readClock", "clock", c.readPeriod,
        "Clock of everything that comes out of the flash, if it has one of its own: not below the interface's "
        "minimum period of data out.");
    f.onlyIf(enumValue<channel::InterfaceKind>(c.interface).has_value(), "interfaces with a computed clock",
             "the interface is " + c.interface);
    f.object("parameters", "Electrical parameters; defaults from Table 2 of the DDR NAND paper.", [&](Fields& g) {
        const Range range{0, microsecond};
        auto& p = c.parameters;
        g.quantity("tOUT", Quantity::Time, p.tOUT, range, "Controller pad to chip, outgoing.");
        g.quantity("tIN", Quantity::Time, p.tIN, range, "Chip to controller pad, incoming.");
        g.quantity("tS", Quantity::Time, p.tS, range, "Set-up time of the controller's latch.");
        g.quantity("tH", Quantity::Time, p.tH, range, "Hold time of the controller's latch.");
        g.quantity("tREA", Quantity::Time, p.tREA, range, "Read enable to data valid.");
        g.quantity("tDIFF", Quantity::Time, p.tDIFF, range, "Skew between strobe and data on the board.");
        g.quantity("tBYTE", Quantity::Time, p.tBYTE, range, "Page register to chip pad, one byte.");
        g.quantity("alpha", Quantity::Percent, p.alphaPermille, {0, 500}, "Strobe delay tD as a share of the period.");
    });
    f.quantityOr("tCS", Quantity::Time, c.tCS, "interface", wait,
                 "Chip enable set-up before the first cycle; \"interface\": as that says.");
    f.quantityOr("tADL", Quantity::Time, c.tADL, "interface", wait, "Last address cycle to first data-in cycle.");
    f.quantityOr("tWB", Quantity::Time, c.tWB, "interface", wait, "Confirm command to R/B# low.");
    f.quantityOr("tRR", Quantity::Time, c.tRR, "interface", wait, "R/B# high to first data-out cycle.");
    f.quantityOr("tWHR", Quantity::Time, c.tWHR, "interface", wait, "Status or id command to data-out.");
    f.quantityOr("tCCS", Quantity::Time, c.tCCS, "interface", wait, "Change of plane to data-out.");
    f.flag("wholeClocks", c.wholeClocks,
           "Array times and waits last whole cycles of the clock, rounded up, as if counted by it.");
    f.flag("statusAfterArray", c.statusAfterArray, "Read the status byte after program, erase and copy-back.");
    f.quantity("statusPollDelay", Quantity::Time, c.statusPollDelay, {0, millisecond},
               "R/B# high to the controller noticing it.");
    f.choice("order", c.order, "Which waiting segment gets the bus.");
    f.choice("suspend", c.suspend, "What a waiting read suspends on its die.");
    f.onlyIf(c.suspend != channel::Suspend::None, "suspend other than none", "nothing is suspended");
    f.number("suspendReads", c.suspendReads, {1, 64},
             "Reads that one suspension serves, and that pass waiting programs and erases in a row.");
    f.object("calibration", "Data out by a clock that firmware finds for each die.",
             [&](Fields& g) { describeCalibration(g, c.calibration); });
}

void describeController(Fields& f, ControllerSection& c)
{
    f.numberOr("units", c.units, "per-die", within(bounds::units),
               "Background flash units; fewer than dies are shared by them.");
    f.choice("backgroundUnits", c.backgroundUnits,
             "Who executes the operations of the background units. Software needs superblock mapping.");
    f.number("unitDepth", c.unitDepth, {1, 254}, "Descriptor lists that a unit accepts ahead of the one it executes.");
    f.object("superchip", "Chips worked as one: neighbouring channels times neighbouring dies on each.",
             [&](Fields& g) {
                 g.number("bus", c.superchip.bus, {1, bounds::superchipBus.maximum},
                          "Bus-level interleaving: channels of a superchip.");
                 g.number("chip", c.superchip.chip, {1, bounds::superchipChip.maximum},
                          "Chip-level interleaving: dies on each of them.");
             });
    f.flag("foreground", c.foreground, "A unit for host reads that has priority over the background units.");
    f.flag("synthesizer", c.synthesizer,
           "Host reads may become foreground requests in hardware, from tables of the firmware; needs foreground.");
    f.flag("priority", c.priority, "false: its operations take their turn with those of the background units.");
    f.choice("interleaving", c.interleaving, "What the units share the buses by.");
    f.flag("multiPlane", c.multiPlane,
           "Operations of several planes that wait for a die are joined into multi-plane commands.");
    f.onlyIf(c.multiPlane, "multiPlane true", "planes work one at a time");
    f.numberOr("planesAtOnce", c.planesAtOnce, "all", {2, 16}, "Planes that one command works on at most.");
    f.flag("cacheOperations", c.cacheOperations,
           "Reads and programs that wait for a die are joined into cache reads and cache programs.");
    f.object("ecc", "Error correction, one encoder and decoder per channel.", [&](Fields& g) {
        g.quantity("encodeLatency", Quantity::Time, c.encodeLatency, {0, millisecond}, "Added to each page written.");
        g.quantity("decodeLatency", Quantity::Time, c.decodeLatency, {0, millisecond}, "Added to each page read.");
        g.quantityOr("rate", Quantity::Rate, c.eccRate, "unlimited", {megabytePerSecond, 1'000'000'000'000},
                     "Throughput of an encoder or decoder.");
        controller::EccCode& code = c.eccCode;
        g.quantity("codeword", Quantity::Size, code.codewordBytes, {512, 16'384},
                   "Data bytes of a codeword, whole sectors.");
        g.number("correctableBits", code.correctableBits, {0, 4'096},
                 "Bit errors that a codeword may have; 0: no code, errors go through unnoticed.");
        g.number("bitsPerIteration", code.bitsPerIteration, {1, 4'096},
                 "Bit errors that one decoding iteration finds.");
        g.number("maxIterations", code.maxIterations, {1, 1'000},
                 "Most iterations of a codeword; one beyond correction takes them all.");
        g.quantity("iterationTime", Quantity::Time, code.iterationTime, {0, millisecond},
                   "The decoder is occupied for it by each iteration; a page without errors takes none.");
        g.real("miscorrection", code.miscorrection, 0, 1,
               "Probability that a codeword with more errors than can be corrected passes as corrected.");
    });
}

void describeMemories(Fields& f, ScenarioFile& c)
{
    f.object("memory", "Bulk SDRAM: firmware tables, descriptors and the sector buffer.", [&](Fields& g) {
        g.quantity("size", Quantity::Size, c.memory.size, {mebibyte, 3 * gibibyte}, "Whole memory.");
        g.quantity("bufferSize", Quantity::Size, c.memory.bufferSize, {16 * kibibyte, 2 * gibibyte},
                   "Part of it that buffers sectors.");
        g.quantity("bandwidth", Quantity::Rate, c.memory.bytesPerSecond, {megabytePerSecond, 1'000'000'000'000},
                   "Data path, shared by all ports.");
        g.quantity("latency", Quantity::Time, c.memory.latency, {0, 100 * microsecond}, "First access of a burst.");
    });
    f.object("sram", "On-chip SRAM beside the CPU.", [&](Fields& g) {
        g.quantity("size", Quantity::Size, c.sram.size, {4 * kibibyte, 16 * mebibyte}, "Size.");
        g.quantity("latency", Quantity::Time, c.sram.latency, {0, 100 * microsecond}, "Per access.");
    });
    f.object("fabric", "Bus between the CPU and registers and memories.", [&](Fields& g) {
        g.quantity("latency", Quantity::Time, c.fabric.latency, {0, 100 * microsecond},
                   "Per access, on top of the target's own.");
    });
    f.object("cpu", "The CPU that runs the firmware.", [&](Fields& g) {
        g.quantity("clock", Quantity::Frequency, c.cpu.hertz, {megahertz, 10'000 * megahertz}, "Clock.");
        g.quantity("quantum", Quantity::Time, c.cpu.quantum, {0, millisecond},
                   "How far the CPU may run ahead of the rest before it synchronises.");
    });
}

void describeSuperblockMap(Fields& f, FirmwareSection& s)
{
    SuperblockMapConfig& c = s.config.superblockMap;
    f.quantityOr("sectorBuffer", Quantity::Size, s.sectorBufferBytes, "auto", {32'768, 1'073'741'824},
                 "Circular buffer of written sectors, in the data buffer; auto: as much of it as there is.");
    f.quantity("flushHighWatermark", Quantity::Percent, c.flushHighWatermarkPermille, {0, 1'000},
               "Materialisation begins when less of the sector buffer is free than this.");
    f.number("superblockLimit", c.superblockLimit, {1, bounds::superblockLimit.maximum},
             "Materialisation begins when more superblocks than this have sectors in the buffer.");
    f.choice("flush", c.flush, "What a flush of the host does.");
    f.onlyIf(c.flush == FlushHandling::Park, "flush park", fmt::format("flush is {}", enumName(c.flush)))
        .number("parkingSuperblocks", c.parkingSuperblocks, {2, bounds::parkingSuperblocks.maximum},
                "Superblocks kept for sectors that a flush has written without merging them.");
    f.flag("replicateTables", c.replicateTables,
           "Block mapping table, erase counts and log are kept twice, on two superchips where there are two.");
    f.number("checkpointRecords", c.checkpointRecords, {1, bounds::checkpointRecords.maximum},
             "Changes after which the tables are copied to flash anew, if the log is not full before.");
    f.flag("implicitWear", c.implicitWear,
           "A merge goes to the free superblock with the fewest erases; false: to the one that has been free for "
           "longest.");
}

void describePageMap(Fields& f, FirmwareSection& s)
{
    FirmwareConfig& c = s.config;
    const auto here = [&]() -> Fields& {
        return f.onlyIf(c.ftl == Ftl::PageMap, "ftl page_map", fmt::format("ftl is {}", enumName(c.ftl)));
    };
    here().number(
        "channelScanSteps", c.channelScanSteps, within(bounds::channelScanSteps),
        "Steps in which the CPU looks at each channel besides the first before a command begins in flash (cost points "
        "read_channel_scan and write_channel_scan); 0: it does not.");
    here();
    describeAllocation(f, c.allocation);
    here().choice("commandPlacement", c.commandPlacement, "Where the pages of one host command go.");
    here().object("gc", "Garbage collection.", [&](Fields& g) {
        g.choice("policy", c.gcPolicy, "Victim choice.");
        g.number("lowBlocks", c.gcLowBlocks, {2, bounds::gcLowBlocks.maximum},
                 "A die with fewer free blocks than this is collected.");
        g.number("idleBlocks", c.gcIdleBlocks, within(bounds::gcIdleBlocks),
                 "Idle dies are collected in the background up to this many free blocks; 0: never.");
        g.flag("copyBack", c.gcCopyBack, "Move pages inside a plane by copy-back where possible.");
        g.choice("erase", c.gcErase, "When an emptied block is erased.");
    });
    here().flag("serialWrites", c.serialWrites,
                "A write begins in flash when the one before it (on its channel, if commands are placed by channel) is "
                "complete; its data may come before. Needs write-through.");
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
    f.text("image", c.image, "Name of a firmware image, or a path to one; empty: the one of the layer.");
    f.number("cores", c.cores, within(bounds::cores),
             "CPUs that run the firmware, with the clock of cpu each; 2: one has the host and the flash translation "
             "layer, the other the flash controller.");
    f.quantityOr("capacity", Quantity::Size, s.capacityBytes, "auto", {mebibyte, 2'048 * gibibyte},
                 "Capacity that the drive announces; auto: as over-provisioning says.");
    const bool isFlash = c.ftl != Ftl::StartGap;
    const auto flashOnly = [&]() -> Fields& { return f.onlyIf(isFlash, "layers for flash", "ftl is start_gap"); };
    f.onlyIf(!s.capacityBytes && isFlash, isFlash ? "capacity auto" : "layers for flash",
             isFlash ? "the capacity is given" : "ftl is start_gap");
    f.quantity("overProvisioning", Quantity::Percent, c.overProvisioningPermille, within(bounds::overprovisionPermille),
               "Flash kept from the host, as a share of all good pages.");
    flashOnly().choice("completion", c.completion, "When a write is acknowledged.");
    describePageMap(f, s);
    f.onlyIf(c.ftl == Ftl::SuperblockMap, "ftl superblock_map", fmt::format("ftl is {}", enumName(c.ftl)))
        .object("superblockMap", "Superblock mapping.", [&](Fields& g) { describeSuperblockMap(g, s); });
    f.onlyIf(!isFlash, "ftl start_gap", fmt::format("ftl is {}", enumName(c.ftl)))
        .object("startGap", "Start-Gap.", [&](Fields& g) {
            g.number("interval", c.startGapInterval, within(bounds::startGapInterval),
                     "Pages written between two moves of the gap; 0: it stays.");
        });
    flashOnly().number(
        "wearThreshold", c.wearThreshold, within(bounds::wearThreshold),
        "Static (explicit) wear levelling when erase counts of a die, or of the superblocks of a superchip, "
        "differ by more than this; 0: never.");
    flashOnly().number("spareBlocks", c.spareBlocks, within(bounds::spareBlocks),
                       "Blocks per die kept to replace blocks that go bad.");
    flashOnly().choice("badBlockScan", c.badBlockScan, "How firmware learns of factory bad blocks.");
    f.object("costs", "CPU cycles of the cost points of native firmware; on the RV32 core instructions take the time.",
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
    f.listOf("components", c.components, "Consumers besides the dies' arrays, whose energies are in the part.",
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
                 physical(g, "idle", Quantity::Power, e.idleWatt, "Power of each resource otherwise.");
                 physical(counted(), "perJob", Quantity::Energy, e.perJobJoule, "Energy of each job served.");
                 g.text("source", e.source, "Where the numbers come from.");
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
    f.required().text("source", c.source, "Where the numbers come from.");
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
                 g.quantity("tR", Quantity::Time, t.tR, busy, "Page to page register; 0: as the part says.");
                 g.quantity("tPROG", Quantity::Time, t.tPROG, busy, "Page register to page; 0: as the part says.");
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
    f.number("maxSuspends", c.maxSuspends, {0, 1'000}, "How often one program or erase may be suspended.");
    f.choice("multiPlane", c.multiPlane, "Addresses that one multi-plane command may work on.");
    f.number("columnCycles", c.columnCycles, {1, 4}, "Address cycles of a column.");
    f.number("rowCycles", c.rowCycles, {1, 4}, "Address cycles of a row.");
    f.flag("dataStrobe", c.dataStrobe, "Has a data valid strobe; if not, only CONV timing reaches it.");
    describeId(f, c.id);
    f.number("endurance", c.endurance, {0, 100'000'000}, "Rated program/erase cycles per block.");
    f.number("maxBadBlocks", c.maxBadBlocks, {0, 1'048'576}, "Bad blocks that a die may have when shipped.");
    f.quantity("accessSize", Quantity::Size, c.accessBytes, {0, 16 * kibibyte},
               "PCM: data bytes of one access; a page takes several, each with its own command and tPROG. 0: one.");
    f.object("wear", "What wear does to program times and bit errors; between the points it is interpolated.",
             [&](Fields& g) {
                 g.text("source", c.wear.source, "Where the points come from.");
                 g.listOf("points", c.wear.points, "Ascending in wear; none: the part does not age.",
                          [](Fields& h, nand::WearPoint& w) {
                              h.required().real("wear", w.wear, 0, 100,
                                                "Erases (PCM: overwrites) divided by the rated endurance.");
                              h.real("programMean", w.programMean, 0.01, 100, "Mean program time, multiple of tPROG.");
                              h.real("programMin", w.programMin, 0.01, 100,
                                     "Shortest program time, multiple of tPROG.");
                              h.real("programMax", w.programMax, 0.01, 100, "Longest program time, multiple of tPROG.");
                              h.real("bitErrorRate", w.bitErrorRate, 0, 0.1, "Raw bit errors per bit read.");
                          });
             });
    f.object("output", "Output delay of a die: what the data sheet guarantees, and on what it depends.",
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
    f.text("description", c.description, "What it shows, one or two sentences.");
    f.number("seed", c.seed, {0}, "Seed of all random choices; same scenario and seed, same report.");
    f.choice("data", c.dataMode, "What sectors carry.");
    f.required().object("nand", "The flash array.", [&](Fields& g) { describeNand(g, c.nand); });
    f.object("environment", "What surrounds the dies: decides their output delay.",
             [&](Fields& g) { describeEnvironment(g, c.environment); });
    f.object("channel", "The NAND buses.", [&](Fields& g) { describeChannel(g, c.channel); });
    f.object("controller", "The flash controller.", [&](Fields& g) { describeController(g, c.controller); });
    describeMemories(f, c);
    f.object("firmware", "The firmware and its policies.", [&](Fields& g) { describeFirmware(g, c.firmware); });
    f.object("host", "The host's link to the drive.", [&](Fields& g) { describeHost(g, c.host); });
    f.required().object("workload", "What the host does.", [&](Fields& g) { describeWorkload(g, c.workload); });
    f.object("operations", "NAND operations straight at the dies, for `strobe operations`; `strobe run` does not look.",
             [&](Fields& g) { describeOperations(g, c.operations); });
    f.object("energy", "Energy figures.", [&](Fields& g) { describeEnergy(g, c.energy); });
    f.object("power", "Power loss: the drive's supply is cut at any instant, and comes back.",
             [&](Fields& g) { describePower(g, c.power); });
    f.object("report", "The report.", [&](Fields& g) {
        g.number("mismatchDetails", c.report.mismatchDetails, {0, 16}, "Data mismatches listed in full.");
        g.number("failureDetails", c.report.failureDetails, {0, 16}, "Modelled failures of a kind listed in full.");
        g.flag("wearMap", c.report.wearMap, "The JSON report has the erase count of every block.");
        g.quantity("wearEvery", Quantity::Time, c.report.wearEvery, {0, 1'000'000'000'000'000},
                   "Simulated time between the points of a history of wear; 0s: there is none.");
    });
}

} // namespace strobe::platform
