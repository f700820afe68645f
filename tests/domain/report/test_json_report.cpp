// SPDX-License-Identifier: Apache-2.0
#include "models/controller/prioritized_forwarder.h"
#include "platform/report/json_curves.h"
#include "platform/report/json_report.h"
#include "sample_report.h"
#include "tests/support/catch.h"

#include <nlohmann/json.hpp>

using namespace strobe;
using namespace strobe::platform;
using namespace strobe::test;
using nlohmann::json;

namespace {

const Program program{"1.2.3", "abc", "SystemC"};

json written(const Report& report)
{
    return json::parse(jsonReport(report, program));
}

} // namespace

TEST_CASE("the report names the scenario and the program")
{
    const json j = written(sampleReport());
    CHECK(j["schema_version"] == 2);
    CHECK(j["program"]["version"] == "1.2.3");
    CHECK(j["program"]["revision"] == "abc");
    CHECK(j["scenario"] == "sample");
    CHECK(j["seed"] == 42);
    CHECK(j["data"] == "tags");
    CHECK(j["config"]["name"] == "sample");
    CHECK(j["interrupted"] == false);
    CHECK(j["errors"] == false);
    CHECK(j["capacity_bytes"] == 1'024'000'000);
    CHECK(j["measured_ps"] == 1'000'000'000'000);
}

TEST_CASE("totals have rates in decimal and binary units and every percentile")
{
    const json all = written(sampleReport())["totals"]["all"];
    CHECK(all["requests"] == 1500);
    CHECK(all["bytes"] == 6'144'000);
    CHECK(all["iops"] == 1500.0);
    CHECK(all["megabytes_per_second"] == 6.144);
    CHECK(all["mebibytes_per_second"] == 5.859375);
    const json latency = all["latency"];
    CHECK(latency["min_ps"] == 10'000'000);
    CHECK(latency["p50_ps"] == 90'000'000);
    CHECK(latency["p90_ps"] == 200'000'000);
    CHECK(latency["p99_ps"] == 500'000'000);
    CHECK(latency["p99_9_ps"] == 1'000'000'000);
    CHECK(latency["p99_99_ps"] == 1'500'000'000);
    CHECK(latency["max_ps"] == 2'000'000'000);
    CHECK(written(sampleReport())["totals"]["read"]["requests"] == 1000);
}

TEST_CASE("resources, groups and the limiting one are listed")
{
    const json j = written(sampleReport());
    CHECK(j["limiting"]["limit"] == "latency");
    CHECK(j["groups"].size() == 4);
    CHECK(j["groups"][2]["title"] ==
          rowOf(enumValue<ResourceGroup>(j["groups"][2]["group"].get<std::string>()).value()).title);
    CHECK(j["resources"].size() == 6);
    CHECK(j["resources"][3]["name"] == "channel 1");
    CHECK(j["resources"][3]["utilisation"] == 0.3);
    CHECK(j["resources"][3]["max_wait_ps"] == 11'000'000);
    CHECK(j["resources"][3]["mean_queue"] == 0.00004);
    CHECK(j["resources"][3]["max_queue"] == 3);
    CHECK_FALSE(j["resources"][3].contains("exhausted_ps"));
    CHECK(j["groups"][2]["mean_queue"] == 0.00004);
    CHECK(j["groups"][2]["max_queue"] == 3);
    CHECK(j["link"]["held_for_memory_ps"] == 7);

    Report r = sampleReport();
    r.resources[0].pool = PoolReport{4, 2us};
    CHECK(written(r)["resources"][0]["places"] == 4);
    CHECK(written(r)["resources"][0]["exhausted_ps"] == 2'000'000);
}

TEST_CASE("flash, wear, energy, firmware, integrity and memory are listed")
{
    const json j = written(sampleReport());
    CHECK(j["flash"]["write_amplification"] == 1.5);
    CHECK(j["flash"]["operations"]["by_purpose"]["garbage_collection"]["copy_backs"] == 50);
    CHECK(j["flash"]["wear"]["mean_erases"] == 0.5); // 49 erases over 98 good blocks
    CHECK(j["flash"]["wear"]["histogram"] == json::parse("[60, 38]"));
    CHECK(j["flash"]["wear"]["rated_endurance"] == 1000);
    CHECK(j["flash"]["wear"]["mean_life_used"] == 0.0005);
    CHECK(j["flash"]["wear"]["max_life_used"] == 0.003);
    CHECK(written(Report{})["flash"]["wear"]["rated_endurance"].is_null());
    CHECK(written(Report{})["flash"]["wear"]["max_life_used"].is_null());
    CHECK(j["flash"]["unit_stages"]["in_flash_ps"] == 300'000'000'000);
    CHECK(j["flash"]["die_used_by_another_unit"] == 2);
    CHECK(j["flash"]["write_amplification_note"] == "");
    CHECK(j["energy"]["total_joule"] == 0.004);
    CHECK(j["energy"]["joule_per_byte"].get<double>() > 6.5e-10);
    CHECK(j["energy"]["joule_per_sector"] == 3.33333333e-07); // 4 mJ over 12,000 sectors
    CHECK(j["energy"]["components"][0]["joule_per_sector"] == 2.5e-07);
    CHECK(j["energy"]["components"][0]["group"] == "die");
    CHECK(j["firmware"]["costs"]["gc_page"]["share"] == 0.6);
    CHECK(j["firmware"]["log"][0] == "hello");
    CHECK(j["integrity"]["checked_sectors"] == 8000);
    CHECK(j["memory"] == json{{"flash_pages_bytes", 12345}});
    CHECK(j["phases"][1]["source"]["unaligned_4k"] == 7);
}

TEST_CASE("instructions are in the report only if the firmware executed any that were counted")
{
    Report r = sampleReport();
    CHECK(written(r)["firmware"]["mode"] == "native");
    CHECK_FALSE(written(r)["firmware"].contains("instructions"));
    r.firmware = {"page_map", "rv32", {}, ExecutedInstructions{50'000'000}, {}, {}, {}};
    r.measured = std::chrono::seconds(2);
    CHECK(written(r)["firmware"]["mode"] == "rv32");
    CHECK(written(r)["firmware"]["instructions"] == 50'000'000);
    CHECK(written(r)["firmware"]["instructions_per_second"] == 25e6);
    CHECK(written(r)["firmware"]["costs"].empty());
}

TEST_CASE("host time is in the report only on request")
{
    Report r = sampleReport();
    CHECK_FALSE(written(r).contains("host"));
    r.host = HostTime{0.5, 2.0, 1000, 3000};
    CHECK(written(r)["host"] == json::parse(R"({"set_up_seconds": 0.5, "run_seconds": 2.0, "peak_memory_bytes": 1000,
                                                "requests_per_second": 1500.0})"));
}

TEST_CASE("overwrites of pages and wear before the run are in the report of parts that have them")
{
    Report r = sampleReport();
    CHECK_FALSE(written(r)["flash"]["wear"].contains("pre_aged"));
    CHECK_FALSE(written(r)["flash"]["wear"].contains("overwrites"));
    r.wear.preAged = 0.25;
    r.wear.overwrites = WearReport::Overwrites{4, 10, 50, 100};
    const json wear = written(r)["flash"]["wear"];
    CHECK(wear["pre_aged"] == 0.25);
    CHECK(wear["overwrites"] == json::parse(R"({"pages": 4, "min": 10, "mean": 25.0, "max": 50})"));
    CHECK(wear["mean_life_used"] == 0.275);
}

TEST_CASE("the response of firmware has the longest of each kind and what it was")
{
    Report r = sampleReport();
    r.firmware.response.cores.resize(2);
    const json none = written(r)["firmware"];
    CHECK(none["commands"]["times"] == 0);
    CHECK_FALSE(none["commands"].contains("longest_of"));
    CHECK(none["cores"].size() == 2);
    FirmwareResponse& response = r.firmware.response;
    response.commands = {{{2, 5us, 4us, 1ms, {}}, {7, host::RequestKind::Write, false, 1234, 8}}, "serve+0x4"};
    response.cores[1].interrupts.times = {{3, 6us, 3us, 2ms, {}}, cpu::InterruptSource::Timer, 9};
    response.cores[1].rounds = {{1, 7us, 7us, 3ms, {}}, ""};
    const json j = written(r)["firmware"];
    const json commands = json::parse(R"({"times": 2, "mean_ps": 2500000, "longest_ps": 4000000,
        "longest_from_ps": 1000000000, "longest_of": "write of 8 sectors at 1234, slot 7",
        "longest_place": "serve+0x4"})");
    CHECK(j["commands"] == commands);
    const json interrupts = json::parse(R"({"times": 3, "mean_ps": 2000000, "longest_ps": 3000000,
        "longest_from_ps": 2000000000, "polled": 9, "longest_of": "timer"})");
    CHECK(j["cores"][1]["interrupts"] == interrupts);
    CHECK(j["cores"][1]["rounds"]["longest_from_ps"] == 3'000'000'000);
    CHECK(commandText(host::Command{2, host::RequestKind::Flush}) == "flush, slot 2");
    CHECK(commandText(host::Command{2, host::RequestKind::Read, false, 5, 1}) == "read of 1 sector at 5, slot 2");
}

TEST_CASE("cycles of firmware are divided among the cost points, with their deviation if it was measured")
{
    Report r = sampleReport();
    CHECK(written(r)["firmware"]["cycles"] == 1000);
    CHECK(written(r)["firmware"]["costs"]["wake_up"] == json::parse(R"({"times": 10, "cycles": 400, "share": 0.4})"));
    r.firmware.instructions.emplace();
    r.firmware.costs = {{"wake_up", 2, 40, 1000}}; // 10 and 30 cycles
    CHECK(written(r)["firmware"]["costs"]["wake_up"]["deviation"] == 10.0);
}

TEST_CASE("the same report gives the same bytes")
{
    CHECK((jsonReport(sampleReport(), program) == jsonReport(sampleReport(), program)));
}

TEST_CASE("an interrupted report states that, and the reason")
{
    Report r = sampleReport();
    r.interrupted = true;
    r.interruption = "Ctrl-C";
    CHECK(written(r)["interrupted"] == true);
    CHECK(written(r)["interruption"] == "Ctrl-C");
}

TEST_CASE("failures and mismatches are listed in full")
{
    Report r = sampleReport();
    r.integrity = {true, 10, 1, {"sector 7: expected version 2, got 1"}};
    r.failures = {{"illegal command", 1, true, {"die 0: program of block 3 page 1: page out of order"}}};
    const json j = written(r);
    CHECK(j["errors"] == true);
    CHECK(j["integrity"]["details"][0] == "sector 7: expected version 2, got 1");
    CHECK(j["failures"][0]["details"].size() == 1);
}

TEST_CASE("an empty report is valid JSON")
{
    CHECK(written(Report{})["limiting"]["limit"] == "nothing");
}

TEST_CASE("counters of a part are in the object of their place, together with others of this place")
{
    CHECK_FALSE(written(sampleReport())["flash"].contains("foreground"));
    Report report = sampleReport();
    report.counters.emplace_back(CounterPlace{"flash.foreground", "", ""}, controller::ForwarderCounters{1000, 20, 3});
    report.counters.emplace_back(CounterPlace{"flash.foreground", "", ""}, RefreshCounters{1, 2, 3, 4, 5});
    report.counters.emplace_back(CounterPlace{"new_part", "", ""}, RefreshCounters{6, 7, 8, 9, 10});
    const json j = written(report);
    CHECK(j["flash"]["foreground"]["operations_with_priority"] == 1000);
    CHECK(j["flash"]["foreground"]["preempted_at_primitive"] == 20);
    CHECK(j["flash"]["foreground"]["scrub_reads"] == 5);
    CHECK(j["flash"]["page_bytes"] == 4096);
    CHECK(j["new_part"]["blocks_for_age"] == 7);
}

TEST_CASE("latency histograms are part of the report, a time series if there is one")
{
    Report r = sampleReport();
    CHECK(written(r)["latency_histograms"].contains("read"));
    CHECK_FALSE(written(r).contains("series"));
    r.series.interval = 1ms;
    r.series.length = {1ms, 500us};
    CHECK(written(r)["series"] == json::parse(jsonSeries(r.series, r.pageBytes).dump()));
}

TEST_CASE("resources have their place, the platform its blocks and links")
{
    Report r = sampleReport();
    r.resources[0].place = {3, 1, 0};
    r.platform.blocks = {{"cpu", "cpu", "native firmware", {"cpu"}}, {"fabric", "fabric", "", {}}};
    r.platform.links = {{"cpu", "fabric", false}};
    const json j = written(r);
    CHECK(j["resources"][0]["channel"] == 3);
    CHECK(j["resources"][0]["way"] == 1);
    CHECK(j["resources"][0]["lun"] == 0);
    CHECK_FALSE(j["resources"][1].contains("channel"));
    CHECK(j["platform"]["blocks"][0]["resources"] == json{"cpu"});
    CHECK(j["platform"]["links"][0] == json{{"from", "cpu"}, {"to", "fabric"}, {"kind", "control"}});
}

TEST_CASE("what a scenario changes is part of the report")
{
    Report r = sampleReport();
    r.differencesJson = R"({"extends": ["base"], "changes": []})";
    CHECK(written(r)["config_differences"]["extends"] == json{"base"});
}
