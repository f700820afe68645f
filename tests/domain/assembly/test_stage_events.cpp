// SPDX-License-Identifier: Apache-2.0
#include "models/base/check.h"
#include "platform/assembly/segment_ring.h"
#include "platform/assembly/stage_events.h"
#include "platform/assembly/stage_sink.h"
#include "platform/assembly/timeline_recorder.h"
#include "tests/domain/assembly/observed_drive.h"
#include "tests/support/catch.h"

#include <algorithm>
#include <array>

using namespace strobe;
using namespace strobe::platform;
using namespace std::chrono_literals;
using controller::SuperchipOpcode;
using Phase = channel::NandInterface::Phase;
using Catch::Matchers::WithinRel;

namespace {

// A read of one page from flash, as the blocks report it, at `at`; the longer the larger `extra` is.
void read(StageEvents& events, std::uint64_t number, Time at, Time extra)
{
    constexpr UnitId unit{1};
    controller::FlashDescriptor descriptor;
    descriptor.opcode = SuperchipOpcode::Read;
    descriptor.sectors = 8;
    descriptor.buffer = BusAddress{0x10000};
    const host::Command command{1, host::RequestKind::Read, false, 8 * number, 8};
    events.issued(command, number, at, at + 1us);
    events.arrived(command, at + 2us);
    events.announced(1, at + 3us);
    events.listed(unit, false, at + 4us);
    events.fellAsleep(0, at + 4us);
    events.fetched({unit, 0, descriptor, false, true}, at + 5us);
    events.rowStarted(unit, 0, 0, at + 5us);
    nand::Operation op;
    op.die = DieId{1};
    events.sent({unit, 0}, 0, op, at + 5us, at + 6us);
    op.submitted = op.requestStart = at + 6us;
    events.granted(op, Phase::Request, at + 6us, at + 6us, 1us);
    events.granted(op, Phase::Response, at + 30us + extra, at + 30us + extra, 5us);
    const Time done = at + 35us + extra;
    events.finished({unit, 0}, 0, op, done, done + 2us);
    events.rowEnded(unit, 0, done + 3us);
    events.retired(unit, 0, done + 3us, done + 4us);
    events.wokeUp(0, done + 4us);
    events.ordered({number, 1, true, false, 0, 0x10000, 8}, done + 5us);
    events.moved(number, 1, done + 8us);
    events.ended(1, done + 8us);
    events.completed(1, true, done + 9us);
}

struct Sink final : StageSink {
    Time until() const override { return never; }
    void opened(std::uint64_t request, Time) override { open.push_back(request); }
    bool comesLate() const override { return isLate; }
    void handOver() override { handedOver.push_back(open.size()); }
    void takeOver() override { ++takenOver; }
    void segment(const ObservedOperation&, Phase, Time start, Time) override { segments.push_back(start); }
    void operation(const EndedOperation&, std::uint64_t job) override { operations.push_back(job); }
    void job(const EndedJob& job) override { jobs.push_back(job.number); }
    void serves(std::uint64_t, std::uint64_t) override {}
    bool wants(Time latency, bool) const override { return latency >= least; }
    void request(const TracedRequest& request, bool) override { requests.push_back(request.id); }
    void skipped(std::uint64_t request) override { others.push_back(request); }
    bool isLate = false;
    Time least{};
    std::vector<std::size_t> handedOver;
    std::size_t takenOver = 0;
    std::vector<std::uint64_t> open;
    std::vector<std::uint64_t> others;
    std::vector<Time> segments;
    std::vector<std::uint64_t> operations;
    std::vector<std::uint64_t> jobs;
    std::vector<std::uint64_t> requests;
};

} // namespace

