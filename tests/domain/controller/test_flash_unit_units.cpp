// SPDX-License-Identifier: Apache-2.0
//
// Descriptors with a unit table: what is gathered and distributed, the records of the units, and when.
#include "tests/domain/controller/controller_bench.h"

using namespace strobe;
using namespace strobe::controller;
using namespace strobe::controller::test;

namespace {

constexpr BusAddress tableAt = listsAt + 0x400;
constexpr BusAddress otherTable = listsAt + 0x800;
constexpr Time programInFlash = Bench::request + 200us + Bench::statusRead;
constexpr Time readInFlash = Bench::request + 25us + Bench::response;

// Of block 2 of die 0, from a unit of the block on.
FlashDescriptor units(SuperchipOpcode opcode, std::uint32_t first, std::uint32_t count, BusAddress table = tableAt)
{
    FlashDescriptor d = descriptor(opcode, 0, 2);
    d.startSector = first * 8;
    d.sectors = count * 8;
    d.hasUnitTable = true;
    d.spareAddress = table;
    return d;
}

std::vector<nand::Spare> records(std::uint32_t mark, std::uint32_t count)
{
    std::vector<nand::Spare> spares;
    for (std::uint32_t i = 0; i < count; ++i)
        spares.push_back({mark + i, mark, 7, 8});
    return spares;
}

struct Units : Bench {
    explicit Units(const FlashControllerConfig& config = oneUnit()) : Bench(config, largePagePart()) {}

    // Every unit of the data buffer has its own run of tags: 1000 + 100 times its number.
    void putUnits()
    {
        for (std::uint32_t unit = 0; unit < 16; ++unit)
            putTags(unit * 8, 1000 + unit * 100, 8);
    }
    bool holds(std::uint32_t place, std::uint32_t unit) { return hasTags(place * 8, 1000 + unit * 100, 8); }
    bool isEmpty(std::uint32_t place)
    {
        const std::array<std::byte, 8 * sizeof(SectorTag)> zeros{};
        return std::memcmp(memory.sectors(bufferAt(place * 8), 8).data, zeros.data(), sizeof zeros) == 0;
    }
    void clearUnits() { clearSectors(memory.sectors(bufferAt(0), 128), 128); }
    void execute(const FlashDescriptor& d, std::uint32_t number = 0)
    {
        put(number, d);
        head(0, descriptorAt(number));
        run();
        run(now + 20us); // the event is in the ring, memory is idle
    }
    // The rise of the line for the event, with none acknowledged before.
    Time line() { return lines.at(0).at; }
};

} // namespace

TEST_CASE("a program gathers the units of a page, with zeros where there is none")
{
    Units bench;
    bench.putUnits();
    bench.putUnitTable(tableAt, {3, 4, -1, 9}, records(50, 4));
    bench.execute(units(SuperchipOpcode::Program, 0, 4));
    CHECK(bench.outcome(0).code == StatusCode::Ok);
    CHECK(bench.line() == Bench::burst(64) + Bench::burst(16) + Bench::burst(8192) + Bench::burst(4096) +
                              Bench::burst(64) + 2us + programInFlash + Bench::burst(4) + Bench::burst(16));
    for (std::uint32_t unit = 0; unit < 4; ++unit)
        CHECK(bench.dies[0]->cells().spareOf({2, 0}, unit) == nand::Spare{50 + unit, 50, 7, 8});

    FlashDescriptor read = descriptor(SuperchipOpcode::Read, 0, 2);
    read.sectors = 32;
    read.buffer = bufferAt(0);
    bench.execute(read, 1);
    CHECK(bench.holds(0, 3));
    CHECK(bench.holds(1, 4));
    CHECK(bench.isEmpty(2));
    CHECK(bench.holds(3, 9));
}

