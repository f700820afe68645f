// SPDX-License-Identifier: Apache-2.0
//
// The window of descriptors in execution: which may run concurrently, and in which order they retire.
#include "models/controller/unit_job.h"
#include "tests/domain/controller/unit_parts.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::controller;
using namespace strobe::controller::test;

namespace {

struct Window : UnitParts {
    JobWindow window{3};

    UnitJob& add(const FlashDescriptor& d)
    {
        UnitJob& job = window.beginArrival(BusAddress{0x1000}, map);
        job.descriptor = d;
        job.isReadable = true;
        job.end = d.sectors;
        window.admit();
        return job;
    }
    // All its rows are in slots, one of them is open.
    UnitJob& addStarted(const FlashDescriptor& d)
    {
        UnitJob& job = add(d);
        job.cursor = job.end;
        job.rowsOpen = 1;
        window.skipStarted();
        return job;
    }
};

FlashDescriptor read(std::uint32_t superchip = 0)
{
    FlashDescriptor d = partsDescriptor(SuperchipOpcode::Read, 0, 8);
    d.superchip = superchip;
    return d;
}
FlashDescriptor program(std::uint32_t superchip = 0)
{
    FlashDescriptor d = read(superchip);
    d.opcode = SuperchipOpcode::Program;
    return d;
}
FlashDescriptor readToHost(std::uint16_t slot)
{
    FlashDescriptor d = read();
    d.buffer = hostInterfaceBuffer;
    d.sourceSector = slot;
    return d;
}

} // namespace

TEST_CASE("a job joins earlier ones on the same superchip only, and once they are done on any")
{
    Window w;
    UnitJob& first = w.addStarted(program(0));
    UnitJob& same = w.add(program(0));
    UnitJob& other = w.add(program(1));
    CHECK(w.window.mayStart(same));
    CHECK_FALSE(w.window.mayStart(other));
    other.descriptor.superchip = 0;
    other.map = &w.oneChip; // a die of the superchip
    CHECK_FALSE(w.window.mayStart(other));
    first.rowsOpen = 0;
    CHECK(w.window.mayStart(other));
}

TEST_CASE("a program waits for an earlier read into memory, a read does not")
{
    Window w;
    w.addStarted(read());
    UnitJob& next = w.add(read());
    CHECK(w.window.mayStart(next));
    next.descriptor = program();
    CHECK_FALSE(w.window.mayStart(next));
    next.descriptor = read();
    next.descriptor.hasSectorTable = true; // its sectors may be what the read brings
    CHECK_FALSE(w.window.mayStart(next));
}

TEST_CASE("a stepped operation is executed alone")
{
    FlashDescriptor stepped = read();
    stepped.isStepped = true;
    Window before;
    before.addStarted(stepped).rowsOpen = 1;
    CHECK_FALSE(before.window.mayStart(before.add(read())));
    Window after;
    UnitJob& first = after.addStarted(read());
    UnitJob& second = after.add(stepped);
    CHECK_FALSE(after.window.mayStart(second));
    first.rowsOpen = 0;
    CHECK(after.window.mayStart(second));
}

TEST_CASE("reads to the host wait for earlier ones of the same command until all their sectors are sent")
{
    Window w;
    UnitJob& first = w.addStarted(readToHost(5));
    UnitJob& next = w.add(readToHost(5));
    CHECK_FALSE(w.window.mayStart(next));
    first.sent = first.descriptor.sectors;
    CHECK(w.window.mayStart(next));
    first.sent = 0;
    next.descriptor = readToHost(6);
    CHECK(w.window.mayStart(next));
    next.descriptor = program(); // what goes to the host is not in memory
    CHECK(w.window.mayStart(next));
}

TEST_CASE("jobs retire from the front, started and without open rows")
{
    Window w;
    UnitJob& first = w.addStarted(read());
    UnitJob& second = w.addStarted(read());
    second.rowsOpen = 0;
    CHECK_FALSE(w.window.isFirstDone());
    first.rowsOpen = 0;
    REQUIRE(w.window.isFirstDone());
    CHECK(&w.window.retire() == &first);
    CHECK(&w.window.retire() == &second);
    CHECK(w.window.empty());
    CHECK_FALSE(w.window.isFirstDone());
}

TEST_CASE("the window is a ring: places are used again, and a new job has nothing of the old one")
{
    Window w;
    for (int round = 0; round < 10; ++round) {
        for (int i = 0; i < 3; ++i) {
            UnitJob& job = w.addStarted(read());
            job.sent = 8;
            job.isStopped = true;
            job.outcome.code = StatusCode::Illegal;
            job.rowsOpen = 0;
        }
        CHECK(w.window.isFull());
        w.window.retire();
        UnitJob& again = w.window.beginArrival(BusAddress{0x40}, w.oneChip);
        CHECK_FALSE(again.isStopped);
        CHECK(again.sent == 0);
        CHECK(again.outcome.code == StatusCode::Pending);
        CHECK(again.map == &w.oneChip);
        w.window.retire();
        w.window.retire();
        REQUIRE(w.window.empty());
    }
}

TEST_CASE("the first failure of a job decides its outcome, each one is noted")
{
    Window w;
    UnitJob& job = w.add(read());
    nand::Operation op;
    op.target.page = 7;
    failJob(job, w.unit, op, nand::Status::Uncorrectable, 1, 5us);
    refuseJob(job, w.unit, MalformedReason::SpareOutsideMemory, 6us);
    CHECK(job.isStopped);
    CHECK(job.outcome.code == StatusCode::Uncorrectable);
    CHECK(job.outcome.chip == 1);
    CHECK(job.outcome.page == 7);
    REQUIRE(w.failures.size() == 2);
    CHECK(w.failures[0].kind == FailureKind::OperationFailed);
    CHECK(w.failures[1].kind == FailureKind::MalformedDescriptor);
    CHECK(w.failures[1].malformed == MalformedReason::SpareOutsideMemory);
    CHECK(w.failures[1].unit == UnitId{3});
}

TEST_CASE("a read that is done retires before earlier reads, but before nothing else")
{
    struct FourJobs : Window {
        FourJobs() { window = JobWindow(4); }
    };
    {
        FourJobs w;
        UnitJob& first = w.addStarted(read());
        UnitJob& second = w.addStarted(read());
        UnitJob& third = w.addStarted(read());
        CHECK(w.window.retireEarly() == nullptr);
        third.rowsOpen = 0;
        CHECK(w.window.retireEarly() == &third);
        CHECK(w.window.retireEarly() == nullptr); // not twice
        second.rowsOpen = 0;
        CHECK(w.window.retireEarly() == &second);
        CHECK_FALSE(w.window.isFirstDone());
        first.rowsOpen = 0;
        CHECK(w.window.isFirstDone());
        CHECK(&w.window.retire() == &first);
        CHECK(w.window.empty()); // with the two that were early
    }
    for (const FlashDescriptor& earlier : {program(), readToHost(1)}) {
        FourJobs w;
        w.addStarted(earlier);
        w.addStarted(read()).rowsOpen = 0;
        CHECK(w.window.retireEarly() == nullptr);
    }
    FourJobs w;
    w.addStarted(read());
    w.addStarted(program()).rowsOpen = 0;
    w.addStarted(read()).rowsOpen = 0;
    CHECK(w.window.retireEarly() == nullptr);
}
