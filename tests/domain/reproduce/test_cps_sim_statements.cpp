// SPDX-License-Identifier: Apache-2.0
#include "tests/domain/reproduce/judged.h"
#include "tests/support/catch.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

using namespace strobe;
using namespace strobe::platform;

namespace {

constexpr std::uint32_t mostChips = 4;

void set(Points& points, std::uint32_t figure, const std::string& workload, const std::string& quantity,
         std::uint32_t ways, const std::string& bandwidth, double value, std::uint32_t channels = 1)
{
    points.measure({std::to_string(figure), workload, fmt::format("{} x {}, {}", channels, ways, bandwidth), quantity},
                   value);
}

bool fails(const Points& points, const char* claim)
{
    const auto all = failedOf("cps-sim", points);
    return std::find(all.begin(), all.end(), claim) != all.end();
}

// A drive for which all statements of the paper hold: chips of 20 and 200 us, a bus that is a straight line up to
// its bandwidth.
Points ideal()
{
    Points points;
    const auto sequence = [&](const char* name, double bus, double chip) {
        points.measure({"7", name, "", "bus busy"}, bus);
        points.measure({"7", name, "", "chip busy"}, chip);
    };
    sequence("7a: reads, serialized", 80, 4);
    sequence("7b: reads, interleaved", 98, 5);
    sequence("7c: programs, serialized", 34, 17);
    sequence("7d: programs, interleaved", 80, 40);
    const auto add = [&](std::uint32_t figure, const char* workload, const char* quantity, std::uint32_t channels,
                         std::uint32_t ways, const std::string& bandwidth,
                         double value) { set(points, figure, workload, quantity, ways, bandwidth, value, channels); };
    for (const double mb : {20.0, 40.0, 67.0, 200.0, 800.0}) {
        const std::string name = std::to_string(static_cast<int>(mb)) + "MB/s";
        const double tBus = 4096 / mb;
        const double tCmd = 1.5 * 40 / mb;
        for (const char* cell : {"read", "program", "erase", "copyback"})
            add(3, cell, "tCMD", 1, 1, name, tCmd);
        for (const char* cell : {"read", "program"})
            add(3, cell, "tBUS", 1, 1, name, tBus);
        for (const char* cell : {"read", "copyback"})
            add(3, cell, "tR", 1, 1, name, 20);
        for (const char* cell : {"program", "copyback"})
            add(3, cell, "tPROG", 1, 1, name, 200);
        add(3, "erase", "tE", 1, 1, name, 1500);
        add(3, "read", "elapsed", 1, 1, name, tCmd + 20 + tBus);
        add(3, "program", "elapsed", 1, 1, name, tCmd + tBus + 200);
        add(3, "erase", "elapsed", 1, 1, name, tCmd + 1500);
        add(3, "copyback", "elapsed", 1, 1, name, tCmd + 220);
        for (std::uint32_t chips = 1; chips <= mostChips; ++chips) {
            const auto stream = [&](const char* cell, double array) {
                const double page = std::max(tBus, (array + tBus) / chips);
                add(8, cell, "throughput", 1, chips, name, 4096 / page);
                add(8, cell, "bus busy", 1, chips, name, tBus / page * 100);
                if (chips == 1)
                    add(8, cell, "throughput", 2, 1, name, 4096 / ((array + tBus) / 2));
            };
            stream("reads", 20);
            stream("writes", 200);
            const double work = 200 + 10 * chips; // a part that cannot be shared
            const double elapsed = std::max(chips >= 3 ? 88 * 40 / mb * 0.95 : 0.0, work / chips + 4 / mb);
            add(9, "mix", "elapsed", 1, chips, name, elapsed - chips * 0.01);
            add(9, "mix", "bus busy", 1, chips, name, std::min(95.0, 40 * chips * 40 / mb));
            add(9, "mix", "chip busy", 1, chips, name, 90);
            const double writes = std::min(mb * 0.8, 10.0 * chips + chips * 0.01);
            add(10, "ftl", "throughput", 1, chips, name, writes);
            add(10, "ftl", "bus busy", 1, chips, name, writes < mb * 0.8 ? 50 : 100);
        }
    }
    return points;
}

} // namespace