TEST_CASE("a read distributes the units of a page and writes their records")
{
    Units bench;
    bench.putUnits();
    bench.putUnitTable(tableAt, {0, 1, 2, 3}, records(50, 4));
    bench.execute(units(SuperchipOpcode::Program, 0, 4));
    bench.clearUnits();
    bench.takeEvents();
    bench.acknowledge();
    bench.run();
    bench.putUnitTable(otherTable, {12, -1, 9, 10}, records(0, 4));
    const Time start = bench.now;
    bench.lines.clear();
    bench.execute(units(SuperchipOpcode::Read, 0, 4, otherTable), 1);
    CHECK(bench.line() - start == Bench::burst(64) + Bench::burst(16) + readInFlash + 3us + Bench::burst(4096) +
                                      Bench::burst(8192) + Bench::burst(64) + Bench::burst(4) + Bench::burst(16));
    CHECK_FALSE(bench.outcome(1).blank);
    CHECK(bench.holds(12, 0));
    CHECK(bench.holds(9, 2));
    CHECK(bench.holds(10, 3));
    for (const std::uint32_t place : {0U, 1U, 8U, 11U, 13U})
        CHECK(bench.isEmpty(place));
    for (std::uint32_t unit = 0; unit < 4; ++unit)
        CHECK(bench.recordAt(otherTable, 4, unit) == nand::Spare{50 + unit, 50, 7, 8});
}

TEST_CASE("a read may be of some units of a page, and store none of them")
{
    Units bench;
    bench.putUnits();
    bench.putUnitTable(tableAt, {0, 1, 2, 3}, records(50, 4));
    bench.execute(units(SuperchipOpcode::Program, 0, 4));
    bench.putUnitTable(otherTable, {7, 6}, records(0, 3));
    bench.execute(units(SuperchipOpcode::Read, 1, 2, otherTable), 1);
    CHECK(bench.holds(7, 1));
    CHECK(bench.holds(6, 2));
    CHECK(bench.recordAt(otherTable, 2, 0)[0] == 51);
    CHECK(bench.recordAt(otherTable, 2, 1)[0] == 52);
    CHECK(bench.recordAt(otherTable, 2, 2)[0] == 2); // not written

    const std::size_t bursts = bench.bursts.size();
    bench.putUnitTable(otherTable, {-1}, records(0, 1));
    bench.execute(units(SuperchipOpcode::Read, 3, 1, otherTable), 1);
    CHECK(bench.recordAt(otherTable, 1, 0)[0] == 53);
    CHECK(bench.bursts.size() == bursts + 5); // descriptor, words, records, status, event
}

TEST_CASE("the table of several pages has all words first, then all records")
{
    Units bench;
    bench.putUnits();
    bench.putUnitTable(tableAt, {0, 1, 2, 3, 8, 9, 10, 11}, records(50, 8));
    bench.execute(units(SuperchipOpcode::Program, 0, 8));
    CHECK(bench.dies[0]->cells().spareOf({2, 0}, 3)[0] == 53);
    CHECK(bench.dies[0]->cells().spareOf({2, 1}, 0)[0] == 54);
    CHECK(bench.dies[0]->cells().spareOf({2, 1}, 3)[0] == 57);
    bench.clearUnits();
    bench.putUnitTable(otherTable, {0, 1, 4, 5, 6, 3}, records(0, 6));
    bench.execute(units(SuperchipOpcode::Read, 2, 6, otherTable), 1);
    CHECK(bench.holds(0, 2));
    CHECK(bench.holds(1, 3));
    CHECK(bench.holds(4, 8));
    CHECK(bench.holds(6, 10));
    CHECK(bench.holds(3, 11));
    for (std::uint32_t unit = 0; unit < 6; ++unit)
        CHECK(bench.recordAt(otherTable, 6, unit)[0] == 52 + unit);
}

TEST_CASE("a blank page has blank records, and the status says so")
{
    Units bench;
    bench.putUnitTable(tableAt, {0, 1, 2, 3}, records(50, 4));
    bench.execute(units(SuperchipOpcode::Read, 0, 4));
    CHECK(bench.outcome(0).code == StatusCode::Ok);
    CHECK(bench.outcome(0).blank);
    for (std::uint32_t unit = 0; unit < 4; ++unit)
        CHECK(bench.recordAt(tableAt, 4, unit) == nand::blankSpare);
}

