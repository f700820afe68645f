// SPDX-License-Identifier: Apache-2.0
//
// Reads that the planes of a die sense independently of each other.
#include "tests/domain/nand/joined_bench.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::nand;
using namespace strobe::nand::test;

namespace {

// LSB and MSB pages.
Part partWith(std::uint32_t planes)
{
    Part part = Joined().part;
    part.planeIndependentReads = true;
    part.geometry.planes = planes;
    part.pageTypes = {{"LSB", 20us, {}}, {"MSB", 30us, {}}};
    return part;
}

struct PlaneBench {
    explicit PlaneBench(std::uint32_t planes = 2) : part(partWith(planes)), die(DieId{3}, part, 0, Rng(1, "die 3")) {}
    Operation issue(Time at, Operation op)
    {
        die.issue(op, at);
        return op;
    }
    IllegalReason whyNot(Time at, const Operation& op) const { return die.probe(op, at).reason; }

    Part part;
    Die die;
};

Operation planeRead(PageAddress target)
{
    return in(Form::PlaneRead, make(Opcode::Read, target));
}
Operation planeStatus(std::uint32_t block)
{
    return in(Form::PlaneRead, make(Opcode::ReadStatus, {block, 0}));
}

} // namespace

TEST_CASE("each plane senses another page of another block and ends at its own time")
{
    PlaneBench bench;
    const Operation first = bench.issue(0us, planeRead({2, 1}));  // MSB
    const Operation second = bench.issue(5us, planeRead({5, 0})); // LSB, of the other plane
    CHECK(first.status == Status::Ok);
    CHECK(second.status == Status::Ok);
    CHECK(first.ready == 30us);
    CHECK(second.ready == 25us);
    const Operation third = bench.issue(25us, planeRead({3, 2})); // while the first one goes on
    CHECK(third.ready == 45us);
    CHECK(bench.die.counters().array.reads == 3);
    CHECK(bench.die.counters().planeReads.reads == 3);
    CHECK(bench.die.counters().planeReads.overlapped == 2);
}

TEST_CASE("the register of a plane keeps its page while other planes read")
{
    PlaneBench bench;
    PageTags written = tagsOf(8, 1);
    bench.issue(0us, makeProgram({2, 0}, written));
    PageTags tags{};
    Operation first = planeRead({2, 0});
    first.data = contentOf(tags);
    bench.die.issue(first, 300us);
    bench.issue(310us, planeRead({3, 0}));
    bench.issue(330us, planeRead({5, 0}));
    bench.die.fetch(first);
    CHECK(tags == written);
}

TEST_CASE("time in which several planes work counts once, their reads and energy each")
{
    PlaneBench bench(4);
    for (std::uint32_t plane = 0; plane < 4; ++plane)
        bench.issue(plane * 5us, planeRead({plane, 0})); // 0-20, 5-25, 10-30, 15-35
    bench.issue(100us, planeRead({1, 0}));
    CHECK(bench.die.counters().array.arrayBusy == 35us + 20us);
    CHECK(bench.die.counters().planeReads.planeBusy == 5 * 20us);
    CHECK(bench.die.counters().array.reads == 5);
    CHECK(arrayEnergy(bench.part, bench.die.counters().array, {}).reads == 5 * 1e-6);
}

TEST_CASE("a plane that senses refuses a second read, and so do all for everything but reads, status and reset")
{
    PlaneBench bench;
    bench.issue(0us, planeRead({2, 1}));
    CHECK(bench.whyNot(29us, planeRead({4, 0})) == IllegalReason::DieBusy);
    CHECK(bench.die.probe(planeRead({4, 0}), 29us).earliest == 30us);
    CHECK(bench.whyNot(29us, planeRead({3, 0})) == IllegalReason::None);
    for (const Opcode opcode : {Opcode::Read, Opcode::Program, Opcode::Erase, Opcode::ReadId}) {
        const Legality verdict = bench.die.probe(make(opcode, {3, 0}), 29us);
        CHECK(verdict.reason == IllegalReason::DieBusy);
        CHECK(verdict.earliest == 30us);
        CHECK(bench.whyNot(30us, make(opcode, {3, 0})) == IllegalReason::None);
    }
    CHECK(bench.whyNot(29us, in(Form::Plane, make(Opcode::Read, {3, 0}))) == IllegalReason::DieBusy);
    CHECK(bench.whyNot(29us, make(Opcode::ReadStatus)) == IllegalReason::None);
    const Operation refused = bench.issue(29us, make(Opcode::Program, {3, 0}));
    CHECK(refused.status == Status::Illegal);
    CHECK(bench.die.counters().array.illegal == 1);
}

