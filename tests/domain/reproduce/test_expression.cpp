// SPDX-License-Identifier: Apache-2.0
#include "models/base/config_error.h"
#include "platform/reproduce/expression.h"
#include "platform/reproduce/filled_text.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::platform;

namespace {

const Lists lists{{"units", {"1", "2", "4", "8"}}, {"loads", {"small", "large"}}};

Points some()
{
    Points points;
    const double small[] = {10, 20, 30, 25};
    for (std::size_t i = 0; i < 4; ++i) {
        points.measure({"3", "small", lists.at("units")[i] + " units", "throughput"}, small[i]);
        points.measure({"3", "large", lists.at("units")[i] + " units", "throughput"}, 100);
    }
    points.measure({"3", "small", "1 units", "busy"}, 40);
    points.measure({"4", "small", "1 units", "throughput"}, 7);
    return points;
}

Scope scopeOf(PointsOfSeed& points)
{
    return {points, lists, "3", "throughput", [](const std::string& name) -> Value {
                if (name == "limit")
                    return 15.0;
                if (name == "precise")
                    return 1234567.25;
                if (name == "which")
                    return std::string("4");
                if (name == "both")
                    return Series{{"a", 1.25}, {"b", -2}};
                throw ConfigError("there is no value \"" + name + "\"");
            }};
}

double number(const std::string& text)
{
    const Points points = some();
    PointsOfSeed seen(points, 0);
    return Expression(text).number(scopeOf(seen));
}

std::string repeated(const std::string& text, std::size_t times)
{
    std::string all;
    for (std::size_t i = 0; i < times; ++i)
        all += text;
    return all;
}

std::string word(const std::string& text)
{
    const Points points = some();
    PointsOfSeed seen(points, 0);
    return std::get<std::string>(Expression(text).evaluate(scopeOf(seen)));
}

std::string mistakeOf(const std::string& text)
{
    try {
        number(text);
    } catch (const ConfigError& error) {
        return error.what();
    }
    return "";
}

bool contains(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("arithmetic has the usual precedence")
{
    CHECK(number("1 + 2 * 3 - 8 / 4") == 5);
    CHECK(number("(1 + 2) * -3") == -9);
    CHECK(number("8 - 2 - 1") == 5);
    CHECK(number("1e-6 * 1000000") == Approx(1));
    CHECK(number("limit / 2") == 7.5);
}

TEST_CASE("a point takes figure and quantity of the statement unless it names its own")
{
    CHECK(number("[small|2 units]") == 20);
    CHECK(number("[small|1 units|busy]") == 40);
    CHECK(number("[4|small|1 units|throughput]") == 7);
    CHECK(number("[small|{which} units]") == 30);
    CHECK(contains(mistakeOf("[small|{limit} units]"), "unknown setting \"15 units\""));
    CHECK(contains(mistakeOf("[small|{precise} units]"), "unknown setting \"1234567.25 units\""));
}

TEST_CASE("functions of numbers, and the change in per cent")
{
    CHECK(number("abs(2 - 5)") == 3);
    CHECK(number("change([small|1 units], [small|2 units])") == Approx(100));
    CHECK(number("max(1, [small|1 units], 3)") == 10);
    CHECK(number("min(1, 2) + mean(2, 4) + sum(1, 2)") == 7);
}

TEST_CASE("a loop goes over a list, over neighbours in it, and over points that fit a pattern")
{
    CHECK(number("max(u in units: [small|{u} units])") == 30);
    CHECK(number("mean(w in loads, u in units: [{w}|{u} units])") == Approx((85 + 400) / 8.0));
    CHECK(number("min(a to b in units: [small|{b} units] - [small|{a} units])") == -5);
    CHECK(number("sum(a to b to c in units: 1)") == 2);
    CHECK(number("sum(w|u in [*|* units]: 1)") == 8);
    CHECK(number("sum(u in [small|* units]: [small|{u} units])") == 85);
}

TEST_CASE("a condition selects iterations of a loop, and all of its comparisons must hold")
{
    CHECK(number("sum(u in units if [small|{u} units] > 10: 1)") == 3);
    CHECK(number("sum(u in units if [small|{u} units] >= 10, [small|{u} units] < 25: 1)") == 2);
    CHECK(number("sum(u in units if [small|{u} units] <= 20: 1)") == 2);
    CHECK_THROWS_AS(number("max(u in units if 1 > 2: 1)"), NotMeasured); // of nothing there is no largest
}

TEST_CASE("best is the name of the largest")
{
    CHECK(word("best(u in units: [small|{u} units])") == "4");
    CHECK(word("best(both)") == "a");
}

TEST_CASE("values are written into a text with a format, a series with its names")
{
    const Points points = some();
    PointsOfSeed seen(points, 0);
    CHECK(filled("at {which}: {limit:.2f} of {both:.1f %}; {limit}", scopeOf(seen)) ==
          "at 4: 15.00 of a 1.2 %, b -2.0 %; 15");
    CHECK(filled("{precise}; {both}", scopeOf(seen)) == "1234567.25; a 1.25, b -2");
    CHECK_THROWS_AS(filled("{limit", scopeOf(seen)), ConfigError);
    for (const char* wrong : {"{limit:,f}", "{limit:.1}", "{both:%}"}) {
        CAPTURE(wrong);
        CHECK_THROWS_WITH(filled(wrong, scopeOf(seen)),
                          Catch::Matchers::EndsWith("is not a number format; an example is .1f"));
    }
}

TEST_CASE("a mistake in an expression is named with what is allowed")
{
    CHECK(mistakeOf("1 +") == "\"1 +\": at character 4: expected a number, a name, a point in [] or a parenthesis");
    CHECK(mistakeOf("1 2") == "\"1 2\": at character 3: expected the end, or one of + - * /");
    CHECK(contains(mistakeOf("[small]"), "a point of two to four parts"));
    CHECK(contains(mistakeOf("[small|1 units"), "\"]\" after the point"));
    CHECK(contains(mistakeOf("median(1, 2)"), "there is no function \"median\"; there are abs, change, min"));
    CHECK(contains(mistakeOf("abs(1, 2)"), "abs takes 1 argument, not 2"));
    CHECK(contains(mistakeOf("max(u in clocks: 1)"), "there is no list \"clocks\"; there are loads, units"));
    CHECK(contains(mistakeOf("sum(u in units if 1 = 2: 1)"), "expected one of < <= > >="));
    CHECK(contains(mistakeOf("sum(w in [*|*]: 1)"), "the list has 1 names, but the pattern has 2 \"*\""));
    CHECK(contains(mistakeOf("max(u in units: [small|{u} unit])"), "unknown setting \"1 unit\""));
    CHECK(contains(mistakeOf("sum(a to | in units: 1)"), "expected a name"));
    CHECK(contains(mistakeOf("sum(u in : 1)"), "expected a name"));
    CHECK(contains(mistakeOf("which + 1"), "a text where a number is needed"));
    CHECK(contains(mistakeOf("both + 1"), "a series where a number is needed"));
    CHECK(contains(mistakeOf("unheard"), "there is no value \"unheard\""));
}

TEST_CASE("an expression may be long, but not nested without end")
{
    CHECK(number("0" + repeated(" + 1", 100'000)) == 100'000);
    const std::string tooDeep = "more than 100 levels of parentheses, functions and signs";
    CHECK(number(repeated("(", 99) + "1" + repeated(")", 99)) == 1);
    CHECK(mistakeOf(repeated("(", 100) + "1" + repeated(")", 100)) == "at character 101: " + tooDeep);
    CHECK(contains(mistakeOf(repeated("-", 100'000) + "1"), tooDeep));
    CHECK(contains(mistakeOf(repeated("abs(", 100'000)), tooDeep));
    CHECK(contains(mistakeOf(repeated("sum(u in units: ", 100'000)), tooDeep));
    CHECK(contains(mistakeOf(repeated("sum(u in units if ", 100'000)), tooDeep));
}

TEST_CASE("a check tries what a condition would leave out, and requires a point for each pattern")
{
    const Points points = some();
    PointsOfSeed seen(points, 0);
    Scope scope = scopeOf(seen);
    scope.isCheck = true;
    CHECK_THROWS_AS(Expression("sum(u in units if 1 > 2: [small|{u} unit])").number(scope), ConfigError);
    CHECK_THROWS_AS(Expression("sum(w in [*|no such setting]: 1)").number(scope), ConfigError);
}

TEST_CASE("a value over several runs is a mean, a series of means by name, or texts with their number of runs")
{
    CHECK(numberOf(overRuns({1.0, 2.0, 6.0})) == Approx(3));
    CHECK(formatted(overRuns({Series{{"a", 1}, {"b", 4}}, Series{{"a", 3}}}), ".0f") == "a 2, b 4");
    CHECK(formatted(overRuns({Series{{"", 1}, {"", 5}}, Series{{"", 3}, {"", 7}}}), ".0f") ==
          " 2,  6"); // each([x], [y])
    CHECK(written(overRuns({std::string("x"), std::string("x")})) == "x");
    CHECK(written(overRuns({std::string("x"), std::string("y"), std::string("x")})) == "x (2 of 3), y (1 of 3)");
}
