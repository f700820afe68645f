// SPDX-License-Identifier: Apache-2.0
//
// Phases with several jobs at a time.
#include "tests/domain/host/driver_bench.h"

#include <array>

using namespace strobe;
using namespace strobe::test;

namespace {

std::vector<Request> writes(std::size_t count)
{
    std::vector<Request> requests;
    for (std::size_t i = 0; i < count; ++i)
        requests.push_back(write(1024 + i * 8, 8));
    return requests;
}

std::vector<Request> manyAtOnce(std::size_t count) // of an open loop
{
    std::vector<Request> requests = writes(count);
    for (Request& request : requests)
        request.arrival = {};
    return requests;
}

PhaseScript job(std::string name, std::vector<Request> requests, PhaseConfig config)
{
    config.name = std::move(name);
    return {std::move(requests), std::move(config)};
}

const KindResult& writesOf(const JobResult& result)
{
    return result.kinds[static_cast<std::size_t>(RequestKind::Write)];
}

} // namespace

TEST_CASE("jobs of a phase each keep their own queue depth outstanding")
{
    DriverBench bench({{reads(10), closedLoop(2), {job("writer", writes(1000), closedLoop(5))}}});
    bench.run();
    const PhaseResult& result = bench.driver.results()[0];
    CHECK(bench.front.mostOutstanding == 7);
    CHECK(result.queueDepth == 7);
    REQUIRE(result.jobs.size() == 2);
    CHECK(result.jobs[0].name == "closed");
    CHECK(result.jobs[0].queueDepth == 2);
    CHECK(result.jobs[0].completed == 10);
    CHECK(result.jobs[1].name == "writer");
    CHECK(result.jobs[1].queueDepth == 5);
    CHECK(result.jobs[1].completed == 25); // as long as the own job: five rounds
    CHECK(writesOf(result.jobs[1]).requests == 25);
    CHECK(writesOf(result.jobs[0]).requests == 0);
    CHECK(result.completed == 35);
    CHECK(result.issued == 35);
    CHECK(bench.driver.measured()[static_cast<std::size_t>(RequestKind::Write)].requests == 25);
    CHECK(bench.finishedAt == 1ms + 50us);
    CHECK(bench.finishedCalls == 1);
}

TEST_CASE("jobs that have requests due take turns")
{
    std::vector<RequestKind> order;
    DriverBench bench({{reads(4), closedLoop(4), {job("writer", writes(4), closedLoop(4))}}});
    bench.front.judge = [&order](const Command& command) {
        order.push_back(command.kind);
        return CommandStatus::Ok;
    };
    bench.run();
    using K = RequestKind;
    CHECK(order == std::vector<K>{K::Read, K::Write, K::Read, K::Write, K::Read, K::Write, K::Read, K::Write});
}

TEST_CASE("a job with many requests takes no slot twice while another waits for one")
{
    DriverBench bench({{reads(20), closedLoop(1), {job("writer", writes(1000), closedLoop(64))}}}, 2);
    bench.run();
    const PhaseResult& result = bench.driver.results()[0];
    CHECK(bench.front.mostOutstanding == 2);
    CHECK(result.jobs[0].completed == 20);
    CHECK(result.jobs[1].completed >= 19);
    CHECK(result.jobs[1].completed <= 21);
}

TEST_CASE("an open loop beside a closed one issues at its arrivals and ends with it")
{
    DriverBench bench({{reads(5), closedLoop(1), {job("arrivals", reads(100, 4us), openLoop())}}});
    bench.run();
    const PhaseResult& result = bench.driver.results()[0];
    CHECK(result.jobs[0].completed == 5);
    CHECK(result.jobs[1].pacing == PacingMode::Open);
    CHECK(result.jobs[1].completed == 13); // arrivals at 0, 4, … 48 us; the own job is over at 50 us
    CHECK(bench.finishedAt == 1ms + 58us); // the last of them
    CHECK(result.isOver);
}

TEST_CASE("the requests of jobs beside the own one are drained, or overlap the next phase")
{
    const bool drains = GENERATE(true, false);
    PhaseConfig config = closedLoop(1);
    config.drain = drains;
    PhaseConfig slow = openLoop();
    DriverBench bench(
        {{reads(1), config, {job("late", {read(0, 8, 9us), read(8, 8, 11us)}, slow)}}, {reads(3), closedLoop(1)}});
    bench.run();
    const auto& results = bench.driver.results();
    REQUIRE(results.size() == 2);
    CHECK(results[0].end == 1ms + 19us);
    CHECK(results[0].jobs[1].completed == 1);
    CHECK(results[1].start == 1ms + (drains ? 19us : 10us));
    CHECK(results[1].jobs.empty());
    CHECK(results[1].completed == 3);
}

TEST_CASE("a job whose own requests end leaves the phase to the others")
{
    DriverBench bench({{reads(10), closedLoop(1), {job("short", writes(3), closedLoop(2))}}});
    bench.run();
    CHECK(bench.driver.results()[0].jobs[0].completed == 10);
    CHECK(bench.driver.results()[0].jobs[1].completed == 3);
    CHECK(bench.finishedAt == 1ms + 100us);
}

