// SPDX-License-Identifier: Apache-2.0
#include "models/host/request_pacer.h"
#include "tests/domain/host/driver_bench.h"

using namespace strobe;
using namespace strobe::host;
using namespace strobe::test;

namespace {

Phase phaseOf(PhaseScript phase)
{
    return std::move(script({std::move(phase)})(1 << 20).front());
}

} // namespace

TEST_CASE("pacer, closed loop: as many requests as the queue depth, then one per completion")
{
    Phase phase = phaseOf({reads(4), closedLoop(2)});
    RequestPacer pacer;
    CHECK(!pacer.isActive());
    pacer.begin(phase, 5us);
    CHECK(pacer.next(5us)->arrived == 5us);
    CHECK(pacer.next(5us));
    CHECK(!pacer.next(5us));
    pacer.completed(0, 9us);
    CHECK(pacer.next(9us)->request.lba == 16);
    CHECK(!pacer.next(9us));
    CHECK(pacer.nextArrival() == never);
}

TEST_CASE("pacer, closed loop: a lost command has no think time after it, a completed one has")
{
    PhaseConfig config = closedLoop(1);
    config.pacing.thinkTime = 10us;
    Phase phase = phaseOf({reads(4), config});
    RequestPacer pacer;
    pacer.begin(phase, 0us);
    REQUIRE(pacer.next(0us));
    pacer.completed(0, 3us);
    CHECK(pacer.nextThinkEnd() == 13us);
    pacer.advance(12us);
    CHECK(!pacer.next(12us));
    pacer.advance(13us);
    CHECK(pacer.nextThinkEnd() == never);
    REQUIRE(pacer.next(13us));
    pacer.lost(0, 14us);
    CHECK(pacer.next(14us));
}

TEST_CASE("pacer, closed loop: think times of a phase end with it")
{
    PhaseConfig config = closedLoop(1);
    config.pacing.thinkTime = 10us;
    Phase first = phaseOf({reads(1), config});
    Phase second = phaseOf({reads(4), closedLoop(1)});
    RequestPacer pacer;
    pacer.begin(first, 0us);
    REQUIRE(pacer.next(0us));
    pacer.completed(0, 3us);
    pacer.end();
    CHECK(pacer.nextThinkEnd() == never);
    pacer.begin(second, 4us);
    CHECK(pacer.next(4us));
    CHECK(!pacer.next(20us));
}

TEST_CASE("pacer, closed loop with a rate: requests are an interval apart, and late ones are caught up")
{
    PhaseConfig config = closedLoop(2);
    config.pacing.interval = 10us;
    Phase phase = phaseOf({reads(7), config});
    RequestPacer pacer;
    pacer.begin(phase, 100us);
    CHECK(pacer.next(100us)->arrived == 100us);
    CHECK(!pacer.next(100us));
    CHECK(pacer.nextArrival() == 110us);
    CHECK(!pacer.next(109us));
    CHECK(pacer.next(110us)->arrived == 110us);
    CHECK(!pacer.next(150us)); // two are outstanding
    CHECK(pacer.nextArrival() == never);
    pacer.completed(0, 150us);
    pacer.completed(0, 150us);
    CHECK(pacer.next(150us)->arrived == 150us); // due at 120
    CHECK(pacer.next(150us));                   // due at 130
    pacer.completed(0, 155us);
    CHECK(pacer.next(155us)); // due at 140
    pacer.completed(0, 156us);
    CHECK(pacer.next(156us)); // due at 150
    pacer.completed(0, 157us);
    CHECK(!pacer.next(157us));
    CHECK(pacer.nextArrival() == 160us);
    pacer.stop();
    CHECK(pacer.nextArrival() == never);
}

TEST_CASE("pacer, closed loop with a rate: the phase is over after its last request, and when none fits before maxTime")
{
    PhaseConfig config = closedLoop(2);
    config.pacing.interval = 10us;
    Phase phase = phaseOf({reads(2), config});
    RequestPacer pacer;
    pacer.begin(phase, 0us);
    CHECK(pacer.next(0us));
    CHECK(pacer.next(10us));
    pacer.completed(0, 11us);
    CHECK(!pacer.next(11us));
    CHECK(phase.isExhausted());
    CHECK(pacer.nextArrival() == never);
    pacer.end();

    config.maxTime = 15us;
    Phase limited = phaseOf({reads(9), config});
    pacer.begin(limited, 100us);
    CHECK(pacer.next(100us));
    CHECK(pacer.next(110us));
    pacer.completed(0, 111us);
    CHECK(!pacer.next(111us)); // the next would be at 120, after 115
    CHECK(limited.isExhausted());
    CHECK(pacer.nextArrival() == never);
}

TEST_CASE("pacer, closed loop with a rate: a job that was cut waits for nothing, nor does one whose phase has ended")
{
    PhaseConfig config = closedLoop(2);
    config.pacing.interval = 10us;
    Phase phase = phaseOf({reads(9), config});
    RequestPacer pacer;
    pacer.begin(phase, 0us);
    CHECK(pacer.next(0us));
    CHECK(!pacer.next(1us));
    CHECK(pacer.nextArrival() == 10us);
    phase.cut();
    pacer.stop();
    CHECK(!pacer.next(2us));
    CHECK(pacer.nextArrival() == never);

    Phase other = phaseOf({reads(9), config});
    pacer.begin(other, 20us);
    CHECK(pacer.next(20us));
    CHECK(!pacer.next(21us));
    pacer.end();
    CHECK(pacer.nextArrival() == never);
}

TEST_CASE("pacer, open loop: a request is due at its arrival, counted from the start of the phase")
{
    Phase phase = phaseOf({reads(3, 4us), openLoop()});
    RequestPacer pacer;
    pacer.begin(phase, 100us);
    CHECK(pacer.next(100us)->arrived == 100us);
    CHECK(!pacer.next(103us));
    CHECK(pacer.nextArrival() == 104us);
    CHECK(pacer.next(110us)->arrived == 104us); // late, as no slot was free
    CHECK(!pacer.next(107us));
    pacer.stop();
    CHECK(pacer.nextArrival() == never);
}
