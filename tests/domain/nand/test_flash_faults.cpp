// SPDX-License-Identifier: Apache-2.0
//
// Planned faults of a die: which operations they hit, and what the die does then.
#include "tests/domain/nand/die_helpers.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::nand;
using namespace strobe::nand::test;

namespace {

constexpr FlashFaultKind programFail = FlashFaultKind::ProgramFail;
constexpr FlashFaultKind eraseFail = FlashFaultKind::EraseFail;
constexpr FlashFaultKind bitErrors = FlashFaultKind::BitErrors;
constexpr FlashFaultKind dead = FlashFaultKind::Dead;

FlashFault faultOf(FlashFaultKind kind)
{
    FlashFault fault;
    fault.kind = kind;
    fault.die = 3; // of the bench
    return fault;
}

struct FaultBench : Bench {
    void plan(const std::vector<FlashFault>& faults) { die.planFaults(faults, Rng(1, "die 3")); }
    Status program(PageAddress page)
    {
        PageTags tags = tagsOf(page.block * 16 + page.page * 4, 1);
        return run(makeProgram(page, tags)).status;
    }
    Status erase(std::uint32_t block) { return run(make(Opcode::Erase, {block, 0})).status; }
    Operation readPage(PageAddress page)
    {
        PageTags tags{};
        Operation op = read(page, tags);
        holdsData = tags == tagsOf(page.block * 16 + page.page * 4, 1);
        op.data = {};
        return op;
    }
    bool holdsData = false; // of the last readPage()
};

} // namespace

TEST_CASE("a fault of another die changes nothing")
{
    FaultBench bench;
    FlashFault other = faultOf(dead);
    other.die = 2;
    bench.plan({other});
    CHECK(bench.program({0, 0}) == Status::Ok);
    CHECK_FALSE(bench.readPage({0, 0}).torn);
    CHECK(bench.holdsData);
    CHECK(bench.die.faultCounters().deadReads == 0);
}

TEST_CASE("a program fails only in its place and between its two instants, and leaves a corrupted page")
{
    FaultBench bench;
    FlashFault fault = faultOf(programFail);
    fault.block = 2;
    fault.page = 1;
    fault.at = bench.now + 10ms;
    fault.until = bench.now + 20ms;
    bench.plan({fault});
    CHECK(bench.program({2, 0}) == Status::Ok);
    CHECK(bench.program({6, 1}) == Status::Ok);
    bench.now = fault.at;
    CHECK(bench.program({4, 1}) == Status::Ok); // of another block
    CHECK(bench.program({2, 1}) == Status::ProgramFailed);
    CHECK(bench.program({2, 2}) == Status::Ok); // of another page
    CHECK(bench.die.block(2).failed);
    CHECK_FALSE(bench.readPage({2, 1}).blank);
    CHECK_FALSE(bench.holdsData);
    bench.readPage({2, 0});
    CHECK(bench.holdsData);
    bench.now = *fault.until;
    CHECK(bench.erase(2) == Status::Ok);
    CHECK(bench.program({2, 1}) == Status::Ok);
    CHECK(bench.die.faultCounters().programs == 1);
    CHECK(bench.die.counters().array.failed == 1);
}

TEST_CASE("a count ends a fault, a plane limits it")
{
    FaultBench bench;
    FlashFault fault = faultOf(eraseFail);
    fault.plane = 1;
    fault.count = 2;
    bench.plan({fault});
    CHECK(bench.erase(0) == Status::Ok);
    CHECK(bench.erase(1) == Status::EraseFailed);
    CHECK(bench.erase(3) == Status::EraseFailed);
    CHECK(bench.erase(5) == Status::Ok);
    CHECK(bench.die.faultCounters().erases == 2);
}

TEST_CASE("a rate is met over many operations, and the same draws give the same faults")
{
    const auto failures = [](double rate) {
        FaultBench bench;
        FlashFault fault = faultOf(eraseFail);
        fault.rate = rate;
        bench.plan({fault});
        std::uint32_t pattern = 0;
        for (std::uint32_t i = 0; i < 1000; ++i)
            pattern = pattern * 31 + (bench.erase(i % 8) == Status::EraseFailed ? 1 : 0);
        return std::pair(bench.die.faultCounters().erases, pattern);
    };
    CHECK(failures(0).first == 0);
    CHECK(failures(0.3).first > 250);
    CHECK(failures(0.3).first < 350);
    CHECK(failures(0.3) == failures(0.3));
}

