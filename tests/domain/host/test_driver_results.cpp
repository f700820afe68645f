// SPDX-License-Identifier: Apache-2.0
#include "tests/domain/host/driver_bench.h"

#include <array>

using namespace strobe;
using namespace strobe::test;

TEST_CASE("failed requests are counted by kind and the first are kept with their status")
{
    DriverBench bench({{reads(40), closedLoop(1)}});
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
    DriverBench bench({{reads(10), closedLoop(1)}});
    bench.start();
    for (int i = 0; i < 3; ++i)
        bench.step();
    const HostProgress progress = bench.driver.progress();
    CHECK(progress.phase == 0);
    CHECK(progress.phases == 1);
    CHECK(progress.done == 3);
    CHECK(progress.total == 10);
}

TEST_CASE("a record saved for a drive of another capacity is rejected with both capacities")
{
    DriverBench bench({});
    bench.driver.continueFrom({1 << 10, {}}, true);
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
    DriverBench bench(endsWithFlush(), {{{write(0, 8), write(8, 8)}, closedLoop(2)}});
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
    DriverBench bench(endsWithFlush(), {{{write(0, 8)}, closedLoop(1)}});
    bench.front.judge = [](const Command& command) {
        return command.kind == RequestKind::Flush ? CommandStatus::DeviceFault : CommandStatus::Ok;
    };
    bench.run();
    CHECK(bench.driver.isFinished());
    CHECK_FALSE(bench.driver.isFlushed());

    DriverBench cut(endsWithFlush(), {{{write(0, 8)}, closedLoop(1)}});
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

TEST_CASE("a drive that comes back from a power loss with another capacity is rejected with both capacities")
{
    DriverBench bench({{{write(0, 8)}, closedLoop(1)}});
    bench.run();
    bench.driver.powerLost(bench.now);
    CHECK_THROWS_WITH(bench.driver.driveReady(1 << 19, 32, bench.now),
                      "the drive has come back from a power loss with 524288 sectors, it had 1048576");
}

TEST_CASE("what a zone has taken of a lost write or append is not written again")
{
    constexpr std::uint64_t zone = 1024;
    HostDriverConfig config{DataMode::Tags, 8};
    config.zoneSectors = zone;
    config.expectsPowerLoss = true;
    config.readsBack = false;
    const auto append = [](std::uint64_t lba, std::uint32_t sectors) {
        Request request = write(lba, sectors);
        request.kind = RequestKind::Append;
        return request;
    };
    const std::vector<Request> lost{write(0, 8),     write(8, 8),          write(16, 8),
                                    append(zone, 8), append(2 * zone, 16), append(3 * zone, 8)};
    DriverBench bench(config, {{lost, closedLoop(6)}});
    bench.driver.readsPointers([](std::uint64_t number) { return number == 0 ? 12U : number == 3 ? 0U : 8U; });
    bench.start();
    REQUIRE(bench.driver.outstanding() == 6);
    bench.driver.placed(3, zone);
    bench.driver.placed(4, 2 * zone); // the last one has no place yet
    bench.front.pending = {};
    bench.driver.powerLost(bench.now);
    bench.start();
    std::vector<std::array<std::uint64_t, 2>> again;
    while (!bench.front.pending.empty()) {
        const Command command = bench.front.pending.pop();
        again.push_back({command.lba, command.sectors});
    }
    CHECK(again == std::vector<std::array<std::uint64_t, 2>>{{12, 4}, {16, 8}, {2 * zone, 8}, {3 * zone, 8}});
}

TEST_CASE("a loaded record is read back before the workload if that is wanted")
{
    DriverBench first({{{write(0, 8), write(64, 8)}, closedLoop(1)}});
    first.run();
    first.driver.powerLost(first.now);
    const HostDriver::Record known = first.driver.record();
    CHECK(known.capacitySectors == 1 << 20);
    CHECK(known.writtenSectors == 16);
    for (const bool readsBack : {true, false}) {
        DriverBench second({{reads(1), closedLoop(1)}});
        second.driver.continueFrom(known, readsBack);
        second.run();
        CHECK(second.front.issueTimes.size() == (readsBack ? 3 : 1));
        CHECK(second.driver.integrity().mismatches() == (readsBack ? 24 : 8)); // the front returns zeros
    }
}
