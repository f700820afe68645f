// SPDX-License-Identifier: Apache-2.0
#include "platform/report/perfetto_trace.h"
#include "platform/report/timeline.h"

#include "tests/support/catch.h"

#include <protozero/pbf_reader.hpp>

#include <array>
#include <map>
#include <string>
#include <vector>

using namespace strobe;
using namespace strobe::platform;
using namespace std::chrono_literals;

namespace {

struct Event {
    std::uint64_t at = 0;
    std::int32_t type = 0; // 1 begin, 2 end
    std::uint64_t track = 0;
    std::uint64_t name = 0;
    std::vector<std::uint64_t> flows;
};

struct Decoded {
    std::map<std::uint64_t, std::string> tracks;
    std::map<std::uint64_t, std::uint64_t> parents;
    std::map<std::uint64_t, std::string> names;
    std::vector<Event> events;
};

void readTrack(protozero::pbf_reader descriptor, Decoded& decoded)
{
    std::uint64_t uuid = 0;
    while (descriptor.next()) {
        switch (descriptor.tag()) {
        case 1: uuid = descriptor.get_uint64(); break;
        case 2: decoded.tracks[uuid] = descriptor.get_string(); break;
        case 5: decoded.parents[uuid] = descriptor.get_uint64(); break;
        default: descriptor.skip();
        }
    }
}

void readNames(protozero::pbf_reader interned, Decoded& decoded)
{
    while (interned.next(2)) {
        protozero::pbf_reader entry = interned.get_message();
        std::uint64_t id = 0;
        while (entry.next()) {
            if (entry.tag() == 1)
                id = entry.get_uint64();
            else
                decoded.names[id] = entry.get_string();
        }
    }
}

Event readEvent(protozero::pbf_reader reader, std::uint64_t at)
{
    Event event;
    event.at = at;
    while (reader.next()) {
        switch (reader.tag()) {
        case 9: event.type = reader.get_enum(); break;
        case 10: event.name = reader.get_uint64(); break;
        case 11: event.track = reader.get_uint64(); break;
        case 47: event.flows.push_back(reader.get_fixed64()); break;
        default: reader.skip();
        }
    }
    return event;
}

Decoded decode(const std::string& bytes)
{
    Decoded decoded;
    protozero::pbf_reader trace(bytes);
    while (trace.next(1)) {
        protozero::pbf_reader packet = trace.get_message();
        std::uint64_t at = 0;
        while (packet.next()) {
            switch (packet.tag()) {
            case 8: at = packet.get_uint64(); break;
            case 11: decoded.events.push_back(readEvent(packet.get_message(), at)); break;
            case 12: readNames(packet.get_message(), decoded); break;
            case 60: readTrack(packet.get_message(), decoded); break;
            default: packet.skip();
            }
        }
    }
    return decoded;
}

} // namespace

TEST_CASE("a slice is written with its track, name, flows and whole nanoseconds")
{
    PerfettoTrace trace;
    const PerfettoTrace::Track parent = trace.track("channel 0", 0, 4);
    const PerfettoTrace::Track die = trace.track("die 0.0", parent, 1);
    trace.slice({die, Time{1'999}, Time{5'000}, "read", {7, 9}, {{"waited_ps", 3}}});
    trace.slice({die, Time{5'000}, Time{6'001}, "read", {}, {}});
    const Decoded decoded = decode(trace.bytes());
    CHECK(decoded.tracks.at(die) == "die 0.0");
    CHECK(decoded.parents.at(die) == parent);
    REQUIRE(decoded.events.size() == 4);
    CHECK(decoded.events[0].at == 1);
    CHECK(decoded.events[1].at == 5);
    CHECK(decoded.events[3].at == 6);
    CHECK(decoded.events[0].flows == std::vector<std::uint64_t>{7, 9});
    CHECK(decoded.names.at(decoded.events[0].name) == "read");
    CHECK(decoded.names.size() == 1); // the second slice refers to the first one's name
    CHECK(decoded.events[2].name == decoded.events[0].name);
}

