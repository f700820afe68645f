// SPDX-License-Identifier: Apache-2.0
//
// Driver and SATA port in simulated time, against a fake drive and against the same drive without a kernel.
#include "models/base/config_error.h"
#include "models/host/sata_port_module.h"
#include "tests/domain/host/sata_bench.h"
#include "tests/modules/host/port_system.h"
#include "tests/support/catch.h"
#include "tests/support/kernel_fixture.h"

#include <cstdio>
#include <ctime>

using namespace strobe;
using namespace strobe::host;
using namespace strobe::test;
using namespace std::chrono_literals;

namespace {

using System = PortSystem<SataPortModule, SataConfig>;

FakeSsd::Config drive(Time latency)
{
    FakeSsd::Config config;
    config.latency = latency;
    return config;
}

} // namespace

TEST_CASE("in simulated time a read takes exactly its frames and the drive's latency")
{
    KernelFixture kernel;
    const SataConfig config;
    System system(config, drive(50us), {{{read(0, 8)}, closedLoop(1)}});
    kernel.run();
    const FrameTiming timing(config);
    CHECK(system.finishedAt - system.host.driver().readyTime() == timing.frame(FisType::RegisterHostToDevice) + 50us +
                                                                      timing.frame(FisType::DmaSetup) + timing.data(8) +
                                                                      timing.frame(FisType::SetDeviceBits));
    CHECK(system.finishedAt == now());
}

