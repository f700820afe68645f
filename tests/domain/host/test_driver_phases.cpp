// SPDX-License-Identifier: Apache-2.0
#include "tests/domain/host/driver_bench.h"

using namespace strobe;
using namespace strobe::test;

TEST_CASE("a drained phase ends before the next one begins")
{
    PhaseConfig fill = closedLoop(4);
    fill.name = "fill";
    fill.measured = false;
    DriverBench bench({{{write(0, 8), write(8, 8)}, fill}, {reads(4), closedLoop(2)}});
    // The fake front returns zeros, so reads of what was written would be mismatches: they are, and are counted.
    bench.run();
    const auto& results = bench.driver.results();
    REQUIRE(results.size() == 2);
    CHECK(results[0].name == "fill");
    CHECK(results[0].end == 1ms + 10us);
    CHECK(results[1].start == 1ms + 10us);
    CHECK(results[1].end == 1ms + 30us);
    CHECK(results[0].isOver);
    CHECK(bench.driver.measuredTime() == 20us);
    CHECK(bench.driver.measured()[static_cast<std::size_t>(RequestKind::Write)].requests == 0);
    CHECK(bench.driver.measured()[static_cast<std::size_t>(RequestKind::Read)].requests == 4);
    CHECK(bench.driver.measured()[static_cast<std::size_t>(RequestKind::Read)].sectors == 32);
    CHECK(bench.driver.integrity().mismatches() == 16);
}

TEST_CASE("functional phases wait for a link without time, and those after them for the link with time")
{
    PhaseConfig fill = closedLoop(4);
    fill.name = "fill";
    fill.measured = false;
    fill.isFunctional = true;
    PhaseConfig age = fill;
    age.name = "age";
    DriverBench bench({{reads(8), fill}, {reads(4), age}, {reads(4), closedLoop(2)}});
    int wanted = 0;
    bench.driver.onSwitch([&wanted](Time) { ++wanted; });
    bench.start();
    CHECK(bench.driver.awaitsSwitch());
    CHECK(wanted == 1);
    CHECK(bench.front.issueTimes.empty());

    DirectFront untimed;
    untimed.driver = &bench.driver;
    untimed.latency = Time{};
    bench.driver.switchTo(untimed, true, bench.now);
    CHECK_FALSE(bench.driver.awaitsSwitch());
    untimed.advance(bench.now);
    CHECK(untimed.issueTimes.size() == 14); // both functional phases, one after the other, each with its flush
    CHECK(bench.driver.awaitsSwitch());
    CHECK(wanted == 2);
    CHECK(bench.driver.outstanding() == 0);

    bench.driver.switchTo(bench.front, false, bench.now);
    while (bench.step()) {
    }
    const auto& results = bench.driver.results();
    REQUIRE(results.size() == 3);
    CHECK(results[0].isFunctional);
    CHECK(results[0].end == results[0].start);
    CHECK(results[1].isFunctional);
    CHECK_FALSE(results[2].isFunctional);
    CHECK(results[2].completed == 4);
    CHECK(bench.driver.measuredTime() == 20us);
    CHECK(bench.driver.isFinished());
}

TEST_CASE("a driver that is stopped in a functional phase finishes")
{
    PhaseConfig fill = closedLoop(4);
    fill.measured = false;
    fill.isFunctional = true;
    DriverBench bench({{reads(8), fill}, {reads(4), closedLoop(2)}});
    bench.start();
    DirectFront untimed;
    untimed.driver = &bench.driver;
    untimed.latency = Time{};
    bench.driver.switchTo(untimed, true, bench.now);
    bench.driver.stop(bench.now);
    CHECK_FALSE(bench.driver.isFinished());
    untimed.advance(bench.now);
    CHECK(bench.driver.isFinished());
    CHECK_FALSE(bench.driver.awaitsSwitch());
    CHECK(bench.driver.results()[0].completed == 4);
}

TEST_CASE("a phase that is not drained overlaps its successor, and time counts once")
{
    PhaseConfig first = closedLoop(2);
    first.drain = false;
    DriverBench bench({{reads(2), first}, {reads(2), closedLoop(4)}});
    bench.run();
    CHECK(bench.front.issueTimes == std::vector<Time>{1ms, 1ms, 1ms + 10us, 1ms + 10us});
    CHECK(bench.driver.results()[1].start == 1ms + 10us); // a closed loop calls its source when a slot is free
    CHECK(bench.driver.measuredTime() == 20us);
}

TEST_CASE("an open phase that is not drained hands over with its last arrival")
{
    PhaseConfig first = openLoop();
    first.drain = false;
    DriverBench bench({{reads(2, 2us), first}, {reads(1), closedLoop(1)}});
    bench.run();
    CHECK(bench.front.issueTimes == std::vector<Time>{1ms, 1ms + 2us, 1ms + 2us});
    CHECK(bench.driver.measuredTime() == 12us);
}

TEST_CASE("a stopped driver issues nothing more and finishes when all is complete")
{
    DriverBench bench({{reads(100), closedLoop(4)}});
    bench.start();
    while (bench.now < 1ms + 30us)
        bench.step();
    bench.driver.stop(bench.now);
    CHECK(bench.finishedCalls == 0);
    while (bench.step()) {
    }
    CHECK(bench.driver.wasStopped());
    CHECK(bench.driver.isFinished());
    CHECK(bench.finishedCalls == 1);
    CHECK(bench.driver.results()[0].completed == bench.front.issueTimes.size());
    CHECK(bench.driver.results()[0].completed == 16);
    CHECK_FALSE(bench.driver.results()[0].isOver);
    CHECK(bench.driver.results()[0].source.requests == 16);
}

TEST_CASE("the beginning and end of each phase are announced, of a stopped one too")
{
    PhaseConfig fill = closedLoop(1);
    fill.name = "fill";
    DriverBench bench({{reads(1), fill}, {reads(100), closedLoop(4)}});
    std::vector<std::string> told;
    bench.driver.onPhase([&](const PhaseResult& phase, bool begins) {
        told.push_back((begins ? "begin " : "end ") + phase.name + " " + std::to_string(phase.completed));
    });
    bench.start();
    while (bench.now < 1ms + 20us)
        bench.step();
    bench.driver.stop(bench.now);
    while (bench.step()) {
    }
    CHECK(told == std::vector<std::string>{"begin fill 0", "end fill 1", "begin closed 0", "end closed 8"});
}

TEST_CASE("a driver stopped before the drive is ready is finished at once")
{
    DriverBench bench({{reads(100), closedLoop(4)}});
    bench.driver.stop(5us);
    CHECK(bench.finishedAt == 5us);
    bench.start(); // too late: nothing is issued
    CHECK(bench.front.issueTimes.empty());
    CHECK(bench.finishedCalls == 1);
}

TEST_CASE("a workload without phases is finished as soon as the drive is ready")
{
    DriverBench bench({});
    bench.run();
    CHECK(bench.finishedAt == 1ms);
}

TEST_CASE("phases are made from a workload once the capacity is known")
{
    WorkloadConfig workload;
    workload.phases.push_back(fillPhase());
    workload.phases[0].measured = true; // no closing flush
    HostDriver driver({DataMode::None, 8}, HostDriver::phasesOf(workload, 1));
    DirectFront front;
    front.driver = &driver;
    driver.connect(front);
    driver.driveReady(1024, 32, Time{}); // 512 KiB: four requests of 128 KiB
    CHECK(front.issueTimes.size() == 4);
    CHECK(driver.progress().total == 4);
}
