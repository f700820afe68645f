// SPDX-License-Identifier: Apache-2.0
#include "tests/domain/reproduce/judged.h"
#include "tests/support/catch.h"

#include <algorithm>
#include <string>
#include <vector>

using namespace strobe;
using namespace strobe::platform;

namespace {

using nlohmann::json;

// The cells that the paper prints, by their names in paper.json; MLC and Table 4, which the sentences need, too.
Points printed()
{
    Points points;
    const json paper = paperOf("ddr-nand");
    for (const json& p : paper["printed"])
        points.measure({p["figure"], p["workload"], p["setting"], p["quantity"]}, p["value"]);
    const auto set = [&](const char* figure, const char* workload, const std::string& setting, const char* quantity,
                         double value) {
        points.measure({figure, workload, setting, quantity}, value);
    };
    set("3", "SLC read", "1 x 2, PROPOSED", "bandwidth", 95); // the printed value contradicts its neighbours
    const auto cells = [&](const char* figure, const char* workload, const char* interface, const char* quantity,
                           const std::vector<double>& values) {
        int ways = 1;
        for (const double value : values) {
            set(figure, workload, "1 x " + std::to_string(ways) + ", " + interface, quantity, value);
            ways *= 2;
        }
    };
    cells("3", "MLC write", "CONV", "bandwidth", {4.43, 8.36, 15.24, 25, 35});
    cells("3", "MLC write", "PROPOSED", "bandwidth", {4.65, 9.24, 18.13, 33, 61.6});
    cells("3", "MLC read", "CONV", "bandwidth", {25, 42, 42, 42, 42});
    cells("3", "MLC read", "PROPOSED", "bandwidth", {41, 70, 111, 111, 111});
    for (const auto& [workload, one, two] : {std::tuple{"SLC read", 100.0, 191.0}, {"MLC read", 100.0, 181.0}}) {
        set("4", workload, "1 x 16, PROPOSED", "bandwidth", one);
        set("4", workload, "2 x 8, PROPOSED", "bandwidth", two);
    }
    for (const char* interface : {"CONV", "SYNC_ONLY"}) { // beside 4-1
        set("4", "SLC read", std::string("1 x 16, ") + interface, "bandwidth", 60);
        set("4", "SLC read", std::string("2 x 8, ") + interface, "bandwidth", 114);
    }
    cells("5", "SLC read", "CONV", "controller energy", {0.8, 0.5, 0.5, 0.5, 0.5});
    cells("5", "SLC read", "SYNC_ONLY", "controller energy", {1.2, 0.6, 0.6, 0.6, 0.6});
    cells("5", "SLC read", "PROPOSED", "controller energy", {1.0, 0.6, 0.4, 0.4, 0.4});
    return points;
}

std::vector<std::string> failedWith(const PointName& name, double value)
{
    Points points = printed();
    points.measure(name, value);
    return failedOf("ddr-nand", points);
}

bool fails(const char* claim, const PointName& name, double value)
{
    const auto all = failedWith(name, value);
    return std::find(all.begin(), all.end(), claim) != all.end();
}

} // namespace

TEST_CASE("the sentences of the DDR NAND paper hold for its own tables")
{
    CHECK(failedOf("ddr-nand", printed()) == std::vector<std::string>{});
    CHECK(judgedOf("ddr-nand", printed()).size() == 18);
}

TEST_CASE("each sentence of the DDR NAND paper is judged by its own cells, and can fail")
{
    const auto slc = [](const char* op, const std::string& setting) {
        return PointName{"3", std::string("SLC ") + op, setting, "bandwidth"};
    };
    CHECK(fails("3-1", slc("write", "1 x 16, CONV"), 41));
    CHECK(fails("3-1", slc("write", "1 x 4, CONV"), 39));
    CHECK(fails("3-2", slc("write", "1 x 16, PROPOSED"), 69));
    CHECK(fails("3-3", slc("write", "1 x 1, CONV"), 7));
    CHECK(fails("3-4", slc("write", "1 x 1, PROPOSED"), 9));
    CHECK(fails("3-5", slc("write", "1 x 16, PROPOSED"), 90));
    CHECK(fails("3-6", slc("read", "1 x 8, SYNC_ONLY"), 118));
    CHECK(fails("3-7", slc("read", "1 x 16, PROPOSED"), 97));
    CHECK(fails("3-8", slc("read", "1 x 8, PROPOSED"), 119));
    CHECK(fails("3-8", slc("read", "1 x 1, CONV"), 39));
    CHECK(fails("3-9", slc("read", "1 x 16, PROPOSED"), 110));
    CHECK(fails("3-10", slc("read", "1 x 1, PROPOSED"), 30));
    CHECK(fails("6-1", slc("read", "1 x 1, PROPOSED"), 43));
    CHECK(fails("6-2", slc("write", "1 x 1, PROPOSED"), 7.9));
    CHECK(fails("6-3", {"3", "MLC read", "1 x 16, PROPOSED", "bandwidth"}, 120));
    CHECK(fails("6-4", {"3", "MLC write", "1 x 16, PROPOSED", "bandwidth"}, 66));
    CHECK(fails("4-1", {"4", "SLC read", "2 x 8, PROPOSED", "bandwidth"}, 201));
    CHECK(fails("4-2", {"4", "MLC read", "2 x 8, PROPOSED", "bandwidth"}, 191));
    CHECK(fails("5-1", {"5", "SLC read", "1 x 1, PROPOSED", "controller energy"}, 0.7));
    CHECK(fails("5-2", {"5", "SLC write", "1 x 16, PROPOSED", "controller energy"}, 0.6));
}
