// SPDX-License-Identifier: Apache-2.0
#include "tests/domain/nand/joined_bench.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::nand;
using namespace strobe::nand::test;

TEST_CASE("a cache read frees the bus for the page before it after tRCBSY and goes on for tR")
{
    Joined bench;
    PageTags a = tagsOf(40, 1);
    PageTags b = tagsOf(80, 1);
    bench.run(makeProgram({2, 0}, a));
    bench.run(makeProgram({2, 1}, b));
    PageTags outA{};
    PageTags outB{};
    Operation first = make(Opcode::Read, {2, 0});
    first.data = contentOf(outA);
    first = bench.run(first);
    CHECK(first.arrayEnd == first.ready);
    Operation second = in(Form::Cache, make(Opcode::Read, {2, 1}));
    second.data = contentOf(outB);
    const Time start = bench.now;
    second = bench.run(second);
    CHECK(second.ready == start + 3us);
    CHECK(second.arrayEnd == start + 3us + 25us);
    bench.die.fetch(first); // from the cache register
    CHECK(outA == a);
    // The next one waits for the array, then takes tRCBSY.
    Operation third = in(Form::Cache, make(Opcode::Read, {2, 2}));
    CHECK(bench.die.issue(third, start + 10us) == start + 28us + 3us);
    bench.die.fetch(second);
    CHECK(outB == b);
    CHECK(bench.die.counters().array.cached == 2);
}

TEST_CASE("while a cache read is in the array nothing but a cache read, status or reset is accepted")
{
    Joined bench;
    bench.run(make(Opcode::Read, {2, 0}));
    const Operation second = bench.run(in(Form::Cache, make(Opcode::Read, {2, 1})));
    const Legality early = bench.die.probe(make(Opcode::Erase, {3, 0}), bench.now);
    CHECK(early.reason == IllegalReason::DieBusy);
    CHECK(early.earliest == second.arrayEnd);
    CHECK(bench.whyNot(in(Form::Cache, make(Opcode::Read, {3, 0}))) == IllegalReason::None);
    CHECK(bench.die.probe(make(Opcode::Erase, {3, 0}), second.arrayEnd).legal);
}

TEST_CASE("a cache read needs a page read before it")
{
    Joined bench;
    CHECK(bench.whyNot(in(Form::Cache, make(Opcode::Read, {2, 0}))) == IllegalReason::CacheSequence);
    bench.run(make(Opcode::Program, {2, 0}));
    CHECK(bench.whyNot(in(Form::Cache, make(Opcode::Read, {2, 0}))) == IllegalReason::CacheSequence);
    CHECK(bench.whyNot(in(Form::Cache, make(Opcode::Erase, {2, 0}))) == IllegalReason::CacheSequence);
}

TEST_CASE("a cache program takes the next page while the array works on this one")
{
    Joined bench;
    const Time start = bench.now;
    const Operation first = bench.run(in(Form::Cache, make(Opcode::Program, {2, 0})));
    CHECK(first.ready == start + 4us);
    CHECK(first.arrayEnd == start + 204us);
    const Operation second = bench.run(in(Form::Cache, make(Opcode::Program, {2, 1})));
    CHECK(second.ready == start + 208us);
    CHECK(second.arrayEnd == start + 408us);
    const Operation last = bench.run(make(Opcode::Program, {2, 2})); // 10h: R/B# stays low to the end
    CHECK(last.ready == start + 608us);
    CHECK(bench.die.counters().array.arrayBusy == 608us);
}

TEST_CASE("the status of a cache program distinguishes the previous page from the last one")
{
    Joined bench;
    bench.die.wearOut(2);
    CHECK(bench.run(in(Form::Cache, make(Opcode::Program, {2, 0}))).status == Status::ProgramFailed);
    const Operation last = bench.run(make(Opcode::Program, {4, 0}));
    CHECK(last.status == Status::Ok);
    CHECK((last.statusByte & (statusFail | statusFailBefore)) == statusFailBefore);
}

namespace {

struct CachedPlanes : Joined {
    CachedPlanes() { part.multiPlaneCache = true; }
    // A page of both planes.
    void row(std::uint32_t page, Form last)
    {
        plane(Form::Plane, Opcode::Program, {2, page});
        end = plane(last, Opcode::Program, {3, page});
    }
    Operation end;
};

} // namespace

