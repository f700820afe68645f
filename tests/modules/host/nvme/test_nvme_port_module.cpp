// SPDX-License-Identifier: Apache-2.0
#include "models/host/nvme/nvme_port_module.h"
#include "tests/modules/host/port_system.h"
#include "tests/support/catch.h"
#include "tests/support/kernel_fixture.h"

using namespace strobe;
using namespace strobe::host;
using namespace strobe::test;
using namespace std::chrono_literals;

namespace {

using System = PortSystem<NvmePortModule, NvmeConfig>;

std::uint64_t counter(const PortModule& port, const std::string& name)
{
    for (const Statistic& counter : port.statistics()) {
        if (name == counter.name)
            return std::get<std::uint64_t>(counter.value);
    }
    FAIL("there is no counter " << name);
    return 0;
}

} // namespace

TEST_CASE("an NVMe port does in simulated time what it does without a kernel, to the picosecond")
{
    for (const bool isOpen : {false, true}) {
        KernelFixture kernel;
        FakeSsd::Config drive;
        drive.latency = 30us;
        drive.perSector = 100ns;
        drive.transferSectors = 8;
        NvmeConfig config;
        config.interrupt = 2us;
        config.submit = 1us;
        config.queues = 2;
        PhaseConfig phase = isOpen ? openLoop() : closedLoop(48);
        if (!isOpen)
            phase.pacing.thinkTime = 3us;
        const std::vector<PhaseScript> phases{{mixture(3000, 2000), phase}};
        System system(config, drive, phases);
        kernel.run();
        LinkBench<NvmeLink, NvmeConfig> bench(config, drive, phases);
        bench.run();
        REQUIRE(bench.finishedAt != never);
        CHECK(system.finishedAt == bench.finishedAt);
        CHECK(system.host.driver().results()[0].completed == 3000);
        CHECK(system.host.driver().integrity().mismatches() == 0);
        CHECK(system.host.driver().integrity().checkedSectors() > 20'000);
        REQUIRE(system.port.lines().size() == 2);
        CHECK(system.port.lines()[0].resource->usage().busy == bench.link.function().link().toHost().usage().busy);
        CHECK(system.port.lines()[1].resource->usage().busy == bench.link.function().link().toDrive().usage().busy);
        CHECK(counter(system.port, "packets_to_host") == bench.link.function().link().counters().packetsToHost);
        CHECK(counter(system.port, "commands_fetched") == 3000);
        system.port.resetUsage();
        CHECK(counter(system.port, "commands_fetched") == 0);
        CHECK(counter(system.port, "packets_to_drive") == 0);
    }
}

TEST_CASE("real bytes survive a mixture of requests over NVMe at queue depth 64")
{
    KernelFixture kernel;
    FakeSsd::Config drive;
    drive.latency = 30us;
    drive.mode = DataMode::Bytes;
    System system({}, drive, {{mixture(1000, 4000), closedLoop(64)}});
    kernel.run();
    CHECK(system.host.driver().integrity().mismatches() == 0);
    CHECK(system.host.driver().integrity().checkedSectors() > 5000);
}
