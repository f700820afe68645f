// SPDX-License-Identifier: Apache-2.0
#include "models/base/check.h"
#include "models/operations/operation_source.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::operations;
using namespace std::chrono_literals;
using nand::Opcode;

namespace {

constexpr ChannelId first{0};
constexpr ChannelId second{1};

OperationSource::Config config(std::optional<std::uint32_t> depth = std::nullopt, DataMode mode = DataMode::Tags)
{
    return {{2, 1, 1}, {1, 4, 4, 1024, 0}, mode, depth, 10};
}

OperationPlan planOf(std::vector<PlannedOperation> operations)
{
    return {{}, std::move(operations)};
}

PlannedOperation program(std::uint16_t die, std::uint32_t block, std::uint32_t page)
{
    return {Opcode::Program, DieId{die}, {block, page}, {}};
}
PlannedOperation read(std::uint16_t die, std::uint32_t block, std::uint32_t page)
{
    return {Opcode::Read, DieId{die}, {block, page}, {}};
}

nand::Operation finish(OperationSource& source, OperationSource::Issue issue, nand::Status status = nand::Status::Ok,
                       Time start = 1us, Time done = 5us)
{
    issue.op.status = status;
    issue.op.requestStart = start;
    issue.op.done = done;
    source.finished(issue.slot, issue.op);
    return issue.op;
}

} // namespace

TEST_CASE("each bus gets its own operations in order, as many ahead as its queue takes")
{
    OperationSource source(config(2), planOf({program(0, 0, 0), program(1, 0, 0), program(0, 0, 1), program(0, 0, 2)}));
    source.beginMeasuring(0s);
    auto a = source.next(first);
    auto b = source.next(first);
    REQUIRE((a && b));
    CHECK(a->op.target.page == 0);
    CHECK(b->op.target.page == 1);
    CHECK_FALSE(source.next(first)); // two are outstanding
    CHECK(source.next(second)->op.die == DieId{1});
    CHECK_FALSE(source.next(second));
    finish(source, *a);
    CHECK(source.next(first)->op.target.page == 2);
}

TEST_CASE("a queue without a limit takes all, and the measurement begins after the preparation")
{
    OperationSource source(config(), {{program(0, 0, 0)}, {read(0, 0, 0), read(0, 0, 0), read(0, 0, 0)}});
    auto prepared = source.next(first);
    REQUIRE(prepared);
    CHECK_FALSE(source.next(first));
    CHECK_FALSE(source.isPhaseOver());
    finish(source, *prepared);
    CHECK(source.isPhaseOver());
    source.beginMeasuring(7us);
    for (int i = 0; i < 3; ++i)
        CHECK(source.next(first));
    CHECK_FALSE(source.next(first));
    CHECK(source.begin() == 7us);
}

TEST_CASE("a page must read as it was programmed, copied and erased", "[content]")
{
    const DataMode mode = GENERATE(DataMode::Tags, DataMode::Bytes);
    OperationSource source(config(std::nullopt, mode), planOf({program(0, 0, 0),
                                                               {Opcode::CopyBack, DieId{0}, {1, 0}, {0, 0}},
                                                               read(0, 1, 0),
                                                               read(0, 1, 0),
                                                               {Opcode::Erase, DieId{0}, {1, 0}, {}},
                                                               read(0, 1, 0)}));
    source.beginMeasuring(0s);
    const auto next = [&] { return *source.next(first); };
    const std::size_t bytes = 2 * stride(mode);
    const auto programmed = next();
    std::vector<std::byte> page(programmed.op.data.data, programmed.op.data.data + bytes);
    finish(source, programmed);
    finish(source, next());

    auto good = next();
    std::copy(page.begin(), page.end(), good.op.data.data);
    finish(source, good);
    CHECK(source.mismatches() == 0);

    auto wrong = next();
    page.back() ^= std::byte{1};
    std::copy(page.begin(), page.end(), wrong.op.data.data);
    finish(source, wrong);
    CHECK(source.mismatches() == 1);

    finish(source, next()); // erase
    auto notBlank = next();
    finish(source, notBlank);
    CHECK(source.mismatches() == 2);
    CHECK(source.problems() == 2);
}

TEST_CASE("outcomes and times are counted by kind; failed operations change nothing that is expected")
{
    OperationSource source(config(), planOf({program(0, 0, 0), program(0, 0, 1), program(0, 0, 1), read(0, 0, 0)}));
    source.beginMeasuring(1us);
    finish(source, *source.next(first), nand::Status::ProgramFailed, 2us, 6us);
    finish(source, *source.next(first), nand::Status::Ok, 6us, 16us);
    finish(source, *source.next(first), nand::Status::Illegal, 16us, 17us);
    auto blank = *source.next(first);
    blank.op.blank = true;
    finish(source, blank, nand::Status::Ok, 17us, 20us);
    const OpcodeResult& programs = source.result(Opcode::Program);
    CHECK(programs.count == 3);
    CHECK(programs.failed == 1);
    CHECK(programs.illegal == 1);
    CHECK(programs.latency == 15us);
    CHECK(programs.shortest == 1us);
    CHECK(programs.longest == 10us);
    CHECK(source.result(Opcode::Read).count == 1);
    CHECK(source.mismatches() == 0);
    CHECK(source.problems() == 2);
    CHECK(source.end() == 20us);
    CHECK(source.kept().size() == 4);
}

TEST_CASE("an operation that was not issued cannot finish")
{
    OperationSource source(config(), planOf({read(0, 0, 0)}));
    source.beginMeasuring(0s);
    const auto issue = *source.next(first);
    finish(source, issue);
    CHECK_THROWS_AS(source.finished(issue.slot, issue.op), InternalError);
    CHECK_THROWS_AS(source.beginMeasuring(0s), InternalError);
}

TEST_CASE("the record of the pages is restored in another source, in the same bytes whatever the order")
{
    OperationSource before(config(), planOf({program(0, 1, 0), program(1, 2, 0), program(0, 1, 1)}));
    before.beginMeasuring(0s);
    finish(before, *before.next(first));
    const auto last = before.next(first);
    const std::vector<std::byte> page(last->op.data.data, last->op.data.data + 2 * stride(DataMode::Tags));
    finish(before, *last);
    finish(before, *before.next(second));
    ByteWriter file;
    before.save(file);

    OperationSource after(config(), planOf({read(0, 1, 1), read(0, 1, 1), read(0, 1, 2), program(0, 1, 2)}));
    ByteReader bytes(file.bytes());
    after.restore(bytes);
    ByteWriter again;
    after.save(again);
    CHECK(again.bytes() == file.bytes());
    after.beginMeasuring(0s);
    const auto good = after.next(first);
    std::copy(page.begin(), page.end(), good->op.data.data);
    finish(after, *good);
    CHECK(after.mismatches() == 0);
    const auto wrong = after.next(first);
    std::fill_n(wrong->op.data.data, page.size(), std::byte{1});
    finish(after, *wrong);
    CHECK(after.mismatches() == 1);
    auto blank = after.next(first);
    blank->op.blank = true;
    finish(after, *blank);
    CHECK(after.mismatches() == 1);

    std::string damaged = file.bytes();
    damaged[4] = 99; // more pages than there are
    ByteReader broken(damaged);
    CHECK_THROWS_AS(after.restore(broken), DamagedBytes);
    ByteReader longer(damaged = file.bytes() + "x");
    CHECK_THROWS_AS(after.restore(longer), DamagedBytes);
}