TEST_CASE("a cache program of two planes takes the next pages of both while the array works on these")
{
    CachedPlanes bench;
    const Time start = bench.now;
    bench.row(0, Form::LastPlaneCache);
    CHECK(bench.end.ready == start + 1us + 4us);
    CHECK(bench.end.arrayEnd == start + 205us);
    const Operation latched = bench.plane(Form::Plane, Opcode::Program, {2, 1});
    CHECK(latched.ready == start + 5us + 1us); // the array goes on
    CHECK((latched.statusByte & (statusReady | statusArrayReady)) == statusReady);
    const Operation second = bench.plane(Form::LastPlaneCache, Opcode::Program, {3, 1});
    CHECK(second.ready == start + 205us + 4us);
    CHECK(second.arrayEnd == start + 409us);
    bench.row(2, Form::LastPlane); // 10h: R/B# stays low to the end
    CHECK(bench.end.ready == start + 609us);
    CHECK(bench.die.counters().array.arrayBusy == 609us);
    CHECK(bench.die.counters().array.joined == 3);
    CHECK(bench.die.counters().array.cached == 4);
}

TEST_CASE("a plane that fails in a cache program of two planes sets FAILC while the next one is accepted")
{
    CachedPlanes bench;
    bench.die.wearOut(2);
    CHECK(bench.plane(Form::Plane, Opcode::Program, {2, 0}).status == Status::ProgramFailed);
    CHECK(bench.plane(Form::LastPlaneCache, Opcode::Program, {3, 0}).status == Status::Ok);
    bench.plane(Form::Plane, Opcode::Program, {4, 1});
    const Operation last = bench.plane(Form::LastPlane, Opcode::Program, {3, 1});
    CHECK((last.statusByte & (statusFail | statusFailBefore)) == statusFailBefore);
}

TEST_CASE("while the array works on a cache program of planes only programs of these planes are accepted")
{
    CachedPlanes bench;
    bench.part.geometry.planes = 4;
    bench.plane(Form::Plane, Opcode::Program, {4, 0});
    const Operation last = bench.plane(Form::LastPlaneCache, Opcode::Program, {5, 0});
    const auto program = [](Form form, std::uint32_t block) { return in(form, make(Opcode::Program, {block, 1})); };
    const Legality other = bench.die.probe(program(Form::Plane, 6), bench.now);
    CHECK(other.reason == IllegalReason::DieBusy);
    CHECK(other.earliest == last.arrayEnd);
    CHECK(bench.whyNot(make(Opcode::Program, {6, 1})) == IllegalReason::DieBusy);
    CHECK(bench.whyNot(make(Opcode::Read, {4, 0})) == IllegalReason::DieBusy);
    CHECK(bench.whyNot(in(Form::Plane, make(Opcode::Erase, {0, 0}))) == IllegalReason::DieBusy);
    CHECK(bench.whyNot(program(Form::Plane, 4)) == IllegalReason::None);
    bench.run(program(Form::Plane, 4));
    CHECK(bench.whyNot(program(Form::LastPlane, 6)) == IllegalReason::MultiPlane);
    CHECK(bench.whyNot(program(Form::LastPlane, 5)) == IllegalReason::None);
    bench.now = last.arrayEnd; // still the same sequence
    CHECK(bench.whyNot(program(Form::LastPlane, 6)) == IllegalReason::MultiPlane);
}

TEST_CASE("a part without cache programs of planes refuses them, and finishes a program before planes")
{
    Joined bench;
    bench.plane(Form::Plane, Opcode::Program, {2, 0});
    CHECK(bench.whyNot(in(Form::LastPlaneCache, make(Opcode::Program, {3, 0}))) == IllegalReason::MultiPlane);
    bench.plane(Form::LastPlane, Opcode::Program, {3, 0});
    const Operation page = bench.run(in(Form::Cache, make(Opcode::Program, {2, 1})));
    const Legality planes = bench.die.probe(in(Form::Plane, make(Opcode::Program, {2, 2})), bench.now);
    CHECK(planes.reason == IllegalReason::DieBusy);
    CHECK(planes.earliest == page.arrayEnd);
}
