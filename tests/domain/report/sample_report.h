#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A report with round figures, for tests of its analysis and its two views: one measured second of reads and writes on
// a drive with two channels of two dies.

#include "models/controller/dispatcher.h"
#include "models/controller/unit_port.h"
#include "platform/report/report.h"

#include <string>

namespace strobe::test {

using namespace std::chrono_literals;

inline platform::ResourceReport resource(const std::string& name, const std::string& group, Time busy,
                                         std::uint64_t jobs = 10, Time waited = {}, Time maxWaited = {})
{
    return {name, enumValue<ResourceGroup>(group).value(), {busy, waited, maxWaited, jobs, 3}, std::nullopt};
}

inline platform::LatencySummary latency(std::uint64_t count)
{
    return {count, 10us, 100us, 2ms, 90us, 200us, 500us, 1ms, 1500us};
}

inline platform::Report sampleReport()
{
    platform::Report r;
    r.scenario = "sample";
    r.description = "A drive for tests.";
    r.seed = 42;
    r.dataMode = "tags";
    r.resolvedJson = R"({"name": "sample"})";
    r.capacitySectors = 2'000'000;
    r.pageBytes = 4096;
    r.simulated = 3s;
    r.ready = 5us;
    r.measured = 1s;
    r.kinds = {{host::RequestKind::Read, 1000, 4'096'000, 0, latency(1000)},
               {host::RequestKind::Write, 500, 2'048'000, 0, latency(500)}};
    r.all = latency(1500);
    platform::PhaseReport fill;
    fill.name = "fill";
    fill.measured = false;
    fill.start = 5us;
    fill.end = 2s;
    platform::PhaseReport main;
    main.name = "main";
    main.workload = "uniform over 1 GiB";
    main.queueDepth = 8;
    main.start = 2s;
    main.end = 3s;
    main.kinds = r.kinds;
    main.all = r.all;
    main.source.requests = 1500;
    main.source.unaligned4k = 7;
    r.phases = {fill, main};
    r.resources = {resource("host link", "link", 300ms),
                   resource("cpu", "cpu", 200ms),
                   resource("channel 0", "channel", 100ms, 10, 40us, 9us),
                   resource("channel 1", "channel", 300ms, 30, 40us, 11us),
                   resource("die 0.0", "die", 380ms),
                   resource("die 0.1", "die", 200ms)};
    r.flash = {{"host", 900, 500, 0, 0}, {"garbage collection", 100, 200, 4, 50}};
    r.wear = {100, 2, 1, 0, 3, 49, 1000, {60, 38}, {}, {}, 0, {}};
    controller::FlashUnitCounters units;
    units.stageTime[static_cast<std::size_t>(controller::Stage::InFlash)] = 300ms;
    units.stageTime[static_cast<std::size_t>(controller::Stage::Decoding)] = 100ms;
    controller::DispatcherCounters dispatcher;
    dispatcher.dieUsedByAnotherUnit = 2;
    r.counters = {{{"flash.unit_stages", "", ""}, units}, {{"flash", "", ""}, dispatcher}};
    r.link = {{"held_for_memory", Unit::Duration, "", picoseconds(7)}};
    r.energy = {{"dies", 0.003, "part", "die"}, {"CPU", 0.001, "assumed", "cpu"}};
    r.integrity = {true, 8000, 0, {}};
    r.firmware = {"page_map", "native", {{"wake_up", 10, 400, 0}, {"gc_page", 5, 600, 0}}, {}, {"hello"}, {}, {}};
    r.memory = {12345, {}};
    return r;
}

} // namespace strobe::test