TEST_CASE("batches give every request its stages, also those that are not listed")
{
    constexpr std::uint64_t requests = 1000; // many batches, and more segments than the ring holds at first
    for (const std::size_t listed : {std::size_t{0}, std::size_t{5}, std::size_t{2000}}) {
        RequestStatistics statistics{StageTally(2), SlowestRequests(listed)};
        StageEvents events(observedDrive(2, 4), &statistics, nullptr, {});
        for (std::uint64_t i = 1; i <= requests; ++i)
            read(events, i, Time{100'000'000} * static_cast<std::int64_t>(i), 1ns * static_cast<int>(i % 7));
        events.flush();
        const StageMeans means = statistics.tally.slowest(host::RequestKind::Read, 1);
        CHECK(means.requests == requests);
        CHECK_THAT(means.stages[idOf(RequestStage::HostQueue)], WithinRel(1e6, 1e-6));
        CHECK_THAT(means.stages[idOf(RequestStage::HostLink)], WithinRel(1e6 + 3e6, 1e-6));
        CHECK_THAT(means.stages[idOf(RequestStage::CommandFetch)], WithinRel(1e6, 1e-6));
        CHECK_THAT(means.stages[idOf(RequestStage::Firmware)], WithinRel(1e6 + 1e6, 1e-6));
        CHECK_THAT(means.stages[idOf(RequestStage::FlashUnit)], WithinRel(1e6 + 2e6, 1e-6));
        CHECK_THAT(means.stages[idOf(RequestStage::Transfer)], WithinRel(6e6, 1e-6));
        CHECK_THAT(means.stages[idOf(RequestStage::Array)], WithinRel(23e6 + 2997.0, 1e-6));
        CHECK_THAT(means.stages[idOf(RequestStage::Ecc)], WithinRel(1e6 + 2e6, 1e-6));
        CHECK_THAT(means.dies[1], WithinRel(1.0, 1e-6));
        const auto slowest = statistics.slowest.sorted();
        REQUIRE(slowest.size() == std::min<std::size_t>(listed, requests));
        if (listed != 0) {
            CHECK(slowest[0].id == 6);
            CHECK(slowest[0].path.sums()[idOf(RequestStage::Array)] == 23us + 6ns);
        }
    }
}

TEST_CASE("a job begins when its list was listed, whichever lists are before it")
{
    constexpr UnitId unit{1};
    Sink oneByOne; // a timeline: no event waits for the next one
    for (StageSink* sink : {static_cast<StageSink*>(nullptr), static_cast<StageSink*>(&oneByOne)}) {
        RequestStatistics statistics{StageTally(2), SlowestRequests(10)};
        StageEvents events(observedDrive(2, 4), &statistics, sink, {});
        for (std::uint16_t slot = 1; slot <= 5; ++slot) {
            const host::Command command{slot, host::RequestKind::Read, false, 8U * slot, 8};
            events.issued(command, slot, 1us, 1us);
            events.arrived(command, 2us);
            events.announced(slot, 3us);
        }
        const auto work = [&](std::uint16_t slot, bool endsList, Time fetched) { // for the request in that slot
            controller::FlashDescriptor descriptor;
            descriptor.opcode = SuperchipOpcode::Read;
            descriptor.sectors = 8;
            descriptor.buffer = BusAddress{0x10000};
            events.fetched({unit, 0, descriptor, false, endsList}, fetched);
            events.rowStarted(unit, 0, 0, fetched);
            events.finished({unit, 0}, 0, {}, fetched + 5us, fetched + 5us);
            events.rowEnded(unit, 0, fetched + 6us);
            events.retired(unit, 0, fetched + 6us, fetched + 7us);
            events.ordered({slot, slot, true, false, 0, 0x10000, 8}, fetched + 7us);
            events.moved(slot, slot, fetched + 8us);
            events.ended(slot, fetched + 8us);
            events.completed(slot, true, fetched + 9us);
        };
        events.listed(unit, false, 4us);
        work(1, false, 5us);
        events.listed(unit, false, 18us); // before the list that has begun ends
        work(2, true, 20us);
        work(3, true, 40us);
        events.listed(unit, false, 60us);
        events.listed(unit, false, 61us);
        work(4, true, 62us);
        work(5, true, 80us);
        events.flush();
        const std::vector<TracedRequest> requests = statistics.slowest.sorted();
        REQUIRE(requests.size() == 5);
        constexpr std::array listed{4us, 4us, 18us, 60us, 61us};
        for (const TracedRequest& request : requests) {
            CAPTURE(request.id, sink != nullptr);
            CHECK(request.path.sums()[idOf(RequestStage::Firmware)] == listed.at(request.id - 1) - 3us);
        }
    }
}

