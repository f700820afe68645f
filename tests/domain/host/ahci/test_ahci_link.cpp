// SPDX-License-Identifier: Apache-2.0
//
// Driver, AHCI adapter, SATA link and a fake drive, without a kernel; and the same over the bare SATA port.
#include "models/base/rng.h"
#include "models/host/ahci/ahci_link.h"
#include "tests/domain/host/sata_bench.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::host;
using namespace strobe::test;
using namespace std::chrono_literals;

namespace {

using AhciBench = LinkBench<AhciLink, AhciPortConfig>;

AhciPortConfig withoutRegisters()
{
    AhciPortConfig config;
    config.ahci = {{}, {}, {}, {}, {}};
    return config;
}

FakeSsd::Config drive(Time latency)
{
    FakeSsd::Config config;
    config.latency = latency;
    return config;
}

std::vector<Request> requests(std::size_t count)
{
    Rng rng(11, "ahci");
    std::vector<Request> made;
    for (std::size_t i = 0; i < count; ++i) {
        const auto sectors = static_cast<std::uint32_t>(1 + rng.below(i % 50 == 0 ? 4000 : 48));
        const std::uint64_t lba = rng.below((1 << 16) - sectors);
        const std::uint64_t kind = rng.below(100);
        made.push_back(kind < 48   ? read(lba, sectors)
                       : kind < 96 ? write(lba, sectors)
                       : kind < 98 ? trim(lba, sectors)
                                   : flush());
    }
    return made;
}

} // namespace

TEST_CASE("with AHCI registers that take no time a workload takes as long as over the SATA port alone")
{
    const std::uint32_t depth = GENERATE(1U, 4U, 32U);
    FakeSsd::Config config = drive(20us);
    config.transferSectors = 8;
    config.perSector = 100ns;
    const std::vector<PhaseScript> phases{{requests(500), closedLoop(depth)}};
    AhciBench ahci(withoutRegisters(), config, phases);
    ahci.run();
    SataBench sata({}, config, phases);
    sata.run();
    CHECK(ahci.driver.integrity().mismatches() == 0);
    CHECK(ahci.driver.integrity().checkedSectors() == sata.driver.integrity().checkedSectors());
    CHECK(ahci.elapsed() == sata.finishedAt - sata.driver.readyTime());
    CHECK(ahci.link.link().line().usage().jobs > 0);
}

TEST_CASE("a queued command alone takes the SATA port's time and its register accesses")
{
    const Request request = GENERATE(read(8, 8), write(8, 8), read(0, 256));
    AhciPortConfig config;
    config.ahci.submit = 3us;
    config.ahci.interrupt = 2us;
    AhciBench ahci(config, drive(20us), {{{request}, closedLoop(1)}});
    ahci.run();
    SataBench sata({}, drive(20us), {{{request}, closedLoop(1)}});
    sata.run();
    CHECK(ahci.elapsed() == sata.finishedAt - sata.driver.readyTime() + ahciOverhead(config.ahci));
    CHECK(ahciOverhead(AhciConfig{}) == 150ns + 2 * 200ns + 3 * 500ns);
}

