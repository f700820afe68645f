// SPDX-License-Identifier: Apache-2.0
#include "models/base/config_error.h"
#include "platform/reproduce/judge.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::platform;
using nlohmann::json;

namespace {

Points some(double fast = 20)
{
    Points points;
    points.measure({"1", "read", "slow", "rate"}, 10);
    points.measure({"1", "read", "fast", "rate"}, fast);
    points.measure({"1", "read", "faster", "rate"}, 30);
    points.declare({"2", "read", "slow", "rate"});
    return points;
}

json paperOf(const json& holds)
{
    return {{"limits", {{"substantial", 10}}},
            {"lists", {{"clocks", {"slow", "fast", "faster"}}}},
            {"statements",
             {{{"claim", "1-1"},
               {"section", "4.2"},
               {"statement", "faster is better"},
               {"figure", "1"},
               {"quantity", "rate"},
               {"values", {{"all", "each(c in clocks: [read|{c}])"}, {"best", "best(all)"}}},
               {"measured", "change([read|slow], [read|fast])"},
               {"unit", "%"},
               {"holds", holds},
               {"how", "gain of {measured:.1f} %, best {best}"},
               {"why not", "The bus limits it"}}}}};
}

bool holds(const json& conditions, double fast = 20)
{
    return Judge(paperOf(conditions), "paper.json").judge(some(fast)).at(0).holds();
}

bool holdsFor(const json& condition, double fast = 20)
{
    return holds(json::array({condition}), fast);
}

// Of reading the file and of checking its points.
std::string mistakeOf(const json& paper)
{
    try {
        Judge(paper, "paper.json").check(some());
    } catch (const ConfigError& error) {
        return error.what();
    }
    return "";
}

json changed(const std::string& pointer, const json& value)
{
    json paper = paperOf(json::array({{{"at least", 10}}}));
    paper[json::json_pointer(pointer)] = value;
    return paper;
}

json without(const std::string& key)
{
    json paper = paperOf(json::array({{{"at least", 10}}}));
    paper["statements"][0].erase(key);
    return paper;
}

bool contains(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("a statement is judged with its measured value, unit and reason")
{
    const Judge judge(paperOf(json::array({{{"at least", "substantial"}}})), "paper.json");
    const Statement held = judge.judge(some()).at(0);
    CHECK(held.claim == "1-1");
    CHECK(held.section == "4.2");
    CHECK(held.measured.mean == Approx(100));
    CHECK(held.unit == "%");
    CHECK(held.holds());
    CHECK(held.reason == "gain of 100.0 %, best faster");
    const Statement failed = judge.judge(some(10.5)).at(0);
    CHECK_FALSE(failed.holds());
    CHECK(failed.reason == "gain of 5.0 %, best faster. The bus limits it");
}

TEST_CASE("a division by zero in a run is a mistake of the statement, and neither holds nor fails")
{
    const auto mistake = [](const json& paper) {
        const Judge judge(paper, "paper.json");
        judge.check(some()); // with other values it is sound
        try {
            judge.judge(some(0));
        } catch (const ConfigError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    const std::string message = "paper.json: /statements/0 (claim 1-1): a division by zero in a run";
    CHECK(mistake(changed("/statements/0/measured", "[read|slow] / [read|fast]")) == message);
    CHECK(mistake(changed("/statements/0/measured", "[read|fast] / [read|fast]")) == message);
    CHECK(mistake(paperOf(json::array({{{"value", 5}, {"within", 0.1}, {"of", "[read|fast]"}}}))) == message);
}

TEST_CASE("each comparison holds up to its bound and not beyond it")
{
    const auto of20 = [](json condition) {
        condition["value"] = "[read|fast]";
        return holdsFor(condition);
    };
    CHECK(of20({{"at least", 20}}));
    CHECK_FALSE(of20({{"at least", 20.01}}));
    CHECK(of20({{"at most", 20}}));
    CHECK_FALSE(of20({{"at most", 19.99}}));
    CHECK(of20({{"above", 19.99}}));
    CHECK_FALSE(of20({{"above", 20}}));
    CHECK(of20({{"below", 20.01}}));
    CHECK_FALSE(of20({{"below", 20}}));
    CHECK(of20({{"equals", "2 * [read|slow]"}}));
    CHECK_FALSE(of20({{"equals", 20.01}}));
    CHECK(of20({{"between", {20, 21}}}));
    CHECK_FALSE(of20({{"between", {20.01, 21}}}));
    CHECK(of20({{"within", 0.26}, {"of", 16}}));
    CHECK_FALSE(of20({{"within", 0.24}, {"of", 16}}));
    CHECK(of20({{"nearer than", 1}, {"to", 19.1}}));
    CHECK_FALSE(of20({{"nearer than", 1}, {"to", 19}}));
}

TEST_CASE("a series is ordered if each value is above, or below, the one before")
{
    const json rising = {{"value", "all"}, {"order", "rising"}};
    CHECK(holdsFor(rising));
    CHECK_FALSE(holdsFor(rising, 30));
    CHECK_FALSE(holdsFor({{"value", "all"}, {"order", "falling"}}));
    CHECK(holdsFor({{"value", "each([read|faster], [read|fast], [read|slow])"}, {"order", "falling"}}));
}

TEST_CASE("a text is compared as a whole")
{
    CHECK(holdsFor({{"value", "best"}, {"is", "faster"}}));
    CHECK_FALSE(holdsFor({{"value", "best"}, {"is", "fast"}}));
    CHECK(holdsFor({{"value", "best"}, {"is not", "fast"}}));
    CHECK_FALSE(holdsFor({{"value", "best"}, {"is not", "fast"}}, 31));
}

TEST_CASE("a statement holds if all of its conditions do")
{
    CHECK(holds(json::array({{{"at least", 10}}, {{"at most", 100}}})));
    CHECK_FALSE(holds(json::array({{{"at least", 10}}, {{"below", 100}}})));
}

TEST_CASE("a statement with a point that was not measured is left out")
{
    json paper = changed("/statements/0/figure", "2");
    paper["statements"][0]["measured"] = "[read|slow]";
    paper["statements"][0].erase("values");
    paper["statements"][0]["how"] = "as measured";
    const Judge judge(paper, "paper.json");
    CHECK_NOTHROW(judge.check(some()));
    CHECK(judge.judge(some()).empty());
}

TEST_CASE("a statement whose points have samples is judged on the mean and the interval over the seeds")
{
    const auto judged = [](const std::vector<double>& fast) {
        Points points = some();
        points.measure({"1", "read", "fast", "rate"}, fast.front(), fast);
        return Judge(paperOf(json::array({{{"above", "substantial"}}})), "paper.json").judge(points).at(0);
    };
    const Statement held = judged({20, 21, 22, 21, 21}); // against 10: 100 to 120 %
    CHECK(held.measured.mean == Approx(110));
    CHECK(held.measured.halfWidth == Approx(2.776445 * 7.071068 / 2.236068).epsilon(1e-5));
    CHECK(held.measured.seeds == 5);
    CHECK(held.verdict == Verdict::Holds);
    CHECK(held.reason == "gain of 110.0 %, best faster");
    CHECK(judged({10.9, 11.2, 11, 10.8, 11.3}).verdict == Verdict::Undecided); // 8 to 13 %, threshold 10 %
    CHECK(judged({10.9, 11.2, 11, 10.8, 11.3}).reason ==
          "gain of 10.4 %, best faster. The seeds do not decide that it is above substantial");
    CHECK(judged({10.4, 10.5, 10.3, 10.4, 10.6}).verdict == Verdict::DoesNotHold);
    CHECK(judged({20}).measured.seeds == 1);
}

TEST_CASE("each seed compares its own points, so that what it brings to all of them cancels out")
{
    Points points = some();
    points.measure({"1", "read", "slow", "rate"}, 10, {10, 20, 30, 40, 50});
    points.measure({"1", "read", "fast", "rate"}, 11.5, {11.5, 23, 34.5, 46, 57.5});
    const Statement s = Judge(paperOf(json::array({{{"at least", 10}}})), "paper.json").judge(points).at(0);
    CHECK(s.verdict == Verdict::Holds);
    CHECK(s.measured.mean == Approx(15));
    CHECK(s.measured.halfWidth == Approx(0).margin(1e-9));
}

TEST_CASE("a statement is judged over the fewest seeds of its points, and over one if none depends on a seed")
{
    Points points = some();
    CHECK(Judge(paperOf(json::array({{{"at least", 10}}})), "paper.json").judge(points).at(0).measured.seeds == 1);
    points.measure({"1", "read", "slow", "rate"}, 10, {10, 10, 10});
    points.measure({"1", "read", "fast", "rate"}, 20, {20, 20, 20, 90});
    const Statement s = Judge(paperOf(json::array({{{"at least", 10}}})), "paper.json").judge(points).at(0);
    CHECK(s.measured.seeds == 3);
    CHECK(s.measured.mean == Approx(100));
}

TEST_CASE("a text that the seeds do not agree on leaves a statement undecided, and the reason counts them")
{
    Points points = some();
    points.measure({"1", "read", "fast", "rate"}, 20, {20, 20, 20, 20, 31});
    const Statement s =
        Judge(paperOf(json::array({{{"value", "best"}, {"is", "faster"}}})), "paper.json").judge(points).at(0);
    CHECK(s.verdict == Verdict::Undecided);
    CHECK(contains(s.reason, "best faster (4 of 5), fast (1 of 5)"));
}

TEST_CASE("two-sided comparisons are undecided at either end")
{
    const auto between = [](const std::vector<double>& fast) {
        Points points = some();
        points.measure({"1", "read", "fast", "rate"}, fast.front(), fast);
        const json condition = {{"value", "[read|fast]"}, {"between", {15, 25}}};
        return Judge(paperOf(json::array({condition})), "paper.json").judge(points).at(0).verdict;
    };
    CHECK(between({19, 20, 21}) == Verdict::Holds);
    CHECK(between({14, 15.5, 16}) == Verdict::Undecided);
    CHECK(between({24, 24.5, 26}) == Verdict::Undecided);
    CHECK(between({26, 26.1, 26.2}) == Verdict::DoesNotHold);
}

TEST_CASE("a statement that is no evidence says why")
{
    json paper = changed("/statements/0/not evidence", "the gain is an input");
    const Statement s = Judge(paper, "paper.json").judge(some()).at(0);
    CHECK_FALSE(s.isEvidence());
    CHECK(s.holds());
    CHECK(s.reason == "gain of 100.0 %, best faster. Not evidence: the gain is an input");
}

TEST_CASE("a bad statement is refused with its place in the file and what is allowed")
{
    CHECK(mistakeOf(without("unit")) == "paper.json: /statements/0/unit: is missing");
    CHECK(mistakeOf(changed("/statements/0/tolerance", 5)) ==
          "paper.json: /statements/0/tolerance: unknown key; allowed here: \"claim\", \"section\", \"statement\", "
          "\"figure\", \"quantity\", \"values\", \"measured\", \"unit\", \"holds\", \"how\", \"why not\", \"not "
          "evidence\"");
    CHECK(mistakeOf(changed("/statements/0/unit", 5)) ==
          "paper.json: /statements/0/unit: must be a text in quotes, not 5");
    CHECK(contains(mistakeOf(changed("/statements/0/holds/0", {{"atleast", 10}})),
                   "paper.json: /statements/0/holds/0: has no comparison; one of \"at least\", \"at most\""));
    CHECK(contains(mistakeOf(changed("/statements/0/holds/0/at most", 10)), "has both \"at least\" and \"at most\""));
    CHECK(mistakeOf(changed("/statements/0/holds/0", {{"within", 0.1}})) ==
          "paper.json: /statements/0/holds/0/of: is missing");
    CHECK(mistakeOf(changed("/statements/0/holds/0", {{"between", 10}})) ==
          "paper.json: /statements/0/holds/0/between: must be a list of two bounds");
    CHECK(mistakeOf(changed("/statements/0/holds", json::array())) ==
          "paper.json: /statements/0/holds: must be a list of conditions, at least one");
    CHECK(mistakeOf(changed("/statements/0/values/substantial", 5)) ==
          "paper.json: /statements/0/values/substantial: the name is taken");
    CHECK(contains(mistakeOf(changed("/statements/0/measured", "1 +")),
                   "paper.json: /statements/0/measured: \"1 +\": at "));
    CHECK(contains(mistakeOf(changed("/lists/clocks", "slow")), "paper.json: /lists/clocks: must be a list of texts"));
    CHECK(
        contains(mistakeOf(changed("/limits/substantial", "10")), "paper.json: /limits/substantial: must be a number"));
}

TEST_CASE("values may use one another in chains of at most 20")
{
    const auto chain = [](int length) {
        json values = {{"all", "each(c in clocks: [read|{c}])"}, {"best", "best(all)"}};
        for (int i = 1; i < length; ++i)
            values["v" + std::to_string(i)] = "v" + std::to_string(i + 1);
        values["v" + std::to_string(length)] = 1;
        return changed("/statements/0/values", values);
    };
    CHECK(mistakeOf(chain(20)).empty());
    CHECK(mistakeOf(chain(21)) ==
          "paper.json: /statements/0 (claim 1-1): the value \"v1\" depends on a chain of more than 20 values");
}

TEST_CASE("an unknown point, value or order is found before anything is measured, all of them at once")
{
    CHECK(
        mistakeOf(changed("/statements/0/measured", "[read|fastest]")) ==
        "paper.json: /statements/0 (claim 1-1): there is no point [1|read|fastest|rate]: unknown setting \"fastest\"; "
        "allowed here: \"slow\", \"fast\", \"faster\"");
    CHECK(contains(mistakeOf(changed("/statements/0/how", "{gain}")),
                   "(claim 1-1): there is no value \"gain\"; there are all, best, measured, substantial"));
    CHECK(contains(mistakeOf(changed("/statements/0/values/all", "each(all)")), "the value \"all\" depends on itself"));
    CHECK(contains(mistakeOf(changed("/statements/0/values/unused", "[read|none]")), "unknown setting \"none\""));
    CHECK(contains(mistakeOf(changed("/statements/0/holds/0", {{"value", "all"}, {"order", "up"}})),
                   "\"order\" is \"rising\" or \"falling\", not \"up\""));
    json single = changed("/statements/0/values/all", "each([read|fast])");
    single["statements"][0]["holds"][0] = {{"value", "all"}, {"order", "rising"}};
    CHECK(contains(mistakeOf(single), "\"order\" needs two values or more, not 1"));
    CHECK(contains(mistakeOf(changed("/statements/0/holds/0", {{"value", "best"}, {"at least", 1}})),
                   "\"at least\" is of a number"));
    json paper = changed("/statements/0/measured", "[read|fastest]");
    paper["statements"].push_back(paper["statements"][0]);
    CHECK(contains(mistakeOf(paper), "paper.json: /statements/1/claim: \"1-1\" is taken by paper.json: /statements/0"));
    paper["statements"][1]["claim"] = "1-2";
    CHECK(contains(mistakeOf(paper), "(claim 1-1)"));
    CHECK(contains(mistakeOf(paper), "(claim 1-2)"));
}
