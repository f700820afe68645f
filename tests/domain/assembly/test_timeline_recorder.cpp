// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/timeline_recorder.h"
#include "tests/support/catch.h"

#include <algorithm>

using namespace strobe;
using namespace strobe::platform;
using namespace std::chrono_literals;

namespace {

TracedRequest requestOf(std::uint64_t id, Time from, Time until)
{
    TracedRequest request;
    request.id = id;
    request.path.begin(from);
    request.path.add(RequestStage::Firmware, until);
    return request;
}

nand::Operation operationAt(Time start, Time end)
{
    nand::Operation op;
    op.submitted = start;
    op.requestStart = start;
    op.requestEnd = start + 1ns;
    op.ready = op.done = end;
    return op;
}

} // namespace

TEST_CASE("a window takes what touches it")
{
    ActivityLog log(10us, 10us, 100);
    TimelineRecorder recorder({{10us, 20us}, 100, 0, 0}, log);
    recorder.operation(operationAt(5us, 9us), 1);
    recorder.operation(operationAt(5us, 11us), 2);
    recorder.operation(operationAt(19us, 30us), 3);
    recorder.operation(operationAt(20us, 30us), 4);
    REQUIRE(recorder.records().operations.size() == 2);
    CHECK(recorder.records().operations[0].job == 2);
    CHECK(recorder.dropped() == 0);
}

TEST_CASE("recording ends with the last of the requests asked for")
{
    ActivityLog log(10us, 1s, 100);
    const std::uint32_t link = log.lane({"link", ResourceGroup::Link, {}});
    TimelineRecorder recorder({{10us, 1s}, 100, 2, 0}, log);
    recorder.request(requestOf(1, 9us, 12us), true); // began before
    recorder.request(requestOf(2, 11us, 13us), true);
    recorder.request(requestOf(3, 12us, 20us), false);
    recorder.request(requestOf(4, 25us, 26us), true);
    log.note(link, 25us, 25us, 26us);
    CHECK(recorder.records().requests.size() == 3);
    CHECK(recorder.windows().at(0).end == 20us);
    CHECK(log.activities().empty());
}

