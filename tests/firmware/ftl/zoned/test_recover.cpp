// SPDX-License-Identifier: Apache-2.0
//
// Power losses at random instants: what was acknowledged is there, and the drive goes on.
#include "tests/firmware/ftl/zoned/zoned_script.h"
#include "tests/support/catch.h"
#include "tests/support/sanitizers.h"

using namespace strobe;
using namespace strobe::test;

namespace {

struct Life {
    std::uint64_t cuts = 0, saves = 0, failures = 0;
};

Life livesOf(const MockOptions& options, std::uint32_t zone, std::uint32_t commands)
{
    MockDrive drive(options);
    ZonedHost host(options, zone);
    host.returnsAfterLosses(drive);
    host.random(commands);
    Rng rng(options.seed, "cuts");
    Life life;
    drive.cutAfter(rng.below(3000));
    while (!drive.run(strobe_firmware_entry, host)) {
        ++life.cuts;
        drive.cutAfter(rng.below(rng.chance(0.3) ? 100 : 3000)); // short lives end in recovery or soon after it
    }
    life.saves = drive.saves();
    life.failures = host.failures();
    return life;
}

} // namespace

TEST_CASE("zones: whatever the instant of a power loss, nothing that was acknowledged is lost")
{
    for (std::uint64_t seed = 1; seed <= (test::isSanitized ? 2U : 8U); ++seed) {
        MockOptions options = zonedOptions();
        options.seed = seed;
        options.boot.zoneErase = seed % 2;
        options.boot.zoneDies = seed % 3 == 0 ? 1 : seed % 3 == 1 ? 2 : 4;
        INFO("seed " << seed);
        const Life life = livesOf(options, zoneSectors / 2 * options.boot.zoneDies, 1500);
        CHECK(life.cuts > 5);
        CHECK(life.saves > 5);
        CHECK(life.failures == 0);
    }
}

TEST_CASE("zones: power losses with blocks that wear out")
{
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        MockOptions options = zonedOptions();
        options.seed = seed;
        options.boot.spareBlocks = 4;
        options.boot.blocksPerPlane = 16;
        options.boot.writeBufferPages = 24 * 4;
        options.bufferPages = 120;
        options.faults.wearOut = 20; // of 10,000 programs and erases
        INFO("seed " << seed);
        CHECK(livesOf(options, zoneSectors, 800).cuts > 2);
    }
}
