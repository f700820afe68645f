// SPDX-License-Identifier: Apache-2.0
#include "models/host/pata_port_module.h"
#include "tests/modules/host/port_system.h"
#include "tests/support/catch.h"
#include "tests/support/kernel_fixture.h"

using namespace strobe;
using namespace strobe::host;
using namespace strobe::test;
using namespace std::chrono_literals;

TEST_CASE("a parallel ATA port does in simulated time what it does without a kernel, to the picosecond")
{
    KernelFixture kernel;
    FakeSsd::Config drive;
    drive.latency = 30us;
    drive.perSector = 700ns;
    drive.transferSectors = 8;
    drive.slots = 1;
    const std::vector<PhaseScript> phases{{mixture(1000, 2000), closedLoop(1)}};
    PortSystem<PataPortModule, PataConfig> system({}, drive, phases);
    kernel.run();
    LinkBench<PataLink, PataConfig> bench({}, drive, phases);
    bench.run();
    REQUIRE(bench.finishedAt != never);
    CHECK(system.finishedAt == bench.finishedAt);
    CHECK(system.host.driver().results()[0].completed == 1000);
    CHECK(system.host.driver().integrity().mismatches() == 0);
    REQUIRE(system.port.lines().size() == 1);
    CHECK(system.port.lines()[0].resource->usage().busy == bench.link.line().usage().busy);
    REQUIRE(system.port.statistics().size() == 3);
    CHECK(std::get<std::uint64_t>(system.port.statistics()[0].value) == bench.link.counters().bursts);
    system.port.resetUsage();
    CHECK(std::get<std::uint64_t>(system.port.statistics()[0].value) == 0);
}
