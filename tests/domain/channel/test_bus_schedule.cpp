// SPDX-License-Identifier: Apache-2.0
#include "models/base/check.h"
#include "models/channel/bus_schedule.h"
#include "tests/domain/channel/parts.h"
#include "tests/support/catch.h"

#include <string>

using namespace strobe;
using namespace strobe::channel;
using namespace strobe::channel::test;
using nand::Opcode;

namespace {

// All waits different from zero, so that none can be forgotten or counted twice unnoticed.
InterfaceTiming withWaits(InterfaceKind kind)
{
    InterfaceTiming timing = resolveTiming(kind, table2, {});
    timing.tCS = 35ns;
    timing.tADL = 100ns;
    timing.tWB = 90ns;
    timing.tRR = 20ns;
    timing.tWHR = 60ns;
    timing.statusPollDelay = 400ns;
    return timing;
}

Time total(const std::vector<Segment>& segments, bool onBusOnly = false)
{
    Time sum{};
    for (const Segment& segment : segments)
        sum += segment.onBus || !onBusOnly ? segment.duration : Time{};
    return sum;
}

std::string labels(const std::vector<Segment>& segments)
{
    std::string text;
    for (const Segment& segment : segments)
        text += (text.empty() ? "" : " ") + std::string(segment.onBus ? "" : "~") + segment.label;
    return text;
}

const std::vector<InterfaceKind> allKinds{InterfaceKind::Conv, InterfaceKind::SyncOnly, InterfaceKind::Proposed};

} // namespace

TEST_CASE("the unloaded latency of a page equals its closed form for every interface and part")
{
    for (const nand::Part& part : parts()) {
        for (const InterfaceKind kind : allKinds) {
            const InterfaceTiming timing = withWaits(kind);
            const BusSchedule schedule(timing, part);
            const std::int64_t c = timing.cycle.count();
            const std::int64_t bytes = part.geometry.pageBytes + part.geometry.spareBytes;
            const Time data{bytes * c / (kind == InterfaceKind::Proposed ? 2 : 1)};
            const std::int64_t address = part.columnCycles + part.rowCycles;
            const Time status = 35ns + Time{2 * c} + 60ns;
            const std::uint32_t sectors = part.geometry.sectorsPerPage();
            INFO(part.name << " " << timing.name);

            const auto read = operation(Opcode::Read, sectors);
            CHECK(schedule.requestTime(read) == 35ns + Time{(2 + address) * c});
            CHECK(schedule.responseTime(read) == 35ns + data);
            CHECK(total(schedule.segments(read)) ==
                  35ns + Time{(2 + address) * c} + part.times.tR + 20ns + 35ns + data);

            const auto program = operation(Opcode::Program, sectors);
            CHECK(schedule.requestTime(program) == 35ns + Time{(2 + address) * c} + 100ns + data);
            CHECK(total(schedule.segments(program)) ==
                  35ns + Time{(2 + address) * c} + 100ns + data + part.times.tPROG + 400ns + status);

            const auto erase = operation(Opcode::Erase);
            CHECK(total(schedule.segments(erase)) ==
                  35ns + Time{(2 + part.rowCycles) * c} + part.times.tBERS + 400ns + status);

            const auto copyBack = operation(Opcode::CopyBack);
            CHECK(total(schedule.segments(copyBack)) ==
                  35ns + Time{(4 + 2 * address) * c} + part.times.tR + part.times.tPROG + 400ns + status);
        }
    }
}

