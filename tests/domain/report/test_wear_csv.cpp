// SPDX-License-Identifier: Apache-2.0
#include "platform/report/json_report.h"
#include "platform/report/wear_csv.h"
#include "tests/domain/report/sample_report.h"
#include "tests/support/catch.h"

#include <nlohmann/json.hpp>

using namespace strobe;
using namespace strobe::platform;
using namespace strobe::test;
using nlohmann::json;

namespace {

Report wornReport()
{
    Report report = sampleReport();
    report.wear.map = {{0, 0, {5, 0, 7}, {1}, {}}, {1, 2, {4, 4, 3}, {}, {0, 2}}};
    report.wear.history = {{1ms, 4096, 2, 3, 5, 8}, {1500us, 8192, 4, 3, 7, 23}};
    return report;
}

} // namespace

TEST_CASE("a wear map has a line per block with its state")
{
    CHECK(wearMapCsv(wornReport().wear) == "channel,position,block,erases,state\n"
                                           "0,0,0,5,good\n"
                                           "0,0,1,0,factory bad\n"
                                           "0,0,2,7,good\n"
                                           "1,2,0,4,failed\n"
                                           "1,2,1,4,good\n"
                                           "1,2,2,3,failed\n");
}

TEST_CASE("a history of wear has a line per sample with the difference")
{
    CHECK(wearHistoryCsv(wornReport().wear) == "time_us,written_bytes,blocks,min_erases,max_erases,difference,erases\n"
                                               "1000.000000,4096,2,3,5,2,8\n"
                                               "1500.000000,8192,4,3,7,4,23\n");
}

TEST_CASE("the JSON report has map and history only on request")
{
    const json without = json::parse(jsonReport(sampleReport(), {}));
    CHECK_FALSE(without["flash"]["wear"].contains("map"));
    CHECK_FALSE(without["flash"]["wear"].contains("history"));
    const json wear = json::parse(jsonReport(wornReport(), {}))["flash"]["wear"];
    CHECK(wear["map"][1] ==
          json::parse(R"({"channel": 1, "position": 2, "erases": [4, 4, 3], "factory_bad": [], "failed": [0, 2]})"));
    CHECK(wear["history"][1] ==
          json::parse(R"({"at_ps": 1500000000, "written_bytes": 8192, "blocks": 4, "min_erases": 3,
                                                "max_erases": 7, "difference": 4, "erases": 23})"));
}
