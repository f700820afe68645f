// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/segment_ring.h"
#include "platform/assembly/stage_events.h"
#include "platform/assembly/stage_sink.h"
#include "tests/domain/assembly/observed_drive.h"
#include "tests/support/catch.h"

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
    void segment(const ObservedOperation&, Phase, Time start, Time) override { segments.push_back(start); }
    void operation(const EndedOperation&, std::uint64_t job) override { operations.push_back(job); }
    void job(const EndedJob& job) override { jobs.push_back(job.number); }
    void serves(std::uint64_t, std::uint64_t) override {}
    bool wants(Time latency, bool) const override { return latency >= least; }
    void request(const TracedRequest& request, bool) override { requests.push_back(request.id); }
    void skipped(std::uint64_t request) override { others.push_back(request); }
    bool isLate = false;
    Time least{};
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

namespace {

// What a job can be besides one row with one operation that has its die for itself.
enum class Shape { Page, SentAgain, TwoRows, ManyUnits, AfterSuspendedProgram, Unfinished };

// Two reads of a die in one unit, the second one of that shape, for a request each.
void readTwice(StageEvents& events, Shape shape)
{
    constexpr UnitId unit{1};
    nand::Operation program;
    program.opcode = nand::Opcode::Program;
    program.die = DieId{1};
    program.submitted = program.requestStart = 1us;
    if (shape == Shape::AfterSuspendedProgram) {
        events.granted(program, Phase::Request, 1us, 1us, 1us);
        program.form = nand::Form::Suspend;
        events.granted(program, Phase::Request, 3us, 3us, 1us);
    }
    std::array<nand::Operation, 3> ops;
    const auto operate = [&](std::uint32_t slot, std::size_t number, Time at) {
        nand::Operation& op = ops[number];
        op.die = DieId{1};
        op.submitted = at;
        op.requestStart = at + 2us;
        events.sent({unit, 0}, slot, op, at - 1us, at);
        events.granted(op, Phase::Request, at + 1us, at + 2us, 1us);
        if (shape != Shape::Unfinished)
            events.granted(op, Phase::Response, at + 10us, at + 11us, 2us);
        events.finished({unit, 0}, slot, op, at + 13us, at + 14us);
    };
    const auto begin = [&](std::uint16_t slot, Time at) {
        const host::Command command{slot, host::RequestKind::Read, false, 8, 8};
        events.issued(command, slot, at, at);
        events.arrived(command, at + 1us);
        events.announced(slot, at + 1us);
        controller::FlashDescriptor descriptor;
        descriptor.opcode = SuperchipOpcode::Read;
        descriptor.sectors = 8;
        descriptor.superchip = 1;
        descriptor.buffer = BusAddress{0x10000U + 0x1000U * slot};
        descriptor.hasUnitTable = shape == Shape::ManyUnits;
        events.listed(unit, false, at + 2us);
        events.fetched({unit, slot, descriptor, false, true}, at + 3us);
    };
    const auto end = [&](std::uint16_t slot, Time at) {
        events.rowEnded(unit, slot, at);
        events.retired(unit, slot, at + 2us, at + 3us);
        events.ordered({slot, slot, true, false, 0, 0x10000U + 0x1000U * slot, 8}, at + 4us);
        events.moved(slot, slot, at + 5us);
        events.ended(slot, at + 6us);
        events.completed(slot, true, at + 7us);
    };
    begin(1, 4us);
    begin(2, 5us); // waits in the unit for the first one
    events.rowStarted(unit, 1, 1, 8us);
    operate(1, 0, 10us);
    end(1, 25us);
    events.rowStarted(unit, 2, 2, 30us);
    for (std::uint32_t i = 0; shape == Shape::ManyUnits && i < 6; ++i)
        events.unitsPlaced(unit, 2, BusAddress{0x12000 + 0x400 * i}, i == 0 ? 2 : 1);
    operate(2, 1, 32us);
    if (shape == Shape::TwoRows) {
        events.rowEnded(unit, 2, 48us);
        events.rowStarted(unit, 2, 2, 50us);
    }
    if (shape == Shape::SentAgain || shape == Shape::TwoRows)
        operate(2, 2, 60us);
    if (shape == Shape::AfterSuspendedProgram) {
        program.form = nand::Form::Resume;
        events.granted(program, Phase::Request, 46us, 47us, 1us);
        events.granted(program, Phase::Response, 70us, 70us, 1us);
        events.finished({unit, 0}, 3, program, 71us, 71us);
        events.sent({unit, 0}, 2, ops[2], 72us, 73us);
    }
    end(2, 80us);
    events.flush();
}

} // namespace

