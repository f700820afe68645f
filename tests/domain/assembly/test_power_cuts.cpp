// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/power_cuts.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::platform;
using namespace std::chrono_literals;

TEST_CASE("without cuts power is never lost")
{
    CHECK(PowerCuts({}, 1).next(Time{}) == never);
}

TEST_CASE("listed cuts come in their order, those without power are left out")
{
    PowerConfig config;
    config.cuts = {1ms, 2ms, 5ms};
    PowerCuts cuts(config, 1);
    CHECK(cuts.next(Time{}) == 1ms);
    CHECK(cuts.next(2500us) == 5ms);
    CHECK(cuts.next(6ms) == never);
}

TEST_CASE("random cuts fall between power-on and twice the mean, as many as are asked for, the same for a seed")
{
    PowerConfig config;
    config.meanCutInterval = 3ms;
    config.maxCuts = 500;
    PowerCuts cuts(config, 7);
    PowerCuts again(config, 7);
    Time powerOn{};
    Time sum{};
    for (int i = 0; i < 500; ++i) {
        const Time cut = cuts.next(powerOn);
        REQUIRE(cut > powerOn);
        REQUIRE(cut <= powerOn + 6ms);
        CHECK(again.next(powerOn) == cut);
        sum += cut - powerOn;
        powerOn = cut + 1ms;
    }
    CHECK(sum / 500 > 2700us);
    CHECK(sum / 500 < 3300us);
    CHECK(cuts.next(powerOn) == never);
}

TEST_CASE("listed and random cuts together: the earlier one")
{
    PowerConfig config;
    config.cuts = {1us};
    config.meanCutInterval = 1s;
    PowerCuts cuts(config, 3);
    CHECK(cuts.next(Time{}) == 1us);
    CHECK(cuts.next(2us) != never);
}
