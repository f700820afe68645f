// SPDX-License-Identifier: Apache-2.0
#include "platform/report/wear_report.h"
#include "tests/support/catch.h"

using namespace strobe::platform;

TEST_CASE("wear is erases of good blocks")
{
    WearReport wear;
    wear.blocks = 10;
    wear.factoryBad = 2;
    wear.erases = 20;
    wear.maximum = 5;
    CHECK(meanErases(wear) == 2.5);
    CHECK(meanCycles(wear) == 2.5);
    CHECK(mostCycles(wear) == 5);
    CHECK_FALSE(lifeUsed(wear, mostCycles(wear)));
    wear.endurance = 1000;
    wear.preAged = 0.25;
    CHECK(*lifeUsed(wear, mostCycles(wear)) == Approx(0.255));
}

TEST_CASE("wear of a part without erases is programs of its pages")
{
    WearReport wear;
    wear.overwrites = WearReport::Overwrites{4, 1, 9, 12};
    CHECK(meanCycles(wear) == 3);
    CHECK(mostCycles(wear) == 9);
    CHECK(WearReport::Overwrites{}.mean() == 0);
    CHECK(meanErases(WearReport{}) == 0);
}
