// SPDX-License-Identifier: Apache-2.0
//
// What a power loss leaves of a die: operations in progress, not begun and finished.
#include "tests/domain/nand/die_helpers.h"
#include "tests/support/catch.h"

#include <set>
#include <vector>

using namespace strobe;
using namespace strobe::nand;
using namespace strobe::nand::test;

namespace {

// A die whose draws differ from those of others.
struct Cut : Bench {
    explicit Cut(std::uint64_t seed = 1, std::uint32_t badBlocks = 0) : Bench(badBlocks, seed) {}
    void write(PageAddress target, std::uint32_t version)
    {
        PageTags tags = tagsOf(target.page * 4, version);
        REQUIRE(run(makeProgram(target, tags)).status == Status::Ok);
    }
    bool holds(PageAddress target, std::uint32_t version)
    {
        PageTags tags{};
        const Operation op = read(target, tags);
        return !op.torn && !op.blank && tags == tagsOf(target.page * 4, version);
    }
    void powerAgain(Time at)
    {
        die.powerOff(at);
        now = Time{}; // the clock of the next cycle may start anywhere
    }
};

enum class Found { Old, Torn, Blank };
Found look(Cut& cut, PageAddress target)
{
    PageTags tags{};
    const Operation op = cut.read(target, tags);
    if (op.torn)
        return Found::Torn;
    return op.blank ? Found::Blank : Found::Old;
}

} // namespace

TEST_CASE("a program cut by a power loss leaves its page torn or looking blank, and not programmable", "[nand][power]")
{
    std::set<Found> seen;
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        Cut cut(seed);
        cut.write({0, 0}, 1);
        PageTags tags = tagsOf(4, 2);
        Operation program = makeProgram({0, 1}, tags);
        const Time start = cut.now;
        cut.die.issue(program, start);
        CHECK(cut.die.powerOff(start + 100us) == 1);
        cut.now = Time{};
        seen.insert(look(cut, {0, 1}));
        CHECK(cut.holds({0, 0}, 1));
        CHECK(cut.whyNot(makeProgram({0, 1}, tags)) == IllegalReason::PageNotErased);
        CHECK(cut.whyNot(makeProgram({0, 2}, tags)) == IllegalReason::None);
    }
    CHECK(seen == std::set<Found>{Found::Torn, Found::Blank});
}

TEST_CASE("operations finished at the power loss stay, to the picosecond", "[nand][power]")
{
    Cut cut;
    PageTags tags = tagsOf(0, 7);
    Operation program = makeProgram({0, 0}, tags);
    const Time ready = cut.die.issue(program, cut.now);
    SECTION("at the end")
    {
        CHECK(cut.die.powerOff(ready) == 0);
        cut.now = Time{};
        CHECK(cut.holds({0, 0}, 7));
    }
    SECTION("just before the end")
    {
        CHECK(cut.die.powerOff(ready - Time{1}) == 1);
        cut.now = Time{};
        CHECK_FALSE(cut.holds({0, 0}, 7));
    }
}

TEST_CASE("a request that is still on the bus when power goes has not happened", "[nand][power]")
{
    Cut cut;
    cut.write({0, 0}, 1);
    const Time requestEnd = cut.now + 50us;
    SECTION("program")
    {
        PageTags tags = tagsOf(4, 2);
        Operation program = makeProgram({0, 1}, tags);
        cut.die.issue(program, requestEnd);
        CHECK(cut.die.powerOff(requestEnd - 1us) == 0);
        cut.now = Time{};
        CHECK_FALSE(cut.die.cells().isProgrammed({0, 1}));
        cut.write({0, 1}, 3);
        CHECK(cut.holds({0, 1}, 3));
    }
    SECTION("erase")
    {
        Operation erase = make(Opcode::Erase, {0, 0});
        cut.die.issue(erase, requestEnd);
        CHECK(cut.die.powerOff(requestEnd - 1us) == 0);
        cut.now = Time{};
        CHECK(cut.holds({0, 0}, 1));
        CHECK(cut.die.block(0).erases == 0);
        cut.write({0, 1}, 3);
        CHECK(cut.holds({0, 1}, 3));
    }
}

TEST_CASE("a copy-back is undone while it still reads its source", "[nand][power]")
{
    Cut cut;
    cut.write({0, 0}, 1);
    Operation copy = makeCopyBack({0, 0}, {2, 0});
    const Time start = cut.now;
    cut.die.issue(copy, start);
    SECTION("reading")
    {
        cut.powerAgain(start + 24us);
        CHECK_FALSE(cut.die.cells().isProgrammed({2, 0}));
    }
    SECTION("programming")
    {
        cut.powerAgain(start + 26us);
        CHECK(cut.die.cells().isProgrammed({2, 0}));
        CHECK(look(cut, {2, 0}) != Found::Old);
    }
    CHECK(cut.holds({0, 0}, 1));
}