TEST_CASE("a wait for the unit is for the job that the unit executes, not for an earlier one in its place")
{
    constexpr UnitId unit{1};
    RequestStatistics statistics{StageTally(2), SlowestRequests(1)};
    StageEvents events(observedDrive(2, 4), &statistics, nullptr, {});
    controller::FlashDescriptor descriptor;
    descriptor.sectors = 8;
    descriptor.superchip = 1;
    descriptor.opcode = SuperchipOpcode::Program;
    events.listed(unit, false, 1us);
    for (const std::uint32_t place : {0U, 1U}) { // a list of two
        events.fetched({unit, place, descriptor, false, place == 1}, 2us);
        events.rowStarted(unit, place, place, 3us);
        events.rowEnded(unit, place, 4us);
        events.retired(unit, place, 5us, 5us);
    }
    const host::Command command{1, host::RequestKind::Read, false, 8, 8};
    events.issued(command, 1, 10us, 10us);
    events.arrived(command, 10us);
    events.announced(1, 10us);
    descriptor.opcode = SuperchipOpcode::Read;
    descriptor.buffer = BusAddress{0x10000};
    nand::Operation op;
    op.die = DieId{1};
    for (const std::uint32_t place : {0U, 1U}) {
        events.listed(unit, false, 11us);
        events.fetched({unit, place, descriptor, false, true}, 11us);
        events.rowStarted(unit, place, place, place == 0 ? 11us : 20us);
        for (int times = 0; times < 2; ++times) // the operation is sent again
            events.sent({unit, 0}, place, op, 20us, 20us);
    }
    events.rowEnded(unit, 1, 30us);
    events.retired(unit, 1, 31us, 31us);
    events.ordered({1, 1, true, false, 0, 0x10000, 8}, 32us);
    events.moved(1, 1, 33us);
    events.ended(1, 33us);
    events.completed(1, true, 33us);
    events.flush();
    REQUIRE(statistics.slowest.sorted().size() == 1);
    const auto sums = statistics.slowest.sorted()[0].path.sums();
    CHECK(sums[dieWait(nand::Purpose::Host, DieWork::Reading)] == 9us);
    CHECK(sums[dieWait(nand::Purpose::Host, DieWork::Programming)] == 0us);
}

TEST_CASE("a command in the drive belongs to the host's slot that is said to be its")
{
    RequestStatistics statistics{StageTally(2), SlowestRequests(1)};
    StageEvents events(observedDrive(2, 4), &statistics, nullptr,
                       [](const host::Command& command) { return static_cast<std::uint16_t>(command.slot - 3); });
    host::Command command{0, host::RequestKind::Trim, false, 0, 8};
    events.issued(command, 1, 0us, 0us);
    command.slot = 3;
    events.arrived(command, 1us);
    events.announced(3, 5us);
    events.ended(3, 8us);
    events.completed(0, true, 9us);
    CHECK(statistics.tally.requests(host::RequestKind::Trim) == 0); // not yet
    events.flush();
    REQUIRE(statistics.slowest.sorted().size() == 1);
    CHECK(statistics.slowest.sorted()[0].path.sums()[idOf(RequestStage::CommandFetch)] == 4us);
}

TEST_CASE("a timeline gets everything at once")
{
    Sink sink;
    StageEvents events(observedDrive(2, 4), nullptr, &sink, {});
    read(events, 1, 0us, 0us);
    CHECK(sink.segments == std::vector<Time>{6us, 30us});
    REQUIRE(sink.jobs.size() == 1);
    CHECK(sink.operations == sink.jobs);
    CHECK(sink.requests == std::vector<std::uint64_t>{1});
    CHECK(sink.open == sink.requests);
}

TEST_CASE("a timeline whose calls may come late gets them with the block, and only requests that it wants")
{
    Sink sink;
    sink.isLate = true;
    sink.least = 44us + 5ns;
    StageEvents events(observedDrive(2, 4), nullptr, &sink, {});
    read(events, 1, 0us, 0us);
    read(events, 2, 100us, 5ns);
    CHECK(sink.segments.empty());
    events.flush();
    CHECK(sink.open == std::vector<std::uint64_t>{1, 2});
    CHECK(sink.handedOver == std::vector<std::size_t>{0}); // before the events are analysed
    CHECK(sink.takenOver == 1);
    CHECK(sink.segments == std::vector<Time>{6us, 30us, 106us, 130us + 5ns});
    REQUIRE(sink.jobs.size() == 2);
    CHECK(sink.operations == sink.jobs);
    CHECK(sink.requests == std::vector<std::uint64_t>{2});
    CHECK(sink.others == std::vector<std::uint64_t>{1});
}

TEST_CASE("what the analysis finds wrong is thrown by an event or at the end, and later events do no harm")
{
    for (const int later : {0, 5000}) { // several blocks
        RequestStatistics statistics{StageTally(2), SlowestRequests(0)};
        StageEvents events(observedDrive(2, 4), &statistics, nullptr, {});
        int thrown = 0;
        const auto attempt = [&](auto&& act) {
            try {
                act();
            } catch (const InternalError&) {
                ++thrown;
            }
        };
        attempt([&] {
            const host::Command command{1, host::RequestKind::Read, false, 8, 8};
            events.issued(command, 1, 10us, 10us);
            events.completed(1, true, 5us); // before it began
        });
        for (int i = 0; i < later; ++i)
            attempt([&] { read(events, 2, 100us, 0us); });
        attempt([&] { events.flush(); });
        CHECK(thrown == 1);
    }
}

