// SPDX-License-Identifier: Apache-2.0
//
// Driver, NVMe port and a fake drive, without a kernel: times in closed form, data, arbitration.
#include "models/base/rng.h"
#include "models/host/nvme/nvme_link.h"
#include "tests/domain/host/link_bench.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::host;
using namespace strobe::test;
using namespace std::chrono_literals;

namespace {

using NvmeBench = LinkBench<NvmeLink, NvmeConfig>;

FakeSsd::Config drive(Time latency, std::uint32_t slots = 256)
{
    FakeSsd::Config config;
    config.latency = latency;
    config.slots = slots;
    return config;
}

std::vector<Request> manyReads(std::size_t count, std::uint32_t sectors)
{
    std::vector<Request> requests;
    for (std::uint64_t i = 0; i < count; ++i)
        requests.push_back(read(i % 64 * sectors, sectors));
    return requests;
}

} // namespace

TEST_CASE("an unloaded NVMe command takes the sum of its packets and the drive's time")
{
    const std::uint32_t sectors = GENERATE(1U, 8U, 16U);
    NvmeConfig config;
    config.pcie.generation = GENERATE(PcieGeneration::Gen1, PcieGeneration::Gen3, PcieGeneration::Gen4,
                                      PcieGeneration::Gen5, PcieGeneration::Gen6);
    config.pcie.lanes = GENERATE(1U, 4U);
    config.submit = 700ns;
    config.interrupt = 1300ns;
    NvmeBench reading(config, drive(20us), {{{read(8, sectors)}, closedLoop(1)}});
    reading.run();
    CHECK(reading.elapsed() == nvmeCommandTime(config, true, sectors) + 20us);
    NvmeBench writing(config, drive(20us), {{{write(8, sectors)}, closedLoop(1)}});
    writing.run();
    CHECK(writing.elapsed() == nvmeCommandTime(config, false, sectors) + 20us);
}

TEST_CASE("a 4 KiB read over 4 lanes of gen3 takes these packets")
{
    const NvmeConfig config;
    const auto line = [&](std::uint64_t bytes) { return pcieLineTime(config.pcie, bytes); };
    const Time expected = line(24) + 150ns           // doorbell
                          + line(24) + 150ns + 200ns // request for the queue entry
                          + line(64 + 20) + 150ns    // the entry
                          + line(4096 + 16 * 24)     // data
                          + line(16 + 24)            // completion
                          + line(4 + 20) + 150ns;    // message
    CHECK(nvmeCommandTime(config, true, 8) == expected);
    CHECK(toMicroseconds(expected) == Approx(2.0).epsilon(0.02));
}

TEST_CASE("large reads and writes come within one percent of the link's payload rate, three percent from gen5 on")
{
    NvmeConfig config;
    config.pcie.generation = GENERATE(PcieGeneration::Gen1, PcieGeneration::Gen2, PcieGeneration::Gen3,
                                      PcieGeneration::Gen4, PcieGeneration::Gen5, PcieGeneration::Gen6);
    config.pcie.lanes = GENERATE(1U, 2U, 4U);
    config.pcie.maxPayload = GENERATE(128U, 256U, 512U);
    NvmeBench reading(config, drive(0us), {{manyReads(1000, 256), closedLoop(16)}});
    reading.run();
    // A command costs a fixed time beside its data, which is the larger part of the time the faster the link is.
    const double tolerance = config.pcie.generation < PcieGeneration::Gen5 ? 0.01 : 0.03;
    const double readRate = 1000 * 256 * 512.0 / toSeconds(reading.elapsed());
    CHECK(readRate == Approx(peakWriteRate(config.pcie)).epsilon(tolerance));
    std::vector<Request> writes = manyReads(1000, 256);
    for (Request& request : writes)
        request.kind = RequestKind::Write;
    NvmeBench writing(config, drive(0us), {{writes, closedLoop(16)}});
    writing.run();
    const double writeRate = 1000 * 256 * 512.0 / toSeconds(writing.elapsed());
    CHECK(writeRate == Approx(peakReadRate(config.pcie)).epsilon(tolerance));
}

