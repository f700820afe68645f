// SPDX-License-Identifier: Apache-2.0
//
// Software units against hardware units: the same lists of descriptors on two benches; then everything that firmware or
// the host can observe is compared. Two superchips of 2 x 2 chips, superblocks of 64 sectors.
#include "tests/firmware/drivers/bench_hal.h"

#include "models/base/rng.h"

#include <array>
#include <string>
#include <vector>

using namespace strobe;
using namespace strobe::controller;
using namespace strobe::controller::test;
using strobe::test::Panic;
using strobe::test::useBench;

namespace {

constexpr std::uint32_t backgroundUnits = 2;
constexpr std::uint32_t dies = 8;
constexpr std::uint32_t superblock = 64; // sectors
constexpr BusAddress arenaAt{0x80002000};
constexpr std::uint32_t arenaBytes = 0x6000;
constexpr BusAddress blocksAt = listsAt; // of superblock n: 16 bytes each
constexpr BusAddress tableAt = listsAt + 0x200;
constexpr BusAddress recordsAt = listsAt + 0x400;
constexpr BusAddress bytesAt{0x8000C000}; // firmware's tables

std::vector<std::pair<std::uint32_t, units_result>> ended;

// A controller, and the driver of its units.
struct Drive {
    Bench bench;
    units driver{};

    Drive(bool isSoftware, std::uint32_t depth = 4, std::uint32_t units = backgroundUnits)
        : bench(config(isSoftware, depth))
    {
        useBench(bench);
        boot_block boot{};
        boot.channels = 2;
        boot.ways = 4;
        boot.luns = 1;
        boot.page_bytes = boot.mapping_unit = 2048;
        boot.program_pages = boot.row_planes = boot.superblock_dies = 1;
        boot.units = units;
        boot.unit_depth = depth;
        boot.superchip_bus = boot.superchip_chip = 2;
        boot.software_units = isSoftware ? 1 : 0;
        boot.foreground_unit = isSoftware ? dies : backgroundUnits;
        arena arena{};
        arena_init(&arena, raw(arenaAt), arenaBytes);
        const auto onDone = [](void*, std::uint32_t slot, units_result result) { ended.emplace_back(slot, result); };
        units_init(&driver, &arena, &boot, 8, {onDone, nullptr, nullptr});
        for (std::uint32_t number = 0; number < 8; ++number)
            bench.putWords(blocksAt + 16 * number, std::array<std::uint32_t, 4>{number, number, number, number});
    }
    static FlashControllerConfig config(bool isSoftware, std::uint32_t depth)
    {
        FlashControllerConfig config = Bench::oneUnit();
        config.array = {2, 4, 1};
        config.superchip = {2, 2};
        config.units = isSoftware ? dies : backgroundUnits;
        config.unitDepth = depth;
        config.unitOperations = 4;
        config.hasForeground = true;
        config.hasHost = true;
        return config;
    }

