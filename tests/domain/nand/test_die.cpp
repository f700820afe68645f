// SPDX-License-Identifier: Apache-2.0
#include "tests/domain/nand/die_helpers.h"
#include "tests/support/catch.h"

#include <set>
#include <vector>

using namespace strobe;
using namespace strobe::nand;
using namespace strobe::nand::test;

TEST_CASE("each array operation holds the die for its own time, and status, id and idle reset for theirs")
{
    struct Row {
        Opcode opcode;
        Time busy;
    };
    const Row row = GENERATE(Row{Opcode::Read, 25us}, Row{Opcode::Program, 200us}, Row{Opcode::Erase, 2ms},
                             Row{Opcode::CopyBack, 225us}, Row{Opcode::ReadStatus, 0us}, Row{Opcode::ReadId, 0us},
                             Row{Opcode::Reset, 5us});
    Bench bench;
    Operation op = make(row.opcode, {2, 0});
    const Time start = bench.now;
    CHECK(bench.die.issue(op, start) == start + row.busy);
    CHECK(op.ready == start + row.busy);
    CHECK(op.status == Status::Ok);
    CHECK(bench.die.counters().array.arrayBusy == row.busy);
    CHECK(bench.die.isReady(start) == (row.busy == 0us));
    CHECK(bench.die.isReady(start + row.busy));
}

TEST_CASE("a busy die is blocked one picosecond before R/B# rises and free at that instant")
{
    Bench bench;
    Operation erase = make(Opcode::Erase, {1, 0});
    const Time ready = bench.die.issue(erase, bench.now);
    const Operation next = make(Opcode::Read, {0, 0});

    const Legality early = bench.die.probe(next, ready - picoseconds(1));
    CHECK_FALSE(early.legal);
    CHECK(early.reason == IllegalReason::DieBusy);
    CHECK(early.earliest == ready);
    CHECK(bench.die.probe(next, ready).legal);
    CHECK(bench.die.probe(next, ready).earliest == ready);
}

TEST_CASE("while busy only status and reset are accepted")
{
    Bench bench;
    Operation program = make(Opcode::Program, {1, 0});
    bench.die.issue(program, bench.now);
    for (const auto& row : opcodeTable) {
        INFO(row.name);
        Operation op = make(row.value, {3, 0});
        op.source = {3, 0};
        const bool accepted = row.value == Opcode::ReadStatus || row.value == Opcode::Reset;
        CHECK(bench.whyNot(op) == (accepted ? IllegalReason::None : IllegalReason::DieBusy));
    }
}

TEST_CASE("a command that will never be legal is refused as illegal even while the die is busy")
{
    Bench bench;
    Operation program = make(Opcode::Program, {1, 0});
    bench.die.issue(program, bench.now);
    CHECK(bench.whyNot(make(Opcode::Program, {1, 0})) == IllegalReason::PageNotErased);
    CHECK(bench.whyNot(make(Opcode::Read, {8, 0})) == IllegalReason::AddressOutOfRange);
}

TEST_CASE("addresses and columns are accepted up to the last one and refused beyond")
{
    Bench bench;
    CHECK(bench.whyNot(make(Opcode::Read, {7, 3})) == IllegalReason::None);
    CHECK(bench.whyNot(make(Opcode::Erase, {7, 99})) == IllegalReason::None); // erase ignores the page
    CHECK(bench.whyNot(makeCopyBack({7, 3}, {5, 3})) == IllegalReason::None);
    for (const Opcode opcode : {Opcode::Read, Opcode::Program, Opcode::Erase, Opcode::CopyBack})
        CHECK(bench.whyNot(make(opcode, {8, 0})) == IllegalReason::AddressOutOfRange);
    for (const Opcode opcode : {Opcode::Read, Opcode::Program, Opcode::CopyBack})
        CHECK(bench.whyNot(make(opcode, {0, 4})) == IllegalReason::AddressOutOfRange);
    CHECK(bench.whyNot(makeCopyBack({8, 0}, {1, 0})) == IllegalReason::AddressOutOfRange);
    CHECK(bench.whyNot(makeCopyBack({0, 4}, {1, 0})) == IllegalReason::AddressOutOfRange);

    for (const Opcode opcode : {Opcode::Read, Opcode::Program}) {
        Operation op = make(opcode, {0, 0});
        op.firstSector = 3;
        op.sectors = 1;
        CHECK(bench.whyNot(op) == IllegalReason::None);
        op.sectors = 2;
        CHECK(bench.whyNot(op) == IllegalReason::ColumnOutOfRange);
        op.firstSector = UINT32_MAX; // must not wrap around
        CHECK(bench.whyNot(op) == IllegalReason::ColumnOutOfRange);
    }
}

