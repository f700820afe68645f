// SPDX-License-Identifier: Apache-2.0
#include "tests/domain/host/sata_bench.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::host;
using namespace strobe::test;
using namespace std::chrono_literals;

namespace {

// The drive is a constant: what remains are the frames.
FakeSsd::Config drive(Time latency)
{
    FakeSsd::Config config;
    config.latency = latency;
    return config;
}

Time timeOf(const SataConfig& config, FisType type)
{
    return FrameTiming(config).frame(type);
}

std::vector<Request> sequentialReads(std::uint64_t count, std::uint32_t sectors, std::uint64_t capacity)
{
    std::vector<Request> requests;
    for (std::uint64_t i = 0; i < count; ++i)
        requests.push_back(read(i * sectors % capacity, sectors));
    return requests;
}

const KindResult& resultOf(const SataBench& bench, RequestKind kind, KindResults& keep)
{
    keep = bench.driver.measured();
    return keep[static_cast<std::size_t>(kind)];
}

} // namespace

TEST_CASE("the drive announces itself and is identified before the first command")
{
    SataBench bench({}, drive(0us), {});
    std::vector<FisType> types;
    bench.link.observe([&](const FrameRecord& frame) { types.push_back(frame.type); });
    const SataConfig config;
    bench.run();
    // The signature was already on the line when the observer was attached.
    CHECK(types == std::vector<FisType>{FisType::RegisterHostToDevice, FisType::PioSetup, FisType::Data});
    const FrameTiming timing(config);
    CHECK(bench.driver.readyTime() == timing.frame(FisType::RegisterDeviceToHost) +
                                          timing.frame(FisType::RegisterHostToDevice) +
                                          timing.frame(FisType::PioSetup) + timing.data(1));
    CHECK(bench.driver.capacitySectors() == (1 << 16));
    CHECK(bench.finishedAt == bench.driver.readyTime());
}

TEST_CASE("a queued read is command, acceptance, DMA setup, data and Set Device Bits, to the picosecond")
{
    const SataConfig config;
    const FrameTiming timing(config);
    SataBench bench(config, drive(50us), {{{read(80, 8)}, closedLoop(1)}});
    bench.run();
    CHECK(bench.sequence() == "27> <34 <41 <46 <A1");
    const Time start = bench.driver.readyTime();
    REQUIRE(bench.frames.size() == 5);
    CHECK(bench.frames[0].start == start);
    CHECK(bench.frames[1].start == bench.frames[0].end);
    const Time served = bench.frames[0].end + 50us; // the drive has the command when its frame has ended
    CHECK(bench.frames[2].start == served);
    CHECK(bench.frames[3].start == bench.frames[2].end);
    CHECK(bench.frames[3].payload == 4096);
    CHECK(bench.frames[3].end - bench.frames[3].start == timing.data(8));
    CHECK(bench.finishedAt - start == timing.frame(FisType::RegisterHostToDevice) + 50us +
                                          timing.frame(FisType::DmaSetup) + timing.data(8) +
                                          timing.frame(FisType::SetDeviceBits));
    KindResults keep;
    CHECK(resultOf(bench, RequestKind::Read, keep).latency.maximum() == bench.finishedAt - start);
}

TEST_CASE("a long queued write requests each data frame except the first")
{
    SataConfig config;
    SataBench bench(config, drive(50us), {{{write(0, 40)}, closedLoop(1)}});
    bench.run();
    CHECK(bench.sequence() == "27> <34 <41 46> <39 46> <39 46> <A1");
    const Time acceptance = timeOf(config, FisType::RegisterDeviceToHost);
    CHECK(bench.finishedAt - bench.driver.readyTime() == queuedWriteTime(config, 40) - acceptance + 50us);
    CHECK(bench.link.counters().bytesToDrive == 40 * 512);

    config.autoActivate = false;
    SataBench asking(config, drive(50us), {{{write(0, 40)}, closedLoop(1)}});
    asking.run();
    CHECK(asking.sequence() == "27> <34 <41 <39 46> <39 46> <39 46> <A1");
    CHECK(asking.finishedAt - asking.driver.readyTime() == queuedWriteTime(config, 40) - acceptance + 50us);
}

TEST_CASE("a flush is answered by a Register FIS")
{
    const SataConfig config;
    SataBench bench(config, drive(50us), {{{flush()}, closedLoop(1)}});
    bench.run();
    CHECK(bench.sequence() == "27> <34");
    CHECK(bench.finishedAt - bench.driver.readyTime() ==
          timeOf(config, FisType::RegisterHostToDevice) + 50us + timeOf(config, FisType::RegisterDeviceToHost));
}

