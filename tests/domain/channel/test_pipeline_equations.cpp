// SPDX-License-Identifier: Apache-2.0
#include "models/channel/pipeline_equations.h"
#include "tests/support/catch.h"

using namespace strobe::channel;

namespace {

const Pipeline slcProgram{4096, 40e6, 250e-6};
const Pipeline mlcProgram{8192, 200e6, 1300e-6};
const Pipeline mlcRead{8192, 166e6, 50e-6};

} // namespace

TEST_CASE("one chip alternates between bus and array")
{
    CHECK(slcProgram.transferSeconds() == Approx(102.4e-6));
    CHECK(slcProgram.pagesPerSecond(1) == Approx(1 / 352.4e-6));
    CHECK(slcProgram.busShare(1) == Approx(102.4 / 352.4));
}

TEST_CASE("throughput grows with chips until the bus is full")
{
    CHECK(mlcProgram.pagesPerSecond(4) == Approx(4 * mlcProgram.pagesPerSecond(1)));
    CHECK(mlcRead.pagesPerSecond(2) == Approx(2 / (8192 / 166e6 + 50e-6)));
    CHECK(mlcRead.pagesPerSecond(4) == Approx(166e6 / 8192));
    CHECK(mlcRead.busShare(4) == Approx(1));
}

TEST_CASE("the deepest pipeline is the last one whose chips do not wait for the bus")
{
    CHECK(slcProgram.maxDepth() == 3);
    CHECK(mlcProgram.maxDepth() == 32);
    for (const Pipeline& p : {slcProgram, mlcProgram, mlcRead}) {
        CHECK(p.busShare(p.maxDepth()) <= 1);
        CHECK((p.maxDepth() + 1) / (p.transferSeconds() + p.arraySeconds) * p.transferSeconds() >= 1);
    }
}

TEST_CASE("pins: a chip more on each channel may cost a channel")
{
    CHECK(pinsOf(8, 15, 2) == 152);
    CHECK(channelsOf(152, 15, 2) == 8);
    CHECK(channelsOf(151, 15, 2) == 7);
    CHECK(channelsOf(152, 15, 4) == 6);
    CHECK(channelsOf(10, 15, 1) == 0);
}

TEST_CASE("lifetime is what may be written divided by what is written")
{
    CHECK(lifetimeSeconds(256e9, 3000, 100e6, 2) == Approx(3.84e6));
    CHECK(lifetimeSeconds(256e9, 3000, 100e6, 1) == Approx(7.68e6));
}