TEST_CASE("page reads and programs without waits take these picoseconds")
{
    struct Row {
        InterfaceKind kind;
        std::size_t part;
        std::int64_t read, program, erase;
    };
    // CONV, K9F1G08U0A: 6 * 19,814 + 25 us + 2112 * 19,814; erase 4 + 2 cycles of 19,814 and 2 ms.
    const Row rows[] = {
        {InterfaceKind::Conv, 0, 66'966'052, 242'005'680, 2'000'118'884},
        {InterfaceKind::SyncOnly, 0, 50'416'000, 225'440'000, 2'000'072'000},
        {InterfaceKind::Proposed, 0, 37'744'000, 212'768'000, 2'000'072'000},
        {InterfaceKind::Conv, 1, 143'833'034, 883'872'662, 1'500'138'698},
        {InterfaceKind::Proposed, 1, 85'428'000, 825'452'000, 1'500'084'000},
        {InterfaceKind::Proposed, 3, 151'924'000, 1'351'948'000, 3'000'084'000},
    };
    const auto all = parts();
    for (const Row& row : rows) {
        const nand::Part& part = all[row.part];
        const BusSchedule schedule(resolveTiming(row.kind, table2, {}), part);
        const std::uint32_t sectors = part.geometry.sectorsPerPage();
        INFO(part.name << " " << enumName(row.kind));
        CHECK(total(schedule.segments(operation(Opcode::Read, sectors))).count() == row.read);
        CHECK(total(schedule.segments(operation(Opcode::Program, sectors))).count() == row.program);
        CHECK(total(schedule.segments(operation(Opcode::Erase))).count() == row.erase);
    }
}

TEST_CASE("the segments on the bus are the request and the response, for every operation")
{
    for (const nand::Part& part : parts()) {
        for (const InterfaceKind kind : allKinds) {
            const BusSchedule schedule(withWaits(kind), part);
            for (const auto& row : nand::opcodeTable) {
                for (const std::uint32_t sectors : {0U, 1U, 3U, part.geometry.sectorsPerPage()}) {
                    const auto op = operation(row.value, sectors);
                    INFO(part.name << " " << enumName(kind) << " " << row.name << " " << sectors);
                    CHECK(total(schedule.segments(op), true) == schedule.requestTime(op) + schedule.responseTime(op));
                }
            }
        }
    }
}

TEST_CASE("the segments of the operations name every segment in order")
{
    const BusSchedule schedule(withWaits(InterfaceKind::Conv), parts()[0]);
    CHECK(labels(schedule.segments(operation(Opcode::Read, 4))) ==
          "tCS 00h column address row address 30h ~tR ~tRR tCS data out");
    CHECK(labels(schedule.segments(operation(Opcode::Program, 4))) ==
          "tCS 80h column address row address tADL data in 10h ~tPROG ~poll delay tCS 70h tWHR status");
    CHECK(labels(schedule.segments(operation(Opcode::Erase))) ==
          "tCS 60h row address D0h ~tBERS ~poll delay tCS 70h tWHR status");
    CHECK(
        labels(schedule.segments(operation(Opcode::CopyBack))) ==
        "tCS 00h column address row address 35h 85h column address row address 10h ~tR ~tPROG ~poll delay tCS 70h tWHR "
        "status");
    CHECK(labels(schedule.segments(operation(Opcode::ReadStatus))) == "tCS 70h tCS tWHR status");
    CHECK(labels(schedule.segments(operation(Opcode::ReadId))) == "tCS 90h id address tCS tWHR id bytes");
    CHECK(labels(schedule.segments(operation(Opcode::Reset))) == "tCS FFh ~tRST");
}

TEST_CASE("a part of a page moves its share of the spare bytes, rounded up")
{
    const BusSchedule schedule(roundTiming(), parts()[3]); // 16 sectors, 448 spare bytes: 28 per sector
    CHECK(schedule.dataBytes(16) == 8192 + 448);
    CHECK(schedule.dataBytes(8) == 4096 + 224);
    CHECK(schedule.dataBytes(1) == 512 + 28);
    CHECK(schedule.dataBytes(0) == 0);

    nand::Part uneven = parts()[0];
    uneven.geometry.spareBytes = 66; // 16.5 per sector
    CHECK(BusSchedule(roundTiming(), uneven).dataBytes(1) == 512 + 17);
    CHECK(BusSchedule(roundTiming(), uneven).dataBytes(4) == 2048 + 66);
}

TEST_CASE("double data rate takes half a cycle per byte, multiplied before it is divided")
{
    InterfaceTiming timing = roundTiming();
    timing.bytesPerCycle = 2;
    timing.cycle = picoseconds(2999); // an ONFI-like odd period: half of it is not a whole picosecond
    const BusSchedule schedule(timing, roundPart());
    CHECK(schedule.dataOutTime(2) == picoseconds(2999));
    CHECK(schedule.dataOutTime(1) == picoseconds(1500));
    CHECK(schedule.dataOutTime(3) == picoseconds(4499)); // 4498.5
    CHECK(schedule.dataOutTime(512) == picoseconds(256 * 2999));
    CHECK(schedule.dataOutTime(0) == 0ns);
}

TEST_CASE("status and id bytes take a whole cycle at double data rate")
{
    const BusSchedule schedule(resolveTiming(InterfaceKind::Proposed, table2, {}), parts()[0]);
    CHECK(schedule.responseTime(operation(Opcode::Program, 4)) == 24ns);
    CHECK(schedule.responseTime(operation(Opcode::ReadStatus)) == 12ns);
    CHECK(schedule.responseTime(operation(Opcode::ReadId)) == 60ns); // five bytes
}

TEST_CASE("without status reads a program ends on R/B#, off the bus")
{
    InterfaceTiming timing = roundTiming();
    timing.statusAfterArray = false;
    const BusSchedule schedule(timing, roundPart());
    for (const Opcode opcode : {Opcode::Program, Opcode::Erase, Opcode::CopyBack})
        CHECK(schedule.responseTime(operation(opcode, 1)) == 0ns);
    CHECK(schedule.responseTime(operation(Opcode::ReadStatus)) == 10ns); // requested explicitly: still there
    CHECK(labels(schedule.segments(operation(Opcode::Erase))) == "60h row address D0h ~tBERS");
}

TEST_CASE("R/B# is not sampled before tWB, so a shorter array time is detected at tWB")
{
    InterfaceTiming timing = roundTiming();
    timing.tWB = 100ns;
    timing.tRR = 20ns;
    timing.statusPollDelay = 300ns;
    const BusSchedule schedule(timing, roundPart());
    auto at = [&](Opcode opcode, Time ready) {
        auto op = operation(opcode, 1);
        op.requestEnd = 1us;
        return schedule.responsePossible(op, ready);
    };
    CHECK(at(Opcode::Read, 2us) == 2020ns);
    CHECK(at(Opcode::Read, 1us) == 1120ns); // refused: ready at once, noticed after tWB
    CHECK(at(Opcode::Program, 3us) == 3300ns);
    CHECK(at(Opcode::Program, 1us) == 1400ns);
    CHECK(at(Opcode::Reset, 1500ns) == 1500ns);
    CHECK(at(Opcode::ReadStatus, 1us) == 1us); // no R/B# in it

    nand::Part instant = roundPart();
    instant.times.tR = 40ns;
    const BusSchedule shortRead(timing, instant);
    const auto read = operation(Opcode::Read, 1);
    CHECK(labels(shortRead.segments(read)) == "00h column address row address 30h ~tR ~tWB ~tRR data out");
    CHECK(total(shortRead.segments(read)) == 40ns + 100ns + 20ns + 5120ns);
}

TEST_CASE("the cycles of a segment include begun ones")
{
    InterfaceTiming timing = roundTiming();
    timing.bytesPerCycle = 2;
    nand::Part part = roundPart();
    part.geometry.spareBytes = 3;
    const auto segments = BusSchedule(timing, part).segments(operation(Opcode::Read, 1));
    CHECK(segments.back().kind == SegmentKind::DataOut);
    CHECK(segments.back().cycles == 258); // 515 bytes
    CHECK(segments.back().duration == picoseconds(2'575'000));
    CHECK(segments[1].cycles == 1); // one column cycle
}

TEST_CASE("more sectors than a page holds are timed as given; the die refuses them")
{
    const BusSchedule schedule(roundTiming(), roundPart());
    CHECK(schedule.responseTime(operation(Opcode::Read, 3)) == 3 * 5120ns);
}

TEST_CASE("a schedule without a clock is refused")
{
    InterfaceTiming timing = roundTiming();
    timing.cycle = {};
    CHECK_THROWS_AS(BusSchedule(timing, roundPart()), InternalError);
    timing = roundTiming();
    timing.bytesPerCycle = 4;
    CHECK_THROWS_AS(BusSchedule(timing, roundPart()), InternalError);
}