TEST_CASE("a trim sends its range list before the drive sees the command")
{
    const SataConfig config;
    const FrameTiming timing(config);
    SataBench bench(config, drive(50us), {{{trim(0, 800)}, closedLoop(1)}});
    bench.run();
    CHECK(bench.sequence() == "27> <39 46> <34");
    CHECK(bench.frames[2].payload == 512);
    CHECK(bench.ssd.submitTimes[0] == bench.frames[2].end);
    CHECK(bench.finishedAt == bench.frames[2].end + 50us + timing.frame(FisType::RegisterDeviceToHost));
}

TEST_CASE("a trim of more ranges than a frame holds takes several data frames")
{
    FakeSsd::Config large = drive(0us);
    large.mode = DataMode::None;
    large.capacity = std::uint64_t{1} << 31;
    // 18 blocks of 64 ranges of 65,535 sectors
    SataBench bench({}, large, {{{trim(0, 17 * trimBlockSectors + 1)}, closedLoop(1)}});
    bench.run();
    CHECK(bench.sequence() == "27> <39 46> <39 46> <34");
    CHECK(bench.frames[2].payload == 8192);
    CHECK(bench.frames[4].payload == 1024);
}

TEST_CASE("a flush waits for the queue to run empty and holds back what was issued after it")
{
    SataBench bench({}, drive(50us), {{{read(0, 8), read(8, 8), flush(), read(16, 8)}, closedLoop(4)}});
    bench.run();
    REQUIRE(bench.ssd.submitted.size() == 4);
    CHECK(bench.ssd.submitted[2].kind == RequestKind::Flush);
    CHECK(bench.sequence() == "27> <34 27> <34 <41 <46 <A1 <41 <46 <A1 27> <34 27> <34 <41 <46 <A1");
}

TEST_CASE("commands are sent between the data frames of a long transfer")
{
    // The second command arrives while the first one's 64 KiB are on the line.
    SataBench bench({}, drive(10us), {{{read(0, 128), read(1024, 8, 40us)}, openLoop()}});
    bench.run();
    const std::string sequence = bench.sequence();
    INFO(sequence);
    const auto second = sequence.find("27>", 3);
    REQUIRE(second != std::string::npos);
    CHECK(sequence.find("<46") < second);
    CHECK(sequence.find("<46", second) < sequence.find("<A1", second));
    CHECK(bench.link.counters().frames[static_cast<std::size_t>(FisType::Data)] == 9 + 1); // and IDENTIFY's
}

TEST_CASE("transfers that continue each other share a DMA setup and fill their frames")
{
    FakeSsd::Config paged = drive(50us);
    paged.transferSectors = 4; // 2 KiB pages
    SataBench bench({}, paged, {{{write(0, 64), read(0, 64)}, closedLoop(1)}});
    bench.run();
    // 32 KiB each way: the drive orders 16 transfers; the first is on its own, because it starts at once.
    CHECK(bench.driver.integrity().mismatches() == 0);
    CHECK(bench.driver.integrity().checkedSectors() == 64);
    CHECK(bench.link.counters().dataPhases == 4);
    CHECK(bench.sequence() == "27> <34 <41 46> <41 46> <39 46> <39 46> <39 46> <A1 "
                              "27> <34 <41 <46 <41 <46 <46 <46 <46 <A1");
}

TEST_CASE(
    "a busy link gathers the pages of a command into one data phase even if pages of other commands are between them")
{
    FakeSsd::Config paged = drive(50us);
    paged.transferSectors = 4;    // 2 KiB pages, 7 us on the line at 3 Gb/s,
    paged.betweenTransfers = 2us; // ready at twice the rate, from each of two commands
    SataConfig slow;
    slow.generation = SataGeneration::Gen2;
    SataBench bench(slow, paged, {{{write(0, 128), write(128, 128), read(0, 128), read(128, 128)}, closedLoop(2)}});
    bench.run();
    CHECK(bench.driver.integrity().mismatches() == 0);
    CHECK(bench.driver.integrity().checkedSectors() == 256);
    CHECK(bench.link.counters().dataPhases < 4 * 32 / 3); // 32 pages each
}

TEST_CASE("one Set Device Bits FIS completes all waiting tags if that is asked for")
{
    SataConfig config;
    config.coalesceCompletions = true;
    FakeSsd::Config quick = drive(0us);
    std::vector<Request> requests;
    for (std::uint64_t i = 0; i < 64; ++i)
        requests.push_back(write(i * 8, 8));
    SataBench bench(config, quick, {{requests, closedLoop(32)}});
    // Write completions that come while the line is busy wait for each other: hold them back in bunches.
    bench.run();
    const SataCounters& counters = bench.link.counters();
    CHECK(counters.frames[static_cast<std::size_t>(FisType::SetDeviceBits)] + counters.coalesced == 64);
    CHECK(bench.driver.results()[0].completed == 64);
}