TEST_CASE("slices inside another one end before it")
{
    PerfettoTrace trace;
    const PerfettoTrace::Track track = trace.track("requests", 0, 0);
    trace.slice({track, 0ns, 9ns, "read", {}, {}},
                {{0, 0ns, 4ns, "host link", {}, {}}, {0, 4ns, 9ns, "array", {}, {}}});
    std::vector<std::pair<std::int32_t, std::uint64_t>> order;
    for (const Event& event : decode(trace.bytes()).events)
        order.emplace_back(event.type, event.at);
    CHECK(order == decltype(order){{1, 0}, {1, 0}, {2, 4}, {1, 4}, {2, 9}, {2, 9}});
}

TEST_CASE("jobs of a resource that overlap get further tracks of its name")
{
    ActivityLog log(Time{}, 1ms, 10);
    const std::uint32_t ecc = log.lane({"ecc encoder 0", ResourceGroup::Ecc, 0});
    log.note(ecc, 0ns, 0ns, 100ns);
    log.note(ecc, 20ns, 50ns, 150ns);
    log.note(ecc, 100ns, 100ns, 120ns);
    const Decoded decoded = decode(timelineTrace(log, {}, {{0ns, 1ms}}));
    std::vector<std::uint64_t> used;
    for (const Event& event : decoded.events) {
        if (event.type == 1)
            used.push_back(event.track);
    }
    REQUIRE(used.size() == 3);
    CHECK(used[0] != used[1]);
    CHECK(used[2] == used[0]);
    CHECK(decoded.tracks.at(used[0]) == "ecc encoder 0");
    CHECK(decoded.tracks.at(used[1]) == "ecc encoder 0");
    CHECK(decoded.tracks.at(decoded.parents.at(used[1])) == "channel 0");
}

TEST_CASE("a flow leads from a request to its job, operation and bus segment")
{
    const ActivityLog log(Time{}, 1ms, 10);
    TimelineRecords records;
    TracedRequest request;
    request.id = 12;
    request.path.begin(0ns);
    request.path.add(RequestStage::Array, 90ns);
    records.requests = {request};
    records.jobs = {{5, 0, "read", "host", 8, 0, 5ns, {10ns, 80ns}}};
    records.served = {{5, 12}};
    records.operations = {
        {5, 0, nand::Opcode::Read, nand::Purpose::Host, 15ns, {25ns, 60ns}, {20ns, 70ns}},
        {6, 0, nand::Opcode::Erase, nand::Purpose::GarbageCollection, 15ns, {75ns, 99ns}, {72ns, 100ns}}};
    records.segments = {{0, 20ns, nand::Opcode::Read, "request", {20ns, 25ns}}};
    std::vector<std::uint64_t> with;
    std::size_t without = 0;
    for (const Event& event : decode(timelineTrace(log, records, {{0ns, 1ms}})).events) {
        if (event.type != 1)
            continue;
        if (event.flows.empty())
            ++without;
        else
            with.push_back(event.flows.at(0));
    }
    CHECK(with == std::vector<std::uint64_t>(4, 12)); // request, job, operation, segment
    CHECK(without == 4);                              // stage, two arrays, the operation of another job
}

TEST_CASE("a job of several requests, or of none, has a flow of its own to its operations")
{
    const ActivityLog log(Time{}, 1ms, 10);
    TimelineRecords records;
    records.jobs = {{5, 0, "copyback", "merge", 8, 0, 5ns, {10ns, 40ns}},
                    {6, 1, "erase", "merge", 0, 0, 5ns, {50ns, 90ns}}};
    records.served = {{5, 12}, {5, 13}, {5, 12}};
    records.operations = {{5, 0, nand::Opcode::Program, nand::Purpose::Merge, 15ns, {25ns, 29ns}, {20ns, 30ns}},
                          {6, 0, nand::Opcode::Erase, nand::Purpose::Merge, 55ns, {65ns, 79ns}, {60ns, 80ns}}};
    std::vector<std::vector<std::uint64_t>> flows;
    for (const Event& event : decode(timelineTrace(log, records, {{0ns, 1ms}})).events) {
        if (event.type == 1 && !event.flows.empty())
            flows.push_back(event.flows);
    }
    REQUIRE(flows.size() == 4); // two jobs, then their operations
    REQUIRE(flows[0].size() == 3);
    CHECK(flows[0][1] == 12);
    CHECK(flows[0][2] == 13);
    CHECK(flows[2] == std::vector<std::uint64_t>{flows[0][0]});
    CHECK(flows[1].size() == 1);
    CHECK(flows[3] == flows[1]);
    CHECK(flows[1] != flows[2]);
}

