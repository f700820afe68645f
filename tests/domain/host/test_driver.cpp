// SPDX-License-Identifier: Apache-2.0
#include "tests/domain/host/sata_bench.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::host;
using namespace strobe::test;
using namespace std::chrono_literals;

namespace {

// A front without a link: a command completes a fixed time after its issue.
struct DirectFront : HostLink {
    HostDriver* driver = nullptr;
    Time latency = 10us;
    EventHeap<Command> pending;
    std::vector<Time> issueTimes;
    std::size_t mostOutstanding = 0;
    std::function<CommandStatus(const Command&)> judge;

    void issue(const Command& command, Time at) override
    {
        pending.push(at + latency, command);
        issueTimes.push_back(at);
        mostOutstanding = std::max(mostOutstanding, pending.size());
    }
    void advance(Time now)
    {
        while (pending.isDue(now)) {
            const Command command = pending.pop();
            std::vector<std::byte> bytes(command.sectors * stride(DataMode::Tags));
            const Content content{bytes.data(), DataMode::Tags};
            if (command.kind == RequestKind::Write)
                driver->fillWriteData(command.slot, 0, command.sectors, content);
            if (command.kind == RequestKind::Read)
                driver->takeReadData(command.slot, 0, command.sectors, content); // zeros
            driver->completed(command.slot, judge ? judge(command) : CommandStatus::Ok, now);
        }
    }
};

struct Bench {
    DirectFront front;
    HostDriver driver;
    Time now = 1ms; // power-on took a while
    Time finishedAt = never;
    int finishedCalls = 0;

    explicit Bench(std::vector<PhaseScript> phases, std::uint32_t slots = 32)
        : Bench({DataMode::Tags, 8}, std::move(phases), slots)
    {
    }
    Bench(const HostDriverConfig& config, std::vector<PhaseScript> phases, std::uint32_t slots = 32)
        : driver(config, script(std::move(phases))), slots_(slots)
    {
        front.driver = &driver;
        driver.connect(front);
        driver.onFinished([this](Time at) {
            finishedAt = at;
            ++finishedCalls;
        });
    }
    void start() { driver.driveReady(1 << 20, slots_, now); }
    bool step()
    {
        const Time next = std::min(front.pending.nextTime(), driver.nextTime());
        if (next == never)
            return false;
        now = next;
        front.advance(now);
        driver.advance(now);
        return true;
    }
    void run()
    {
        start();
        while (step()) {
        }
    }

private:
    std::uint32_t slots_;
};

std::vector<Request> reads(std::size_t count, Time gap = {})
{
    std::vector<Request> requests;
    for (std::size_t i = 0; i < count; ++i)
        requests.push_back(read(i * 8, 8, gap * static_cast<std::int64_t>(i)));
    return requests;
}

const KindResult& readsOf(const PhaseResult& result)
{
    return result.kinds[static_cast<std::size_t>(RequestKind::Read)];
}

} // namespace

TEST_CASE("a closed loop keeps its queue depth outstanding")
{
    Bench bench({{reads(100), closedLoop(7)}});
    bench.run();
    CHECK(bench.front.mostOutstanding == 7);
    CHECK(bench.driver.results()[0].completed == 100);
    CHECK(bench.finishedAt == 1ms + 10us * 15); // 100 requests by 7: 15 rounds
    CHECK(bench.finishedCalls == 1);
    CHECK(readsOf(bench.driver.results()[0]).latency.maximum() == 10us);
}

TEST_CASE("a closed loop cannot have more outstanding than the drive has slots")
{
    Bench bench({{reads(100), closedLoop(64)}}, 4);
    bench.run();
    CHECK(bench.front.mostOutstanding == 4);
    CHECK(bench.driver.results()[0].completed == 100);
}

TEST_CASE("think time passes between a completion and the request that takes its place")
{
    PhaseConfig thoughtful = closedLoop(1);
    thoughtful.pacing.thinkTime = 25us;
    Bench bench({{reads(3), thoughtful}});
    bench.run();
    CHECK(bench.front.issueTimes == std::vector<Time>{1ms, 1ms + 35us, 1ms + 70us});
    CHECK(readsOf(bench.driver.results()[0]).latency.maximum() == 10us);
}