TEST_CASE("completions ordered at one instant are coalesced only if the option is set")
{
    for (const bool coalesce : {false, true}) {
        SataConfig config;
        config.coalesceCompletions = coalesce;
        FakeSsd::Config slow = drive(1us);
        SataBench bench(config, slow, {{{write(0, 8), write(8, 8), write(16, 8)}, closedLoop(3)}});
        // The drive holds the completions until all three transfers are done.
        struct Holder : Front {
            SataLink* link = nullptr;
            std::vector<std::uint16_t> held;
            void driveReady(Time at) override { link->driveReady(at); }
            void transfer(const TransferOrder& order, Time at) override { link->transfer(order, at); }
            void complete(std::uint16_t slot, CommandStatus, Time at) override
            {
                held.push_back(slot);
                for (std::size_t i = 0; held.size() == 3 && i < 3; ++i)
                    link->complete(held[i], CommandStatus::Ok, at);
            }
        } holder;
        holder.link = &bench.link;
        bench.ssd.connect(holder);
        bench.run();
        CHECK(bench.driver.results()[0].completed == 3);
        // They arrive while the line is busy with the last data frame, so all three wait when it ends.
        CHECK(bench.link.counters().coalesced == (coalesce ? 2 : 0));
        CHECK(bench.link.counters().frames[static_cast<std::size_t>(FisType::SetDeviceBits)] == (coalesce ? 1 : 3));
    }
}

TEST_CASE("sequential reads at queue depth 32 saturate the link at its closed form")
{
    struct Row {
        SataGeneration generation;
        double slow, fast; // MB/s
    };
    for (const Row& row : {Row{SataGeneration::Gen1, 145, 147}, Row{SataGeneration::Gen2, 284, 290},
                           Row{SataGeneration::Gen3, 544, 568}}) {
        SataConfig config;
        config.generation = row.generation;
        FakeSsd::Config quick = drive(0us);
        constexpr std::uint64_t count = 500;
        SataBench bench(config, quick, {{sequentialReads(count, 256, quick.capacity), closedLoop(32)}});
        bench.run();
        const Time elapsed = bench.finishedAt - bench.driver.readyTime();
        CHECK(elapsed == queuedReadTime(config, 256) * static_cast<std::int64_t>(count));
        const double rate = static_cast<double>(count) * 256 * 512 / toSeconds(elapsed) / 1e6;
        CHECK(rate > row.slow);
        CHECK(rate < row.fast);
        CHECK(bench.link.line().usage().busy == bench.finishedAt);
    }
}

TEST_CASE("4 KiB reads at queue depth 32 reach the published rates")
{
    struct Row {
        SataGeneration generation;
        double slow, fast; // thousand per second
    };
    for (const Row& row :
         {Row{SataGeneration::Gen1, 30, 32}, Row{SataGeneration::Gen2, 52, 60}, Row{SataGeneration::Gen3, 82, 104}}) {
        SataConfig config;
        config.generation = row.generation;
        FakeSsd::Config quick = drive(5us);
        constexpr std::uint64_t count = 4000;
        SataBench bench(config, quick, {{sequentialReads(count, 8, quick.capacity), closedLoop(32)}});
        bench.run();
        const Time elapsed = bench.finishedAt - bench.driver.readyTime();
        const double rate = 1e-3 * static_cast<double>(count) / toSeconds(elapsed);
        CHECK(rate > row.slow);
        CHECK(rate < row.fast);
    }
}

TEST_CASE("a damaged frame without data is sent again: each time costs one more frame, and no data changes")
{
    std::vector<Request> requests;
    for (std::uint64_t i = 0; i < 200; ++i) {
        requests.push_back(write(i * 8, 8));
        requests.push_back(read(i * 8, 8));
    }
    SataConfig config;
    SataBench clean(config, drive(0us), {{requests, closedLoop(1)}});
    clean.run();
    config.errors.damaged = 0.1;
    SataBench bench(config, drive(0us), {{requests, closedLoop(1)}});
    bench.run();
    const LinkErrorCounters& errors = bench.link.errors();
    CHECK(errors.damaged > 100);
    CHECK(errors.repeats >= timeOf(config, FisType::DmaActivate) * static_cast<std::int64_t>(errors.damaged));
    CHECK(bench.finishedAt == clean.finishedAt + errors.repeats); // one command at a time: nothing hides them
    CHECK(bench.driver.integrity().mismatches() == 0);
    CHECK(bench.driver.integrity().checkedSectors() == 1'600);
}