TEST_CASE("the stages of requests are the same in one thread and in two")
{
    std::array<RequestStatistics, 2> statistics{
        {{StageTally(2), SlowestRequests(20)}, {StageTally(2), SlowestRequests(20)}}};
    for (std::size_t threads : {1U, 2U}) {
        StageEvents events(observedDrive(2, 4), &statistics[threads - 1], nullptr, {});
        if (threads == 1)
            events.stayInThread();
        for (std::uint64_t i = 1; i <= 2000; ++i)
            read(events, i, Time{100'000'000} * static_cast<std::int64_t>(i), 1ns * static_cast<int>(i % 61));
        events.flush();
    }
    const auto one = statistics[0].slowest.sorted();
    const auto two = statistics[1].slowest.sorted();
    REQUIRE(one.size() == 20);
    REQUIRE(two.size() == 20);
    for (std::size_t i = 0; i < one.size(); ++i) {
        CHECK(one[i].id == two[i].id);
        CHECK(one[i].path.sums() == two[i].path.sums());
    }
    CHECK(statistics[0].tally.slowest(host::RequestKind::Read, 0.1).stages ==
          statistics[1].tally.slowest(host::RequestKind::Read, 0.1).stages);
}

TEST_CASE("a timeline around the slowest request is recorded by two threads")
{
    constexpr std::size_t limit = 100'000; // of 200,000 jobs
    ActivityLog log(Time{}, never, limit);
    const std::uint32_t link = log.lane({"link", ResourceGroup::Link, {}});
    TimelineRecorder recorder({{Time{}, never}, limit, 0, 1}, log);
    StageEvents events(observedDrive(2, 4), nullptr, &recorder, {});
    for (std::uint64_t i = 1; i <= 20'000; ++i) {
        const Time at = Time{100'000'000} * static_cast<std::int64_t>(i);
        for (int job = 0; job < 10; ++job)
            log.note(link, at, at + job * 1us, at + (job + 1) * 1us);
        read(events, i, at, i == 5000 ? 1us : 0us);
    }
    events.flush();
    recorder.finish();
    const Time at = Time{100'000'000} * std::int64_t{5000};
    REQUIRE(recorder.windows().size() == 1);
    CHECK(recorder.windows()[0].start == at);
    CHECK(recorder.records().requests.back().id == 5000);
    CHECK(log.activities().size() < limit);
    CHECK(recorder.dropped() == 0);
    CHECK(std::count_if(log.activities().begin(), log.activities().end(),
                        [at](const Activity& job) { return job.start >= at && job.start < at + 10us; }) == 10);
    CHECK(std::count_if(recorder.records().segments.begin(), recorder.records().segments.end(),
                        [at](const TimelineRecords::Segment& segment) { return segment.operation == at + 6us; }) == 2);
}

TEST_CASE("a ring of segments keeps what is said to be needed, each path in one piece")
{
    SegmentRing ring;
    struct Kept {
        std::uint64_t position;
        std::uint32_t size;
        std::int64_t first;
    };
    std::vector<Kept> kept;
    std::size_t oldest = 0;
    for (std::int64_t i = 0; i < 3000; ++i) {
        JobPath path;
        path.begin(Time{});
        const auto size = static_cast<std::uint32_t>(i % 60 + 1);
        for (std::uint32_t j = 0; j < size; ++j)
            path.add(j % 2 == 0 ? RequestStage::Array : RequestStage::Ecc, Time{1000 * i + j + 1});
        kept.push_back({ring.put(path.segments(), kept.empty() ? 0 : kept[oldest].position), size, 1000 * i + 1});
        oldest = kept.size() > 100 ? kept.size() - 100 : 0;
        for (std::size_t k = oldest; k < kept.size(); ++k) {
            REQUIRE(ring.at(kept[k].position)->length() == Time{kept[k].first});
            REQUIRE((ring.at(kept[k].position) + kept[k].size - 1)->length() == Time{kept[k].first + kept[k].size - 1});
        }
    }
}

TEST_CASE("a job whose descriptor has no opcode that exists counts as a read for those that wait for it")
{
    FlashJob job;
    for (const unsigned opcode : {0U, 5U, 35U, 127U}) {
        job.opcode = static_cast<SuperchipOpcode>(opcode);
        CHECK(job.work() == dieWait(job.purpose, DieWork::Reading));
    }
    job.opcode = SuperchipOpcode::Erase;
    CHECK(job.work() == dieWait(job.purpose, DieWork::Erasing));
}