TEST_CASE("the flush that ends a precondition phase comes after the last request of every job")
{
    std::vector<RequestKind> order;
    PhaseConfig config = closedLoop(1);
    config.measured = false;
    DriverBench bench({{reads(3), config, {job("writer", writes(100), closedLoop(3))}}});
    bench.front.judge = [&order](const Command& command) {
        order.push_back(command.kind);
        return CommandStatus::Ok;
    };
    bench.run();
    CHECK(std::count(order.begin(), order.end(), RequestKind::Flush) == 1);
    CHECK(std::count(order.begin(), order.end(), RequestKind::Write) >= 9);
    REQUIRE(order.back() == RequestKind::Flush);
}

TEST_CASE("the time limit of a phase holds for the jobs beside its own one")
{
    PhaseConfig config = closedLoop(1);
    config.maxTime = 35us;
    DriverBench bench({{reads(100), config, {job("arrivals", reads(100, 5us), openLoop())}}});
    bench.front.latency = 20us;
    bench.run();
    CHECK(bench.driver.results()[0].jobs[0].completed == 2); // at 0 and 20 us
    CHECK(bench.driver.results()[0].jobs[1].completed == 7); // 0 to 30 us
}

TEST_CASE("commands that a power loss ended are issued again, or dropped, for their job")
{
    const LostCommands lost = GENERATE(LostCommands::Reissue, LostCommands::Drop);
    HostDriverConfig config{DataMode::Tags, 8};
    config.expectsPowerLoss = true;
    config.readsBack = false;
    config.lost = lost;
    DriverBench bench(config, {{reads(6), closedLoop(2), {job("writer", writes(1000), closedLoop(3))}}});
    bench.start();
    bench.step(); // 10 us: the first commands are complete, the next ones outstanding
    bench.front.pending = {};
    bench.driver.powerLost(bench.now);
    CHECK(bench.driver.power().lostCommands == 5);
    bench.now += 100us;
    bench.start();
    while (bench.step()) {
    }
    const PhaseResult& result = bench.driver.results()[0];
    CHECK(result.isOver);
    CHECK(result.issued == result.completed);
    CHECK(result.jobs[0].issued == 6);
    CHECK(result.jobs[0].completed == 6);
    CHECK(result.jobs[1].issued == result.jobs[1].completed);
    const bool drops = lost == LostCommands::Drop;
    CHECK(result.jobs[0].lost == (drops ? 2 : 0));
    CHECK(result.jobs[1].lost == (drops ? 3 : 0));
    CHECK(readsOf(result).requests == (drops ? 4 : 6));
    CHECK(bench.front.mostOutstanding == 5);
    CHECK(bench.finishedCalls == 1);
}

TEST_CASE("a driver that is stopped issues no request of any job")
{
    DriverBench bench({{reads(100), closedLoop(2), {job("arrivals", reads(100, 4us), openLoop())}}});
    bench.start();
    bench.step();
    bench.driver.stop(bench.now);
    const std::size_t issued = bench.front.issueTimes.size();
    while (bench.step()) {
    }
    CHECK(bench.front.issueTimes.size() == issued);
    CHECK(bench.finishedCalls == 1);
    CHECK_FALSE(bench.driver.results()[0].isOver);
}

TEST_CASE("progress counts the requests of the own job, which decides the length")
{
    DriverBench bench({{reads(4), closedLoop(1), {job("writer", writes(100), closedLoop(8))}}});
    bench.start();
    bench.step();
    while (bench.driver.results()[0].completed < 9)
        bench.step();
    CHECK(bench.driver.progress().done <= 2);
    CHECK(bench.driver.results()[0].completed > 8);
}

TEST_CASE("a job whose queue is full waits, and the other jobs go on")
{
    HostDriverConfig host{DataMode::Tags, 8};
    host.queues = 4; // two slots each
    PhaseConfig reader = closedLoop(1);
    reader.source.queues.mask = 0b0001;
    const bool isOpen = GENERATE(false, true);
    PhaseConfig writer = isOpen ? openLoop() : closedLoop(8);
    writer.source.queues.mask = 0b0110;
    DriverBench bench(host, {{reads(20), reader, {job("writer", isOpen ? manyAtOnce(1000) : writes(1000), writer)}}},
                      8);
    std::array<std::size_t, 4> ofQueue{};
    bench.front.judge = [&](const Command& command) {
        ++ofQueue[command.slot % 4];
        CHECK((command.kind == RequestKind::Read) == (command.slot % 4 == 0));
        return CommandStatus::Ok;
    };
    bench.run();
    const PhaseResult& result = bench.driver.results()[0];
    CHECK(bench.front.mostOutstanding == 5);
    CHECK(result.jobs[0].completed == 20);
    CHECK(result.jobs[1].completed == 80); // four at a time
    CHECK(ofQueue == std::array<std::size_t, 4>{20, 40, 40, 0});
    if (!isOpen)
        CHECK(result.jobs[1].queueDepth == 4);
    CHECK(bench.finishedAt == 1ms + 200us);
}