TEST_CASE("an erase cut by a power loss leaves anything in its pages, and has to be done again", "[nand][power]")
{
    std::set<Found> written;
    std::set<Found> blank;
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        Cut cut(seed);
        cut.write({0, 0}, 1);
        cut.write({0, 1}, 1);
        Operation erase = make(Opcode::Erase, {0, 0});
        const Time start = cut.now;
        cut.die.issue(erase, start);
        cut.powerAgain(start + 1ms);
        for (std::uint32_t page = 0; page < 2; ++page) {
            const Found found = look(cut, {0, page});
            written.insert(found);
            if (found == Found::Old)
                CHECK(cut.holds({0, page}, 1));
        }
        blank.insert(look(cut, {0, 3}));
        PageTags tags = tagsOf(0, 2);
        for (std::uint32_t page = 0; page < 4; ++page)
            CHECK(cut.whyNot(makeProgram({0, page}, tags)) == IllegalReason::PageNotErased);
        CHECK(cut.die.block(0).erases == 1);
        CHECK(cut.run(make(Opcode::Erase, {0, 0})).status == Status::Ok);
        cut.write({0, 0}, 2);
        CHECK(cut.holds({0, 0}, 2));
    }
    CHECK(written == std::set<Found>{Found::Old, Found::Torn, Found::Blank});
    CHECK(blank == std::set<Found>{Found::Torn, Found::Blank});
}

TEST_CASE("planes that were latched only did nothing, those in the array are all cut", "[nand][power]")
{
    Cut cut;
    PageTags tags = tagsOf(0, 1);
    Operation first = makeProgram({0, 0}, tags);
    first.form = Form::Plane;
    cut.now = cut.die.issue(first, cut.now);
    SECTION("latched")
    {
        CHECK(cut.die.powerOff(cut.now) == 0);
        cut.now = Time{};
        CHECK_FALSE(cut.die.cells().isProgrammed({0, 0}));
    }
    SECTION("in the array")
    {
        Operation last = makeProgram({1, 0}, tags);
        last.form = Form::LastPlane;
        const Time start = cut.now;
        cut.die.issue(last, start);
        CHECK(cut.die.powerOff(start + 1us) == 2);
        cut.now = Time{};
        CHECK(look(cut, {0, 0}) != Found::Old);
        CHECK(look(cut, {1, 0}) != Found::Old);
    }
    SECTION("erases that were latched")
    {
        Operation last = makeProgram({1, 0}, tags);
        last.form = Form::LastPlane;
        cut.now = cut.die.issue(last, cut.now);
        Operation erase = make(Opcode::Erase, {0, 0});
        erase.form = Form::Plane;
        cut.now = cut.die.issue(erase, cut.now);
        CHECK(cut.die.powerOff(cut.now) == 0);
        cut.now = Time{};
        CHECK(cut.holds({0, 0}, 1));
    }
    SECTION("reads that were latched")
    {
        Operation last = makeProgram({1, 0}, tags);
        last.form = Form::LastPlane;
        cut.now = cut.die.issue(last, cut.now);
        Operation read = make(Opcode::Read, {0, 0});
        read.form = Form::Plane;
        cut.now = cut.die.issue(read, cut.now);
        CHECK(cut.die.powerOff(cut.now) == 0);
        cut.now = Time{};
        CHECK(cut.holds({0, 0}, 1));
    }
}

TEST_CASE("in a cache sequence the page in the array is cut and the next one has not begun", "[nand][power]")
{
    Cut cut;
    PageTags tags = tagsOf(0, 1);
    Operation first = makeProgram({0, 0}, tags);
    first.form = Form::Cache;
    const Time next = cut.die.issue(first, cut.now);
    const Time firstEnd = first.arrayEnd;
    PageTags other = tagsOf(4, 1);
    Operation second = makeProgram({0, 1}, other);
    SECTION("both in the die")
    {
        cut.die.issue(second, next);
        CHECK(cut.die.powerOff(firstEnd - 1us) == 1);
        cut.now = Time{};
        CHECK(look(cut, {0, 0}) != Found::Old);
        CHECK_FALSE(cut.die.cells().isProgrammed({0, 1}));
    }
    SECTION("the first one is over")
    {
        cut.die.issue(second, next);
        CHECK(cut.die.powerOff(firstEnd + 1us) == 1);
        cut.now = Time{};
        CHECK(cut.holds({0, 0}, 1));
        CHECK(look(cut, {0, 1}) != Found::Old);
    }
    SECTION("the second one was still on the bus, beyond the end of the first")
    {
        cut.die.issue(second, firstEnd + 10us);
        CHECK(cut.die.powerOff(firstEnd - 1us) == 1);
        cut.now = Time{};
        CHECK(look(cut, {0, 0}) != Found::Old);
        CHECK_FALSE(cut.die.cells().isProgrammed({0, 1}));
    }
}

