// SPDX-License-Identifier: Apache-2.0
//
// pSLC mode of a block: from its first program in that mode to the next erase it has one page for each word line.
#include "tests/domain/nand/joined_bench.h"
#include "tests/support/catch.h"

#include "models/base/bytes.h"

using namespace strobe;
using namespace strobe::nand;
using namespace strobe::nand::test;

namespace {

// 4 blocks per plane of 6 pages: two word lines of three.
Part pslcPart()
{
    Part part = smallPart();
    part.cell = CellTechnology::Tlc;
    part.geometry.pagesPerBlock = 6;
    part.geometry.pagesPerProgram = 3;
    part.geometry.pslcPages = 2;
    part.pslc.tR = 9us;
    part.pslc.tPROG = 75us;
    part.pslc.tBERS = 1ms;
    part.times.tDBSY = 1us;
    part.times.tPBSY = 3us;
    part.times.tCBSY = 4us;
    part.times.tRCBSY = 2us;
    part.times.tPSUSP = 7us;
    part.times.tPRSM = 13us;
    return part;
}

Operation pslc(Operation op)
{
    op.pslc = true;
    return op;
}

struct PslcDie {
    explicit PslcDie(const Part& p = pslcPart()) : part(p), die(DieId{3}, part, 0, Rng(1, "die 3")) {}

    Operation run(Operation op)
    {
        now = die.issue(op, now);
        return op;
    }
    Operation erase(std::uint32_t block, bool isPslc)
    {
        Operation op = make(Opcode::Erase, {block, 0});
        op.pslc = isPslc;
        return run(op);
    }
    Operation write(PageAddress target, Form form = Form::Alone)
    {
        PageTags written = tagsOf(target.block * 100 + target.page * 4, 1);
        return run(pslc(in(form, makeProgram(target, written))));
    }
    void writeWordLine(std::uint32_t block, std::uint32_t line)
    {
        for (std::uint32_t i = 0; i < 3; ++i) {
            PageTags written = tagsOf(i * 4, 1);
            CHECK(run(in(i == 2 ? Form::WordLineEnd : Form::WordLinePage, makeProgram({block, line * 3 + i}, written)))
                      .status == Status::Ok);
        }
    }
    Operation read(PageAddress target, bool isPslc)
    {
        Operation op = make(Opcode::Read, target);
        op.pslc = isPslc;
        tags = {};
        op.data = contentOf(tags);
        op = run(op);
        if (op.status == Status::Ok)
            die.fetch(op);
        return op;
    }
    bool holds(PageAddress target)
    {
        const Operation op = read(target, true);
        return !op.torn && !op.blank && tags == tagsOf(target.block * 100 + target.page * 4, 1);
    }
    IllegalReason whyNot(const Operation& op) const
    {
        const Legality verdict = die.probe(op, now);
        return verdict.legal ? IllegalReason::None : verdict.reason;
    }

    Part part;
    Die die;
    Time now = 1ms;
    PageTags tags{};
};

} // namespace

TEST_CASE("a block erased in pSLC mode has one page per word line, with the times of the mode")
{
    PslcDie bench;
    const Time start = bench.now;
    CHECK(bench.erase(2, true).ready == start + 1ms);
    CHECK(bench.die.block(2).pslc);
    const Operation first = bench.write({2, 0});
    CHECK(first.status == Status::Ok);
    CHECK(first.ready == start + 1ms + 75us);
    CHECK(bench.write({2, 1}).status == Status::Ok);
    PageTags tags = tagsOf(0, 1);
    CHECK(bench.whyNot(pslc(makeProgram({2, 2}, tags))) == IllegalReason::AddressOutOfRange);
    CHECK(bench.whyNot(pslc(make(Opcode::Read, {2, 2}))) == IllegalReason::AddressOutOfRange);
    const Time before = bench.now;
    CHECK(bench.holds({2, 0}));
    CHECK(bench.now == before + 9us);
    CHECK(bench.holds({2, 1}));
    CHECK(bench.die.counters().pslc.programs == 2);
    CHECK(bench.die.counters().pslc.reads == 2);
    CHECK(bench.die.counters().pslc.erases == 1);
    CHECK(bench.erase(2, false).ready == bench.now);
    CHECK_FALSE(bench.die.block(2).pslc);
    bench.writeWordLine(2, 0);
}

