// SPDX-License-Identifier: Apache-2.0
//
// Data frames against the drive's memory: cut-through, and the line held when the memory is slower.
#include "tests/domain/host/sata_bench.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::host;
using namespace strobe::test;
using namespace std::chrono_literals;

namespace {

FakeSsd::Config drive(Time perSector)
{
    FakeSsd::Config config;
    config.latency = 50us;
    config.perSector = perSector;
    return config;
}

} // namespace

TEST_CASE("a read frame starts with its first sector and ends one sector after a slow memory")
{
    const SataConfig config;
    const FrameTiming timing(config);
    SataBench bench(config, drive(2us), {{{read(0, 8)}, closedLoop(1)}});
    bench.run();
    REQUIRE(bench.frames.size() == 5);
    const Time fetched = bench.frames[2].start; // with the DMA setup
    const FrameRecord& data = bench.frames[3];
    CHECK(data.start == fetched + 2us);
    CHECK(data.end == fetched + 16us + timing.lastSector());
    CHECK(bench.link.counters().held == data.end - data.start - timing.data(8));
}

TEST_CASE("a memory faster than the line costs a read nothing but its DMA setup")
{
    const SataConfig config;
    const FrameTiming timing(config);
    SataBench bench(config, drive(100ns), {{{read(0, 128)}, closedLoop(1)}});
    bench.run();
    const Time acceptance = timing.frame(FisType::RegisterDeviceToHost);
    CHECK(bench.finishedAt - bench.driver.readyTime() == queuedReadTime(config, 128) - acceptance + 50us);
    CHECK(bench.link.counters().held == Time{});
}

TEST_CASE("the next frame is fetched while one is on the line")
{
    // 6 Gb/s moves a sector in 0.85 us; the memory in 0.80 us. Without the overlap each frame would wait 12.8 us.
    const SataConfig config;
    SataBench bench(config, drive(800ns), {{{read(0, 128)}, closedLoop(1)}});
    bench.run();
    const Time acceptance = FrameTiming(config).frame(FisType::RegisterDeviceToHost);
    const Time unhindered = queuedReadTime(config, 128) - acceptance + 50us;
    const Time elapsed = bench.finishedAt - bench.driver.readyTime();
    CHECK(elapsed >= unhindered);
    CHECK(elapsed < unhindered + 1us);
}

TEST_CASE("a slow memory bounds sequential throughput")
{
    std::vector<Request> requests;
    for (std::uint64_t i = 0; i < 100; ++i)
        requests.push_back(i % 2 == 0 ? read(i * 128, 128) : write(i * 128, 128));
    SataBench bench({}, drive(3us), {{requests, closedLoop(8)}});
    bench.run();
    const Time memoryTime = 3us * 100 * 128;
    const Time elapsed = bench.finishedAt - bench.driver.readyTime();
    CHECK(elapsed > memoryTime);
    CHECK(elapsed < memoryTime * 11 / 10);
}

TEST_CASE("a write frame does not end before it is in memory")
{
    const SataConfig config;
    SataBench bench(config, drive(2us), {{{write(0, 8)}, closedLoop(1)}});
    bench.run();
    REQUIRE(bench.frames.size() == 5);
    const FrameRecord& data = bench.frames[3];
    CHECK(data.end == data.start + 16us);
    CHECK(bench.frames[4].start == data.end); // completion
    CHECK(bench.link.counters().held == 16us - FrameTiming(config).data(8));
}

TEST_CASE("while a read waits for memory the line serves others")
{
    // The drive's memory needs 40 us for the first sector of the read; a command arrives meanwhile.
    FakeSsd::Config slow = drive(40us);
    SataBench bench({}, slow, {{{read(0, 1), read(8, 1, 60us)}, openLoop()}});
    bench.run();
    CHECK(bench.sequence() == "27> <34 <41 27> <34 <46 <A1 <41 <46 <A1");
}
