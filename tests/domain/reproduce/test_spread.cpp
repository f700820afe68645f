// SPDX-License-Identifier: Apache-2.0
#include "models/base/check.h"
#include "platform/reproduce/spread.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::platform;

namespace {

Verdict of(const std::vector<double>& values, bool isMetAtZero = false)
{
    std::vector<Margin> margins;
    for (const double value : values)
        margins.push_back({value, isMetAtZero});
    return verdictOf(margins);
}

} // namespace

TEST_CASE("the interval of a mean is that of Student's t distribution with one degree of freedom less than seeds")
{
    const Spread five = spreadOf({1, 2, 3, 4, 5});
    CHECK(five.mean == Approx(3));
    CHECK(five.halfWidth == Approx(2.776445 * 1.581139 / 2.236068).epsilon(1e-5)); // t, deviation, root of 5
    CHECK(five.seeds == 5);
    CHECK(five.low() == Approx(3 - five.halfWidth));
    CHECK(five.high() == Approx(3 + five.halfWidth));
    CHECK(spreadOf({10, 20}).halfWidth == Approx(12.7062 * 7.071068 / 1.414214).epsilon(1e-4));
}

TEST_CASE("one value and equal values have no interval, and their mean is exact")
{
    CHECK(spreadOf({0.1}).halfWidth == 0);
    CHECK(spreadOf({0.1}).seeds == 1);
    CHECK(spreadOf({0.1, 0.1, 0.1}).mean == 0.1);
    CHECK(spreadOf({0.1, 0.1, 0.1}).halfWidth == 0);
    CHECK_THROWS_AS(spreadOf({}), InternalError);
}

TEST_CASE("a condition holds or fails if its whole interval does, and is undecided if the interval straddles zero")
{
    CHECK(of({2, 2.1, 1.9, 2, 2}) == Verdict::Holds);
    CHECK(of({-2, -2.1, -1.9, -2, -2}) == Verdict::DoesNotHold);
    CHECK(of({2, 0.5, 3, 1, -1}) == Verdict::Undecided);    // the mean is met
    CHECK(of({-2, -0.5, -3, -1, 1}) == Verdict::Undecided); // the mean is not
    CHECK(of({3, 3.9, 4.5, 3.5, -1.5}) == Verdict::Undecided);
    CHECK(of({3, 3.9, 4.5, 3.5, 0.1}) == Verdict::Holds);
}

TEST_CASE("a margin of exactly zero is met by at least and at most, and not by above and below")
{
    CHECK(of({0}, true) == Verdict::Holds);
    CHECK(of({0}, false) == Verdict::DoesNotHold);
    CHECK(of({0, 0, 0}, true) == Verdict::Holds);
    CHECK(of({0, 0, 0}, false) == Verdict::DoesNotHold);
    CHECK(of({0, 0, 0, 0, -1}, true) == Verdict::Undecided);
}

TEST_CASE("two conditions hold if both do, fail if one does, and are undecided otherwise")
{
    CHECK(both(Verdict::Holds, Verdict::Holds) == Verdict::Holds);
    CHECK(both(Verdict::Holds, Verdict::Undecided) == Verdict::Undecided);
    CHECK(both(Verdict::DoesNotHold, Verdict::Undecided) == Verdict::DoesNotHold);
    CHECK(both(Verdict::Undecided, Verdict::DoesNotHold) == Verdict::DoesNotHold);
}
