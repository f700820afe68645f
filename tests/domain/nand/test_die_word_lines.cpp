// SPDX-License-Identifier: Apache-2.0
//
// Programs of whole word lines: two pages of a block, of one plane or of both.
#include "tests/domain/nand/joined_bench.h"
#include "tests/support/catch.h"

#include <set>

using namespace strobe;
using namespace strobe::nand;
using namespace strobe::nand::test;

namespace {

struct WordLineDie : Joined {
    WordLineDie()
    {
        part.geometry.pagesPerProgram = 2;
        part.times.tPBSY = 3us;
    }
    Operation write(Form form, PageAddress target, std::uint32_t version = 1)
    {
        PageTags tags = tagsOf(numberOf(target), version);
        Operation op = run(in(form, makeProgram(target, tags)));
        op.data = {};
        return op;
    }
    bool holds(PageAddress target, std::uint32_t version = 1)
    {
        PageTags tags{};
        const Operation op = read(target, tags);
        return !op.torn && !op.blank && tags == tagsOf(numberOf(target), version);
    }
    bool isBlank(PageAddress target)
    {
        PageTags tags{};
        const Operation op = read(target, tags);
        return op.blank && !op.torn;
    }
    static std::uint32_t numberOf(PageAddress page) { return page.block * 16 + page.page * 4; }
};

} // namespace

TEST_CASE("the pages of a word line are loaded one by one, and one tPROG programs all of them")
{
    WordLineDie bench;
    const Time start = bench.now;
    const Operation first = bench.write(Form::WordLinePage, {2, 0});
    CHECK(first.status == Status::Ok);
    CHECK(first.ready == start + 3us);
    const Operation last = bench.write(Form::WordLineEnd, {2, 1});
    CHECK(last.status == Status::Ok);
    CHECK(last.ready == start + 3us + 200us);
    CHECK(bench.die.counters().array.programs == 2);
    CHECK(bench.die.counters().array.joined == 0);
    CHECK(bench.die.counters().array.arrayBusy == 203us);
    CHECK(bench.holds({2, 0}));
    CHECK(bench.holds({2, 1}));
    CHECK(bench.die.block(2).nextPage == 2);
}

TEST_CASE("word lines of two planes take one tPROG, with tDBSY between planes and tPBSY between pages")
{
    WordLineDie bench;
    const Time start = bench.now;
    CHECK(bench.write(Form::WordLinePlane, {2, 2}).ready == start + 1us);
    CHECK(bench.write(Form::WordLinePage, {5, 2}).ready == start + 4us);
    CHECK(bench.write(Form::Plane, {2, 3}).ready == start + 5us);
    CHECK(bench.write(Form::LastPlane, {5, 3}).ready == start + 205us);
    CHECK(bench.die.counters().array.illegal == 0);
    CHECK(bench.die.counters().array.joined == 2);
    for (const PageAddress page : {PageAddress{2, 2}, {2, 3}, {5, 2}, {5, 3}})
        CHECK(bench.holds(page));
}

TEST_CASE("a program of a part of a word line is refused")
{
    WordLineDie bench;
    PageTags tags = tagsOf(0, 1);
    const auto why = [&](Form form, PageAddress target) { return bench.whyNot(in(form, makeProgram(target, tags))); };
    for (const Form form : {Form::Alone, Form::Cache, Form::WordLineEnd, Form::Plane, Form::LastPlane})
        CHECK(why(form, {2, 0}) == IllegalReason::WordLine); // more pages would have to follow
    for (const Form form : {Form::Alone, Form::WordLinePage, Form::WordLineEnd})
        CHECK(why(form, {2, 1}) == IllegalReason::WordLine); // nothing is before it
    CHECK(why(Form::WordLinePage, {2, 0}) == IllegalReason::None);
    CHECK(bench.whyNot(makeCopyBack({0, 0}, {2, 0})) == IllegalReason::WordLine);

    bench.write(Form::WordLinePage, {2, 0});
    CHECK(why(Form::WordLineEnd, {4, 1}) == IllegalReason::WordLine);    // of another block of the plane
    CHECK(why(Form::WordLinePage, {3, 2}) == IllegalReason::MultiPlane); // another word line
    CHECK(why(Form::WordLinePage, {2, 1}) == IllegalReason::WordLine);   // the last page starts the array
    CHECK(why(Form::WordLineEnd, {2, 1}) == IllegalReason::None);

    WordLineDie single;
    single.part.geometry.pagesPerProgram = 1;
    CHECK(single.whyNot(in(Form::WordLinePage, makeProgram({2, 0}, tags))) == IllegalReason::WordLine);
}

TEST_CASE("word lines ascend, and are programmed once")
{
    WordLineDie bench;
    bench.write(Form::WordLinePage, {2, 2});
    bench.write(Form::WordLineEnd, {2, 3});
    PageTags tags = tagsOf(0, 1);
    CHECK(bench.whyNot(in(Form::WordLinePage, makeProgram({2, 0}, tags))) == IllegalReason::PageOutOfOrder);
    CHECK(bench.whyNot(in(Form::WordLinePage, makeProgram({2, 2}, tags))) == IllegalReason::PageNotErased);
}

TEST_CASE("in a worn block all pages of a word line fail")
{
    WordLineDie bench;
    bench.die.wearOut(2);
    CHECK(bench.write(Form::WordLinePage, {2, 0}).status == Status::ProgramFailed);
    const Operation last = bench.write(Form::WordLineEnd, {2, 1});
    CHECK(last.status == Status::ProgramFailed);
    CHECK((last.statusByte & statusFail) != 0);
    CHECK_FALSE(bench.holds({2, 0}));
    CHECK_FALSE(bench.holds({2, 1}));
}

