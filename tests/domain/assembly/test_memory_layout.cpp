// SPDX-License-Identifier: Apache-2.0
#include "models/base/config_error.h"
#include "models/base/strobe_registers.h"
#include "platform/assembly/memory_layout.h"
#include "tests/support/catch.h"

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "firmware/regs/strobe_regs.h" // its macros have names of constants in the C++ headers: included last

using namespace strobe;
using namespace strobe::platform;

namespace {

using Words = std::map<std::string, std::uint32_t>; // by the name of the member in firmware

struct Drive {
    Scenario scenario;
    PowerOn powerOn = PowerOn::First;
};

Drive smallDrive()
{
    Drive drive;
    drive.scenario.nand.part.geometry.planes = 1;
    drive.scenario.nand.part.geometry.blocksPerPlane = 1;
    drive.scenario.nand.part.geometry.pagesPerBlock = 1;
    drive.scenario.nand.part.geometry.pageBytes = 512;
    drive.scenario.memory.size = 1U << 20U;
    drive.scenario.memory.bufferSize = 1U << 16U;
    drive.scenario.firmware.badBlockScan = BadBlockScan::Scan;
    return drive;
}

// What firmware finds in its boot memory.
Words wordsOf(const Drive& drive)
{
    const Scenario& s = drive.scenario;
    boot_block boot{};
    makeBootBlock(s, layOutMemory(s), drive.powerOn).fill(reinterpret_cast<std::byte*>(&boot));
    Words words;
#define WORD(member, value) words[#member] = boot.member;
    BOOT_BLOCK_WORDS(WORD)
#undef WORD
    return words;
}

struct Row {
    const char* parameter;
    std::function<void(Drive&)> change;
    Words expected; // the words that change, and no others
};

// Each parameter by itself. A value is used once, so that no word can take the place of another one.
const std::vector<Row>& rows()
{
    using D = Drive&;
    static const std::vector<Row> table{
        {"channels", [](D d) { d.scenario.nand.array.channels = 11; }, {{"channels", 11}}},
        {"ways", [](D d) { d.scenario.nand.array.ways = 12; }, {{"ways", 12}}},
        {"luns", [](D d) { d.scenario.nand.array.luns = 13; }, {{"luns", 13}}},
        {"planes", [](D d) { d.scenario.nand.part.geometry.planes = 14; }, {{"planes", 14}}},
        {"blocks", [](D d) { d.scenario.nand.part.geometry.blocksPerPlane = 15; }, {{"blocks_per_plane", 15}}},
        {"pages", [](D d) { d.scenario.nand.part.geometry.pagesPerBlock = 16; }, {{"pages_per_block", 16}}},
        {"page size", [](D d) { d.scenario.nand.part.geometry.pageBytes = 1024; }, {{"page_bytes", 1024}}},
        {"mapping unit", [](D d) { d.scenario.firmware.mappingUnitBytes = 4096; }, {{"mapping_unit", 4096}}},

        {"read-ahead",
         [](D d) {
             d.scenario.firmware.readAheadStreams = 5;
             d.scenario.firmware.readAheadWindow = 77;
         },
         {{"read_ahead_streams", 5}, {"read_ahead_window", 77}}},
        {"protected write cache",
         [](D d) { d.scenario.firmware.writeCache = WriteCache::Protected; },
         {{"write_cache", 1}}},
        {"retry options",
         [](D d) {
             d.scenario.nand.part.errors.kind = nand::ErrorModelKind::Formula;
             d.scenario.nand.part.errors.options.resize(5);
         },
         {{"retry_options", 5}, {"soft_senses", 3}}},
        {"data refresh",
         [](D d) {
             d.scenario.firmware.refresh = {123'456, std::chrono::milliseconds(78'901),
                                            std::chrono::microseconds(2'345), 54};
         },
         {{"refresh_reads", 123'456}, {"refresh_age", 78'901}, {"scrub_interval", 2'345}, {"scrub_bits", 54}}},
        {"paced collection",
         [](D d) { d.scenario.firmware.gcPacing = GcPacing::FreeSpace; },
         {{"gc_pacing", GC_PACING_FREE_SPACE}}},
        {"hot and cold host data",
         [](D d) { d.scenario.firmware.hostStreams = HostStreams::HotCold; },
         {{"host_streams", HOST_STREAMS_HOT_COLD}}},
        {"data placement",
         [](D d) {
             d.scenario.firmware.placement = {5, PlacementIsolation::Persistently};
         },
         {{"placement_handles", 5}, {"placement_isolation", PLACEMENT_ISOLATION_PERSISTENTLY}}},
        {"soft senses",
         [](D d) {
             d.scenario.nand.part.errors.kind = nand::ErrorModelKind::Formula;
             d.scenario.firmware.softSenses = 5;
         },
         {{"soft_senses", 5}}},
        {"word lines", [](D d) { d.scenario.nand.part.geometry.pagesPerProgram = 4; }, {{"program_pages", 4}}},
        {"rows of planes", [](D d) { d.scenario.firmware.rowPlanes = 6; }, {{"row_planes", 6}}},
        {"dies of a superblock", [](D d) { d.scenario.firmware.superblockDies = 8; }, {{"superblock_dies", 8}}},
        {"parity of a superblock",
         [](D d) { d.scenario.firmware.superblockParity = true; },
         {{"superblock_parity", 1}}},
        {"pages in pSLC mode", [](D d) { d.scenario.nand.part.geometry.pslcPages = 33; }, {{"pslc_pages", 33}}},
        {"pSLC cache",
         [](D d) {
             d.scenario.firmware.pslcCache = {PslcCacheMode::Dynamic, 34, 351, true};
         },
         {{"pslc_cache", PSLC_CACHE_MODE_DYNAMIC},
          {"pslc_cache_blocks", 34},
          {"pslc_cache_resume", 351},
          {"pslc_cache_fold", 1}}},
        {"units", [](D d) { d.scenario.controller.units = 17; }, {{"units", 17}}},
        {"unit depth", [](D d) { d.scenario.controller.unitDepth = 18; }, {{"unit_depth", 18}}},
        {"die depth", [](D d) { d.scenario.controller.dieDepth = 19; }, {{"die_depth", 19}}},
        {"read units", [](D d) { d.scenario.controller.readUnits = 20; }, {{"read_units", 20}}},
        {"read depth", [](D d) { d.scenario.controller.readDepth = 21; }, {{"read_depth", 21}}},
        {"bus degree", [](D d) { d.scenario.controller.superchip.bus = 21; }, {{"superchip_bus", 21}}},
        {"chip degree", [](D d) { d.scenario.controller.superchip.chip = 22; }, {{"superchip_chip", 22}}},
        {"foreground unit",
         [](D d) {
             d.scenario.controller.hasForeground = true;
             d.scenario.controller.units = 23;
         },
         {{"foreground_unit", 23}, {"units", 23}}},
        {"synthesizer", [](D d) { d.scenario.controller.hasSynthesizer = true; }, {{"synthesizer", 1}}},
        {"software units",
         [](D d) { d.scenario.controller.backgroundUnits = BackgroundUnits::Software; },
         {{"software_units", BACKGROUND_UNITS_SOFTWARE}}},
        {"memory",
         [](D d) { d.scenario.memory.size = 1U << 21U; },
         {{"memory_size", (1U << 21U) - (1U << 16U)}, {"buffer_base", 0x8000'0000 + (1U << 21U) - (1U << 16U)}}},
        {"buffer",
         [](D d) { d.scenario.memory.bufferSize = 1U << 15U; },
         {{"memory_size", (1U << 20U) - (1U << 15U)},
          {"buffer_base", 0x8000'0000 + (1U << 20U) - (1U << 15U)},
          {"buffer_size", 1U << 15U}}},
        {"bad block table",
         [](D d) { d.scenario.firmware.badBlockScan = BadBlockScan::Table; },
         {{"bad_block_table", 0x8000'0000},
          {"memory_base", 0x8000'1000},
          {"memory_size", (1U << 20U) - (1U << 16U) - 4096}}},
        {"CPU clock", [](D d) { d.scenario.cpu.hertz = 25'000; }, {{"cpu_khz", 25}}},
        {"host slots", [](D d) { d.scenario.host.queueDepth = 26; }, {{"host_slots", 26}}},
        {"drive that lost power", [](D d) { d.powerOn = PowerOn::AfterLoss; }, {{"recover", 1}}},
        {"drive that was switched off", [](D d) { d.powerOn = PowerOn::AfterOff; }, {{"recover", 2}}},
        {"over-provisioning",
         [](D d) { d.scenario.firmware.overProvisioningPermille = 27; },
         {{"overprovision_permille", 27}}},
        {"allocation",
         [](D d) {
             d.scenario.firmware.allocation = {Dimension::Plane, Dimension::Lun, Dimension::Channel, Dimension::Way};
         },
         {{"allocation_order", 0x1023}}},
        {"GC policy",
         [](D d) { d.scenario.firmware.gcPolicy = GcPolicy::CostBenefit; },
         {{"gc_policy", GC_POLICY_COST_BENEFIT}}},
        {"GC low", [](D d) { d.scenario.firmware.gcLowBlocks = 28; }, {{"gc_low_blocks", 28}}},
        {"GC idle", [](D d) { d.scenario.firmware.gcIdleBlocks = 29; }, {{"gc_idle_blocks", 29}}},
        {"GC copy-back", [](D d) { d.scenario.firmware.gcCopyBack = true; }, {{"gc_copyback", 1}}},
        {"GC erase", [](D d) { d.scenario.firmware.gcErase = GcErase::WhenIdle; }, {{"gc_erase", GC_ERASE_WHEN_IDLE}}},
        {"completion",
         [](D d) { d.scenario.firmware.completion = Completion::WriteThrough; },
         {{"completion", COMPLETION_WRITE_THROUGH}}},
        {"write buffer", [](D d) { d.scenario.firmware.writeBufferPages = 30; }, {{"write_buffer_pages", 30}}},
        {"wear threshold", [](D d) { d.scenario.firmware.wearThreshold = 31; }, {{"wear_threshold", 31}}},
        {"Start-Gap interval", [](D d) { d.scenario.firmware.startGapInterval = 32; }, {{"start_gap_interval", 32}}},
        {"zones",
         [](D d) {
             d.scenario.firmware.zoned = {32, 5, 6, ZoneErase::WhenOpened, 7};
         },
         {{"zone_dies", 32},
          {"open_zones", 5},
          {"active_zones", 6},
          {"zone_erase", ZONE_ERASE_WHEN_OPENED},
          {"zone_rows", 7}}},
        {"spare blocks", [](D d) { d.scenario.firmware.spareBlocks = 33; }, {{"spare_blocks", 33}}},
        {"capacity",
         [](D d) { d.scenario.firmware.capacitySectors = (35ULL << 32U) + 34; },
         {{"capacity_lo", 34}, {"capacity_hi", 35}}},
        {"cores", [](D d) { d.scenario.firmware.cores = 2; }, {{"cores", 2}}},
        {"placement",
         [](D d) { d.scenario.firmware.commandPlacement = CommandPlacement::Channel; },
         {{"command_placement", COMMAND_PLACEMENT_CHANNEL}}},
        {"serial writes", [](D d) { d.scenario.firmware.serialWrites = true; }, {{"serial_writes", 1}}},
        {"polls of a read", [](D d) { d.scenario.firmware.readPolls = 36; }, {{"read_polls", 36}}},
        {"polls of a write", [](D d) { d.scenario.firmware.writePolls = 35; }, {{"write_polls", 35}}},
        {"checkpoint pages", [](D d) { d.scenario.firmware.checkpointPages = 37; }, {{"checkpoint_pages", 37}}},
        {"sector buffer",
         [](D d) { d.scenario.firmware.superblockMap.sectorBuffer = 1000; },
         {{"sector_buffer", 1000}, {"flush_watermark", 300}}},
        {"watermark",
         [](D d) {
             d.scenario.firmware.superblockMap.sectorBuffer = 1000;
             d.scenario.firmware.superblockMap.flushHighWatermarkPermille = 38;
         },
         {{"sector_buffer", 1000}, {"flush_watermark", 38}}},
        {"superblock limit",
         [](D d) { d.scenario.firmware.superblockMap.superblockLimit = 39; },
         {{"superblock_limit", 39}}},
        {"parking",
         [](D d) {
             d.scenario.firmware.superblockMap.flush = FlushHandling::Park;
             d.scenario.firmware.superblockMap.parkingSuperblocks = 24;
         },
         {{"flush_handling", FLUSH_HANDLING_PARK}, {"parking_superblocks", 24}}},
        {"ignored flush",
         [](D d) { d.scenario.firmware.superblockMap.flush = FlushHandling::Ignore; },
         {{"flush_handling", FLUSH_HANDLING_IGNORE}}},
        {"replication",
         [](D d) { d.scenario.firmware.superblockMap.replicateTables = true; },
         {{"replicate_tables", 1}}},
        {"checkpoint records",
         [](D d) { d.scenario.firmware.superblockMap.checkpointRecords = 40; },
         {{"checkpoint_records", 40}}},
        {"implicit wear", [](D d) { d.scenario.firmware.superblockMap.implicitWear = false; }, {{"implicit_wear", 0}}},
        {"capture margin", [](D d) { d.scenario.channel.calibration.margin = 41; }, {{"capture_margin", 41}}},
        {"capture temperature",
         [](D d) {
             d.scenario.channel.calibration.isEnabled = true;
             d.scenario.channel.calibration.threshold = 42;
         },
         {{"capture_temperature", 42 * 16}}},
        {"throttling",
         [](D d) {
             d.scenario.nand.array.channels = 100;
             d.scenario.thermal.isEnabled = true;
             d.scenario.thermal.throttle = {true, 43, 46, 2, 470, 480};
         },
         {{"channels", 100},
          {"thermal_light", 43 * 16},
          {"thermal_heavy", 46 * 16},
          {"thermal_hysteresis", 2 * 16},
          {"thermal_light_dies", 47},
          {"thermal_heavy_dies", 48}}},
    };
    return table;
}

} // namespace

TEST_CASE("a parameter of the scenario changes its own words of the boot block that firmware reads, and no others")
{
    const Words base = wordsOf(smallDrive());
    for (const Row& row : rows()) {
        Drive drive = smallDrive();
        row.change(drive);
        Words changed;
        for (const auto& [name, value] : wordsOf(drive)) {
            if (value != base.at(name))
                changed[name] = value;
        }
        INFO(row.parameter);
        CHECK(changed == row.expected);
    }
}

TEST_CASE("every word of the boot block is the subject of a row above, or a constant")
{
    std::set<std::string> covered{"magic", "version", "statistics"};
    for (const Row& row : rows()) {
        for (const auto& [name, value] : row.expected)
            covered.insert(name);
    }
    for (const auto& [name, value] : wordsOf(smallDrive()))
        CHECK(covered.count(name) == 1);
}

TEST_CASE("words that no scenario changes")
{
    const Words words = wordsOf(smallDrive());
    CHECK(words.at("magic") == 0x42525453);
    CHECK(words.at("version") == 9);
    CHECK(words.at("statistics") == regs::bootBlock::base + statisticsOffset);
    CHECK(words.at("memory_base") == 0x8000'0000);
}

TEST_CASE("the boot block ends before the statistics block")
{
    CHECK(regs::bootBlock::size <= statisticsOffset);
    CHECK(statisticsOffset + regs::statistics::size <= bootMemoryBytes);
}

TEST_CASE("a memory that the buffer fills is refused")
{
    Drive drive = smallDrive();
    drive.scenario.memory.bufferSize = drive.scenario.memory.size;
    CHECK_THROWS_AS(layOutMemory(drive.scenario), ConfigError);
}
