// SPDX-License-Identifier: Apache-2.0
#include "models/base/config_error.h"
#include "platform/config/load.h"
#include "platform/reproduce/plan.h"
#include "platform/reproduce/study_index.h"
#include "tests/support/catch.h"
#include "tests/support/source_directory.h"

#include <algorithm>
#include <fstream>
#include <set>
#include <string>

using namespace strobe;
using namespace strobe::platform;
using nlohmann::json;

namespace {

const PlanFile file{"papers/x/", "paper.json"};

json two()
{
    return json::parse(R"({
        "axes": {"ways": [{"name": "1", "set": {"nand.ways": 1}},
                          {"name": "2", "set": {"nand.ways": 2}, "each": {"SLC": {"seed": 7}}}],
                 "clock": [{"name": "slow", "set": {"channel.clock": "20MHz"}}, {"name": "fast"}]},
        "figures": [
            {"figure": "3", "title": "ways", "set": {"cpu.clock": "1GHz"},
             "workloads": [{"name": "SLC", "scenario": "read", "set": {"nand.part": "slc"}}, "write"],
             "settings": {"name": "1 x {ways}, {clock}", "axes": ["ways", "clock"]},
             "quantities": ["throughput", {"name": "rate", "of": "requests"}]},
            {"figure": "4", "seeds": 2, "kind": "operations",
             "workloads": ["mix"],
             "quantities": ["elapsed", {"name": "least", "of": "elapsed", "over seeds": "least"}]}]})");
}

std::vector<std::string> setsOf(const PlannedRun& run)
{
    std::vector<std::string> sets;
    for (const Override& set : run.variants.front().sets)
        sets.push_back(set.assignment);
    return sets;
}