TEST_CASE("functions of a core lie in their callers, on a track of the core")
{
    const ActivityLog log(Time{}, 1ms, 10);
    TimelineRecords records; // in the order of their ends
    records.functions = {{0, 2, "leaf", {10ns, 20ns}}, {0, 1, "serve", {10ns, 40ns}}, {0, 1, "sleep", {40ns, 60ns}},
                         {1, 0, "main", {0ns, 50ns}},  {0, 0, "main", {0ns, 99ns}},   {0, 0, "later", {200ns, 300ns}}};
    const Decoded decoded = decode(timelineTrace(log, records, {{0ns, 100ns}}));
    std::vector<std::string> order;
    for (const Event& event : decoded.events) {
        order.push_back(decoded.tracks.at(event.track) + (event.type == 1 ? " +" : " -") + std::to_string(event.at) +
                        (event.type == 1 ? " " + decoded.names.at(event.name) : ""));
    }
    CHECK(order == std::vector<std::string>{"functions +0 main", "functions +10 serve", "functions +10 leaf",
                                            "functions -20", "functions -40", "functions +40 sleep", "functions -60",
                                            "functions -99", "functions 1 +0 main", "functions 1 -50"});
}

TEST_CASE("a die has a track for each plane that reads by itself")
{
    const ActivityLog log(Time{}, 1ms, 10);
    TimelineRecords records;
    records.planes = 2;
    records.operations = {{1, 0, nand::Opcode::Read, nand::Purpose::Host, 0ns, {5ns, 60ns}, {0ns, 70ns}, 1},
                          {2, 0, nand::Opcode::Read, nand::Purpose::Host, 0ns, {9ns, 40ns}, {6ns, 80ns}, 2},
                          {3, 0, nand::Opcode::Erase, nand::Purpose::Host, 0ns, {95ns, 99ns}, {90ns, 100ns}}};
    const std::string trace = timelineTrace(log, records, {{0ns, 1ms}});
    for (const char* track : {"die 0.0 plane 0", "die 0.0 plane 1", "die 0.0"})
        CHECK(trace.find(track) != std::string::npos);
    CHECK(trace.find("die 0.0 plane 2") == std::string::npos);
}

TEST_CASE("a timeline of nothing is a trace that says so")
{
    const Decoded decoded = decode(timelineTrace(ActivityLog(Time{}, 1ms, 10), {}, {{0ns, 1ms}}));
    REQUIRE(decoded.tracks.size() == 1);
    CHECK(decoded.tracks.begin()->second == "nothing happened in this window");
    CHECK(decoded.events.empty());
}

TEST_CASE("only what touches a window is drawn")
{
    ActivityLog log(Time{}, 1ms, 10);
    const std::uint32_t link = log.lane({"host link", ResourceGroup::Link, {}});
    log.note(link, 0ns, 0ns, 10ns);
    log.note(link, 30ns, 30ns, 40ns);
    const Decoded decoded = decode(timelineTrace(log, {}, {{5ns, 6ns}, {50ns, 60ns}}));
    REQUIRE(decoded.events.size() == 2);
    CHECK(decoded.events[1].at == 10);
}

TEST_CASE("a log that leaves out the groups that are not drawn gives the same timeline")
{
    std::array<std::string, 2> traces;
    for (const bool leavesOut : {false, true}) {
        ActivityLog log(0us, 1s, 100);
        const std::vector<ResourceGroup> undrawn = undrawnGroups();
        for (const ResourceGroup group : undrawn) {
            if (leavesOut)
                log.leaveOut(group);
        }
        for (const ResourceGroupRow& row : resourceGroupTable)
            log.note(log.lane({std::string(row.name), row.value, 0}), 0us, 1us, 2us, log.numberOf(row.name));
        CHECK(log.activities().size() == resourceGroupTable.size() - (leavesOut ? undrawn.size() : 0));
        traces.at(leavesOut ? 1 : 0) = timelineTrace(log, {}, {{0us, 1s}});
    }
    CHECK(traces[0] == traces[1]);
    CHECK_FALSE(undrawnGroups().empty());
}
