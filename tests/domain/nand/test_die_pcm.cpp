// SPDX-License-Identifier: Apache-2.0
//
// Phase-change memory: pages are overwritten in place, take several accesses, and wear one by one.
#include "tests/domain/nand/die_helpers.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::nand;
using namespace strobe::nand::test;

namespace {

Part pcmPart()
{
    Part part = smallPart();
    part.cell = CellTechnology::Pcm;
    part.times.tR = {};
    part.times.tPROG = 120us;
    part.accessBytes = 64;
    part.endurance = 1000;
    return part;
}

} // namespace

TEST_CASE("a page of PCM is programmed again without an erase, in any order, and holds the last data")
{
    const Part part = pcmPart();
    Die die(DieId{0}, part, 0, Rng(1, "die"));
    Time now{};
    for (const std::uint32_t page : {3U, 1U, 3U, 3U}) {
        PageTags tags = tagsOf(page * 4, static_cast<std::uint32_t>(now.count() % 1000 + 1));
        Operation op = makeProgram({0, page}, tags);
        now = die.issue(op, now);
        CHECK(op.status == Status::Ok);
        PageTags found{};
        Operation read = make(Opcode::Read, {0, page});
        read.data = contentOf(found);
        now = die.issue(read, now);
        die.fetch(read);
        CHECK(found == tags);
    }
    CHECK(die.cells().overwrites({0, 3}) == 3);
    CHECK(die.cells().overwrites({0, 1}) == 1);
    CHECK(die.cells().overwrites({0, 0}) == 0);
    CHECK(die.wear({0, 3}) == Approx(0.003));
}

TEST_CASE("PCM has neither erase nor copy-back")
{
    const Part part = pcmPart();
    Die die(DieId{0}, part, 0, Rng(1, "die"));
    for (Operation op : {make(Opcode::Erase), makeCopyBack({0, 0}, {0, 1})}) {
        CHECK(die.issue(op, 0us) == 0us);
        CHECK(op.status == Status::Illegal);
        CHECK(op.reason == IllegalReason::NoErase);
    }
}

TEST_CASE(
    "a page takes as many accesses as it is long, each with its own array time; the data is there after the first")
{
    const Part part = pcmPart();
    Die die(DieId{0}, part, 0, Rng(1, "die"));
    PageTags tags = tagsOf(0, 1);
    Operation op = makeProgram({0, 0}, tags);
    CHECK(die.issue(op, 0us) == 120us);
    CHECK(op.accesses == 31); // 2 KiB in 64 bytes
    op.form = Form::Access;
    CHECK(die.issue(op, 150us) == 270us);
    CHECK(op.status == Status::Ok);
    CHECK(die.counters().array.programs == 1);
    CHECK(die.counters().array.arrayBusy == 240us);
    Operation half = make(Opcode::Read, {0, 0});
    half.sectors = 2;
    CHECK(die.issue(half, 300us) == 300us);
    CHECK(half.accesses == 15);
}

TEST_CASE("a further access follows an access of the same page and nothing else")
{
    const Part part = pcmPart();
    Die die(DieId{0}, part, 0, Rng(1, "die"));
    Operation first = make(Opcode::Read, {0, 0});
    die.issue(first, 0us);
    for (const auto& [opcode, page] : {std::pair{Opcode::Read, 1U}, {Opcode::Program, 0U}}) {
        Operation op = make(opcode, {0, page});
        op.form = Form::Access;
        die.issue(op, 10us);
        CHECK(op.status == Status::Illegal);
        CHECK(op.reason == IllegalReason::CacheSequence);
    }
    const Part flash = smallPart();
    Die other(DieId{0}, flash, 0, Rng(1, "die"));
    Operation read = make(Opcode::Read, {0, 0});
    const Time ready = other.issue(read, 0us);
    read.form = Form::Access;
    other.issue(read, ready);
    CHECK(read.reason == IllegalReason::CacheSequence);
}