TEST_CASE("a page that is handed on at its end has the same stages as event by event")
{
    for (const Shape shape : {Shape::Page, Shape::SentAgain, Shape::TwoRows, Shape::ManyUnits,
                              Shape::AfterSuspendedProgram, Shape::Unfinished}) {
        CAPTURE(static_cast<int>(shape));
        std::array<RequestStatistics, 2> statistics{
            {{StageTally(2), SlowestRequests(2)}, {StageTally(2), SlowestRequests(2)}}};
        for (std::uint32_t planes : {1U, 2U}) { // of dies whose planes read independently everything is event by event
            ObservedDrive drive = observedDrive(2, 4);
            drive.planes = planes;
            StageEvents events(drive, &statistics[planes - 1], nullptr, {});
            readTwice(events, shape);
        }
        const auto pages = statistics[0].slowest.sorted();
        const auto others = statistics[1].slowest.sorted();
        REQUIRE(pages.size() == 2);
        REQUIRE(others.size() == 2);
        for (std::size_t i = 0; i < pages.size(); ++i) {
            CHECK(pages[i].id == others[i].id);
            CHECK(pages[i].die == others[i].die);
            CHECK(pages[i].path.sums() == others[i].path.sums());
            CHECK((pages[i].id == 1 || pages[i].path.sums()[idOf(RequestStage::Array)] > 0us));
        }
    }
}

namespace {

// A read that waits for a die which another unit uses, and three hundred reads of the die after it.
void readMany(StageEvents& events)
{
    nand::Operation op;
    op.die = DieId{1};
    nand::Operation waiting = op;
    const auto begin = [&](UnitId unit, nand::Operation& own, std::uint32_t buffer, Time at) {
        controller::FlashDescriptor descriptor;
        descriptor.opcode = SuperchipOpcode::Read;
        descriptor.sectors = 8;
        descriptor.superchip = 1;
        descriptor.buffer = BusAddress{buffer};
        events.listed(unit, false, at);
        events.fetched({unit, 0, descriptor, false, true}, at + 1us);
        events.rowStarted(unit, 0, 0, at + 2us);
        own.submitted = at + 3us;
        events.sent({unit, 0}, 0, own, at + 2us, at + 3us);
    };
    const auto end = [&](UnitId unit, nand::Operation& own, Time start) { // its request is granted at `start`
        events.granted(own, Phase::Response, start + 4us, start + 5us, 1us);
        events.finished({unit, 0}, 0, own, start + 6us, start + 7us);
        events.rowEnded(unit, 0, start + 8us);
        events.retired(unit, 0, start + 8us, start + 9us);
    };
    const auto grant = [&](nand::Operation& own, Time start) {
        own.requestStart = start;
        events.granted(own, Phase::Request, start, start, 1us);
    };
    const host::Command command{1, host::RequestKind::Read, false, 8, 8};
    events.issued(command, 1, 1us, 1us);
    events.arrived(command, 2us);
    events.announced(1, 3us);
    begin(UnitId{0}, op, 0x10000, 4us);
    grant(op, 7us);
    begin(UnitId{1}, waiting, 0x12000, 6us);
    end(UnitId{0}, op, 7us);
    grant(waiting, 15us);
    end(UnitId{1}, waiting, 15us);
    Time at = 30us;
    for (int i = 0; i < 300; ++i, at += 20us) {
        begin(UnitId{0}, op, 0x10000, at);
        grant(op, at + 3us);
        end(UnitId{0}, op, at + 3us);
    }
    events.ordered({1, 1, true, false, 0, 0x12000, 8}, at);
    events.moved(1, 1, at + 1us);
    events.ended(1, at + 2us);
    events.completed(1, true, at + 3us);
    events.flush();
}

} // namespace

TEST_CASE("the wait of a page for its die is known after many others of that die")
{
    for (std::uint32_t planes : {1U, 2U}) { // page by page and event by event
        RequestStatistics statistics{StageTally(2), SlowestRequests(1)};
        ObservedDrive drive = observedDrive(2, 4);
        drive.planes = planes;
        StageEvents events(drive, &statistics, nullptr, {});
        readMany(events);
        REQUIRE(statistics.slowest.sorted().size() == 1);
        CHECK(statistics.slowest.sorted()[0].path.sums()[dieWait(nand::Purpose::Host, DieWork::Reading)] == 4us);
    }
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

TEST_CASE("a timeline whose calls may come late gets them with the batch, and only requests that it wants")
{
    Sink sink;
    sink.isLate = true;
    sink.least = 44us + 5ns;
    StageEvents events(observedDrive(2, 4), nullptr, &sink, {});
    read(events, 1, 0us, 0us);
    read(events, 2, 100us, 5ns);
    CHECK(sink.open == std::vector<std::uint64_t>{1, 2}); // at once: what happens since is not to be forgotten
    CHECK(sink.segments.empty());
    events.flush();
    CHECK(sink.segments == std::vector<Time>{6us, 30us, 106us, 130us + 5ns});
    REQUIRE(sink.jobs.size() == 2);
    CHECK(sink.operations == sink.jobs);
    CHECK(sink.requests == std::vector<std::uint64_t>{2});
    CHECK(sink.others == std::vector<std::uint64_t>{1});
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