    void set(std::uint32_t slot, FlashDescriptor d)
    {
        d.cookie = slot;
        const DescriptorWords words = toWords(d);
        std::memcpy(&driver.descriptors[slot], words.data(), sizeof words);
    }
    void submit(std::uint32_t slot, std::uint32_t unit = 0)
    {
        useBench(bench);
        units_submit(&driver, slot, unit);
    }
    // Until no event or step is left.
    void run()
    {
        useBench(bench);
        ended.clear();
        do {
            bench.run();
            bench.run(bench.now + 100us); // events are in the ring, memory is idle
        } while (units_poll(&driver) != 0);
    }
    units_result execute(const FlashDescriptor& d)
    {
        set(0, d);
        submit(0);
        run();
        REQUIRE(ended.size() == 1);
        CHECK(ended[0].first == 0);
        return ended[0].second;
    }
};

FlashDescriptor operation(SuperchipOpcode opcode, std::uint32_t number, std::uint32_t first = 0,
                          std::uint32_t sectors = superblock, std::uint32_t superchip = 0)
{
    FlashDescriptor d;
    d.opcode = opcode;
    d.report = true;
    d.superchip = superchip;
    d.blocks = raw(blocksAt + 16 * number);
    if (opcode != SuperchipOpcode::Erase) {
        d.startSector = first;
        d.sectors = sectors;
        d.buffer = bufferAt(0);
    }
    return d;
}

FlashDescriptor withTable(FlashDescriptor d)
{
    d.hasSectorTable = true;
    d.spareAddress = tableAt;
    return d;
}

FlashDescriptor withRecord(FlashDescriptor d, std::uint32_t what)
{
    d.commonSpare = true;
    d.spare = {what, what + 1, what + 2, what + 3};
    return d;
}

FlashDescriptor copyBack(std::uint32_t from, std::uint32_t to, std::uint32_t first, std::uint32_t sectors)
{
    FlashDescriptor d = operation(SuperchipOpcode::CopyBack, to, first, sectors);
    d.sourceBlocks = raw(blocksAt + 16 * from);
    d.sourceSector = first;
    return d;
}

// The contents of a page of a die.
std::string contents(Drive& drive, std::uint32_t die, nand::PageAddress page)
{
    std::vector<std::byte> data(4 * stride(DataMode::Tags));
    nand::Operation op;
    op.target = page;
    op.sectors = 4;
    op.data = {data.data(), DataMode::Tags};
    drive.bench.now += 1ms;
    drive.bench.dies[die]->issue(op, drive.bench.now);
    drive.bench.dies[die]->fetch(op);
    std::string text = op.blank ? "blank" : std::string(reinterpret_cast<const char*>(data.data()), data.size());
    for (const std::uint32_t word : op.spare)
        text += "," + std::to_string(word);
    return text;
}

void checkSameFlash(Drive& hardware, Drive& software)
{
    hardware.bench.now += 10ms;
    software.bench.now += 10ms;
    for (std::uint32_t die = 0; die < dies; ++die) {
        for (std::uint32_t block = 0; block < 8; ++block) {
            CHECK(hardware.bench.dies[die]->block(block).erases == software.bench.dies[die]->block(block).erases);
            for (std::uint32_t page = 0; page < 4; ++page) {
                CAPTURE(die, block, page);
                CHECK(contents(hardware, die, {block, page}) == contents(software, die, {block, page}));
            }
        }
    }
}

void checkSameMemory(Drive& hardware, Drive& software)
{
    const auto same = [&](BusAddress address, std::uint32_t bytes) {
        return std::memcmp(hardware.bench.memory.bytes(address, bytes), software.bench.memory.bytes(address, bytes),
                           bytes) == 0;
    };
    CHECK(same(listsAt, 0x8000));
    const std::size_t bytes = 128 * stride(DataMode::Tags);
    CHECK(std::memcmp(hardware.bench.memory.sectors(bufferAt(0), 128).data,
                      software.bench.memory.sectors(bufferAt(0), 128).data, bytes) == 0);
}

// The same operation on both; then both must have the same contents.
struct Pair {
    Drive hardware{false};
    Drive software{true};

    units_result execute(const FlashDescriptor& d)
    {
        const units_result a = hardware.execute(d);
        const units_result b = software.execute(d);
        CHECK(a.status == b.status);
        CHECK(a.chip == b.chip);
        CHECK(hardware.driver.descriptors[0].status == software.driver.descriptors[0].status);
        return b;
    }
    template <class Action>
    void both(Action action)
    {
        action(hardware.bench);
        action(software.bench);
    }
    void fill(std::uint32_t lba, std::uint32_t version)
    {
        both([&](Bench& bench) { bench.putTags(0, lba, 128, version); });
    }
    // A table of a superblock: sectors of the upper half of the data buffer with this chance in percent.
    void table(Rng& rng, std::uint64_t chance)
    {
        std::vector<int> sectors(superblock, -1);
        for (std::uint32_t i = 0; i < superblock; ++i) {
            if (rng.below(100) < chance)
                sectors[i] = static_cast<int>(64 + rng.below(64));
        }
        both([&](Bench& bench) { bench.putTable(tableAt, sectors); });
    }
    void same()
    {
        checkSameMemory(hardware, software);
        checkSameFlash(hardware, software);
    }
};

} // namespace