std::string mistakeOf(const std::string& pointer, const json& value)
{
    json data = two();
    data[json::json_pointer(pointer)] = value;
    try {
        const Plan plan(data, file);
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

TEST_CASE("each workload runs with every combination of the axes, the last axis fastest")
{
    const Plan plan(two(), file);
    const PlannedFigure& figure = plan.figures().at(0);
    CHECK(figure.name == "Figure 3");
    CHECK(figure.settings == std::vector<std::string>{"1 x 1, slow", "1 x 1, fast", "1 x 2, slow", "1 x 2, fast"});
    REQUIRE(figure.runs.size() == 8);
    const PlannedRun& run = figure.runs[4];
    CHECK(run.workload == "SLC");
    CHECK(run.setting == "1 x 2, slow");
    CHECK(run.variants.front().scenario == "papers/x/read.json");
    CHECK(setsOf(run) ==
          std::vector<std::string>{"nand.part=slc", "cpu.clock=1GHz", "nand.ways=2", "seed=7", "channel.clock=20MHz"});
    CHECK(setsOf(figure.runs[5]) ==
          std::vector<std::string>{"cpu.clock=1GHz", "nand.ways=2", "channel.clock=20MHz"}); // write has no "each"
}

TEST_CASE("a figure with seeds makes each run once for each seed")
{
    const Plan plan(two(), file);
    const PlannedRun& run = plan.figures().at(1).runs.at(0);
    CHECK(run.setting.empty());
    REQUIRE(run.variants.size() == 2);
    CHECK(run.variants[1].isOperations);
    CHECK(run.variants[1].sets.back().assignment == "seed=2");
}

TEST_CASE("a figure with samples makes each run once for each seed, and their number may be changed")
{
    json data = two();
    data["figures"][0]["samples"] = 5U;
    Plan plan(data, file);
    CHECK(plan.figures().at(0).quantities.at(0).overSeeds == PlannedQuantity::OverSeeds::First);
    CHECK(plan.figures().at(0).runs.at(0).variants.size() == 5);
    plan.sampleOver(2);
    const PlannedRun& run = plan.figures().at(0).runs.at(0);
    REQUIRE(run.variants.size() == 2);
    CHECK(run.variants[0].sets.back().assignment == "seed=1");
    CHECK(run.variants[1].sets.back().assignment == "seed=2");
    CHECK(run.variants[1].sets.size() == run.variants[0].sets.size());
    CHECK(plan.figures().at(1).runs.at(0).variants.size() == 2); // its seeds are part of its cells
    data["figures"][0]["seeds"] = 5U;
    CHECK_THROWS_WITH(Plan(data, file),
                      "paper.json: /figures/0: has both \"seeds\" and \"samples\"; a figure has one of them");
}

TEST_CASE("a plan declares the points of all figures, and runs those that were chosen")
{
    const Plan plan(two(), file, {}, {"4"});
    CHECK(plan.figures().size() == 1);
    CHECK_THROWS_AS(plan.points().at({"3", "SLC", "1 x 1, slow", "rate"}), NotMeasured);
    CHECK_THROWS_AS(plan.points().at({"3", "SLC", "1 x 4, slow", "rate"}), ConfigError);
    CHECK_THROWS_AS(Plan(two(), file, {}, {"5"}), ConfigError);
}

TEST_CASE("a study's own quantity is used in place of the common one")
{
    const ReportQuantity own{"throughput", "pages", [](const MeasuredRun&, const json&) { return std::optional(1.0); }};
    const Plan plan(two(), file, {own});
    CHECK(plan.figures().at(0).quantities.at(0).quantity.unit == "pages");
    CHECK(plan.figures().at(0).quantities.at(1).quantity.unit == "1/s");
}

TEST_CASE("a quantity of requests can be that of one job, one of the drive cannot")
{
    json data = two();
    data["figures"][0]["quantities"] =
        json::array({{{"name", "reader's p99"}, {"of", "p99"}, {"job", "reader"}}, "read p99", "write throughput p95"});
    const Plan plan(data, file);
    const std::vector<PlannedQuantity>& quantities = plan.figures().at(0).quantities;
    const json report = json::parse(R"({
        "totals": {"read": {"latency": {"p99_ps": 7000000}}},
        "series": {"length_ps": [1000000000000, 1000000000000, 1000000000000],
                   "operations": {"read": {"bytes": [9000000, 9000000, 9000000]},
                                  "write": {"bytes": [3000000, 5000000, 0]}}},
        "phases": [
            {"measured": false, "jobs": [{"name": "reader", "totals": {"all": {"latency": {"p99_ps": 1}}}}]},
            {"measured": true, "jobs": [{"name": "writer", "totals": {"all": {"latency": {"p99_ps": 2}}}},
                                        {"name": "reader", "totals": {"all": {"latency": {"p99_ps": 5000000}}}}]}]})");
    const Variant variant{"", {}, false};
    const MeasuredRun run{"SLC", variant};
    const auto valueOf = [&](std::size_t i) { return quantities.at(i).quantity.of(run, report); };
    CHECK(valueOf(0) == 5.0);
    CHECK(valueOf(1) == 7.0);
    CHECK(valueOf(2) == 5.0);
    CHECK(quantities[0].name == "reader's p99");

    json twice = report;
    twice["phases"].push_back(twice["phases"][1]);
    CHECK(!quantities[0].quantity.of(run, twice)); // of which phase?
    json none = report;
    none["phases"][1].erase("jobs");
    CHECK(!quantities[0].quantity.of(run, none));

    CHECK(contains(mistakeOf("/figures/0/quantities/0", {{"name", "x"}, {"of", "amplification"}, {"job", "reader"}}),
                   "/figures/0/quantities/0/job: a job has no quantity \"amplification\": it is of the drive"));
}

TEST_CASE("the names of the common quantities are unique")
{
    std::vector<std::string> names;
    for (const ReportQuantity& quantity : commonQuantities())
        names.push_back(quantity.name);
    std::sort(names.begin(), names.end());
    CHECK(std::adjacent_find(names.begin(), names.end()) == names.end());
}

TEST_CASE("a bad figure is refused with its place in the file and what is allowed")
{
    CHECK(contains(mistakeOf("/figures/0/runs", 1),
                   "paper.json: /figures/0/runs: unknown key; allowed here: \"figure\""));
    CHECK(contains(mistakeOf("/figures/0/quantities/0", "speed"),
                   "paper.json: /figures/0/quantities/0: unknown quantity \"speed\"; there are \"throughput\""));
    CHECK(contains(mistakeOf("/figures/0/settings/axes/0", "chips"),
                   "paper.json: /figures/0/settings/axes: unknown axis \"chips\"; there are \"clock\", \"ways\""));
    CHECK(contains(mistakeOf("/figures/0/workloads", json::array()),
                   "paper.json: /figures/0/workloads: must be a list with at least one item"));
    CHECK(contains(mistakeOf("/figures/0/workloads/0/name", 5),
                   "paper.json: /figures/0/workloads/0/name: must be a text"));
    CHECK(contains(
        mistakeOf("/figures/0/image", "page-map"),
        "paper.json: /figures/0/image: \"page-map\" is no firmware image; there are page_map, superblock_map"));
    for (const std::uint64_t seeds : {0ULL, 1001ULL, 18446744073709551615ULL}) {
        CHECK(contains(mistakeOf("/figures/1/seeds", seeds),
                       "paper.json: /figures/1/seeds: must be a whole number from 1 to 1000"));
    }
    CHECK(contains(mistakeOf("/figures/1/kind", "trace"), "paper.json: /figures/1/kind: is \"operations\" or absent"));
    CHECK(contains(mistakeOf("/axes/ways/0/sets", 1),
                   "paper.json: /axes/ways/0/sets: unknown key; allowed here: \"name\""));
}

// Keys that move and values that become invalid are found here; the runs of some figures take minutes.
TEST_CASE("each setting of the studies that are shipped is accepted")
{
    static const std::string scenarios = strobe::test::sourceDirectory() + "/scenarios";
    static const std::vector<StudyEntry> studies = studyIndex(scenarios);
    const std::string name = studies[GENERATE(range(std::size_t{0}, studies.size()))].name;
    CAPTURE(name);
    const std::string directory = scenarios + "/papers/" + name + "/";
    std::ifstream stream(directory + "paper.json");
    const json data = json::parse(stream, nullptr, true, true);
    json figures = data.at("figures");
    for (json& figure : figures)
        figure["quantities"] = {"throughput"}; // those of a study's own are not known here
    json plain{{"figures", figures}};
    if (data.contains("axes"))
        plain["axes"] = data["axes"];
    std::set<std::string> keys; // by scenario; a combination of values is tried if one of its settings is new
    std::size_t loaded = 0;
    const Plan plan(plain, {directory, "paper.json"});
    for (const PlannedFigure& figure : plan.figures()) {
        for (const PlannedRun& run : figure.runs) {
            const Variant& variant = run.variants.front();
            bool isNew = keys.insert(variant.scenario).second;
            for (const Override& set : variant.sets)
                isNew = keys.insert(variant.scenario + " " + set.assignment).second || isNew;
            if (!isNew)
                continue;
            LoadOptions load;
            load.scenariosDirectory = scenarios;
            load.sets = variant.sets;
            load.needsWorkload = !variant.isOperations;
            CAPTURE(figure.name, run.workload, run.setting);
            CHECK_NOTHROW(loadScenario(variant.scenario, load));
            ++loaded;
        }
    }
    CHECK(loaded > 3);
}