TEST_CASE("a read beyond correction writes the records and stores no data")
{
    for (const Time latency : {Time{3us}, Time{}}) {
        FlashControllerConfig config = Bench::oneUnit();
        config.ecc.decodeLatency = latency;
        config.ecc.code.iterationTime = latency;
        config.ecc.code.correctableBits = 8;
        Units bench(config);
        bench.putUnits();
        bench.putUnitTable(tableAt, {0, 1, 2, 3, 0, 1, 2, 3}, records(50, 8));
        bench.execute(units(SuperchipOpcode::Program, 0, 8));
        bench.clearUnits();
        bench.bitErrors = 9;
        bench.putUnitTable(otherTable, {8, 9, 10, 11}, records(0, 4));
        bench.execute(units(SuperchipOpcode::Read, 0, 4, otherTable), 1);
        CHECK(bench.outcome(1).code == StatusCode::Uncorrectable);
        CHECK(bench.isEmpty(8));
        CHECK(bench.isEmpty(11));
        for (std::uint32_t unit = 0; unit < 4; ++unit)
            CHECK(bench.recordAt(otherTable, 4, unit)[0] == 50 + unit);
    }
}

TEST_CASE("a program gathers units that an earlier read of its list has stored")
{
    Units bench;
    bench.putUnits();
    bench.putUnitTable(tableAt, {0, 1, 2, 3}, records(50, 4));
    bench.execute(units(SuperchipOpcode::Program, 0, 4));
    bench.clearUnits();
    bench.putUnitTable(otherTable, {4, 9, -1, 2}, records(0, 4));
    bench.putUnitTable(tableAt, {9, 2, 4, -1}, records(80, 4));
    FlashDescriptor read = units(SuperchipOpcode::Read, 0, 4, otherTable);
    read.next = descriptorAt(2);
    bench.put(2, units(SuperchipOpcode::Program, 4, 4));
    bench.execute(read, 1);
    CHECK(bench.outcome(2).code == StatusCode::Ok);
    bench.clearUnits();
    bench.putUnitTable(otherTable, {0, 1, 2, 3}, records(0, 4));
    bench.execute(units(SuperchipOpcode::Read, 4, 4, otherTable), 3);
    CHECK(bench.holds(0, 1));
    CHECK(bench.holds(1, 3));
    CHECK(bench.holds(2, 0));
    CHECK(bench.isEmpty(3));
    CHECK(bench.recordAt(otherTable, 4, 1)[0] == 81);
}

TEST_CASE("an inline record of a read is that of the unit in which the read starts")
{
    Units bench;
    bench.putUnitTable(tableAt, {0, 1, 2, 3}, records(50, 4));
    bench.execute(units(SuperchipOpcode::Program, 0, 4));
    FlashDescriptor read = descriptor(SuperchipOpcode::Read, 0, 2);
    read.inlineSpare = true;
    read.startSector = 17;
    read.sectors = 15;
    read.buffer = bufferAt(0);
    bench.execute(read, 1);
    CHECK(bench.descriptorWords(1)[12] == 52);
}

TEST_CASE("a unit table with a wrong address is refused with its reason")
{
    struct Case {
        MalformedReason reason;
        std::uint32_t word; // of the second unit
        BusAddress table;
    };
    const Case cases[] = {{MalformedReason::BufferUnaligned, raw(bufferAt(8)) + 4, tableAt},
                          {MalformedReason::BufferOutsideMemory, raw(listsAt), tableAt},
                          {MalformedReason::BufferOutsideMemory, raw(bufferAt(121)), tableAt}, // its end
                          {MalformedReason::UnitTableOutsideMemory, raw(bufferAt(8)), bufferAt(0)},
                          {MalformedReason::UnitTableOutsideMemory, raw(bufferAt(8)),
                           BusAddress{raw(dataBuffer.base) - 16}}}; // its records
    for (const Case& c : cases) {
        for (const SuperchipOpcode opcode : {SuperchipOpcode::Program, SuperchipOpcode::Read}) {
            INFO(enumName(c.reason) << ", " << enumName(opcode));
            Units bench;
            if (c.table != bufferAt(0)) {
                bench.putUnitTable(c.table, {0, 1, 2, 3});
                std::memcpy(bench.memory.bytes(c.table + 4, 4), &c.word, 4);
            }
            bench.execute(units(opcode, 0, 4, c.table));
            CHECK(bench.outcome(0).code == StatusCode::Malformed);
            REQUIRE(bench.controller.failures().total() == 1);
            CHECK(bench.controller.failures().first().at(0).malformed == c.reason);
            CHECK_FALSE(bench.dies[0]->cells().isProgrammed({2, 0}));
        }
    }
}
