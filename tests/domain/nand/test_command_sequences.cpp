// SPDX-License-Identifier: Apache-2.0
//
// Forms that continue a command, and reads that leave the other planes alone, below the rules.
#include "models/nand/command_sequences.h"
#include "tests/domain/nand/error_tables.h"
#include "tests/domain/nand/state_bench.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::nand;
using namespace strobe::nand::test;

namespace {

Part partWithErrors()
{
    Part part = smallPart();
    part.endurance = 1000;
    part.errors = formulaModel();
    return part;
}

} // namespace

TEST_CASE("a cache read moves the register on, and its own page follows while R/B# is high")
{
    StateBench bench;
    bench.part.times.tRCBSY = 3us;
    bench.start(make(Opcode::Read, {0, 0}));
    Operation next = make(Opcode::Read, {0, 1});
    CHECK(issueCache(bench.die, next, bench.now) == bench.now + 3us);
    CHECK(next.arrayEnd == bench.now + 3us + 25us);
    CHECK(bench.die.registers.stateOf({0, 0}) == PageRegisters::State::Loaded); // in the cache register
    CHECK(bench.die.registers.isLoaded({0, 1}));
    CHECK(bench.die.counters.array.cached == 1);
    CHECK(bench.die.counters.array.reads == 2);
}

TEST_CASE("a cache program begins when the array is done with the one before")
{
    StateBench bench;
    bench.part.times.tCBSY = 4us;
    Operation first = make(Opcode::Program, {0, 0});
    Operation second = make(Opcode::Program, {0, 1});
    const Time next = issueCache(bench.die, first, 1ms);
    CHECK(next == 1ms + 4us);
    CHECK(issueCache(bench.die, second, next) == 1ms + 4us + 200us + 4us);
    CHECK(second.arrayEnd == 1ms + 2 * 204us);
    CHECK(bench.die.counters.array.cached == 2);
    CHECK(bench.die.counters.array.programs == 2);
}

TEST_CASE("a copy-back in halves is a read and a program, and its data can be replaced between them")
{
    StateBench bench;
    bench.program({0, 0});
    Operation op = makeCopyBack({0, 0}, {2, 0});
    op.form = Form::CopyOut;
    const Time out = bench.now;
    bench.now = issueCopyOut(bench.die, op, out);
    CHECK(bench.now == out + 25us);
    CHECK_FALSE(op.blank);
    CHECK(bench.die.registers.isLoaded({0, 0}));
    CHECK(bench.die.array.running().opcode == Opcode::Read); // so a reset harms no page
    PageTags fresh = tagsOf(900, 5);
    op.form = Form::CopyIn;
    op.data = contentOf(fresh);
    op.replaced = 0b10;
    CHECK(issueCopyIn(bench.die, op, bench.now) == bench.now + 200us);
    PageTags expected = StateBench::tagsAt({0, 0});
    expected[1] = fresh[1];
    PageTags found{};
    REQUIRE(bench.die.cells.peek({2, 0}, contentOf(found)));
    CHECK(found == expected);
    CHECK(bench.die.counters.array.reads == 1);
    CHECK(bench.die.counters.array.programs == 2);
    CHECK(bench.die.counters.array.copyBacks == 0);
}

TEST_CASE("the first half of a copy-back reports a blank source")
{
    StateBench bench;
    Operation op = makeCopyBack({0, 0}, {2, 0});
    op.form = Form::CopyOut;
    issueCopyOut(bench.die, op, bench.now);
    CHECK(op.blank);
}

TEST_CASE("a further access takes array time and changes nothing more")
{
    StateBench bench;
    bench.part.accessBytes = 512;
    Operation op = bench.start(make(Opcode::Read, {0, 0}));
    op.form = Form::Access;
    CHECK(issueAccess(bench.die, op, bench.now) == bench.now + 25us);
    CHECK(bench.die.counters.array.reads == 1);
    CHECK(bench.die.counters.array.arrayBusy == 50us);
}

TEST_CASE("a read with references sets the option; a further sense leaves references of no option")
{
    StateBench bench(partWithErrors());
    Operation op = make(Opcode::Read, {0, 0});
    op.form = Form::References;
    op.readOption = 2;
    op.senses = 2;
    bench.now = issueReferences(bench.die, op, bench.now);
    CHECK(op.accesses == 1);
    CHECK(bench.die.condition.readOption() == 2);
    op.form = Form::Sense;
    CHECK(issueSense(bench.die, op, bench.now) == bench.now + 25us);
    CHECK(bench.die.condition.readOption() == softReferences);
    CHECK(bench.die.counters.array.reads == 2);
    CHECK(bench.die.condition.errors()->counters().softSenses == 1);
    CHECK(bench.die.condition.errors()->counters().featureSets == 2);
}

TEST_CASE("reads of two planes overlap; common time counts once for the array and twice for the planes")
{
    StateBench bench;
    Operation first = make(Opcode::Read, {0, 0});
    Operation second = make(Opcode::Read, {1, 2});
    first.form = second.form = Form::PlaneRead;
    CHECK(issuePlaneRead(bench.die, first, 1ms) == 1ms + 25us);
    CHECK(issuePlaneRead(bench.die, second, 1ms + 10us) == 1ms + 35us);
    CHECK(bench.die.counters.array.arrayBusy == 35us);
    CHECK(bench.die.counters.planeReads.planeBusy == 50us);
    CHECK(bench.die.counters.planeReads.reads == 2);
    CHECK(bench.die.counters.planeReads.overlapped == 1);
    CHECK(bench.die.registers.isLoaded({0, 0}));
    CHECK(bench.die.registers.isLoaded({1, 2}));
    CHECK(bench.die.array.isFree(1ms));
}

TEST_CASE("the status of a plane is that of its own read")
{
    StateBench bench;
    Operation read = make(Opcode::Read, {0, 0});
    read.form = Form::PlaneRead;
    issuePlaneRead(bench.die, read, 1ms);
    const auto statusOf = [&](std::uint32_t block, Time now) {
        Operation status = make(Opcode::ReadStatus, {block, 0});
        status.form = Form::PlaneRead;
        CHECK(issuePlaneRead(bench.die, status, now) == now);
        return status.statusByte;
    };
    constexpr std::uint8_t ready = statusNotProtected | statusReady | statusArrayReady;
    CHECK(statusOf(0, 1ms + 25us - picoseconds(1)) == statusNotProtected);
    CHECK(statusOf(0, 1ms + 25us) == ready);
    CHECK(statusOf(1, 1ms) == ready);
    CHECK(bench.die.counters.planeReads.reads == 1);
}
