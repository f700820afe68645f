// SPDX-License-Identifier: Apache-2.0
#include "models/channel/clocked_times.h"
#include "tests/domain/channel/parts.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::channel;
using namespace strobe::channel::test;

TEST_CASE("a time is rounded up to whole clocks")
{
    CHECK(clocksFor(0ns, 25ns) == 0);
    CHECK(clocksFor(picoseconds(1), 25ns) == 1);
    CHECK(clocksFor(25ns, 25ns) == 1);
    CHECK(clocksFor(25ns + picoseconds(1), 25ns) == 2);
    CHECK(clocksFor(20us, 25ns) == 800);
    CHECK(inWholeClocks(20us, picoseconds(14926)) == 1340 * picoseconds(14926)); // 67 MHz
}

TEST_CASE("all times of a part and of an interface become whole clocks, rounded up, by less than one")
{
    nand::Part part = parts()[0];
    part.pageTypes = {{"LSB", 21us, 0us}, {"MSB", 0us, 333us}};
    const Time clock = 7ns;
    const nand::Part clocked = inWholeClocks(part, clock);
    const auto check = [&](Time now, Time before) {
        CHECK(now % clock == Time{});
        CHECK(now >= before);
        CHECK(now - before < clock);
    };
    check(clocked.times.tR, part.times.tR);
    check(clocked.times.tPROG, part.times.tPROG);
    check(clocked.times.tBERS, part.times.tBERS);
    check(clocked.times.tRstErase, part.times.tRstErase);
    check(clocked.times.tERSM, part.times.tERSM);
    check(clocked.tR(0), 21us);
    check(clocked.tPROG(1), 333us);
    CHECK(clocked.tPROG(0) == clocked.times.tPROG);

    InterfaceTiming timing = roundTiming();
    timing.tCS = 20ns;
    timing.tADL = 100ns;
    timing.statusPollDelay = 10500ns;
    const InterfaceTiming slower = inWholeClocks(timing, clock);
    check(slower.tCS, timing.tCS);
    check(slower.tADL, timing.tADL);
    check(slower.statusPollDelay, timing.statusPollDelay);
    CHECK(slower.tRR == Time{});
    CHECK(slower.cycle == timing.cycle);
}