TEST_CASE("a page is programmed once between erases")
{
    Bench bench;
    bench.run(make(Opcode::Program, {2, 0}));
    CHECK(bench.whyNot(make(Opcode::Program, {2, 0})) == IllegalReason::PageNotErased);
    CHECK(bench.whyNot(makeCopyBack({0, 0}, {2, 0})) == IllegalReason::PageNotErased);
    bench.run(make(Opcode::Erase, {2, 0}));
    CHECK(bench.whyNot(make(Opcode::Program, {2, 0})) == IllegalReason::None);
    CHECK(bench.die.block(2).erases == 1);
}

TEST_CASE("pages of a block are programmed in ascending order, gaps allowed")
{
    Bench bench;
    bench.run(make(Opcode::Program, {2, 0}));
    bench.run(make(Opcode::Program, {2, 2}));
    CHECK(bench.die.block(2).nextPage == 3);
    CHECK(bench.whyNot(make(Opcode::Program, {2, 1})) == IllegalReason::PageOutOfOrder);
    CHECK(bench.whyNot(makeCopyBack({0, 0}, {2, 1})) == IllegalReason::PageOutOfOrder);
    CHECK(bench.whyNot(make(Opcode::Program, {2, 3})) == IllegalReason::None);
    CHECK(bench.whyNot(make(Opcode::Program, {3, 1})) == IllegalReason::None); // other blocks are not affected
}

TEST_CASE("copy-back stays inside one plane and carries contents and spare record")
{
    Bench bench;
    CHECK(bench.whyNot(makeCopyBack({0, 0}, {1, 0})) == IllegalReason::PlaneMismatch);
    PageTags tags = tagsOf(96, 7);
    bench.run(makeProgram({0, 0}, tags, {11, 12, 13, 14}));
    CHECK(bench.run(makeCopyBack({0, 0}, {2, 0})).status == Status::Ok);
    PageTags out{};
    const Operation read = bench.read({2, 0}, out);
    CHECK(out == tags);
    CHECK(read.spare == Spare{11, 12, 13, 14});
    CHECK(bench.die.counters().array.copyBacks == 1);
}

TEST_CASE("a read returns what was programmed, and a blank page says that it is blank")
{
    Bench bench;
    PageTags tags = tagsOf(8, 3);
    bench.run(makeProgram({4, 0}, tags));
    PageTags out{};
    Operation op = bench.read({4, 0}, out);
    CHECK(out == tags);
    CHECK(op.spare == Spare{1, 2, 3, 4});
    CHECK_FALSE(op.blank);

    op = bench.read({4, 1}, out);
    CHECK(out == PageTags{});
    CHECK(op.spare == blankSpare);
    CHECK(op.blank);
}

TEST_CASE("a program takes its data when it is issued")
{
    Bench bench;
    PageTags tags = tagsOf(8, 3);
    bench.run(makeProgram({4, 0}, tags));
    const PageTags written = tags;
    tags = {};
    PageTags out{};
    bench.read({4, 0}, out);
    CHECK(out == written);
}

TEST_CASE("the page register holds one page: another array operation replaces it")
{
    Bench bench;
    Operation read = bench.run(make(Opcode::Read, {0, 0}));
    CHECK_NOTHROW(bench.die.fetch(read));
    bench.run(make(Opcode::ReadStatus));
    bench.run(make(Opcode::ReadId));
    CHECK_NOTHROW(bench.die.fetch(read)); // neither touches the register
    const Opcode taker = GENERATE(Opcode::Program, Opcode::Erase, Opcode::Read);
    bench.run(make(taker, {1, 0}));
    CHECK_THROWS_AS(bench.die.fetch(read), InternalError);
}

TEST_CASE("an illegal command changes nothing but the counter")
{
    Bench bench;
    PageTags tags = tagsOf(8, 3);
    bench.run(makeProgram({2, 0}, tags));
    const Time before = bench.now;
    PageTags other = tagsOf(0, 1);
    const Operation op = bench.run(makeProgram({2, 0}, other));
    CHECK(op.status == Status::Illegal);
    CHECK(op.reason == IllegalReason::PageNotErased);
    CHECK(op.ready == before);
    CHECK(bench.die.isReady(before));
    CHECK(bench.die.counters().array.illegal == 1);
    CHECK(bench.die.counters().array.programs == 1);
    CHECK(bench.die.counters().array.arrayBusy == 200us);
    PageTags out{};
    bench.read({2, 0}, out);
    CHECK(out == tags);
}