TEST_CASE("no plane reads while the array works for the whole die")
{
    PlaneBench bench;
    bench.issue(0us, make(Opcode::Program, {2, 0}));
    CHECK(bench.whyNot(10us, planeRead({3, 0})) == IllegalReason::DieBusy);
    CHECK(bench.die.probe(planeRead({3, 0}), 10us).earliest == 200us);
    CHECK(bench.whyNot(200us, planeRead({3, 0})) == IllegalReason::None);
    bench.issue(200us, in(Form::Plane, make(Opcode::Erase, {2, 0})));
    CHECK(bench.whyNot(300us, planeRead({5, 0})) == IllegalReason::MultiPlane); // planes are latched
}

TEST_CASE("status by plane address says whether that plane is ready, 70h whether all are")
{
    PlaneBench bench;
    bench.issue(0us, planeRead({2, 1}));
    bench.issue(0us, planeRead({3, 0}));
    CHECK(bench.issue(19us, planeStatus(3)).statusByte == 0x80);
    CHECK(bench.issue(20us, planeStatus(3)).statusByte == 0xE0);
    CHECK(bench.issue(20us, planeStatus(2)).statusByte == 0x80);
    CHECK(bench.issue(20us, make(Opcode::ReadStatus)).statusByte == 0x80);
    CHECK(bench.issue(30us, make(Opcode::ReadStatus)).statusByte == 0xE0);
    CHECK(bench.die.running(20us)->target == PageAddress{2, 1});
    CHECK(bench.die.running(30us) == nullptr);
}

TEST_CASE("a suspended program lets several planes read, and resumes when all are ready")
{
    PlaneBench bench;
    Operation program = make(Opcode::Program, {2, 0});
    bench.die.issue(program, 0us);
    program.form = Form::Suspend;
    bench.die.issue(program, 50us); // at rest at 57 us
    CHECK(bench.whyNot(56us, planeRead({3, 0})) == IllegalReason::DieBusy);
    CHECK(bench.whyNot(57us, planeRead({2, 1})) == IllegalReason::Suspended);
    CHECK(bench.issue(57us, planeRead({3, 0})).ready == 77us);
    CHECK(bench.issue(60us, planeRead({4, 1})).ready == 90us); // the plane of the program, another block
    program.form = Form::Resume;
    CHECK(bench.whyNot(80us, program) == IllegalReason::Suspended);
    CHECK(bench.die.issue(program, 90us) == 90us + 13us + 150us);
}

TEST_CASE("a reset ends the reads of all planes")
{
    PlaneBench bench;
    PageTags written = tagsOf(8, 1);
    bench.issue(0us, makeProgram({2, 0}, written));
    PageTags tags{};
    Operation read = planeRead({2, 0});
    read.data = contentOf(tags);
    bench.die.issue(read, 300us);
    bench.issue(305us, planeRead({3, 1}));
    const Operation reset = bench.issue(310us, make(Opcode::Reset));
    CHECK(reset.ready == 310us + 6us);
    CHECK(bench.die.counters().array.aborted == 2);
    CHECK(bench.die.counters().array.arrayBusy == 200us + 10us + 6us);
    CHECK(bench.whyNot(316us, make(Opcode::Program, {3, 0})) == IllegalReason::None);
    bench.die.fetch(read);
    CHECK(tags == PageTags{}); // blank
}

TEST_CASE("a power loss during reads of planes changes nothing")
{
    PlaneBench bench;
    PageTags written = tagsOf(8, 1);
    bench.issue(0us, makeProgram({2, 0}, written));
    bench.issue(300us, planeRead({2, 0}));
    CHECK(bench.die.powerOff(305us) == 0);
    CHECK(bench.die.isReady(0us));
    CHECK(bench.whyNot(0us, planeRead({2, 0})) == IllegalReason::None);
}

TEST_CASE("only a part that says so has plane-independent reads, and soft reads are none")
{
    Joined usual;
    CHECK(usual.whyNot(planeRead({2, 0})) == IllegalReason::PlaneRead);
    PlaneBench bench;
    CHECK(bench.whyNot(0us, in(Form::PlaneRead, make(Opcode::Program, {2, 0}))) == IllegalReason::PlaneRead);
    Operation soft = planeRead({2, 0});
    soft.senses = 3;
    CHECK(bench.whyNot(0us, soft) != IllegalReason::None);
    CHECK(bench.whyNot(0us, planeRead({2, 4})) == IllegalReason::AddressOutOfRange);
    CHECK(bench.issue(0us, make(Opcode::Read, {2, 0})).ready == 20us); // of the whole die
    CHECK(bench.whyNot(10us, planeRead({3, 0})) == IllegalReason::DieBusy);
}