TEST_CASE("software units: flash and memory have the same contents as with hardware units")
{
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
        CAPTURE(seed);
        Rng rng(seed, "software units");
        Pair pair;
        pair.fill(1000, 1);
        FlashDescriptor program = operation(SuperchipOpcode::Program, 2); // superblock 2: from the buffer, in two parts
        program.spareAddress = recordsAt;
        pair.both([&](Bench& bench) {
            for (std::uint32_t i = 0; i < 64; ++i)
                bench.putWords(recordsAt + 4 * i, std::array<std::uint32_t, 1>{7000 + i});
        });
        const auto part = static_cast<std::uint32_t>(1 + rng.below(7)) * 8; // whole rows
        program.sectors = part;
        pair.execute(program);
        program.startSector = part;
        program.sectors = static_cast<std::uint32_t>(1 + rng.below(superblock - part));
        program.buffer = bufferAt(part);
        pair.execute(program);

        pair.fill(3000, 2);
        pair.table(rng, 25);
        pair.execute(withRecord(withTable(operation(SuperchipOpcode::Program, 3)), 40)); // with pages left out

        const auto from = static_cast<std::uint32_t>(rng.below(superblock)); // any sectors, with their spare records
        FlashDescriptor read =
            operation(SuperchipOpcode::Read, 2, from, static_cast<std::uint32_t>(1 + rng.below(superblock - from)));
        read.spareAddress = recordsAt;
        pair.execute(read);
        pair.execute(withTable(operation(SuperchipOpcode::Read, 3, 0, superblock))); // buffered ones replaced
        FlashDescriptor unmapped = withTable(operation(SuperchipOpcode::Read, 0, 0, 8));
        unmapped.blocks = 0;
        pair.execute(unmapped);

        pair.execute(copyBack(2, 4, 0, superblock)); // blank pages at the end stay blank
        pair.execute(copyBack(3, 5, 0, 8 * (1 + static_cast<std::uint32_t>(rng.below(8)))));
        pair.table(rng, seed % 3 == 0 ? 90 : 10);
        pair.execute(withRecord(withTable(copyBack(3, 7, 0, superblock)), 90));
        pair.execute(operation(SuperchipOpcode::Erase, 2));
        pair.same();
    }
}

TEST_CASE("software units: firmware's tables are copied as bytes")
{
    Pair pair;
    pair.both([](Bench& bench) {
        std::byte* bytes = bench.memory.bytes(bytesAt, 0x2000);
        for (std::uint32_t i = 0; i < 0x2000; ++i)
            bytes[i] = static_cast<std::byte>(i * 7 % 251);
    });
    FlashDescriptor table = operation(SuperchipOpcode::Program, 2, 0, 11);
    table.buffer = bytesAt;
    pair.execute(withRecord(table, 5));
    table.opcode = SuperchipOpcode::Read;
    table.buffer = bytesAt + 0x2000;
    pair.execute(table);
    CHECK(std::memcmp(pair.software.bench.memory.bytes(bytesAt, 11 * 512),
                      pair.software.bench.memory.bytes(bytesAt + 0x2000, 11 * 512), 11 * 512) == 0);
    checkSameMemory(pair.hardware, pair.software);
}

TEST_CASE("software units: a failure stops the operation and names the chip and the page")
{
    Pair pair;
    pair.fill(500, 1);
    pair.execute(operation(SuperchipOpcode::Program, 2));
    pair.both([](Bench& bench) { bench.dies[4]->wearOut(4); }); // chip 1 of the superchip
    const units_result result = pair.execute(copyBack(2, 4, 0, superblock));
    CHECK(result.status == FLASH_PROGRAM_FAILED);
    CHECK(result.chip == 1);
    const units_result erase = pair.execute(operation(SuperchipOpcode::Erase, 4));
    CHECK(erase.status == FLASH_ERASE_FAILED);
    CHECK(erase.chip == 1);
    const std::size_t sent = pair.software.bench.sent.size();
    CHECK(pair.execute(operation(SuperchipOpcode::Erase, 5)).status == FLASH_OK); // the unit continues
    CHECK(pair.software.bench.sent.size() == sent + 4);
}