TEST_CASE("a suspended program or erase is cut", "[nand][power]")
{
    Cut cut;
    cut.write({0, 0}, 1);
    const auto suspend = [&](Operation op) {
        const Time start = cut.now;
        cut.die.issue(op, start);
        op.form = Form::Suspend;
        cut.now = cut.die.issue(op, start + 20us);
        REQUIRE(cut.die.isSuspended());
        PageTags tags{};
        cut.read({1, 0}, tags); // another block meanwhile
    };
    SECTION("program")
    {
        PageTags tags = tagsOf(4, 1);
        suspend(makeProgram({0, 1}, tags));
        CHECK(cut.die.powerOff(cut.now) == 1);
        cut.now = Time{};
        CHECK(look(cut, {0, 1}) != Found::Old);
    }
    SECTION("erase")
    {
        suspend(make(Opcode::Erase, {0, 0}));
        CHECK(cut.die.powerOff(cut.now) == 1);
        cut.now = Time{};
        PageTags tags = tagsOf(0, 1);
        CHECK(cut.whyNot(makeProgram({0, 0}, tags)) == IllegalReason::PageNotErased);
    }
    CHECK_FALSE(cut.die.isSuspended());
    CHECK(cut.die.isReady(cut.now));
}

TEST_CASE("factory bad blocks, wear and failures outlive a power loss", "[nand][power]")
{
    Cut cut(3, 2);
    std::vector<bool> bad;
    for (std::uint32_t block = 0; block < 8; ++block)
        bad.push_back(cut.die.block(block).factoryBad);
    REQUIRE(cut.run(make(Opcode::Erase, {0, 0})).status == Status::Ok);
    std::uint32_t worn = 1;
    while (bad[worn])
        ++worn;
    cut.die.wearOut(worn);
    cut.powerAgain(cut.now);
    for (std::uint32_t block = 0; block < 8; ++block)
        CHECK(cut.die.block(block).factoryBad == bad[block]);
    CHECK(cut.die.block(0).erases == 1);
    CHECK(cut.run(make(Opcode::Erase, {worn, 0})).status == Status::EraseFailed);
}

TEST_CASE("bytes and pages without contents are cut and kept as tags are", "[nand][power]")
{
    for (const DataMode mode : {DataMode::Bytes, DataMode::None}) {
        Cut cut;
        std::vector<std::byte> bytes(4 * sectorBytes, std::byte{0x5A});
        Operation program = make(Opcode::Program, {0, 0});
        program.spare = {1, 2, 3, 4};
        program.data = {mode == DataMode::None ? nullptr : bytes.data(), mode};
        cut.run(program);
        Operation erase = make(Opcode::Erase, {0, 0});
        cut.die.issue(erase, cut.now + 10us); // still on the bus
        cut.powerAgain(cut.now);
        std::vector<std::byte> found(bytes.size());
        Operation read = make(Opcode::Read, {0, 0});
        read.data = {mode == DataMode::None ? nullptr : found.data(), mode};
        read = cut.run(read);
        cut.die.fetch(read);
        CHECK(read.spare == Spare{1, 2, 3, 4});
        CHECK((mode == DataMode::None || found == bytes));
    }
}

TEST_CASE("in a cache sequence of planes those in the array are cut and the next ones have not begun", "[nand][power]")
{
    Cut cut;
    cut.part.multiPlaneCache = true;
    const auto issue = [&](PageAddress target, Form form) {
        PageTags tags = tagsOf(target.page * 4, 1);
        Operation op = makeProgram(target, tags);
        op.form = form;
        cut.now = cut.die.issue(op, cut.now);
        REQUIRE(op.status == Status::Ok);
        return op.arrayEnd;
    };
    issue({0, 0}, Form::Plane);
    const Time firstEnd = issue({1, 0}, Form::LastPlaneCache);
    issue({0, 1}, Form::Plane);
    const bool isComplete = GENERATE(false, true);
    if (isComplete)
        issue({1, 1}, Form::LastPlaneCache);
    SECTION("before the array has done the first ones")
    {
        CHECK(cut.die.powerOff(firstEnd - 1us) == 2);
        cut.now = Time{};
        CHECK(look(cut, {0, 0}) != Found::Old);
        CHECK(look(cut, {1, 0}) != Found::Old);
        CHECK_FALSE(cut.die.cells().isProgrammed({0, 1}));
        CHECK_FALSE(cut.die.cells().isProgrammed({1, 1}));
    }
    SECTION("after it")
    {
        CHECK(cut.die.powerOff(firstEnd + 10us) == (isComplete ? 2 : 0));
        cut.now = Time{};
        CHECK(cut.holds({0, 0}, 1));
        CHECK(cut.holds({1, 0}, 1));
        CHECK(cut.die.cells().isProgrammed({0, 1}) == isComplete);
    }
}