TEST_CASE("around the slowest requests: the rest is forgotten, what is outstanding is not")
{
    ActivityLog log(Time{}, never, 1'000'000);
    TimelineRecorder recorder({{Time{}, never}, 1'000'000, 0, 1}, log);
    std::uint64_t id = 0;
    for (Time at{}; at < 400ms; at += 2us) {
        const Time end = at + (at == 100ms ? 1500ns : 500ns);
        recorder.opened(++id, at);
        recorder.operation(operationAt(at + 100ns, end), id);
        recorder.request(requestOf(id, at, end), at != 200ms); // the one at 200 ms is not measured
    }
    REQUIRE(recorder.windows().size() == 1);
    CHECK(recorder.windows()[0].start == 100ms);
    CHECK(recorder.windows()[0].end == 100ms + 1500ns);
    CHECK(recorder.records().operations.size() < 150'000); // of 200,000
    bool isThere = false;
    for (const TimelineRecords::Operation& op : recorder.records().operations)
        isThere = isThere || op.span.start == 100ms + 100ns;
    CHECK(isThere);
}

TEST_CASE("around the slowest requests: stages of measured requests that are slower than those kept are wanted")
{
    ActivityLog log(Time{}, never, 100);
    TimelineRecorder recorder({{Time{}, never}, 100, 0, 1}, log);
    CHECK(recorder.comesLate());
    recorder.opened(1, 0us);
    recorder.opened(2, 0us);
    recorder.opened(4, 0us); // 3 is not known
    CHECK_FALSE(recorder.wants(9us, false));
    CHECK(recorder.wants(5us, true));
    recorder.request(requestOf(1, 0us, 5us), true);
    CHECK_FALSE(recorder.wants(5us, true));
    recorder.skipped(3);
    recorder.skipped(2);
    CHECK(recorder.wants(6us, true));
    recorder.request(requestOf(4, 0us, 6us), true);
    CHECK(recorder.requests() == 1);
    CHECK(recorder.windows().at(0).end == 6us);
}

TEST_CASE("a plane-independent read is recorded with its plane, other operations are of the die")
{
    ActivityLog log(0us, 1s, 100);
    TimelineRecorder recorder({{0us, 1s}, 10, 0, 0}, log);
    recorder.setDies(4, 2);
    nand::Operation op = operationAt(1us, 2us);
    recorder.operation(op, 1);
    op.form = nand::Form::PlaneRead;
    for (op.target.block = 6; op.target.block < 8; ++op.target.block)
        recorder.operation(op, 1);
    const auto& operations = recorder.records().operations;
    REQUIRE(operations.size() == 3);
    CHECK(operations[0].plane == 0);
    CHECK(operations[1].plane == 1);
    CHECK(operations[2].plane == 2);
}

TEST_CASE("records beyond the limit are counted")
{
    ActivityLog log(0us, 1s, 100);
    TimelineRecorder recorder({{0us, 1s}, 2, 0, 0}, log);
    for (int i = 0; i < 5; ++i)
        recorder.operation(operationAt(1us, 2us), 1);
    CHECK(recorder.records().size() == 2);
    CHECK(recorder.dropped() == 3);
}

TEST_CASE("calls of functions are recorded within the window, with a limit of their own")
{
    ActivityLog log(10us, 10us, 100);
    TimelineRecorder recorder({{10us, 20us}, 2, 0, 0}, log);
    recorder.operation(operationAt(12us, 13us), 1);
    {
        const std::string name = "serve";
        recorder.function({0, 3, name, 4us, 9us}); // before the window
        recorder.function({0, 3, name, 5us, 11us});
        recorder.function({1, 0, name, 12us, 30us});
    }
    recorder.function({0, 3, "idle", 14us, 15us}); // beyond the limit
    recorder.function({0, 2, "loop", 4us, 16us});  // too, but it encloses a call that is kept
    const auto& functions = recorder.records().functions;
    REQUIRE(functions.size() == 3);
    CHECK(functions[2].name == "loop");
    CHECK(functions[0].name == "serve"); // outlives the recorder's source
    CHECK(functions[0].depth == 3);
    CHECK(functions[1].core == 1);
    CHECK(functions[1].span.end == 30us);
    CHECK(recorder.records().operations.size() == 1);
    CHECK(recorder.dropped() == 1);
}

TEST_CASE("calls of functions and jobs outside the slowest requests are forgotten")
{
    constexpr std::size_t limit = 1'000'000;
    ActivityLog log(Time{}, never, limit);
    const std::uint32_t link = log.lane({"link", ResourceGroup::Link, {}});
    TimelineRecorder recorder({{Time{}, never}, limit, 0, 1}, log);
    recorder.opened(1, 10us);
    recorder.request(requestOf(1, 10us, 20us), true);
    for (int i = 0; i < 120'000; ++i) {
        recorder.function({0, 0, "serve", i * 1us, i * 1us + 500ns});
        log.note(link, i * 1us, i * 1us, i * 1us + 500ns);
        if (i % 1000 == 0) {
            recorder.handOver();
            CHECK(log.activities().empty());
            recorder.takeOver();
        }
    }
    CHECK(recorder.records().functions.size() < 60'000);
    recorder.finish(); // with those that were not handed over yet
    CHECK(recorder.records().functions.back().span.start == 119'999us);
    CHECK(log.activities().size() < 60'000);
    CHECK(log.activities()[0].start == 10us);
    CHECK(log.activities()[9].start == 19us);
    CHECK(log.activities().back().start == 119'999us);
    CHECK(recorder.dropped() == 0);
}

TEST_CASE("around the slowest requests: jobs and calls beyond the limit are counted")
{
    ActivityLog log(Time{}, never, 10);
    const std::uint32_t link = log.lane({"link", ResourceGroup::Link, {}});
    TimelineRecorder recorder({{Time{}, never}, 10, 0, 1}, log);
    for (int i = 0; i < 26; ++i) { // 7, 7 and 12
        recorder.function({0, 0, "serve", i * 1us + 100ns, i * 1us + 500ns});
        if (i < 14)
            log.note(link, i * 1us, i * 1us, i * 1us + 500ns);
        if (i == 6 || i == 13) {
            recorder.handOver();
            recorder.takeOver();
        }
    }
    recorder.finish();
    CHECK(recorder.records().functions.size() == 10);
    CHECK(log.activities().size() == 10);
    CHECK(recorder.dropped() == 4 + 4 + 12);
}

TEST_CASE("around the slowest requests: one that was among them for a time is not drawn")
{
    ActivityLog log(Time{}, never, 100);
    TimelineRecorder recorder({{Time{}, never}, 100, 0, 2}, log);
    std::uint64_t id = 0;
    for (const Time latency : {5us, 7us, 6us, 4us, 9us}) {
        recorder.opened(++id, 10us);
        recorder.request(requestOf(id, 10us, 10us + latency), true);
    }
    recorder.finish();
    REQUIRE(recorder.records().requests.size() == 2);
    CHECK(recorder.records().requests[0].id == 2);
    CHECK(recorder.records().requests[1].id == 5);
}

TEST_CASE("around the slowest requests: what a request needs that is opened late is not forgotten")
{
    constexpr std::size_t limit = 1'000'000;
    ActivityLog log(Time{}, never, limit);
    const std::uint32_t link = log.lane({"link", ResourceGroup::Link, {}});
    TimelineRecorder recorder({{Time{}, never}, limit, 0, 1}, log);
    std::uint64_t request = 1;
    recorder.opened(request, 0us);
    for (int i = 0; i < 26'000; ++i) {
        log.note(link, i * 1us, i * 1us, i * 1us + 500ns);
        recorder.opened(request + 1, (i + 1) * 1us); // one is always outstanding
        recorder.request(requestOf(request, i * 1us, i * 1us + 600ns), true);
        ++request;
        if (i == 10'000 || i == 25'500) { // it waited on the host, while others were issued and records forgotten
            const Time from = i * 1us - (i == 10'000 ? 1ms : 2ms);
            recorder.opened(request + 1, from);
            recorder.request(requestOf(request + 1, from, i * 1us), true);
            recorder.skipped(request);
            request += 2;
            recorder.opened(request, (i + 1) * 1us);
        }
        if (i % 1000 == 999) {
            recorder.handOver();
            recorder.takeOver();
        }
    }
    recorder.finish();
    CHECK(log.activities().size() < 5'000);
    CHECK(std::count_if(log.activities().begin(), log.activities().end(),
                        [](const Activity& job) { return job.start >= 23'500us && job.start < 25'500us; }) == 2'000);
}

TEST_CASE("around the slowest requests: with one at a time, what the next one waits for is not forgotten")
{
    constexpr std::size_t limit = 1'000'000;
    ActivityLog log(Time{}, never, limit);
    TimelineRecorder recorder({{Time{}, never}, limit, 0, 1}, log);
    // Each request takes 1 ms and arrives while the one before is served. None is open until it is issued. Records are
    // forgotten after 25,088 (98 x 256), among those that the 26th request waits for.
    constexpr std::uint64_t slow = 26;
    std::uint64_t job = 0;
    for (std::uint64_t id = 1; id <= 40; ++id) {
        const Time issued = static_cast<std::int64_t>(id) * 1ms;
        const Time from = issued - (id == slow ? 900us : 800us);
        for (int i = 0; i < 970; ++i)
            recorder.operation(operationAt(issued - 1ms + i * 1us, issued - 1ms + i * 1us + 500ns), ++job);
        recorder.opened(id, from);
        recorder.request(requestOf(id, from, issued + 1ms), true);
    }
    REQUIRE(recorder.windows().size() == 1);
    CHECK(recorder.windows()[0].start == 25'100us);
    const auto& operations = recorder.records().operations;
    CHECK(operations.size() < 30'000);
    CHECK(std::count_if(operations.begin(), operations.end(),
                        [](const auto& op) { return op.span.start >= 25'100us && op.span.start < 26ms; }) == 870);
}