TEST_CASE("the modules do what the domain objects do without a kernel, to the picosecond")
{
    for (const bool isOpen : {false, true}) {
        KernelFixture kernel;
        FakeSsd::Config config = drive(30us);
        config.perSector = 700ns;
        config.transferSectors = 8;
        PhaseConfig phase = isOpen ? openLoop() : closedLoop(32);
        if (!isOpen)
            phase.pacing.thinkTime = 3us;
        const std::vector<PhaseScript> phases{{mixture(3000, 2000), phase}};
        System system({}, config, phases);
        kernel.run();
        SataBench bench({}, config, phases);
        bench.run();
        REQUIRE(bench.finishedAt != never);
        CHECK(system.finishedAt == bench.finishedAt);
        CHECK(system.port.link().line().usage().busy == bench.link.line().usage().busy);
        CHECK(system.port.link().counters().frames == bench.link.counters().frames);
        CHECK(system.host.driver().results()[0].completed == 3000);
        CHECK(system.host.driver().integrity().mismatches() == 0);
        CHECK(system.host.driver().integrity().checkedSectors() > 20'000);
    }
}

TEST_CASE("real bytes survive a mixture of requests at queue depth 32")
{
    KernelFixture kernel;
    FakeSsd::Config config = drive(30us);
    config.mode = DataMode::Bytes;
    System system({}, config, {{mixture(1000, 4000), closedLoop(32)}});
    kernel.run();
    CHECK(system.host.driver().integrity().mismatches() == 0);
    CHECK(system.host.driver().integrity().checkedSectors() > 5000);
}

TEST_CASE("a drive that corrupts one sector in a thousand reads is caught")
{
    KernelFixture kernel;
    System system({}, drive(30us), {{mixture(2000, 2000), closedLoop(32)}});
    int reads = 0;
    int corrupted = 0;
    system.ssd.ssd.corrupt = [&](const Command& command, std::uint32_t, std::uint32_t, Content content) {
        if (command.kind == RequestKind::Read && ++reads % 1000 == 0) {
            content.data[0] ^= std::byte{1};
            ++corrupted;
        }
    };
    kernel.run();
    CHECK(corrupted > 0);
    CHECK(system.host.driver().integrity().mismatches() == static_cast<std::uint64_t>(corrupted));
}

TEST_CASE("a drive that loses one write is caught")
{
    KernelFixture kernel;
    std::vector<Request> requests;
    for (std::uint64_t i = 0; i < 100; ++i)
        requests.push_back(write(i * 8, 8));
    PhaseConfig measured = closedLoop(32);
    std::vector<Request> back;
    for (std::uint64_t i = 0; i < 100; ++i)
        back.push_back(read(i * 8, 8));
    System system({}, drive(30us), {{requests, closedLoop(32)}, {back, measured}});
    system.ssd.ssd.corrupt = [&](const Command& command, std::uint32_t, std::uint32_t sectors, Content content) {
        if (command.kind == RequestKind::Write && command.lba == 400)
            clearSectors(content, sectors);
    };
    kernel.run();
    REQUIRE(system.host.driver().integrity().mismatches() == 8);
    CHECK(system.host.driver().integrity().firstMismatches()[0].kind == MismatchKind::Lost);
    CHECK(system.host.driver().integrity().firstMismatches()[0].lba == 400);
}

TEST_CASE("a closed loop at queue depth 32 keeps the link busy without a break")
{
    KernelFixture kernel;
    std::vector<Request> requests;
    for (std::uint64_t i = 0; i < 2000; ++i)
        requests.push_back(read(i % 1000 * 8, 8));
    System system({}, drive(100us), {{requests, closedLoop(32)}});
    kernel.run();
    const Time elapsed = system.finishedAt - system.host.driver().readyTime();
    const Time busy = system.port.link().line().usage().busy;
    CHECK(toSeconds(busy) / toSeconds(elapsed) > 0.99);
    CHECK(system.host.driver().results()[0].kinds[0].latency.count() == 2000);
}

TEST_CASE("a mistake in the workload that shows while running stops the simulation and keeps its message")
{
    class BrokenSource : public ScriptedSource {
    public:
        BrokenSource() : ScriptedSource({read(0, 8), read(8, 8)}) {}
        std::optional<Request> next() override
        {
            auto request = ScriptedSource::next();
            if (!request)
                throw ConfigError("trace.csv:3:1: expected a time");
            return request;
        }
    };
    KernelFixture kernel;
    FakeSsdModule ssd("ssd", drive(10us));
    SataPortModule port("port", {}, DataMode::Tags);
    HostDriver driver({}, [](std::uint64_t) {
        std::vector<Phase> phases;
        phases.emplace_back(closedLoop(1), std::make_unique<BrokenSource>());
        return phases;
    });
    HostDriverModule host("host", driver);
    port.connect(ssd, host);
    ssd.ssd.connect(port);
    host.connect(port);
    port.driveReady(Time{});
    CHECK_NOTHROW(host.rethrowError());
    kernel.run();
    CHECK(host.driver().results()[0].completed == 2);
    CHECK_FALSE(host.driver().isFinished());
    CHECK_THROWS_AS(host.rethrowError(), ConfigError);
    CHECK_THROWS_WITH(host.rethrowError(), "trace.csv:3:1: expected a time");
}

// Not run by default: test_modules_host "[benchmark]" -s
TEST_CASE("host time per request with a fake drive", "[.][benchmark]")
{
    struct Row {
        const char* text;
        RequestKind kind;
        std::uint32_t sectors;
        bool isRandom;
        DataMode mode;
    };
    for (const Row& row : {Row{"4 KiB random reads, tags", RequestKind::Read, 8, true, DataMode::Tags},
                           Row{"4 KiB random writes, tags", RequestKind::Write, 8, true, DataMode::Tags},
                           Row{"64 KiB sequential reads, tags", RequestKind::Read, 128, false, DataMode::Tags},
                           Row{"64 KiB sequential writes, tags", RequestKind::Write, 128, false, DataMode::Tags},
                           Row{"4 KiB random reads, none", RequestKind::Read, 8, true, DataMode::None},
                           Row{"64 KiB sequential reads, none", RequestKind::Read, 128, false, DataMode::None}}) {
        KernelFixture kernel;
        constexpr std::size_t count = 300'000;
        FakeSsd::Config config = drive(50us);
        config.capacity = 16 << 20;
        config.mode = row.mode;
        Rng rng(1, "benchmark");
        std::vector<Request> requests;
        for (std::size_t i = 0; i < count; ++i) {
            const std::uint64_t block =
                row.isRandom ? rng.below(config.capacity / row.sectors) : i % (config.capacity / row.sectors);
            requests.push_back({row.kind, false, block * row.sectors, row.sectors, {}});
        }
        System system({}, config, {{requests, closedLoop(32)}});
        const std::clock_t begin = std::clock(); // processor time: other programs do not count
        kernel.run();
        const double ns = 1e9 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
        CHECK(system.host.driver().results()[0].completed == count);
        std::printf("%-32s %7.0f ns per request, %6.1f ns per sector\n", row.text, ns / count,
                    ns / count / row.sectors);
    }
}