TEST_CASE("software units: a list is executed in order; descriptors that report, or fail, have an event")
{
    Drive drive(true);
    drive.bench.putTags(0, 200, 64);
    const auto at = [&](std::uint32_t slot) { return BusAddress{drive.driver.descriptors_at + slot * 64}; };
    FlashDescriptor erase = operation(SuperchipOpcode::Erase, 2);
    erase.report = false;
    erase.next = at(1);
    drive.set(0, erase);
    FlashDescriptor program = operation(SuperchipOpcode::Program, 2);
    program.report = false;
    program.next = at(2);
    drive.set(1, program);
    FlashDescriptor bad = operation(SuperchipOpcode::Erase, 3);
    bad.report = false;
    bad.next = at(3);
    drive.set(2, bad);
    drive.bench.dies[0]->wearOut(3);
    FlashDescriptor read = operation(SuperchipOpcode::Read, 2);
    read.buffer = bufferAt(64);
    drive.set(3, read);
    drive.submit(0);
    drive.run();
    REQUIRE(ended.size() == 2);
    CHECK(ended[0].first == 2);
    CHECK(ended[0].second.status == FLASH_ERASE_FAILED);
    CHECK(ended[1].first == 3);
    CHECK(ended[1].second.status == FLASH_OK);
    CHECK(drive.bench.hasTags(64, 200, 64));
}

TEST_CASE("software units: units on one superchip share its dies, and a die never gets more operations than it takes")
{
    for (const std::uint32_t depth : {0U, 4U}) {
        Drive drive(true, depth);
        drive.bench.putTags(0, 10, 128);
        FlashDescriptor second = operation(SuperchipOpcode::Program, 3);
        second.buffer = bufferAt(64);
        drive.set(0, operation(SuperchipOpcode::Program, 2));
        drive.set(1, second);
        drive.submit(0, 0);
        drive.submit(1, 1);
        drive.run();
        CHECK(ended.size() == 2);
        CHECK(drive.bench.controller.failures().first().empty()); // a list without room would be recorded
        FlashDescriptor read = operation(SuperchipOpcode::Read, 3);
        read.buffer = bufferAt(0);
        CHECK(drive.execute(read).status == FLASH_OK);
        CHECK(drive.bench.hasTags(0, 10 + 64, 64));
    }
}

// A chip that waits for room gets its turn when an operation of the die ends. It may not need the turn: its page has no
// operation, or its unit has failed.
TEST_CASE("software units: a chip that does not use its turn passes it on")
{
    Drive drive(true, 0, 3);
    drive.bench.putTags(0, 10, 128);
    std::uint32_t sectors = 1; // on one chip: the others have no operation
    SECTION("no operation") {}
    SECTION("a unit that has failed")
    {
        sectors = superblock;
        drive.bench.dies[0]->wearOut(3);
    }
    drive.set(0, operation(SuperchipOpcode::Erase, 2)); // on all chips
    drive.set(1, operation(SuperchipOpcode::Program, 3, 0, sectors));
    drive.set(2, operation(SuperchipOpcode::Program, 4));
    for (std::uint32_t unit = 0; unit < 3; ++unit)
        drive.submit(unit, unit);
    drive.run();
    CHECK(ended.size() == 3);
}

TEST_CASE("software units: operations of different superchips run at the same time")
{
    Drive drive(true);
    drive.set(0, operation(SuperchipOpcode::Erase, 2));
    drive.set(1, operation(SuperchipOpcode::Erase, 2, 0, 0, 1));
    drive.submit(0, 0);
    drive.submit(1, 1);
    CHECK(units_poll(&drive.driver) == 8); // eight chips, a step for each
    const Time start = drive.bench.now;
    drive.bench.run(start + 3ms);
    units_poll(&drive.driver);
    CHECK(drive.bench.dies[0]->block(2).erases == 1);
    CHECK(drive.bench.dies[7]->block(2).erases == 1);
}