TEST_CASE("the statements of the CPS-SIM paper hold for a drive as it describes, except its marginal gains")
{
    const auto all = failedOf("cps-sim", ideal());
    CAPTURE(all);
    CHECK(all.size() <= 3); // its formulas have no queues
    for (const char* claim : {"3-1", "3-5", "5.1-1", "5.1-2", "8a-1", "8a-4", "8a-5", "8b-1", "8b-2", "8b-5", "8-1",
                              "8-2", "8-3", "9-1", "9-2", "10-1", "5.2-1", "5.2-2"})
        CHECK_FALSE(fails(ideal(), claim));
}

TEST_CASE("each statement of the CPS-SIM paper is judged by its own points, and can fail")
{
    struct Change {
        const char* claim;
        std::uint32_t figure;
        const char* workload;
        const char* quantity;
        std::uint32_t ways;
        const char* bandwidth;
        double value;
    };
    const Change changes[] = {
        {"3-1", 3, "read", "elapsed", 1, "67MB/s", 90},        {"3-2", 3, "program", "tPROG", 1, "20MB/s", 201},
        {"3-3", 3, "erase", "elapsed", 1, "800MB/s", 1500},    {"3-4", 3, "copyback", "elapsed", 1, "40MB/s", 220},
        {"3-5", 3, "program", "elapsed", 1, "40MB/s", 400},    {"5.1-1", 3, "read", "tBUS", 1, "40MB/s", 110},
        {"5.1-2", 3, "erase", "tCMD", 1, "40MB/s", 0.9},       {"8a-1", 8, "reads", "bus busy", 1, "20MB/s", 99.5},
        {"8a-2", 8, "reads", "bus busy", 2, "40MB/s", 98},     {"8a-3", 8, "reads", "throughput", 4, "67MB/s", 80},
        {"8a-4", 8, "reads", "bus busy", 2, "200MB/s", 90},    {"8a-5", 8, "reads", "throughput", 4, "800MB/s", 500},
        {"8b-1", 8, "writes", "throughput", 2, "40MB/s", 20},  {"8b-2", 8, "writes", "bus busy", 4, "67MB/s", 99.5},
        {"8b-3", 8, "writes", "throughput", 4, "200MB/s", 50}, {"8b-4", 8, "writes", "bus busy", 4, "800MB/s", 100},
        {"8b-5", 8, "writes", "throughput", 4, "67MB/s", 30},  {"8-1", 8, "writes", "throughput", 4, "800MB/s", 400},
        {"8-3", 8, "reads", "throughput", 4, "200MB/s", 100},  {"9-1", 9, "mix", "bus busy", 3, "20MB/s", 89},
        {"9-2", 9, "mix", "bus busy", 3, "40MB/s", 89},        {"9-3", 9, "mix", "elapsed", 4, "800MB/s", 300},
        {"9-4", 9, "mix", "elapsed", 4, "200MB/s", 1},         {"9-5", 9, "mix", "elapsed", 2, "200MB/s", 300},
        {"9-6", 9, "mix", "chip busy", 3, "200MB/s", 10},      {"10-1", 10, "ftl", "throughput", 2, "200MB/s", 5},
        {"10-2", 10, "ftl", "throughput", 4, "200MB/s", 20},   {"5.2-1", 10, "ftl", "throughput", 4, "20MB/s", 39},
        {"5.2-2", 10, "ftl", "throughput", 1, "800MB/s", 39},
    };
    for (const Change& c : changes) {
        Points points = ideal();
        set(points, c.figure, c.workload, c.quantity, c.ways, c.bandwidth, c.value);
        INFO(c.claim);
        CHECK(fails(points, c.claim));
    }
    Points points = ideal();
    set(points, 8, "writes", "throughput", 1, "67MB/s", 60, 2);
    CHECK(fails(points, "8-2"));
    points.measure({"7", "7b: reads, interleaved", "", "bus busy"}, 80);
    CHECK(fails(points, "7-1"));
    points.measure({"7", "7d: programs, interleaved", "", "bus busy"}, 34);
    CHECK(fails(points, "7-2"));
    points.measure({"7", "7a: reads, serialized", "", "chip busy"}, 26);
    CHECK(fails(points, "7-3"));
}

TEST_CASE("each statement has a claim of its own, a unit and a reason")
{
    const std::vector<Statement> all = judgedOf("cps-sim", ideal());
    CHECK(all.size() == 33);
    std::map<std::string, int> claims;
    for (const Statement& s : all) {
        CHECK_FALSE(s.reason.empty());
        CHECK_FALSE(s.unit.empty());
        ++claims[s.claim];
    }
    CHECK(claims.size() == all.size());
}
