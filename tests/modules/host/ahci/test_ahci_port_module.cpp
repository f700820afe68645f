// SPDX-License-Identifier: Apache-2.0
#include "models/host/ahci/ahci_port_module.h"
#include "tests/modules/host/port_system.h"
#include "tests/support/catch.h"
#include "tests/support/kernel_fixture.h"

using namespace strobe;
using namespace strobe::host;
using namespace strobe::test;
using namespace std::chrono_literals;

TEST_CASE("an AHCI port does in simulated time what it does without a kernel, to the picosecond")
{
    for (const bool isOpen : {false, true}) {
        KernelFixture kernel;
        FakeSsd::Config drive;
        drive.latency = 30us;
        drive.perSector = 100ns;
        drive.transferSectors = 8;
        AhciPortConfig config;
        config.ahci.submit = 1us;
        config.ahci.interrupt = 2us;
        PhaseConfig phase = isOpen ? openLoop() : closedLoop(32);
        if (!isOpen)
            phase.pacing.thinkTime = 3us;
        const std::vector<PhaseScript> phases{{mixture(2000, 2000), phase}};
        PortSystem<AhciPortModule, AhciPortConfig> system(config, drive, phases);
        kernel.run();
        LinkBench<AhciLink, AhciPortConfig> bench(config, drive, phases);
        bench.run();
        REQUIRE(bench.finishedAt != never);
        CHECK(system.finishedAt == bench.finishedAt);
        CHECK(system.host.driver().results()[0].completed == 2000);
        CHECK(system.host.driver().integrity().mismatches() == 0);
        REQUIRE(system.port.lines().size() == 1);
        CHECK(system.port.lines()[0].resource->usage().busy == bench.link.link().line().usage().busy);
        REQUIRE(system.port.statistics().size() == 6);
        CHECK(std::get<std::uint64_t>(system.port.statistics()[5].value) == bench.link.hba().counters().interrupts);
        system.port.resetUsage();
        CHECK(std::get<std::uint64_t>(system.port.statistics()[5].value) == 0);
    }
}