TEST_CASE("commands of every size and kind move their data by page lists")
{
    const DataMode mode = GENERATE(DataMode::Tags, DataMode::Bytes, DataMode::None);
    Rng rng(3, "nvme");
    std::vector<Request> requests;
    for (int i = 0; i < 400; ++i) {
        const auto sectors = static_cast<std::uint32_t>(1 + rng.below(i % 20 == 0 ? 12'000 : 60));
        const std::uint64_t lba = rng.below((1 << 16) - sectors);
        const std::uint64_t kind = rng.below(100);
        requests.push_back(kind < 48   ? read(lba, sectors)
                           : kind < 96 ? write(lba, sectors)
                           : kind < 98 ? trim(lba, sectors)
                                       : flush());
    }
    FakeSsd::Config config = drive(20us, 8);
    config.mode = mode;
    config.transferSectors = GENERATE(0U, 8U, 24U);
    config.perSector = 100ns;
    NvmeConfig nvme;
    nvme.queues = 3;
    nvme.queueEntries = 8;
    NvmeBench bench(nvme, config, {{requests, closedLoop(32)}});
    bench.run();
    CHECK(bench.driver.results()[0].completed == 400);
    CHECK(bench.driver.results()[0].queueDepth == 21); // three queues of seven
    CHECK(bench.driver.integrity().mismatches() == 0);
    CHECK((mode == DataMode::None || bench.driver.integrity().checkedSectors() > 10'000));
}

TEST_CASE("a sector that the drive corrupts is detected over an NVMe port")
{
    NvmeBench bench(NvmeConfig{}, drive(5us), {{{write(0, 64), read(0, 64)}, closedLoop(1)}});
    bench.ssd.corrupt = [](const Command& command, std::uint32_t first, std::uint32_t, Content content) {
        if (command.kind == RequestKind::Read && first == 0)
            content.at(17).data[0] ^= std::byte{1};
    };
    bench.run();
    CHECK(bench.driver.integrity().mismatches() == 1);
}

TEST_CASE("FUA and the drive's errors are passed with the command")
{
    Request urgent = write(0, 8);
    urgent.fua = true;
    NvmeBench bench(NvmeConfig{}, drive(5us), {{{urgent, write(8, 8), read(16, 8), flush()}, closedLoop(1)}});
    bench.ssd.judge = [](const Command& command) {
        return command.kind == RequestKind::Read ? CommandStatus::Uncorrectable : CommandStatus::Ok;
    };
    bench.run();
    CHECK(bench.ssd.submitted[0].fua);
    CHECK_FALSE(bench.ssd.submitted[1].fua);
    REQUIRE(bench.driver.firstFailures().size() == 1);
    CHECK(bench.driver.firstFailures()[0].status == CommandStatus::Uncorrectable);
}

TEST_CASE("commands beyond the drive's slots wait in their queues")
{
    NvmeBench bench(NvmeConfig{}, drive(1ms, 4), {{manyReads(100, 8), closedLoop(50)}});
    bench.run();
    CHECK(bench.driver.results()[0].queueDepth == 50);
    CHECK(bench.driver.results()[0].completed == 100);
    CHECK(bench.elapsed() > 25ms);
    CHECK(bench.elapsed() < 25ms + 25 * 10us);
}

TEST_CASE("weighted arbitration serves the classes by their weights when the drive is short of slots")
{
    NvmeConfig config;
    config.queues = 4;
    config.arbitration = nvme::Arbitration::Weighted;
    config.burstExponent = 0;
    config.weights = {6, 3, 1};
    config.classes = {0, 1, 1};
    std::vector<Request> requests = manyReads(2000, 8);
    NvmeBench bench(config, drive(100us, 2), {{requests, closedLoop(400)}});
    Time stop{};
    while (bench.step() && bench.ssd.submitted.size() < 150)
        stop = bench.now;
    const auto& by = bench.link.function().controller().counters().byPriority;
    CHECK(by[0] == 0);
    CHECK(static_cast<double>(by[1]) / static_cast<double>(by[2]) == Approx(2).epsilon(0.1));
    CHECK(static_cast<double>(by[2]) / static_cast<double>(by[3]) == Approx(3).epsilon(0.1));
}

TEST_CASE("coalesced interrupts are fewer, and every completion is still seen")
{
    NvmeConfig config;
    config.queues = 1;
    config.coalesce = 8;
    config.coalesceTime = 100us;
    NvmeBench bench(config, drive(30us), {{manyReads(801, 8), closedLoop(16)}});
    bench.run();
    CHECK(bench.driver.results()[0].completed == 801);
    CHECK(bench.link.function().controller().counters().messages < 801 / 4);
}

TEST_CASE("an interrupt that takes long finds several completions")
{
    NvmeConfig config;
    config.queues = 1;
    config.interrupt = 50us;
    NvmeBench bench(config, drive(10us), {{manyReads(320, 8), closedLoop(32)}});
    bench.run();
    CHECK(bench.driver.results()[0].completed == 320);
    CHECK(bench.elapsed() < 320 * 20us);
}

TEST_CASE("requests larger than a command are divided, and end with the last of their commands")
{
    NvmeConfig config;
    config.queues = 2;
    config.queueEntries = 16;
    config.maxTransfer = 128 << 10;
    NvmeBench bench(config, drive(20us),
                    {{{read(0, 1000), write(4096, 256), read(0, 257), trim(0, 1000)}, closedLoop(1)}});
    bench.run();
    std::vector<std::uint32_t> sectors;
    for (const Command& command : bench.ssd.submitted)
        sectors.push_back(command.sectors);
    // A command without a page list overtakes one whose list is on its way.
    CHECK(sectors == std::vector<std::uint32_t>{256, 256, 256, 232, 256, 1, 256, 1000});
    CHECK(bench.ssd.submitted[3].lba == 768);
    CHECK(bench.driver.results()[0].completed == 4);
    CHECK(bench.driver.integrity().mismatches() == 0);
}

TEST_CASE("divided requests with more commands than the queues have entries wait for free ones")
{
    Rng rng(5, "parts");
    std::vector<Request> requests;
    for (int i = 0; i < 200; ++i) {
        const auto sectors = static_cast<std::uint32_t>(1 + rng.below(3000));
        const std::uint64_t lba = rng.below((1 << 16) - sectors);
        requests.push_back(i % 2 == 0 ? write(lba, sectors) : read(lba, sectors));
    }
    NvmeConfig config;
    config.queues = 2;
    config.queueEntries = 5;
    config.maxTransfer = 16 << 10; // so that a request has up to 94 commands
    if (GENERATE(false, true))
        config.faults.resets = {3ms, 7ms};
    NvmeBench bench(config, drive(20us), {{requests, closedLoop(8)}});
    bench.run();
    CHECK(bench.driver.results()[0].completed == 200);
    CHECK(bench.driver.results()[0].queueDepth == 8);
    CHECK(bench.driver.integrity().mismatches() == 0);
    CHECK(bench.driver.integrity().checkedSectors() > 10'000);
    CHECK(bench.link.driver().faults().resets == config.faults.resets.size());
}

TEST_CASE("the CPU of a queue limits its commands, and delays a single one by its time")
{
    NvmeConfig config;
    config.queues = 1;
    config.cpuTime = 4us;
    NvmeBench alone(config, drive(20us), {{{read(8, 8)}, closedLoop(1)}});
    alone.run();
    CHECK(alone.elapsed() == nvmeCommandTime(config, true, 8) + 20us + 4us);
    for (const std::uint32_t queues : {1U, 2U}) {
        CAPTURE(queues);
        config.queues = queues;
        NvmeBench many(config, drive(10us), {{manyReads(1000, 1), closedLoop(64)}});
        many.run();
        const double perCommand = toMicroseconds(many.elapsed()) / 1000;
        CHECK(perCommand == Approx(4.0 / queues).epsilon(0.05));
    }
}

TEST_CASE("a driver that shuts the controller down waits for the drive's flush")
{
    NvmeBench bench(NvmeConfig{}, drive(20us), {{{write(0, 8)}, closedLoop(1)}});
    bench.run();
    Time doneAt = never;
    const Time asked = bench.now;
    bench.link.driver().shutDown(bench.now, [&](Time at) { doneAt = at; });
    bench.run();
    REQUIRE(doneAt != never);
    CHECK(doneAt >= asked + 20us);
    CHECK(bench.ssd.submitted.back().kind == RequestKind::Flush);
}

TEST_CASE("the host detects an NVMe drive some packets and commands after firmware is ready")
{
    NvmeBench bench(NvmeConfig{}, drive(0us), {{{read(0, 8)}, closedLoop(1)}});
    bench.run();
    CHECK(bench.driver.readyTime() > 10us);
    CHECK(bench.driver.readyTime() < 100us);
    CHECK(bench.driver.capacitySectors() == 1 << 16);
    CHECK(bench.link.function().controller().counters().errors == 0);
    CHECK(bench.link.driver().asyncEvents().empty());
}

namespace {

// Many overlapping reads, writes and trims of a few sectors, whose data moves while resets come.
std::vector<Request> crowd(std::size_t count)
{
    Rng rng(5, "crowd");
    std::vector<Request> requests;
    for (std::size_t i = 0; i < count; ++i) {
        const auto sectors = static_cast<std::uint32_t>(1 + rng.below(40));
        const std::uint64_t lba = rng.below(400);
        const std::uint64_t kind = rng.below(100);
        requests.push_back(kind < 45 ? read(lba, sectors) : kind < 90 ? write(lba, sectors) : trim(lba, sectors));
    }
    for (std::uint64_t lba = 0; lba < 400; lba += 40)
        requests.push_back(read(lba, 40));
    return requests;
}

} // namespace

TEST_CASE("resets under load: what is not complete is sent again, and all data is what it must be")
{
    const DataMode mode = GENERATE(DataMode::Tags, DataMode::Bytes);
    NvmeConfig config;
    config.queues = 2;
    config.queueEntries = 16;
    config.submit = GENERATE(0ns, 2us);
    config.interrupt = GENERATE(0ns, 5us);
    for (int i = 1; i <= 40; ++i)
        config.faults.resets.push_back(3ms + i * 1ms * 6 + i * 7us);
    FakeSsd::Config ssd = drive(300us, 8);
    ssd.mode = mode;
    ssd.transferSectors = 8;
    ssd.perSector = 3us;
    NvmeBench bench(config, ssd, {{crowd(1500), closedLoop(24)}});
    bench.run();
    const HostFaultCounters& faults = bench.link.driver().faults();
    CHECK(faults.resets >= 10);
    CHECK(faults.sentAgain >= faults.resets);
    CHECK(faults.longestReset > 1ms); // a poll
    CHECK(bench.driver.results()[0].completed == bench.driver.results()[0].issued);
    CHECK(bench.driver.results()[0].completed == 1510);
    CHECK(bench.driver.integrity().mismatches() == 0);
    CHECK(bench.driver.integrity().checkedSectors() > 5'000);
    for (const KindResult& kind : bench.driver.results()[0].kinds)
        CHECK(kind.failed == 0);
}

TEST_CASE("an abort ends a command that still waits for its page list, and no other; it is sent again")
{
    NvmeConfig config;
    for (int i = 1; i <= 300; ++i)
        config.faults.aborts.push_back(4ms + i * 21us);
    config.pcie.memoryLatency = 15us; // page lists take their time
    NvmeBench bench(config, drive(10us, 64), {{manyReads(2000, 64), closedLoop(8)}});
    bench.run();
    const HostFaultCounters& faults = bench.link.driver().faults();
    CHECK(faults.aborts > 100);
    CHECK(faults.aborted > 5);
    CHECK(faults.aborted < faults.aborts);
    CHECK(faults.sentAgain == faults.aborted);
    CHECK(bench.driver.results()[0].completed == 2000);
    CHECK(bench.driver.results()[0].kinds[0].failed == 0);
}

TEST_CASE("errors on the link cost time, are counted and change no data")
{
    NvmeConfig config;
    NvmeBench clean(config, drive(20us, 64), {{crowd(500), closedLoop(8)}});
    clean.run();
    config.pcie.errors.damaged = 0.05;
    config.pcie.errors.lost = 0.02;
    NvmeBench bench(config, drive(20us, 64), {{crowd(500), closedLoop(8)}});
    bench.run();
    CHECK(bench.link.function().link().errors().damaged > 50);
    CHECK(bench.link.function().link().errors().lost > 20);
    CHECK(bench.elapsed() > clean.elapsed());
    CHECK(bench.driver.integrity().mismatches() == 0);
    CHECK(bench.driver.integrity().checkedSectors() > 1'000);
}

// --- queues and namespaces of jobs -----------------------------------------------------------------------------------

TEST_CASE("with a queue of its own a reader passes the writers that wait for the drive, urgent at once")
{
    NvmeConfig config;
    config.queues = 4;
    FakeSsd::Config slow = drive(100us, 8);
    const auto latency = [&](nvme::Arbitration arbitration, std::uint64_t queue) {
        NvmeConfig c = config;
        c.arbitration = arbitration;
        c.classes.urgent = arbitration == nvme::Arbitration::Weighted ? 1 : 0;
        HostDriverConfig host{slow.mode, slow.unitSectors};
        host.queues = c.queues;
        PhaseScript reader{manyReads(50, 8), closedLoop(1), {}};
        reader.config.source.queues.mask = queue;
        PhaseScript writer{{}, closedLoop(128), {}};
        for (std::uint64_t i = 0; i < 20000; ++i)
            writer.requests.push_back(write(4096 + i % 1000 * 8, 8));
        writer.config.name = "writer";
        writer.config.source.queues.mask = 0b0010;
        reader.concurrentJobs.push_back(writer);
        NvmeBench bench(c, slow, host, {reader});
        bench.run();
        const auto& read = bench.driver.results()[0].kinds[static_cast<std::size_t>(RequestKind::Read)];
        return read.latency.mean();
    };
    // 128 writes at 8 in 100 us: 1.6 ms.
    CHECK(latency(nvme::Arbitration::RoundRobin, 0b0010) > 1400us); // behind all of them
    CHECK(latency(nvme::Arbitration::RoundRobin, 0b0001) < 330us);  // behind one burst
    CHECK(latency(nvme::Arbitration::Weighted, 0b0001) < 230us);    // it gets the next slot
}

TEST_CASE("the driver finds the namespaces and sends each request to its own")
{
    NvmeConfig config;
    config.namespaces = {{0, 0.25}, {4 << 20, 0}, {}}; // 16,384 and 8,192 sectors, and the rest
    std::vector<Request> requests;
    for (const std::uint64_t lba : {0U, 16376U, 16384U, 24568U, 24576U, 65528U}) {
        requests.push_back(write(lba, 8));
        requests.push_back(read(lba, 8));
        requests.push_back({RequestKind::Trim, false, lba, 8});
    }
    requests.push_back(flush());
    NvmeBench bench(config, drive(5us), {{requests, closedLoop(1), {}}});
    bench.run();
    CHECK(bench.driver.capacitySectors() == 1 << 16);
    REQUIRE(bench.ssd.submitted.size() == requests.size());
    for (std::size_t i = 0; i < bench.ssd.submitted.size(); ++i) {
        CHECK(bench.ssd.submitted[i].kind == requests[i].kind);
        CHECK(bench.ssd.submitted[i].lba == requests[i].lba);
    }
    CHECK(bench.driver.firstFailures().empty());
    CHECK(bench.driver.integrity().mismatches() == 0);
}
