// SPDX-License-Identifier: Apache-2.0
#include "models/controller/dispatcher.h"
#include "models/controller/ecc.h"
#include "models/host/nvme/nvme_controller.h"
#include "models/host/pcie/pcie_link.h"
#include "platform/report/json_report.h"
#include "platform/report/statistics_sections.h"
#include "sample_report.h"
#include "tests/support/catch.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>
#include <vector>

using namespace strobe;
using namespace strobe::platform;
using nlohmann::json;

namespace {

using Names = std::set<std::string>; // "place key"

// Numbers of a report that are no statistics: what was configured, where something is, and curves.
const Names others{" schema_version",
                   " seed",
                   "flash page_bytes",
                   "phases[] queue_depth",
                   "phases[].jobs[] queue_depth",
                   "resources[] channel",
                   "resources[] way",
                   "resources[] lun",
                   "calibration.dies[] channel",
                   "calibration.dies[] position"};
// Also: parts of a sum by stage, and single requests.
const Names curves{"config",           "latency_histograms", "flash.wear.histogram[]",
                   "flash.wear.map[]", "stages.slowest",     "stages.kinds.*.*.buffer_wait_causes"};

// A part of a report that occurs in several places is declared for one of them.
std::string declaredPlace(std::string place)
{
    for (const std::string_view other : {"phases[].jobs[].totals", "phases[].totals"}) {
        if (place.rfind(other, 0) == 0)
            place.replace(0, other.size(), "totals");
    }
    if (place == "phases[].jobs[].source")
        return "phases[].source";
    return place == "flash.operations.by_purpose.*" ? "flash.operations.total" : place;
}

void addNumbers(const json& value, const std::string& place, Names& to)
{
    const Names byName{"totals",          "phases[].totals", "phases[].jobs[].totals", "flash.operations.by_purpose",
                       "served.requests", "firmware.costs",  "stages.kinds",           "stages.kinds.*"};
    for (const auto& [key, child] : value.items()) {
        const std::string inner = value.is_array() ? place + "[]"
                                  : place.empty()  ? key
                                                   : place + "." + (byName.count(place) != 0 ? "*" : key);
        if (curves.count(inner) != 0)
            continue;
        if (child.is_structured())
            addNumbers(child, inner, to);
        else if ((child.is_number() || child.is_null()) && others.count(place + " " + key) == 0)
            to.insert(declaredPlace(place) + " " + key);
    }
}

Report fullReport()
{
    Report r = test::sampleReport();
    r.resources[0].pool.emplace();
    r.phases[1].jobs.push_back(r.phases[1]);
    r.firmware.instructions.emplace();
    r.firmware.response.cores.emplace_back();
    r.firmware.memory.emplace().stacks.emplace_back();
    r.firmware.memory->heap.emplace();
    r.wear.preAged = 0.5;
    r.wear.overwrites.emplace();
    r.wear.history.emplace_back();
    r.wear.map.push_back({0, 0, {1}, {}, {}});
    r.failures.emplace_back();
    r.power.cuts = 1;
    r.power.starts.emplace_back();
    r.served.emplace();
    r.served->kinds.emplace_back();
    r.served->pace.emplace();
    r.calibration.emplace();
    r.calibration->dies.emplace_back();
    r.memory.integrityCheck = 7;
    StageReport::Class all;
    all.means.stages.fill(1000);
    all.means.bufferWaitCauses.fill(10);
    r.requestStages = StageReport{{{host::RequestKind::Write, {std::move(all)}}}, {}, 1, 1};
    r.link = statisticsOf(host::PcieCounters{}, host::nvme::ControllerCounters{}, host::LinkErrorCounters{});
    r.counters = {{{"flash", "", ""}, controller::DispatcherCounters{}},
                  {{"flash.ecc", "all channels", ""}, controller::EccCounters{}},
                  {{"flash.new_part", "parts of tomorrow", ""}, RefreshCounters{}}};
    r.host.emplace();
    return r;
}

} // namespace

TEST_CASE("every declared statistic has a key of its own within its place, a unit and a sentence")
{
    std::set<std::string> seen;
    for (const StatisticsSection& section : statisticsSections(fullReport().counters)) {
        REQUIRE_FALSE(section.rows.empty());
        for (const StatisticsSection::Row& row : section.rows) {
            INFO(section.place << " (" << section.remark << ") " << row.key);
            CHECK_FALSE(row.sentence.empty());
            CHECK(seen.insert(section.place + section.remark + row.key).second);
        }
    }
}

TEST_CASE("each number of a report is a declared statistic, and the report has each statistic of its places")
{
    Names reported;
    addNumbers(json::parse(jsonReport(fullReport(), {})), "", reported);
    Names declared;
    for (const StatisticsSection& section : statisticsSections(fullReport().counters)) {
        for (const StatisticsSection::Row& row : section.rows)
            declared.insert(section.place + " " + row.key);
    }
    for (const std::string& number : reported) {
        INFO(number);
        CHECK(declared.count(number) == 1);
    }
    // Its own figures, without what the models give to the sample.
    for (const std::string_view part : {"",
                                        "totals.*",
                                        "limiting",
                                        "groups[]",
                                        "resources[]",
                                        "phases[]",
                                        "flash.wear",
                                        "flash.wear.overwrites",
                                        "flash.wear.history[]",
                                        "energy",
                                        "energy.components[]",
                                        "integrity",
                                        "power",
                                        "failures[]",
                                        "served",
                                        "served.requests.*",
                                        "calibration",
                                        "calibration.dies[]",
                                        "firmware",
                                        "firmware.costs.*",
                                        "firmware.memory.stacks[]",
                                        "firmware.memory.heap",
                                        "power.starts[]",
                                        "memory",
                                        "host"}) {
        for (const std::string& statistic : declared) {
            if (statistic.substr(0, statistic.find(' ')) == part) {
                INFO(statistic);
                CHECK(reported.count(statistic) == 1);
            }
        }
    }
}

TEST_CASE("counters of a part follow the other statistics of their place in the report, in one section")
{
    std::vector<std::string> flash;
    for (const StatisticsSection& section : statisticsSections(fullReport().counters)) {
        if (section.place.rfind("flash", 0) == 0)
            flash.push_back(section.place);
    }
    CHECK(flash.back() == "flash.new_part");
    CHECK(std::count(flash.begin(), flash.end(), "flash") == 1);
}

TEST_CASE("both tables have a row for each statistic, with unit and meaning")
{
    const std::vector<CounterBlock> counters = fullReport().counters;
    const std::string text = statisticsTable(counters);
    const std::string markdown = statisticsTableMarkdown(counters);
    CHECK(markdown.find("| `flash.ecc` (all channels) | `corrected_pages` | count | of these, corrected |") !=
          std::string::npos);
    CHECK(text.find("link  (host.interface sata)") != std::string::npos);
    CHECK(text.find("top level\n") == 0);
    CHECK(markdown.find("| top level | `capacity_bytes` | bytes |") != std::string::npos);
    CHECK(text.find("held_for_memory_ps") != std::string::npos);
    CHECK(text.find("flash.new_part  (parts of tomorrow)") != std::string::npos);
}