// Events of pages: the last primitive, and each one after which the operation is suspended.
TEST_CASE("software units: firmware is visited after each primitive")
{
    constexpr std::uint32_t pages = 16; // of a superblock
    Drive drive(true);
    drive.bench.putTags(0, 10, 128);
    const auto events = [&](const FlashDescriptor& d) {
        const std::uint32_t before = drive.bench.controller.ring().producer();
        CHECK(drive.execute(d).status == FLASH_OK);
        return drive.bench.controller.ring().producer() - before;
    };
    CHECK(events(operation(SuperchipOpcode::Erase, 2)) == 2 * 4); // chips
    CHECK(events(operation(SuperchipOpcode::Program, 2)) == 2 * pages);
    CHECK(events(operation(SuperchipOpcode::Read, 2)) == 2 * pages);
    CHECK(events(copyBack(2, 4, 0, superblock)) == 2 * pages);
    std::vector<int> sectors(superblock, -1);
    for (std::uint32_t sector = 0; sector < 8; ++sector) // both pages of the first row
        sectors[sector] = 70;
    sectors[8] = 71; // a part of another page
    drive.bench.putTable(tableAt, sectors);
    CHECK(events(withRecord(withTable(copyBack(2, 6, 0, superblock)), 90)) == 2 * 2 + (pages - 2) * 4);
    CHECK(drive.bench.controller.failures().total() == 0);
}

TEST_CASE("software units: urgent work waits for at most one step")
{
    Drive drive(true);
    drive.driver.client.is_urgent = [](void*) { return true; };
    drive.set(0, operation(SuperchipOpcode::Erase, 2));
    drive.submit(0);
    for (std::uint32_t steps = 1; steps <= 4; ++steps) {
        const std::size_t sent = drive.driver.software.die[0].under_way + drive.driver.software.die[1].under_way +
                                 drive.driver.software.die[4].under_way + drive.driver.software.die[5].under_way;
        CHECK(sent == steps - 1);
        CHECK(units_poll(&drive.driver) == 1);
    }
    CHECK(units_poll(&drive.driver) == 0);
}

TEST_CASE("software units: each driver calls its own client")
{
    Drive first(true);
    Drive second(true);
    std::uint32_t ends[2] = {};
    const auto count = [](void* context, std::uint32_t, units_result) { ++*static_cast<std::uint32_t*>(context); };
    first.driver.client = {count, nullptr, &ends[0]};
    second.driver.client = {count, nullptr, &ends[1]};
    first.set(0, operation(SuperchipOpcode::Erase, 2));
    first.submit(0);
    first.run();
    CHECK(ends[0] == 1);
    CHECK(ends[1] == 0);
}

TEST_CASE("software units: a descriptor that is not supported is a panic that names it")
{
    const auto panicOf = [](const FlashDescriptor& d) {
        Drive drive(true);
        drive.set(0, d);
        try {
            drive.submit(0);
            drive.run();
        } catch (const Panic& panic) {
            return std::string(panic.what());
        }
        return std::string("none");
    };
    FlashDescriptor host = operation(SuperchipOpcode::Read, 2, 0, 4);
    host.buffer = hostInterfaceBuffer;
    CHECK(panicOf(host) == "malformed descriptor, superchip opcode 1 at superchip 0 sector 0 sectors 4");
    FlashDescriptor record = operation(SuperchipOpcode::Program, 2, 0, 1);
    record.inlineSpare = true;
    CHECK(panicOf(record).find("malformed descriptor, superchip opcode 2") == 0);
    CHECK(panicOf(operation(SuperchipOpcode::Program, 2, 4, 0)).find("malformed descriptor") == 0);
    CHECK(panicOf(operation(SuperchipOpcode{9}, 2)).find("malformed descriptor, superchip opcode 9") == 0);
    CHECK(panicOf(operation(SuperchipOpcode::Program, 2, 60, 8)).find("malformed descriptor") == 0); // too far
    Drive drive(true);
    drive.set(0, operation(SuperchipOpcode::Erase, 2));
    drive.submit(0);
    CHECK_THROWS_WITH(drive.submit(0), "software unit: a second list arrived while one is in progress");
}