TEST_CASE("the times of the part apply where the pSLC mode gives none")
{
    Part part = pslcPart();
    part.pslc.tR = part.pslc.tBERS = Time{};
    PslcDie bench(part);
    const Time start = bench.now;
    CHECK(bench.erase(2, true).ready == start + 2ms);
    bench.write({2, 0});
    CHECK(bench.now == start + 2ms + 75us);
    bench.read({2, 0}, true);
    CHECK(bench.now == start + 2ms + 75us + 25us);
}

TEST_CASE("the first program after an erase decides the mode, and a program in the other mode is refused")
{
    PslcDie bench;
    PageTags tags = tagsOf(0, 1);
    CHECK(bench.whyNot(pslc(makeProgram({2, 0}, tags))) == IllegalReason::None); // as shipped
    bench.erase(2, true);
    CHECK(bench.whyNot(in(Form::WordLinePage, makeProgram({2, 0}, tags))) == IllegalReason::None);
    bench.write({2, 0});
    CHECK(bench.die.block(2).pslc);
    CHECK(bench.whyNot(in(Form::WordLinePage, makeProgram({2, 3}, tags))) == IllegalReason::Mode);
    CHECK(bench.whyNot(pslc(makeProgram({2, 1}, tags))) == IllegalReason::None);
    CHECK(bench.whyNot(pslc(makeCopyBack({0, 0}, {2, 1}))) == IllegalReason::Mode); // the source is not in pSLC mode
    CHECK(bench.whyNot(makeCopyBack({2, 0}, {0, 0})) == IllegalReason::Mode);
    bench.erase(2, true);
    bench.writeWordLine(2, 0);
    CHECK_FALSE(bench.die.block(2).pslc);
    CHECK(bench.whyNot(pslc(makeProgram({2, 1}, tags))) == IllegalReason::Mode);
}

TEST_CASE("a part without pSLC mode refuses it")
{
    Part part = pslcPart();
    part.geometry.pslcPages = 0;
    const PslcDie bench(part);
    PageTags tags = tagsOf(0, 1);
    for (const Operation& op : {make(Opcode::Read), make(Opcode::Erase), makeProgram({0, 0}, tags)})
        CHECK(bench.whyNot(pslc(op)) == IllegalReason::Mode);
}

TEST_CASE("a read in the other mode is beyond correction where its cells are programmed, else blank")
{
    PslcDie bench;
    bench.erase(2, true);
    bench.write({2, 1});
    for (std::uint32_t page = 0; page < 6; ++page) {
        const Operation op = bench.read({2, page}, false);
        CHECK(op.torn == (page >= 3)); // the cells of page 1 of pSLC mode
        CHECK(op.blank == (page < 3));
    }
    bench.writeWordLine(4, 0);
    CHECK(bench.read({4, 0}, true).torn);
    CHECK_FALSE(bench.read({4, 0}, true).blank);
    CHECK(bench.read({4, 1}, true).blank);
    CHECK_FALSE(bench.read({4, 0}, false).torn);
}

TEST_CASE("pages of several planes are programmed in one tPROG of the pSLC mode")
{
    PslcDie bench;
    bench.erase(2, true);
    bench.erase(3, true);
    const Time start = bench.now;
    CHECK(bench.write({2, 0}, Form::Plane).ready == start + 1us);
    CHECK(bench.write({3, 0}, Form::LastPlane).ready == start + 1us + 75us);
    CHECK(bench.holds({2, 0}));
    CHECK(bench.holds({3, 0}));
    bench.erase(4, true);
    CHECK(bench.write({4, 0}, Form::Plane).status == Status::Ok);
    PageTags tags = tagsOf(0, 1);
    CHECK(bench.whyNot(in(Form::Plane, makeProgram({1, 0}, tags))) == IllegalReason::WordLine);
    CHECK(bench.whyNot(pslc(in(Form::LastPlane, makeProgram({3, 1}, tags)))) ==
          IllegalReason::MultiPlane); // another page
}