TEST_CASE("an open loop issues at arrival and counts the wait for a slot as latency")
{
    // Two slots of 10 us serve 0.2 requests per us; arrivals come every 4 us.
    Bench bench({{reads(10, 4us), openLoop()}}, 2);
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
    Bench bench({{reads(3, 1ms), openLoop()}});
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
        Bench bench({{trace, dependent}});
        bench.run();
        CHECK(bench.front.issueTimes == std::vector<Time>{1ms, 1ms + 5us, 1ms + 25us}); // 10 us after the second
        CHECK(bench.driver.results()[0].pacing == PacingMode::Dependent);
        CHECK(readsOf(bench.driver.results()[0]).latency.maximum() == 10us);
        CHECK(bench.finishedAt == 1ms + 35us);
    }
    SECTION("on a slower drive")
    {
        Bench bench({{trace, dependent}});
        bench.front.latency = 200us;
        bench.run();
        CHECK(bench.front.issueTimes == std::vector<Time>{1ms, 1ms + 5us, 1ms + 215us});
    }
    SECTION("with the times of the trace doubled")
    {
        dependent.pacing.timeScale = 2;
        Bench bench({{trace, dependent}});
        bench.run();
        CHECK(bench.front.issueTimes == std::vector<Time>{1ms, 1ms + 10us, 1ms + 40us});
    }
    SECTION("up to a time limit, which counts when they are due")
    {
        dependent.maxTime = 25us;
        Bench bench({{trace, dependent}});
        bench.run();
        CHECK(bench.front.issueTimes.size() == 2);
        CHECK(bench.finishedCalls == 1);
    }
    SECTION("with one slot, which is waited for as in an open loop")
    {
        Bench bench({{trace, dependent}}, 1);
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
        Bench bench({{reads(3, 4us), dependent}});
        bench.run();
        CHECK(bench.front.issueTimes == std::vector<Time>{1ms, 1ms + 14us, 1ms + 28us});
    }
    SECTION("longer than the gaps: they overlap")
    {
        dependent.pacing.traceResponse = 6us;
        Bench bench({{reads(3, 4us), dependent}});
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
    Bench bench({{reads(3, 4us), dependent}});
    bench.run();
    const PhaseResult& result = bench.driver.results()[0];
    CHECK(readsOf(result).requests == 2);
    CHECK(result.kinds[static_cast<std::size_t>(RequestKind::Flush)].requests == 1);
    CHECK(result.isOver);
}

TEST_CASE("a drained phase ends before the next one begins")
{
    PhaseConfig fill = closedLoop(4);
    fill.name = "fill";
    fill.measured = false;
    Bench bench({{{write(0, 8), write(8, 8)}, fill}, {reads(4), closedLoop(2)}});
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
    Bench bench({{reads(8), fill}, {reads(4), age}, {reads(4), closedLoop(2)}});
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
    Bench bench({{reads(8), fill}, {reads(4), closedLoop(2)}});
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
    Bench bench({{reads(2), first}, {reads(2), closedLoop(4)}});
    bench.run();
    CHECK(bench.front.issueTimes == std::vector<Time>{1ms, 1ms, 1ms + 10us, 1ms + 10us});
    CHECK(bench.driver.results()[1].start == 1ms + 10us); // a closed loop calls its source when a slot is free
    CHECK(bench.driver.measuredTime() == 20us);
}

TEST_CASE("an open phase that is not drained hands over with its last arrival")
{
    PhaseConfig first = openLoop();
    first.drain = false;
    Bench bench({{reads(2, 2us), first}, {reads(1), closedLoop(1)}});
    bench.run();
    CHECK(bench.front.issueTimes == std::vector<Time>{1ms, 1ms + 2us, 1ms + 2us});
    CHECK(bench.driver.measuredTime() == 12us);
}

TEST_CASE("a stopped driver issues nothing more and finishes when all is complete")
{
    Bench bench({{reads(100), closedLoop(4)}});
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
    Bench bench({{reads(1), fill}, {reads(100), closedLoop(4)}});
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
    Bench bench({{reads(100), closedLoop(4)}});
    bench.driver.stop(5us);
    CHECK(bench.finishedAt == 5us);
    bench.start(); // too late: nothing is issued
    CHECK(bench.front.issueTimes.empty());
    CHECK(bench.finishedCalls == 1);
}

