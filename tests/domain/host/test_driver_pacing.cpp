// SPDX-License-Identifier: Apache-2.0
#include "tests/domain/host/driver_bench.h"

using namespace strobe;
using namespace strobe::test;

TEST_CASE("a closed loop keeps its queue depth outstanding")
{
    DriverBench bench({{reads(100), closedLoop(7)}});
    bench.run();
    CHECK(bench.front.mostOutstanding == 7);
    CHECK(bench.driver.results()[0].completed == 100);
    CHECK(bench.finishedAt == 1ms + 10us * 15); // 100 requests by 7: 15 rounds
    CHECK(bench.finishedCalls == 1);
    CHECK(readsOf(bench.driver.results()[0]).latency.maximum() == 10us);
}

TEST_CASE("a closed loop cannot have more outstanding than the drive has slots")
{
    DriverBench bench({{reads(100), closedLoop(64)}}, 4);
    bench.run();
    CHECK(bench.front.mostOutstanding == 4);
    CHECK(bench.driver.results()[0].completed == 100);
}

TEST_CASE("commands wait since the last end of one, or since their issue if the drive was idle")
{
    PhaseConfig thoughtful = closedLoop(1);
    thoughtful.pacing.thinkTime = 25us;
    DriverBench bench({{reads(3), thoughtful}});
    bench.start();
    CHECK(bench.driver.waitingSince() == 1ms);
    bench.step();
    CHECK(bench.driver.waitingSince() == never); // the host thinks
    bench.step();
    CHECK(bench.driver.waitingSince() == 1ms + 35us);
    DriverBench busy({{reads(100), closedLoop(7)}});
    busy.start();
    busy.step();
    CHECK(busy.driver.outstanding() == 7);
    CHECK(busy.driver.waitingSince() == 1ms + 10us);
    busy.driver.sentAgain(1ms + 15us); // after a reset the drive has all of them anew
    CHECK(busy.driver.waitingSince() == 1ms + 15us);
}

TEST_CASE("think time passes between a completion and the request that takes its place")
{
    PhaseConfig thoughtful = closedLoop(1);
    thoughtful.pacing.thinkTime = 25us;
    DriverBench bench({{reads(3), thoughtful}});
    bench.run();
    CHECK(bench.front.issueTimes == std::vector<Time>{1ms, 1ms + 35us, 1ms + 70us});
    CHECK(readsOf(bench.driver.results()[0]).latency.maximum() == 10us);
}

TEST_CASE("an open loop issues at arrival and counts the wait for a slot as latency")
{
    // Two slots of 10 us serve 0.2 requests per us; arrivals come every 4 us.
    DriverBench bench({{reads(10, 4us), openLoop()}}, 2);
    bench.run();
    const KindResult& result = readsOf(bench.driver.results()[0]);
    CHECK(bench.front.mostOutstanding == 2);
    CHECK(result.device.maximum() == 10us);
    CHECK(result.latency.minimum() == 10us);
    // Pairs leave every 10 us but arrive every 8 us: the last pair has waited 8 us (its first) and 4 us more … exactly:
    // request 8 arrives at 32 us, is issued at 40 us; request 9 arrives at 36 us, is issued at 44 us.
    CHECK(result.latency.maximum() == 18us);
    CHECK(bench.finishedAt == 1ms + 54us);
}

TEST_CASE("arrivals while the drive is idle wake the driver at their time")
{
    DriverBench bench({{reads(3, 1ms), openLoop()}});
    bench.run();
    CHECK(bench.front.issueTimes == std::vector<Time>{1ms, 2ms, 3ms});
}

TEST_CASE("dependent requests wait for what they waited for when recorded, and as long after it")
{
    const auto recorded = [](std::uint64_t lba, Time arrival, Time response) {
        Request request = read(lba, 8, arrival);
        request.response = response;
        return request;
    };
    PhaseConfig dependent;
    dependent.pacing.mode = PacingMode::Dependent;
    const std::vector<Request> trace{recorded(0, Time{}, 50us), recorded(8, 5us, 20us), recorded(16, 60us, 10us)};
    SECTION("on a faster drive")
    {
        DriverBench bench({{trace, dependent}});
        bench.run();
        CHECK(bench.front.issueTimes == std::vector<Time>{1ms, 1ms + 5us, 1ms + 25us}); // 10 us after the second
        CHECK(bench.driver.results()[0].pacing == PacingMode::Dependent);
        CHECK(readsOf(bench.driver.results()[0]).latency.maximum() == 10us);
        CHECK(bench.finishedAt == 1ms + 35us);
    }
    SECTION("on a slower drive")
    {
        DriverBench bench({{trace, dependent}});
        bench.front.latency = 200us;
        bench.run();
        CHECK(bench.front.issueTimes == std::vector<Time>{1ms, 1ms + 5us, 1ms + 215us});
    }
    SECTION("with the times of the trace doubled")
    {
        dependent.pacing.timeScale = 2;
        DriverBench bench({{trace, dependent}});
        bench.run();
        CHECK(bench.front.issueTimes == std::vector<Time>{1ms, 1ms + 10us, 1ms + 40us});
    }
    SECTION("up to a time limit, which counts when they are due")
    {
        dependent.maxTime = 25us;
        DriverBench bench({{trace, dependent}});
        bench.run();
        CHECK(bench.front.issueTimes.size() == 2);
        CHECK(bench.finishedCalls == 1);
    }
    SECTION("with one slot, which is waited for as in an open loop")
    {
        DriverBench bench({{trace, dependent}}, 1);
        bench.run();
        CHECK(bench.front.issueTimes == std::vector<Time>{1ms, 1ms + 10us, 1ms + 30us});
        CHECK(readsOf(bench.driver.results()[0]).latency.maximum() == 15us); // due at 5 us, issued at 10 us
    }
}

TEST_CASE("dependent requests without response times take the one that the phase gives")
{
    PhaseConfig dependent;
    dependent.pacing.mode = PacingMode::Dependent;
    SECTION("none: each waits for the one before")
    {
        DriverBench bench({{reads(3, 4us), dependent}});
        bench.run();
        CHECK(bench.front.issueTimes == std::vector<Time>{1ms, 1ms + 14us, 1ms + 28us});
    }
    SECTION("longer than the gaps: they overlap")
    {
        dependent.pacing.traceResponse = 6us;
        DriverBench bench({{reads(3, 4us), dependent}});
        bench.run();
        CHECK(bench.front.issueTimes == std::vector<Time>{1ms, 1ms + 4us, 1ms + 12us}); // 2 us after the first
    }
}

TEST_CASE("a dependent precondition phase that is cut short still ends with its flush")
{
    PhaseConfig dependent;
    dependent.pacing.mode = PacingMode::Dependent;
    dependent.measured = false;
    dependent.maxTime = 20us;
    DriverBench bench({{reads(3, 4us), dependent}});
    bench.run();
    const PhaseResult& result = bench.driver.results()[0];
    CHECK(readsOf(result).requests == 2);
    CHECK(result.kinds[static_cast<std::size_t>(RequestKind::Flush)].requests == 1);
    CHECK(result.isOver);
}