TEST_CASE("a trim or flush has no PxSACT to write, and as many registers to read")
{
    const Request request = GENERATE(trim(0, 200'000 % (1 << 16)), flush());
    AhciBench ahci(AhciPortConfig{}, drive(20us), {{{request}, closedLoop(1)}});
    ahci.run();
    SataBench sata({}, drive(20us), {{{request}, closedLoop(1)}});
    sata.run();
    CHECK(ahci.elapsed() == sata.finishedAt - sata.driver.readyTime() + ahciOverhead(AhciConfig{}));
    CHECK(ahci.ssd.submitted[0].kind == request.kind);
    CHECK(ahci.ssd.submitted[0].lba == request.lba);
    CHECK(ahci.ssd.submitted[0].sectors == request.sectors);
}

TEST_CASE("commands of all kinds move their data by region lists, in every data mode")
{
    FakeSsd::Config config = drive(20us);
    config.mode = GENERATE(DataMode::Tags, DataMode::Bytes, DataMode::None);
    config.transferSectors = GENERATE(0U, 24U);
    AhciBench bench(AhciPortConfig{}, config, {{requests(500), closedLoop(32)}});
    bench.run();
    CHECK(bench.driver.results()[0].completed == 500);
    CHECK(bench.driver.integrity().mismatches() == 0);
    CHECK((config.mode == DataMode::None || bench.driver.integrity().checkedSectors() > 5000));
    CHECK(bench.link.hba().counters().aborted == 0);
}

TEST_CASE("the largest command is split into regions of a page each")
{
    FakeSsd::Config config = drive(0us);
    config.capacity = 1 << 17;
    AhciBench bench(AhciPortConfig{}, config, {{{write(8, 65'536), read(8, 65'536)}, closedLoop(1)}});
    bench.run();
    CHECK(bench.driver.integrity().mismatches() == 0);
    CHECK(bench.driver.integrity().checkedSectors() == 65'536);
    CHECK(bench.ssd.submitted[0].sectors == 65'536);
}

TEST_CASE("a trim of more than one block of ranges arrives whole")
{
    FakeSsd::Config config = drive(0us);
    config.capacity = 5'000'000;
    config.mode = DataMode::None;
    AhciBench bench(AhciPortConfig{}, config, {{{trim(1000, 4'500'000)}, closedLoop(1)}});
    bench.run();
    REQUIRE(bench.ssd.submitted.size() == 1);
    CHECK(bench.ssd.submitted[0].lba == 1000);
    CHECK(bench.ssd.submitted[0].sectors == 4'500'000);
}

TEST_CASE("each command's own status comes back, FUA goes out")
{
    Request urgent = write(64, 8);
    urgent.fua = true;
    AhciBench bench(AhciPortConfig{}, drive(5us),
                    {{{urgent, read(0, 8), read(8, 8), read(16, 8), flush()}, closedLoop(4)}});
    bench.ssd.judge = [](const Command& command) {
        return command.lba == 8                     ? CommandStatus::Uncorrectable
               : command.kind == RequestKind::Flush ? CommandStatus::DeviceFault
                                                    : CommandStatus::Ok;
    };
    bench.run();
    CHECK(bench.ssd.submitted[0].fua);
    const auto& failures = bench.driver.firstFailures();
    REQUIRE(failures.size() == 2);
    CHECK(failures[0].status == CommandStatus::Uncorrectable);
    CHECK(failures[0].request.lba == 8);
    CHECK(failures[1].status == CommandStatus::DeviceFault);
}

TEST_CASE("one interrupt reports completions that arrived together")
{
    std::vector<Request> reads;
    for (std::uint64_t i = 0; i < 400; ++i)
        reads.push_back(read(i % 100 * 8, 8));
    AhciPortConfig config;
    config.ahci.interrupt = 50us;
    AhciBench bench(config, drive(10us), {{reads, closedLoop(32)}});
    bench.run();
    CHECK(bench.driver.results()[0].completed == 400);
    CHECK(bench.link.hba().counters().interrupts < 200);
    bench.link.resetUsage();
    CHECK(bench.link.hba().counters().interrupts == 0);
}

TEST_CASE("the driver finds the drive by signature and IDENTIFY")
{
    AhciBench bench(AhciPortConfig{}, drive(0us), {});
    bench.run();
    CHECK(bench.driver.capacitySectors() == 1 << 16);
    CHECK(bench.driver.readyTime() < 2ms);
    CHECK(bench.driver.isFinished());
}

TEST_CASE("a command issued while the driver reads the outstanding commands is not treated as done")
{
    // Open loop: arrivals fall between the handler's register accesses.
    std::vector<Request> made = requests(2000);
    for (std::size_t i = 0; i < made.size(); ++i)
        made[i].arrival = 1100ns * static_cast<std::int64_t>(i);
    FakeSsd::Config config = drive(3us);
    AhciBench bench(AhciPortConfig{}, config, {{made, openLoop()}});
    bench.run();
    CHECK(bench.driver.results()[0].completed == 2000);
    CHECK(bench.driver.integrity().mismatches() == 0);
}

TEST_CASE("resets of the adapter under load: what is not complete is sent again, and all data is what it must be")
{
    const DataMode mode = GENERATE(DataMode::Tags, DataMode::Bytes);
    AhciPortConfig config;
    config.ahci.submit = GENERATE(0ns, 2us);
    config.ahci.interrupt = GENERATE(0ns, 5us);
    config.ahci.registerWrite = GENERATE(150ns, 3us); // 3 us: longer than a read, which passes no write
    for (int i = 1; i <= 40; ++i)
        config.ahci.faults.resets.push_back(3ms + i * 1ms * 6 + i * 7us);
    FakeSsd::Config ssd = drive(300us);
    ssd.mode = mode;
    ssd.transferSectors = 8;
    ssd.perSector = 3us;
    AhciBench bench(config, ssd, {{requests(1500), closedLoop(32)}});
    bench.run();
    const HostFaultCounters& faults = bench.link.driver().faults();
    CHECK(faults.resets >= 10);
    CHECK(faults.sentAgain >= faults.resets);
    CHECK(faults.longestReset > 100us);
    CHECK(bench.driver.results()[0].completed == 1500);
    CHECK(bench.driver.integrity().mismatches() == 0);
    CHECK(bench.driver.integrity().checkedSectors() > 5'000);
    for (const KindResult& kind : bench.driver.results()[0].kinds)
        CHECK(kind.failed == 0);
}