TEST_CASE("bit errors of several faults add up, and only where something is programmed")
{
    FaultBench bench;
    FlashFault one = faultOf(bitErrors);
    one.bits = 30;
    FlashFault two = faultOf(bitErrors);
    two.bits = 12;
    two.block = 1;
    bench.plan({one, two});
    REQUIRE(bench.program({0, 0}) == Status::Ok);
    REQUIRE(bench.program({1, 0}) == Status::Ok);
    CHECK(bench.readPage({0, 0}).bitErrors == 30);
    CHECK(bench.readPage({1, 0}).bitErrors == 42);
    CHECK(bench.holdsData); // ECC corrects them, or not
    CHECK(bench.readPage({2, 0}).bitErrors == 0);
    CHECK(bench.die.faultCounters().disturbedReads == 2);
}

TEST_CASE("nothing works in a dead plane: programs and erases fail, reads are beyond correction, also of blank pages")
{
    FaultBench bench;
    FlashFault fault = faultOf(dead);
    fault.plane = 0;
    fault.at = 50ms;
    bench.plan({fault});
    REQUIRE(bench.program({0, 0}) == Status::Ok);
    REQUIRE(bench.program({1, 0}) == Status::Ok);
    bench.now = 50ms;
    for (const PageAddress page : {PageAddress{0, 0}, PageAddress{2, 3}}) {
        const Operation op = bench.readPage(page);
        CHECK(op.torn);
        CHECK_FALSE(op.blank);
        CHECK(op.spare == blankSpare);
        CHECK_FALSE(bench.holdsData);
    }
    CHECK(bench.program({2, 0}) == Status::ProgramFailed);
    CHECK(bench.erase(4) == Status::EraseFailed);
    CHECK_FALSE(bench.readPage({1, 0}).torn); // the other plane
    CHECK(bench.holdsData);
    CHECK(bench.program({3, 0}) == Status::Ok);
    CHECK(bench.die.faultCounters().deadReads == 2);
    CHECK(bench.die.faultCounters().programs == 1);
    CHECK(bench.die.faultCounters().erases == 1);
}

TEST_CASE("a cache read may follow a read of dead flash")
{
    FaultBench bench;
    FlashFault fault = faultOf(dead);
    fault.block = 0;
    bench.plan({fault});
    CHECK(bench.readPage({0, 0}).torn);
    Operation next = make(Opcode::Read, {0, 1});
    next.form = Form::Cache;
    next = bench.run(next);
    CHECK(next.status == Status::Ok);
    CHECK(next.torn);
}

TEST_CASE("a copy-back from a dead block leaves a page beyond correction, after the fault, too")
{
    FaultBench bench;
    FlashFault fault = faultOf(dead);
    fault.block = 0;
    fault.until = 1s;
    bench.plan({fault});
    bench.die.planFaults({}, Rng(1, "die 3"));
    REQUIRE(bench.program({0, 0}) == Status::Ok);
    bench.plan({fault});
    CHECK(bench.run(makeCopyBack({0, 0}, {2, 0})).status == Status::Ok);
    CHECK(bench.die.faultCounters().lostCopies == 1);
    bench.now = 1s;
    CHECK(bench.readPage({2, 0}).torn);
    CHECK_FALSE(bench.readPage({0, 0}).torn);
    CHECK(bench.holdsData);
}

TEST_CASE("the pages of a word line share the outcome of its first")
{
    FaultBench bench;
    bench.part.geometry.pagesPerProgram = 2;
    FlashFaults faults(DieId{3}, bench.part.geometry, {[] {
                           FlashFault fault = faultOf(programFail);
                           fault.count = 1;
                           return fault;
                       }()},
                       Rng(1, "faults"));
    CHECK(faults.failsProgram({0, 0}, true, bench.now));
    CHECK_FALSE(faults.failsProgram({1, 0}, true, bench.now)); // the same page of the other plane comes between
    CHECK(faults.failsProgram({0, 1}, true, bench.now));
    CHECK_FALSE(faults.failsProgram({1, 1}, true, bench.now));
    CHECK_FALSE(faults.failsProgram({0, 2}, true, bench.now));
    CHECK(faults.counters().programs == 2);
}

TEST_CASE("without time planned faults are as they are with it")
{
    FaultBench bench;
    FlashFault fault = faultOf(programFail);
    fault.count = 1;
    bench.plan({fault});
    CHECK_FALSE(bench.die.programRunAtOnce({0, 0}, makeTag(0, 1), blankSpare, Purpose::Host));
    PageTags tags = tagsOf(0, 1);
    Operation op = makeProgram({0, 0}, tags);
    bench.die.executeAtOnce(op);
    CHECK(op.status == Status::ProgramFailed);
    op = makeProgram({0, 1}, tags);
    bench.die.executeAtOnce(op);
    CHECK(op.status == Status::Ok);
}