TEST_CASE("a word line of which a page is refused is not programmed, those of other planes are")
{
    WordLineDie bench;
    const auto tooLong = [](Form form, PageAddress target) {
        Operation op = in(form, make(Opcode::Program, target));
        op.sectors = 5;
        return op;
    };
    bench.write(Form::WordLinePage, {2, 0});
    const Time before = bench.now;
    CHECK(bench.run(tooLong(Form::WordLineEnd, {2, 1})).reason == IllegalReason::ColumnOutOfRange);
    CHECK(bench.now == before); // nothing is left to do
    CHECK(bench.isBlank({2, 0}));
    CHECK(bench.die.block(2).nextPage == 0);
    bench.write(Form::WordLinePage, {2, 0});
    CHECK(bench.write(Form::WordLineEnd, {2, 1}).status == Status::Ok);

    bench.write(Form::WordLinePlane, {4, 0});
    bench.write(Form::WordLinePage, {5, 0});
    bench.write(Form::Plane, {4, 1});
    const Time start = bench.now;
    CHECK(bench.run(tooLong(Form::LastPlane, {5, 1})).status == Status::Illegal);
    CHECK(bench.now == start + 200us);
    CHECK(bench.holds({4, 0}));
    CHECK(bench.holds({4, 1}));
    CHECK(bench.isBlank({5, 0}));
    CHECK(bench.die.block(5).nextPage == 0);
}

TEST_CASE("a power loss during tPROG tears all pages of a word line")
{
    std::set<bool> seen;
    WordLineDie bench;
    for (std::uint32_t block : {0U, 2U, 4U, 6U}) {
        bench.write(Form::WordLinePage, {block, 0});
        PageTags tags = tagsOf(0, 1);
        Operation last = in(Form::WordLineEnd, makeProgram({block, 1}, tags));
        bench.die.issue(last, bench.now);
        CHECK(bench.die.powerOff(bench.now + 100us) == 2);
        for (const std::uint32_t page : {0U, 1U}) {
            PageTags out{};
            const Operation op = bench.read({block, page}, out);
            CHECK((op.torn || op.blank));
            seen.insert(op.torn);
        }
        CHECK(bench.whyNot(in(Form::WordLinePage, makeProgram({block, 0}, tags))) == IllegalReason::PageNotErased);
        CHECK(bench.whyNot(in(Form::WordLinePage, makeProgram({block, 2}, tags))) == IllegalReason::None);
    }
    CHECK(seen.size() == 2);
}

TEST_CASE("a power loss while pages of a word line are loaded leaves the block as it was")
{
    WordLineDie bench;
    bench.write(Form::WordLinePlane, {2, 0});
    bench.write(Form::WordLinePage, {3, 0});
    bench.write(Form::Plane, {2, 1});
    CHECK(bench.die.powerOff(bench.now) == 0);
    for (const PageAddress page : {PageAddress{2, 0}, {2, 1}, {3, 0}})
        CHECK(bench.isBlank(page));
    bench.write(Form::WordLinePage, {2, 0}, 7);
    CHECK(bench.write(Form::WordLineEnd, {2, 1}, 7).status == Status::Ok);
    CHECK(bench.holds({2, 0}, 7));
}

TEST_CASE("the program of a word line is suspended and resumed as a whole")
{
    WordLineDie bench;
    bench.write(Form::WordLinePage, {2, 0});
    PageTags tags = tagsOf(bench.numberOf({2, 1}), 1);
    Operation last = in(Form::WordLineEnd, makeProgram({2, 1}, tags));
    const Time start = bench.now;
    bench.die.issue(last, start);
    bench.now = start + 50us;
    const Operation stop = bench.run(in(Form::Suspend, make(Opcode::Program, {2, 1})));
    CHECK(stop.ready == start + 57us);
    CHECK(bench.whyNot(make(Opcode::Read, {2, 0})) == IllegalReason::Suspended);
    CHECK(bench.isBlank({4, 0}));
    const Time again = bench.now;
    CHECK(bench.run(in(Form::Resume, make(Opcode::Program, {2, 1}))).ready == again + 13us + 150us);
    CHECK(bench.holds({2, 0}));
    CHECK(bench.holds({2, 1}));
}

TEST_CASE("without time, the pages of a word line are programmed one by one, in order")
{
    WordLineDie bench;
    const auto at = [&](PageAddress target) {
        PageTags tags = tagsOf(bench.numberOf(target), 1);
        Operation op = makeProgram(target, tags);
        bench.die.executeAtOnce(op);
        return op.reason;
    };
    CHECK(at({2, 1}) == IllegalReason::WordLine);
    CHECK(at({2, 0}) == IllegalReason::None);
    CHECK(at({2, 1}) == IllegalReason::None);
    CHECK(at({2, 0}) == IllegalReason::PageNotErased);
    CHECK(bench.holds({2, 0}));
    CHECK(bench.holds({2, 1}));

    // The same as runs of tags.
    const auto runAt = [&](PageAddress target) {
        return bench.die.programRunAtOnce(target, makeTag(bench.numberOf(target) * 100, 1), {1, 2, 3, 4},
                                          Purpose::Host);
    };
    CHECK_FALSE(runAt({4, 1}));
    CHECK(runAt({4, 0}));
    CHECK(runAt({4, 1}));
    CHECK_FALSE(runAt({4, 0}));
    CHECK_FALSE(bench.isBlank({4, 1}));
}
