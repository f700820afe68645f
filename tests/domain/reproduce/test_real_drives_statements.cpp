// SPDX-License-Identifier: Apache-2.0
//
// The rows of real drives: verdicts follow from the published values and the bars alone.
#include "tests/domain/reproduce/judged.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::platform;

namespace {

const std::string study = "real-drives";

// A drive that measures what is published, times `factor` for the values of `quantity`.
Points published(const std::string& quantity = "", double factor = 1)
{
    const nlohmann::json paper = paperOf(study);
    Points points;
    for (const nlohmann::json& row : paper["printed"]) {
        if (!row.contains("values")) // a doubtful one, which no row is judged by
            continue;
        for (const auto& [name, value] : row["values"].items()) {
            const PointName point{row["figure"], row["workload"], row["setting"], name};
            points.measure(point, value.get<double>() * (name == quantity ? factor : 1));
            if (paper["bars"].contains(name))
                points.publish(point, value, paper["bars"][name].get<double>() / 100);
        }
    }
    return points;
}

std::size_t failures(const Points& points)
{
    return failedOf(study, points).size();
}

} // namespace

TEST_CASE("all rows hold for a drive that behaves as published")
{
    CHECK(judgedOf(study, published()).size() == paperOf(study)["statements"].size());
    CHECK(failures(published()) == 0);
}

TEST_CASE("each quantity is judged against its own bar")
{
    const nlohmann::json paper = paperOf(study);
    for (const auto& [quantity, bar] : paper["bars"].items()) {
        const double share = bar.get<double>() / 100;
        CAPTURE(quantity);
        CHECK(failures(published(quantity, 1 + 0.99 * share)) == 0);
        CHECK(failures(published(quantity, 1 + 1.01 * share)) > 0);
        CHECK(failures(published(quantity, 1 - 1.01 * share)) > 0);
    }
}

TEST_CASE("a drive whose rate does not oscillate under garbage collection fails the row of the oscillation")
{
    CHECK(failedOf(study, published("rate p5", 1.6)) == std::vector<std::string>{"31b"});
    CHECK(failedOf(study, published("rate p95", 0.5)) == std::vector<std::string>{"31b"});
}