TEST_CASE("failed requests are counted by kind and the first are kept with their status")
{
    Bench bench({{reads(40), closedLoop(1)}});
    bench.front.judge = [](const Command& command) {
        return command.lba >= 80 ? CommandStatus::Uncorrectable : CommandStatus::Ok;
    };
    bench.run();
    const KindResult& result = readsOf(bench.driver.results()[0]);
    CHECK(result.requests == 40);
    CHECK(result.failed == 30);
    CHECK(result.sectors == 80);
    REQUIRE(bench.driver.firstFailures().size() == HostDriver::keptFailures);
    CHECK(bench.driver.firstFailures()[0].text() == "read of 8 sectors at 80 failed at 1.11 ms: uncorrectable");
}

TEST_CASE("progress counts the completions of the current phase")
{
    Bench bench({{reads(10), closedLoop(1)}});
    bench.start();
    for (int i = 0; i < 3; ++i)
        bench.step();
    const HostProgress progress = bench.driver.progress();
    CHECK(progress.phase == 0);
    CHECK(progress.phases == 1);
    CHECK(progress.done == 3);
    CHECK(progress.total == 10);
}

TEST_CASE("a workload without phases is finished as soon as the drive is ready")
{
    Bench bench({});
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

TEST_CASE("a record saved for a drive of another capacity is rejected with both capacities")
{
    Bench bench({});
    bench.driver.knowFrom({1 << 10, {}}, true);
    CHECK_THROWS_WITH(bench.start(), "a drive of 1024 sectors was written, this drive has 1048576");
}

namespace {

HostDriverConfig endsWithFlush()
{
    HostDriverConfig config{DataMode::Tags, 8};
    config.endsWithFlush = true;
    return config;
}

} // namespace

TEST_CASE("a flush after the last phase is in no phase's results, and the driver finishes after it")
{
    Bench bench(endsWithFlush(), {{{write(0, 8), write(8, 8)}, closedLoop(2)}});
    std::vector<Command> commands;
    bench.front.judge = [&](const Command& command) {
        commands.push_back(command);
        return CommandStatus::Ok;
    };
    bench.run();
    REQUIRE(commands.size() == 3);
    CHECK(commands.back().kind == RequestKind::Flush);
    CHECK(bench.finishedAt == 1ms + 20us);
    CHECK(bench.finishedCalls == 1);
    CHECK(bench.driver.isFlushed());
    CHECK(bench.driver.results()[0].completed == 2);
    CHECK(bench.driver.results()[0].end == 1ms + 10us);
    const auto kinds = bench.driver.measured();
    CHECK(kinds[static_cast<std::size_t>(RequestKind::Flush)].requests == 0);
}

TEST_CASE("a flush after the last phase that the drive refuses, or that a power loss ends, is not a flush")
{
    Bench bench(endsWithFlush(), {{{write(0, 8)}, closedLoop(1)}});
    bench.front.judge = [](const Command& command) {
        return command.kind == RequestKind::Flush ? CommandStatus::DeviceFault : CommandStatus::Ok;
    };
    bench.run();
    CHECK(bench.driver.isFinished());
    CHECK_FALSE(bench.driver.isFlushed());

    Bench cut(endsWithFlush(), {{{write(0, 8)}, closedLoop(1)}});
    cut.start();
    cut.step(); // the write is complete, the flush is outstanding
    REQUIRE(cut.driver.outstanding() == 1);
    cut.front.pending = {};
    cut.driver.powerLost(cut.now);
    CHECK_FALSE(cut.driver.isFinished());
    CHECK(cut.driver.power().lostCommands == 0);
    cut.start(); // the drive is back
    while (cut.step()) {
    }
    CHECK(cut.driver.isFlushed());
    CHECK(cut.finishedCalls == 1);
}

TEST_CASE("a loaded record is read back before the workload if that is wanted")
{
    Bench first({{{write(0, 8), write(64, 8)}, closedLoop(1)}});
    first.run();
    first.driver.powerLost(first.now);
    const HostDriver::Known known = first.driver.known();
    CHECK(known.capacitySectors == 1 << 20);
    CHECK(known.writtenSectors == 16);
    for (const bool readsBack : {true, false}) {
        Bench second({{reads(1), closedLoop(1)}});
        second.driver.knowFrom(known, readsBack);
        second.run();
        CHECK(second.front.issueTimes.size() == (readsBack ? 3 : 1));
        CHECK(second.driver.integrity().mismatches() == (readsBack ? 24 : 8)); // the front returns zeros
    }
}
