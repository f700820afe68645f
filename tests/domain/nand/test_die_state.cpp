// SPDX-License-Identifier: Apache-2.0
#include "tests/domain/nand/state_bench.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::nand;
using namespace strobe::nand::test;

TEST_CASE("a new die is ready at once, blank, and has counted nothing")
{
    const StateBench bench;
    CHECK(bench.die.readyAt() == Time{});
    CHECK(bench.die.id == DieId{3});
    CHECK(bench.die.cells.isClean({7, 3}));
    CHECK(bench.die.counters.array.arrayBusy == Time{});
    CHECK(bench.die.observer == nullptr);
    CHECK(bench.die.faults == nullptr);
    CHECK(bench.die.statusByte(true, Time{}) == (statusNotProtected | statusReady | statusArrayReady));
}

TEST_CASE("the die is ready when the array and the last of its planes are")
{
    StateBench bench;
    bench.program({0, 0});
    CHECK(bench.die.readyAt() == 1ms + 200us);
    bench.die.planes.begin(1, {1, 0}, bench.now, 300us);
    CHECK(bench.die.readyAt() == 1ms + 500us);
}

TEST_CASE("the status byte has no ready bit while planes that it is about are at work")
{
    const StateBench bench;
    CHECK(bench.die.statusByte(false, Time{}) == statusNotProtected);
}

TEST_CASE("an erase that is done is undone no more once the next command reaches the cells")
{
    StateBench bench;
    bench.program({2, 0});
    bench.start(make(Opcode::Erase, {2, 0}));
    CHECK(bench.die.cells.hasOpenErases());
    bench.die.enterTime(bench.now);
    CHECK_FALSE(bench.die.cells.hasOpenErases());
}

TEST_CASE("a suspended erase can still be undone while other commands reach the cells")
{
    StateBench bench;
    bench.start(make(Opcode::Erase, {2, 0}));
    bench.die.array.suspend({2, 0}, 2ms, 11us);
    bench.die.enterTime(3ms);
    CHECK(bench.die.cells.hasOpenErases());
}

TEST_CASE("the counters of pSLC mode are part of those of all operations")
{
    DieCounterSet counters;
    for (const bool isPslc : {false, true, true}) {
        counters.countRead(isPslc);
        counters.countProgram(isPslc);
        counters.countErase(isPslc);
        counters.countCopyBack(isPslc);
    }
    CHECK(counters.array.reads == 3);
    CHECK(counters.array.programs == 3);
    CHECK(counters.array.erases == 3);
    CHECK(counters.array.copyBacks == 3);
    CHECK(counters.pslc.reads == 2);
    CHECK(counters.pslc.programs == 2);
    CHECK(counters.pslc.erases == 2);
    CHECK(counters.pslc.copyBacks == 2);
}

TEST_CASE("array time that will not pass is taken back as far as it was counted since the last reset")
{
    DieCounterSet counters;
    counters.array.arrayBusy = 50us;
    counters.takeBackBusy(20us);
    CHECK(counters.array.arrayBusy == 30us);
    counters.takeBackBusy(200us);
    CHECK(counters.array.arrayBusy == Time{});
}
