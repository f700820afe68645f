// SPDX-License-Identifier: Apache-2.0
#include "models/host/pata_link.h"
#include "tests/domain/host/link_bench.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::host;
using namespace strobe::test;
using namespace std::chrono_literals;

namespace {

using PataBench = LinkBench<PataLink, PataConfig>;

FakeSsd::Config drive(Time latency)
{
    FakeSsd::Config config;
    config.latency = latency;
    config.slots = 1;
    return config;
}

double megabytesPerSecond(Time time, std::uint32_t sectors)
{
    return sectors * 512.0 / toSeconds(time) / 1e6;
}

} // namespace

TEST_CASE("an Ultra DMA mode 5 burst of 4 KiB takes 2,048 words of 20 ns and 325 ns of handshake")
{
    const PataTiming timing(PataConfig{});
    CHECK(timing.burst(4096) == 40'960ns + 325ns);
    CHECK(timing.command() == 12 * 120ns);
    CHECK(timing.status() == 2 * 120ns);
}

TEST_CASE("each Ultra DMA mode has the rate of its name")
{
    const double wanted[] = {16.7, 25, 33.3, 44.4, 66.7, 100, 133.3};
    for (const auto& mode : pataModeTable) {
        PataConfig config;
        config.mode = mode.value;
        const PataTiming timing(config);
        CHECK(megabytesPerSecond(timing.onLine(512 * 1000), 1000) ==
              Approx(wanted[static_cast<std::size_t>(mode.value)]).epsilon(0.003));
    }
}

TEST_CASE("a parallel ATA command takes registers, the drive's time, its bursts, the interrupt and the status")
{
    const Request request = GENERATE(read(8, 8), write(8, 8), read(0, 12), write(0, 12), flush());
    PataConfig config;
    config.submit = 7us;
    config.interrupt = 3us;
    PataBench bench(config, drive(20us), {{{request}, closedLoop(1)}});
    bench.run();
    CHECK(bench.elapsed() == pataCommandTime(config, request.sectors) + 20us);
    CHECK(bench.driver.readyTime() == 2 * (7us + 3us) + (2 * 7 + 2 * 2 + 256) * 120ns);
}

TEST_CASE("a trim carries its ranges to the drive in bursts")
{
    PataBench bench(PataConfig{}, drive(20us), {{{trim(0, 4096)}, closedLoop(1)}});
    bench.run();
    const PataTiming timing(PataConfig{});
    CHECK(bench.elapsed() == timing.command() + timing.burst(512) + 20us + timing.status());
}

TEST_CASE("one command at a time, at any queue depth of the workload")
{
    std::vector<Request> requests;
    for (std::uint64_t i = 0; i < 50; ++i)
        requests.push_back(i % 2 == 0 ? read(i * 8, 8) : write(i * 8, 8));
    PataBench bench(PataConfig{}, drive(20us), {{requests, closedLoop(8)}});
    bench.run();
    CHECK(bench.elapsed() == 50 * (pataCommandTime(PataConfig{}, 8) + 20us));
    CHECK(bench.driver.results()[0].queueDepth == 1);
}

TEST_CASE("a slow host paces the bursts of a parallel ATA port")
{
    PataConfig config;
    config.hostBytesPerSecond = 75'000'000;
    PataBench bench(config, drive(0us), {{{read(0, 256), write(0, 256)}, closedLoop(1)}});
    bench.run();
    CHECK(bench.elapsed() == 2 * pataCommandTime(config, 256));
    const double rate = megabytesPerSecond(bench.elapsed(), 512);
    CHECK(rate > 73.5);
    CHECK(rate < 75);
    const Time words = 131'072 / 2 * 20ns;
    const Time atHost = 32 * transferTime(4096, 75'000'000);
    CHECK(bench.link.counters().hostPaused == 2 * (atHost - words));
    CHECK(bench.link.counters().bursts == 64);
    bench.link.resetUsage();
    CHECK(bench.link.counters().bursts == 0);
    CHECK(bench.link.line().usage().jobs == 0);
}

TEST_CASE("a burst waits for its first sector and ends no earlier than its last")
{
    FakeSsd::Config slow = drive(0us);
    slow.perSector = 10us; // on the line: 5.12 us
    PataBench reading(PataConfig{}, slow, {{{read(0, 8)}, closedLoop(1)}});
    reading.run();
    const PataTiming timing(PataConfig{});
    CHECK(reading.elapsed() == timing.command() + 80us + 5'120ns + timing.status());
    CHECK(reading.link.counters().held == 80us + 5'120ns - 10us - timing.burst(4096));
    PataBench writing(PataConfig{}, slow, {{{write(0, 8)}, closedLoop(1)}});
    writing.run();
    CHECK(writing.elapsed() == timing.command() + 80us + timing.status());
}

TEST_CASE("the fetch of a burst overlaps the burst before it")
{
    FakeSsd::Config config = drive(0us);
    config.perSector = 4us; // a burst of eight: 32 us in memory, 41.285 us on the line
    PataBench bench(PataConfig{}, config, {{{read(0, 64)}, closedLoop(1)}});
    bench.run();
    const PataTiming timing(PataConfig{});
    CHECK(bench.elapsed() == timing.command() + 4us + 8 * timing.burst(4096) + timing.status());
}

TEST_CASE("data over a parallel ATA port is checked, transfer by transfer")
{
    std::vector<Request> requests;
    for (std::uint64_t i = 0; i < 64; ++i) {
        requests.push_back(write(i * 24, 24));
        requests.push_back(read(i * 24, 24));
    }
    FakeSsd::Config config = drive(5us);
    config.transferSectors = GENERATE(0U, 6U, 8U);
    config.mode = GENERATE(DataMode::Tags, DataMode::Bytes);
    PataBench good(PataConfig{}, config, {{requests, closedLoop(1)}});
    good.run();
    CHECK(good.driver.integrity().checkedSectors() == 64 * 24);
    CHECK(good.driver.integrity().mismatches() == 0);

    PataBench bad(PataConfig{}, config, {{requests, closedLoop(1)}});
    bad.ssd.corrupt = [](const Command& command, std::uint32_t first, std::uint32_t, Content content) {
        if (command.kind == RequestKind::Read && command.lba == 48 && first == 0)
            content.data[0] ^= std::byte{1};
    };
    bad.run();
    CHECK(bad.driver.integrity().mismatches() == 1);
}

TEST_CASE("an error of the drive arrives with the status")
{
    PataBench bench(PataConfig{}, drive(5us), {{{flush(), read(0, 8)}, closedLoop(1)}});
    bench.ssd.judge = [](const Command& command) {
        return command.kind == RequestKind::Flush ? CommandStatus::DeviceFault : CommandStatus::Ok;
    };
    bench.run();
    REQUIRE(bench.driver.firstFailures().size() == 1);
    CHECK(bench.driver.firstFailures()[0].status == CommandStatus::DeviceFault);
    CHECK(bench.driver.results()[0].completed == 2);
}

TEST_CASE("misuse of a parallel ATA port fails a check")
{
    FakeSsd::Config two = drive(0us);
    two.slots = 2;
    CHECK_THROWS(PataBench(PataConfig{}, two, {}));
    PataConfig half;
    half.burstBytes = 256;
    CHECK_THROWS(PataTiming(half));
    PataBench bench(PataConfig{}, drive(0us), {{{read(0, 8)}, closedLoop(1)}});
    CHECK_THROWS(bench.link.issue({}, Time{})); // not identified yet
}
