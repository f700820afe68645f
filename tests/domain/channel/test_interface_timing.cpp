// SPDX-License-Identifier: Apache-2.0
#include "models/base/check.h"
#include "models/channel/interface_equations.h"
#include "models/channel/interface_timing.h"
#include "tests/domain/channel/parts.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::channel;
using namespace strobe::channel::test;

TEST_CASE("equation 1 delays the latching clock by alpha of its period")
{
    CHECK(equation::clockDelay1(500, 20ns) == 10ns);
    CHECK(equation::clockDelay1(0, 20ns) == 0ns);
    CHECK(equation::clockDelay1(250, picoseconds(19814)) == picoseconds(4954)); // 4953.5 rounded up
}

TEST_CASE("equation 2 places DVS after the slowest data, counted from the earliest RWEB")
{
    CHECK(equation::dllDelay2(picoseconds(3200), picoseconds(1100), picoseconds(250)) == picoseconds(2350));
}

TEST_CASE("equation 3 takes the longer of read cycle and page register transfer")
{
    CHECK(equation::conventionalPeriod3(20ns, 12ns) == 20ns);
    CHECK(equation::conventionalPeriod3(11ns, 12ns) == 12ns);
}

TEST_CASE("equations 4 and 5 lend tD to the read cycle")
{
    const auto& p = table2;
    CHECK(equation::readCycle4(p.tOUT, p.tREA, p.tIN, p.tS, 0ns) == picoseconds(29720));
    CHECK(equation::readCycle4(p.tOUT, p.tREA, p.tIN, p.tS, 10ns) == picoseconds(19720));
    CHECK(equation::conventionalPeriod5(p.tOUT, p.tREA, p.tIN, p.tS, 10ns, p.tBYTE) == picoseconds(19720));
    CHECK(equation::conventionalPeriod5(p.tOUT, p.tREA, p.tIN, p.tS, 18ns, p.tBYTE) == 12ns);
}

TEST_CASE("equation 6 is where equation 5 with the delay of equation 1 meets itself")
{
    const auto& p = table2;
    const std::int64_t alpha = GENERATE(0, 100, 333, 500);
    const Time period = equation::conventionalPeriod6(p.tOUT, p.tREA, p.tIN, p.tS, alpha, p.tBYTE);
    const Time tD = equation::clockDelay1(alpha, period);
    const Time again = equation::conventionalPeriod5(p.tOUT, p.tREA, p.tIN, p.tS, tD, p.tBYTE);
    CHECK(again <= period);                  // rounded up: long enough
    CHECK(again >= period - picoseconds(2)); // and not longer than the two roundings
}

TEST_CASE("equations 7 and 8 give a DVS period that holds two transfers")
{
    CHECK(equation::strobedPeriod7(9ns, 12ns) == 12ns);
    CHECK(equation::strobedPeriod7(13ns, 12ns) == 13ns);
    CHECK(equation::strobedPeriod8(3ns, 2ns, 8ns) == 10ns);
    CHECK(equation::strobedPeriod8(3ns, 2ns, 12ns) == 12ns);
}

TEST_CASE("equation 9 doubles set-up, hold and skew")
{
    const auto& p = table2;
    CHECK(equation::strobeCycle9(p.tS, p.tH, p.tDIFF) == picoseconds(9920));
    CHECK(equation::strobedPeriod9(p.tS, p.tH, p.tDIFF, p.tBYTE) == 12ns);
    CHECK(equation::strobedPeriod9(p.tS, p.tH, p.tDIFF, 5ns) == picoseconds(9920));
}

TEST_CASE("CONV derives 19.81 ns from Table 2, decided by the read cycle")
{
    const Derivation derivation = derivePeriod(InterfaceKind::Conv, table2);
    CHECK(derivation.equation == "eq. 6");
    REQUIRE(derivation.terms.size() == 2);
    CHECK(derivation.terms[0].name == "(tOUT + tREA + tIN + tS) / (1 + alpha)");
    CHECK(derivation.terms[0].working == "(7.82 + 20 + 1.65 + 0.25) / (1 + 0.5)");
    CHECK(derivation.terms[0].value == picoseconds(19814)); // 19,813.33... rounded up
    CHECK(derivation.terms[1].working == "12");
    CHECK(derivation.terms[1].value == 12ns);
    CHECK(derivation.deciding == 0);
    CHECK(derivation.minimumPeriod == picoseconds(19814));
}

TEST_CASE("the strobed interfaces derive 12 ns from Table 2, decided by the page register")
{
    for (const InterfaceKind kind : {InterfaceKind::SyncOnly, InterfaceKind::Proposed}) {
        const Derivation derivation = derivePeriod(kind, table2);
        CHECK(derivation.equation == "eq. 9");
        REQUIRE(derivation.terms.size() == 2);
        CHECK(derivation.terms[0].name == "2 (tS + tH + tDIFF)");
        CHECK(derivation.terms[0].working == "2 (0.25 + 0.02 + 4.69)");
        CHECK(derivation.terms[0].value == picoseconds(9920));
        CHECK(derivation.deciding == 1);
        CHECK(derivation.minimumPeriod == 12ns);
    }
}

TEST_CASE("with a faster page register the strobe limits the period")
{
    ElectricalParameters parameters = table2;
    parameters.tBYTE = 5ns;
    const Derivation derivation = derivePeriod(InterfaceKind::Proposed, parameters);
    CHECK(derivation.deciding == 0);
    CHECK(derivation.minimumPeriod == picoseconds(9920));
}

TEST_CASE("a slow page register limits the conventional interface too")
{
    ElectricalParameters parameters = table2;
    parameters.tBYTE = 25ns;
    CHECK(derivePeriod(InterfaceKind::Conv, parameters).deciding == 1);
    CHECK(derivePeriod(InterfaceKind::Conv, parameters).minimumPeriod == 25ns);
}

TEST_CASE("alpha beyond one half is refused")
{
    ElectricalParameters parameters = table2;
    parameters.alphaPermille = 501;
    CHECK_THROWS_AS(derivePeriod(InterfaceKind::Conv, parameters), InternalError);
}

TEST_CASE("an interface runs at its minimum period unless a longer one is given")
{
    CHECK(resolveTiming(InterfaceKind::Conv, table2, {}).cycle == picoseconds(19814));
    CHECK(resolveTiming(InterfaceKind::Conv, table2, 20ns).cycle == 20ns);
    CHECK(resolveTiming(InterfaceKind::Proposed, table2, 12ns).cycle == 12ns);
    CHECK_THROWS_AS(resolveTiming(InterfaceKind::Conv, table2, picoseconds(19813)), InternalError);
}

TEST_CASE("only PROPOSED moves two bytes per cycle")
{
    CHECK(resolveTiming(InterfaceKind::Conv, table2, {}).bytesPerCycle == 1);
    CHECK(resolveTiming(InterfaceKind::SyncOnly, table2, {}).bytesPerCycle == 1);
    CHECK(resolveTiming(InterfaceKind::Proposed, table2, {}).bytesPerCycle == 2);
    CHECK(resolveTiming(InterfaceKind::Proposed, table2, {}).name == "PROPOSED");
}