TEST_CASE("factory bad blocks are placed by the seed, in the given number, and never at block 0")
{
    const Part part = smallPart();
    const auto badBlocksOf = [&part](const Die& die) {
        std::set<std::uint32_t> bad;
        for (std::uint32_t block = 0; block < part.geometry.blocks(); ++block) {
            if (die.block(block).factoryBad)
                bad.insert(block);
        }
        return bad;
    };
    const Die one(DieId{0}, part, 3, Rng(1, "die 0"));
    const Die again(DieId{0}, part, 3, Rng(1, "die 0"));
    CHECK(badBlocksOf(one).size() == 3);
    CHECK(badBlocksOf(one) == badBlocksOf(again));

    std::set<std::set<std::uint32_t>> layouts;
    for (std::uint64_t seed = 0; seed < 16; ++seed)
        layouts.insert(badBlocksOf(Die(DieId{0}, part, 3, Rng(seed, "die 0"))));
    CHECK(layouts.size() > 4);

    const Die worst(DieId{0}, part, 7, Rng(1, "die 0"));
    CHECK(badBlocksOf(worst) == std::set<std::uint32_t>{1, 2, 3, 4, 5, 6, 7});
    CHECK_THROWS_AS(Die(DieId{0}, part, 8, Rng(1, "die 0")), InternalError);
}

TEST_CASE("a factory bad block carries its mark in page 0 and refuses program, copy-back and erase")
{
    Bench bench(7);
    PageTags out{};
    Operation op = bench.read({2, 0}, out);
    CHECK(op.spare == Spare{badBlockMark, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF});
    CHECK_FALSE(op.blank);
    op = bench.read({2, 1}, out);
    CHECK(op.spare == blankSpare);
    CHECK(op.blank);
    op = bench.read({0, 0}, out); // a good block has no mark
    CHECK(op.spare == blankSpare);
    CHECK(op.blank);
    CHECK(bench.whyNot(make(Opcode::Program, {2, 0})) == IllegalReason::BadBlock);
    CHECK(bench.whyNot(make(Opcode::Erase, {2, 0})) == IllegalReason::BadBlock);
    CHECK(bench.whyNot(makeCopyBack({0, 0}, {2, 0})) == IllegalReason::BadBlock);
}

TEST_CASE("a program of a worn block fails after tPROG, corrupts its page and leaves earlier pages readable")
{
    Bench bench;
    PageTags tags = tagsOf(8, 3);
    bench.run(makeProgram({2, 0}, tags));
    bench.die.wearOut(2);
    CHECK(bench.die.block(2).wornOut);

    const Time start = bench.now;
    PageTags lost = tagsOf(40, 1);
    const Operation failed = bench.run(makeProgram({2, 1}, lost));
    CHECK(failed.status == Status::ProgramFailed);
    CHECK(failed.statusByte == 0xE1);
    CHECK(failed.ready == start + 200us);
    CHECK(bench.run(make(Opcode::ReadStatus)).statusByte == 0xE1);

    PageTags out{};
    Operation op = bench.read({2, 1}, out);
    CHECK(out == PageTags{});
    CHECK_FALSE(op.blank);
    CHECK(bench.whyNot(make(Opcode::Program, {2, 1})) == IllegalReason::PageNotErased);
    bench.read({2, 0}, out);
    CHECK(out == tags);
    CHECK(bench.run(makeCopyBack({2, 0}, {2, 2})).status == Status::ProgramFailed);
    CHECK(bench.die.counters().array.failed == 2);
    CHECK(bench.run(make(Opcode::Program, {3, 0})).statusByte == 0xE0); // the next operation clears FAIL
}

TEST_CASE("an erase of a worn block fails and leaves no page clean")
{
    Bench bench;
    PageTags tags = tagsOf(8, 3);
    bench.run(makeProgram({2, 0}, tags));
    bench.die.wearOut(2);
    const Operation failed = bench.run(make(Opcode::Erase, {2, 0}));
    CHECK(failed.status == Status::EraseFailed);
    CHECK(failed.statusByte == 0xE1);
    PageTags out{};
    CHECK_FALSE(bench.read({2, 0}, out).blank);
    CHECK(out == PageTags{});
    for (std::uint32_t page = 0; page < 4; ++page)
        CHECK(bench.whyNot(make(Opcode::Program, {2, page})) == IllegalReason::PageNotErased);
    CHECK(bench.run(make(Opcode::Erase, {2, 0})).status == Status::EraseFailed);
    CHECK(bench.die.block(2).erases == 2);
}