TEST_CASE("planes of different modes are not read together")
{
    PslcDie bench;
    bench.erase(2, true);
    CHECK(bench.run(pslc(in(Form::Plane, make(Opcode::Read, {2, 0})))).status == Status::Ok);
    CHECK(bench.whyNot(in(Form::LastPlane, make(Opcode::Read, {3, 0}))) == IllegalReason::MultiPlane);
    CHECK(bench.whyNot(pslc(in(Form::LastPlane, make(Opcode::Read, {3, 0})))) == IllegalReason::None);
}

TEST_CASE("pages in pSLC mode take the cache form, but not after one of the other mode")
{
    PslcDie bench;
    bench.erase(2, true);
    const Time start = bench.now;
    const Operation first = bench.write({2, 0}, Form::Cache);
    CHECK(first.ready == start + 4us);
    CHECK(first.arrayEnd == start + 4us + 75us);
    PageTags tags = tagsOf(0, 1);
    CHECK(bench.whyNot(in(Form::WordLinePage, makeProgram({4, 0}, tags))) == IllegalReason::DieBusy);
    CHECK(bench.write({2, 1}).ready == start + 4us + 75us + 75us);
    CHECK(bench.run(pslc(make(Opcode::Read, {2, 0}))).status == Status::Ok);
    CHECK(bench.whyNot(in(Form::Cache, make(Opcode::Read, {4, 0}))) == IllegalReason::CacheSequence);
    CHECK(bench.whyNot(pslc(in(Form::Cache, make(Opcode::Read, {2, 1})))) == IllegalReason::None);
}

TEST_CASE("a copy-back works inside pSLC mode, page by page")
{
    PslcDie bench;
    bench.erase(2, true);
    bench.erase(4, true);
    bench.write({2, 0});
    const Time start = bench.now;
    const Operation copy = bench.run(pslc(makeCopyBack({2, 0}, {4, 0})));
    CHECK(copy.status == Status::Ok);
    CHECK(copy.ready == start + 9us + 75us);
    const Operation op = bench.read({4, 0}, true);
    CHECK(bench.tags == tagsOf(200, 1));
    CHECK_FALSE(op.blank);
}

TEST_CASE("the mode survives a power loss, and an erase that has not begun does not change it")
{
    PslcDie bench;
    bench.erase(2, true);
    bench.write({2, 0});
    Operation notBegun = make(Opcode::Erase, {2, 0});
    bench.die.issue(notBegun, bench.now + 1us); // the request is still on the bus
    CHECK(bench.die.powerOff(bench.now) == 0);
    CHECK(bench.die.block(2).pslc);
    CHECK(bench.die.block(2).erases == 1);
    CHECK(bench.die.block(2).pslcErases == 1);
    bench.now = Time{};
    CHECK(bench.holds({2, 0}));
}

TEST_CASE("a power loss during a program in pSLC mode harms its page only, from the start of its tPROG on")
{
    for (const Time at : {Time{-1}, Time{0}, Time{40us}}) {
        PslcDie bench;
        bench.erase(2, true);
        bench.write({2, 0});
        bench.now += 1us;
        const Time start = bench.now;
        bench.write({2, 1});
        CHECK(bench.die.powerOff(start + at) == (at < Time{} ? 0 : 1));
        bench.now = Time{};
        CHECK(bench.holds({2, 0}));
        const Operation op = bench.read({2, 1}, true);
        CHECK((op.torn || op.blank));
        PageTags tags = tagsOf(0, 1);
        CHECK(bench.whyNot(pslc(makeProgram({2, 1}, tags))) ==
              (at < Time{} ? IllegalReason::None : IllegalReason::PageNotErased));
    }
}

TEST_CASE("pages that an interrupted erase has left are read in the mode of their program")
{
    bool wasIntact = false;
    for (std::uint64_t seed = 0; seed < 32 && !wasIntact; ++seed) {
        const Part part = pslcPart();
        PslcDie bench(part);
        Die die(DieId{0}, part, 0, Rng(seed, "die"));
        Operation op = pslc(make(Opcode::Erase, {2, 0}));
        Time now = die.issue(op, 0us);
        PageTags tags = tagsOf(7, 1);
        op = pslc(makeProgram({2, 0}, tags));
        now = die.issue(op, now);
        op = make(Opcode::Erase, {2, 0}); // back to the other mode
        die.issue(op, now);
        CHECK(die.powerOff(now + 500us) == 1);
        op = pslc(make(Opcode::Read, {2, 0}));
        PageTags found{};
        op.data = contentOf(found);
        die.issue(op, 0us);
        die.fetch(op);
        wasIntact = !op.torn && !op.blank && found == tags;
        op = pslc(makeProgram({2, 1}, tags));
        CHECK_FALSE(die.probe(op, 1s).legal);
    }
    CHECK(wasIntact);
}

