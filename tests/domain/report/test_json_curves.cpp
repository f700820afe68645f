// SPDX-License-Identifier: Apache-2.0
#include "platform/report/json_curves.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::platform;
using namespace std::chrono_literals;
using json = nlohmann::ordered_json;

TEST_CASE("a latency histogram has the requests between its edges")
{
    KindTotals reads{};
    reads.kind = host::RequestKind::Read;
    reads.distribution.record(100us);
    reads.distribution.record(100us);
    reads.distribution.record(1ms);
    KindTotals writes{};
    writes.kind = host::RequestKind::Write;
    const json curves = jsonDistributions({reads, writes});
    const json read = curves["read"];
    const auto edges = read["edges_ps"].get<std::vector<std::int64_t>>();
    const auto requests = read["requests"].get<std::vector<std::uint64_t>>();
    REQUIRE(edges.size() == requests.size() + 1);
    CHECK(requests.front() == 2);
    CHECK(requests.back() == 1);
    CHECK((edges[0] <= 100'000'000 && edges[1] > 100'000'000));
    CHECK((edges[edges.size() - 2] <= 1'000'000'000 && edges.back() >= 1'000'000'000));
    CHECK(curves["write"]["requests"].empty());
}

TEST_CASE("a time series has a value for each interval, or null")
{
    constexpr std::uint32_t pageBytes = 4096;
    SeriesReport s;
    s.interval = 1ms;
    s.length = {1ms, 500us};
    SeriesReport::Operation write;
    write.kind = host::RequestKind::Write;
    write.requests = {2, 0};
    write.bytes = {8192, 0};
    write.p50 = {1us, std::nullopt};
    write.p99 = write.p999 = write.p50;
    write.queueDepth = {1.5, 0};
    SeriesReport::Operation append = write; // appends are writes, too
    append.kind = host::RequestKind::Append;
    append.bytes = {8192, 0};
    s.operations = {write, append};
    s.programs = {{"host", {2, 0}}, {"garbage collection", {2, 1}}};
    s.groups = {{ResourceGroup::Die, {0.5, 1.25}, {0, 3}}};
    const json series = jsonSeries(s, pageBytes);
    CHECK(series["interval_ps"] == 1'000'000'000);
    CHECK(series["length_ps"] == json{1'000'000'000, 500'000'000});
    CHECK(series["operations"]["write"]["p50_ps"] == json{1'000'000, nullptr});
    CHECK(series["operations"]["write"]["queue_depth"] == json{1.5, 0.0});
    CHECK(series["write_amplification"][0] == 4.0 * pageBytes / (8192 + 8192));
    CHECK(series["write_amplification"][1].is_null());
    CHECK(series["flash_programs"]["garbage_collection"] == json{2, 1});
    CHECK(series["groups"]["die"]["utilisation"] == json{0.5, 1.25});
    CHECK(series["groups"]["die"]["mean_queue"] == json{0.0, 3.0});
}