TEST_CASE("the status byte shows busy and ready")
{
    Bench bench;
    CHECK(bench.run(make(Opcode::ReadStatus)).statusByte == 0xE0);
    Operation program = make(Opcode::Program, {0, 0});
    const Time ready = bench.die.issue(program, bench.now);
    CHECK(program.statusByte == 0xE0); // what the controller reads when R/B# is high
    Operation status = make(Opcode::ReadStatus);
    CHECK(bench.die.issue(status, ready - picoseconds(1)) == ready - picoseconds(1));
    CHECK(status.statusByte == 0x80);
    status = make(Opcode::ReadStatus);
    bench.die.issue(status, ready);
    CHECK(status.statusByte == 0xE0);
    CHECK(bench.die.readyAt() == ready); // reading the status does not use the array
}

TEST_CASE("read id returns the part's bytes, the first one lowest")
{
    Bench bench;
    Operation op = bench.run(make(Opcode::ReadId));
    bench.die.fetch(op);
    CHECK(op.spare == Spare{0x9500F1EC, 0x40, 0, 0});
}

TEST_CASE("counters distinguish operations and busy time and can be reset")
{
    Bench bench;
    bench.run(make(Opcode::Program, {0, 0}));
    bench.run(make(Opcode::Read, {0, 0}));
    bench.run(make(Opcode::Read, {0, 0}));
    bench.run(makeCopyBack({0, 0}, {2, 0}));
    bench.run(make(Opcode::Erase, {0, 0}));
    const DieCounters& counters = bench.die.counters().array;
    CHECK(counters.programs == 1);
    CHECK(counters.reads == 2);
    CHECK(counters.copyBacks == 1);
    CHECK(counters.erases == 1);
    CHECK(counters.arrayBusy == 200us + 2 * 25us + 225us + 2ms);
    const ArrayEnergy energy = arrayEnergy(bench.part, counters, bench.die.counters().pslc);
    CHECK_THAT(energy.reads, Catch::Matchers::WithinRel(3 * 1e-6, 1e-12));
    CHECK_THAT(energy.programs, Catch::Matchers::WithinRel(2 * 10e-6, 1e-12));
    CHECK_THAT(energy.erases, Catch::Matchers::WithinRel(100e-6, 1e-12));
    bench.die.resetCounters();
    CHECK(bench.die.counters().array.arrayBusy == 0us);
    CHECK(bench.die.counters().array.reads == 0);
    CHECK(bench.die.block(0).erases == 1); // wear is not a counter of the measured interval
}

TEST_CASE("a die frees the memory of an erased block")
{
    Bench bench;
    PageTags tags = tagsOf(0, 1);
    for (std::uint32_t page = 0; page < 4; ++page)
        bench.run(makeProgram({0, page}, tags));
    const std::size_t once = bench.die.cells().bytesInUse();
    for (std::uint32_t round = 0; round < 1000; ++round) {
        bench.run(make(Opcode::Erase, {round % 8, 0}));
        for (std::uint32_t page = 0; page < 4; ++page)
            bench.run(makeProgram({round % 8, page}, tags));
        bench.run(make(Opcode::Erase, {round % 8, 0}));
    }
    CHECK(bench.die.cells().bytesInUse() == once);
}

TEST_CASE("a page takes the times of its page type")
{
    Bench bench;
    bench.part.pageTypes = {{"LSB", 20us, 100us}, {"CSB", 30us, 300us}, {"MSB", 40us, 0us}};
    const std::vector<Time> reads{20us, 30us, 40us, 20us};
    const std::vector<Time> programs{100us, 300us, 200us, 100us}; // MSB: as the part says
    for (std::uint32_t page = 0; page < 4; ++page) {
        INFO(page);
        const Time start = bench.now;
        CHECK(bench.run(make(Opcode::Program, {2, page})).ready == start + programs[page]);
        const Time then = bench.now;
        CHECK(bench.run(make(Opcode::Read, {2, page})).ready == then + reads[page]);
    }
    const Time start = bench.now;
    CHECK(bench.run(makeCopyBack({2, 2}, {4, 1})).ready == start + 40us + 300us); // read MSB, program CSB
}