TEST_CASE("suspension and reset work in pSLC mode as usual")
{
    PslcDie bench;
    bench.erase(2, true);
    const Time start = bench.now;
    PageTags tags = tagsOf(0, 1);
    Operation op = pslc(makeProgram({2, 0}, tags));
    bench.die.issue(op, start);
    op.form = Form::Suspend;
    CHECK(bench.die.issue(op, start + 20us) == start + 27us);
    op.form = Form::Resume;
    CHECK(bench.die.issue(op, start + 50us) == start + 50us + 13us + 55us);
}

TEST_CASE("wear counts cycles of each mode against its own rating")
{
    Part part = pslcPart();
    part.endurance = 10;
    part.pslc.endurance = 100;
    PslcDie bench(part);
    bench.erase(2, false);
    bench.erase(2, true);
    bench.erase(2, true);
    CHECK(bench.die.block(2).erases == 3);
    CHECK(bench.die.block(2).pslcErases == 2);
    CHECK(bench.die.wear({2, 0}) == 1.0 / 10 + 2.0 / 100);
}

TEST_CASE("energy distinguishes the modes")
{
    Part part = pslcPart();
    part.pslc.programJoule = 3e-6;
    part.pslc.eraseJoule = 50e-6;
    PslcDie bench(part);
    bench.erase(2, true);
    bench.write({2, 0});
    bench.read({2, 0}, true);
    bench.writeWordLine(4, 0);
    const ArrayEnergy energy = arrayEnergy(part, bench.die.counters().array, bench.die.counters().pslc);
    CHECK_THAT(energy.reads, Catch::Matchers::WithinRel(1e-6, 1e-12)); // the part's
    CHECK_THAT(energy.programs, Catch::Matchers::WithinRel(3e-6 + 3 * 10e-6, 1e-12));
    CHECK_THAT(energy.erases, Catch::Matchers::WithinRel(50e-6, 1e-12));
}

TEST_CASE("contents saved to a file keep the mode and the cycles in it")
{
    PslcDie bench;
    bench.erase(2, true);
    bench.erase(3, false);
    bench.write({2, 0});
    bench.die.powerOff(bench.now);
    ByteWriter file;
    bench.die.save(file);
    PslcDie other;
    ByteReader reader(file.bytes());
    other.die.restore(reader);
    CHECK(other.die.block(2).pslc);
    CHECK_FALSE(other.die.block(3).pslc);
    CHECK(other.die.block(2).pslcErases == 1);
    CHECK(other.holds({2, 0}));
}

TEST_CASE("without time the same rules hold, and the fast path leaves pSLC blocks alone")
{
    PslcDie bench;
    Operation op = pslc(make(Opcode::Erase, {2, 0}));
    bench.die.executeAtOnce(op);
    CHECK(op.status == Status::Ok);
    PageTags tags = tagsOf(200, 1);
    op = pslc(makeProgram({2, 0}, tags));
    bench.die.executeAtOnce(op);
    CHECK(op.status == Status::Ok);
    op = makeProgram({2, 3}, tags);
    bench.die.executeAtOnce(op);
    CHECK(op.reason == IllegalReason::Mode);
    CHECK(bench.holds({2, 0}));

    Part mlc = pslcPart(); // pages one by one
    mlc.geometry.pagesPerProgram = 1;
    PslcDie other(mlc);
    other.erase(2, true);
    other.write({2, 0});
    CHECK_FALSE(other.die.programRunAtOnce({2, 3}, makeTag(1, 1), {1, 2, 3, 4}, Purpose::Host));
    CHECK(other.die.programRunAtOnce({0, 0}, makeTag(1, 1), {1, 2, 3, 4}, Purpose::Host));
}
