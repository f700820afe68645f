// SPDX-License-Identifier: Apache-2.0
//
// Row runs in their slots, with flash replaced by the test: what is sent, when, and how responses are handled.
#include "models/base/check.h"
#include "models/controller/row_slots.h"
#include "tests/domain/controller/unit_parts.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::controller;
using namespace strobe::controller::test;

namespace {

const std::array<std::uint32_t, 2> targets{5, 6};
const std::array<std::uint32_t, 2> sources{1, 2};

struct Rows : UnitParts {
    RowSlots rows{unit};
    UnitJob job;

    void take(const FlashDescriptor& d)
    {
        job = {};
        job.descriptor = d;
        job.map = &map;
        const bool isErase = d.opcode == SuperchipOpcode::Erase;
        job.cursor = isErase ? 0 : d.startSector;
        job.end = isErase ? map.degrees().chip : d.endSector();
        job.targetBlocks = targets.data();
        job.sourceBlocks = sources.data();
    }
    void start(Time now)
    {
        const std::uint32_t slot = rows.findFree();
        REQUIRE(slot != RowSlots::none);
        rows.start(unit, slot, job, now);
    }
    bool answer(std::size_t number, Time now, nand::Status status = nand::Status::Ok)
    {
        nand::Operation op = sent[number].op;
        op.status = status;
        return rows.operationDone(unit, sent[number].ticket.lane, op, now);
    }
};

} // namespace

TEST_CASE("a program fetches its row, then sends a page to each bus with its target block")
{
    Rows r;
    r.putSectors(UnitParts::data, 8, 0);
    r.take(partsDescriptor(SuperchipOpcode::Program, 0, 8));
    r.start(10us);
    REQUIRE(r.bursts.size() == 1);
    CHECK(r.bursts[0].bytes == 8 * sectorBytes);
    REQUIRE(r.sent.size() == 2);
    CHECK(r.sent[1].at == 11us);
    CHECK(r.sent[0].op.target.block == 5);
    CHECK(r.sent[1].op.target.block == 6);
    CHECK(r.sent[1].op.sectors == 4);
    CHECK(r.sent[1].op.data.at(1).data[0] == std::byte{3}); // second sector of bus 1: sector 3 of the row
    CHECK_FALSE(r.answer(0, 20us));
    CHECK(r.job.rowsOpen == 1);
    CHECK(r.answer(1, 21us));
    CHECK(r.job.rowsOpen == 0);
}

TEST_CASE("a read stores its row after the last page, in order of memory, and its slot is free after the burst")
{
    Rows r;
    r.take(partsDescriptor(SuperchipOpcode::Read, 0, 8));
    r.start(0us);
    REQUIRE(r.sent.size() == 2);
    for (std::uint32_t i = 0; i < 4; ++i) {
        r.sent[0].op.data.at(i).data[0] = std::byte(2 * i);
        r.sent[1].op.data.at(i).data[0] = std::byte(2 * i + 1);
    }
    r.answer(0, 30us);
    CHECK(r.bursts.empty());
    r.answer(1, 31us);
    REQUIRE(r.bursts.size() == 1);
    for (std::uint32_t i = 0; i < 8; ++i)
        CHECK(r.byteAt(UnitParts::data + i * static_cast<std::uint32_t>(sectorBytes)) == std::byte(i));
    REQUIRE(r.wakes.size() == 1);
    CHECK(r.wakes[0].at == 32us);
    CHECK(r.job.rowsOpen == 1);
    r.rows.wake(r.unit, r.wakes[0].token, 32us);
    CHECK(r.job.rowsOpen == 0);
}

TEST_CASE("a run over two superpages takes two slots, and then there is no free one")
{
    Rows r;
    r.take(partsDescriptor(SuperchipOpcode::Read, 2, 10));
    r.start(0us);
    CHECK_FALSE(r.job.isStarted());
    r.start(0us);
    CHECK(r.job.isStarted());
    CHECK(r.rows.findFree() == RowSlots::none);
    REQUIRE(r.sent.size() == 4);
    CHECK(r.sent[0].op.firstSector == 1);
    CHECK(r.sent[0].op.sectors == 3);
    CHECK(r.sent[2].op.target.page == 1);
    CHECK(r.sent[2].op.sectors == 2);
    CHECK(r.sent[2].ticket.lane == 2); // second slot, first bus
}

TEST_CASE("an erase and a copy-back move no data; a copy-back goes from source to target")
{
    Rows r;
    r.take(partsDescriptor(SuperchipOpcode::Erase, 0, 0));
    r.start(0us);
    REQUIRE(r.sent.size() == 2);
    CHECK(r.sent[0].op.opcode == nand::Opcode::Erase);
    FlashDescriptor copy = partsDescriptor(SuperchipOpcode::CopyBack, 8, 8); // page 1
    copy.sourceSector = 16;                                                  // page 2
    r.take(copy);
    r.start(0us);
    REQUIRE(r.sent.size() == 4);
    CHECK(r.sent[3].op.opcode == nand::Opcode::CopyBack);
    CHECK(r.sent[3].op.target == nand::PageAddress{6, 1});
    CHECK(r.sent[3].op.source == nand::PageAddress{2, 2});
    CHECK(r.bursts.empty());
}

TEST_CASE("a failed page stops the job, stores nothing and names the chip")
{
    Rows r;
    r.take(partsDescriptor(SuperchipOpcode::Read, 0, 8));
    r.start(0us);
    r.answer(0, 30us);
    r.answer(1, 31us, nand::Status::Illegal);
    CHECK(r.job.isStopped);
    CHECK(r.job.rowsOpen == 0);
    CHECK(r.job.outcome.chip == 1);
    CHECK(r.bursts.empty());
    REQUIRE(r.failures.size() == 1);
    CHECK(r.failures[0].kind == FailureKind::OperationIllegal);
}

TEST_CASE("a buffer outside all memory refuses the job and sends nothing")
{
    Rows r;
    FlashDescriptor d = partsDescriptor(SuperchipOpcode::Program, 0, 8);
    d.buffer = UnitParts::outside;
    r.take(d);
    r.start(0us);
    CHECK(r.sent.empty());
    CHECK(r.job.rowsOpen == 0);
    CHECK(r.job.outcome.code == StatusCode::Malformed);
}

TEST_CASE("the splitter sends rows to the host in order, and a slot waits until its row is taken")
{
    Rows r;
    FlashDescriptor d = partsDescriptor(SuperchipOpcode::Read, 0, 16);
    d.buffer = hostInterfaceBuffer;
    d.completes = true;
    r.take(d);
    r.start(0us);
    r.start(0us);
    r.answer(2, 30us);
    r.answer(3, 30us); // the second row is here first
    CHECK(r.toHost.empty());
    r.answer(0, 31us);
    r.answer(1, 31us);
    REQUIRE(r.toHost.size() == 2);
    CHECK(r.toHost[0].first == 0);
    CHECK_FALSE(r.toHost[0].completes);
    CHECK(r.toHost[1].first == 8);
    CHECK(r.toHost[1].completes);
    CHECK(r.job.rowsOpen == 2);
    r.rows.hostTook(r.unit, r.toHost[0].ticket.lane, 40us);
    CHECK(r.job.rowsOpen == 1);
}

TEST_CASE("a row that the host refuses stops the job")
{
    Rows r;
    FlashDescriptor d = partsDescriptor(SuperchipOpcode::Read, 0, 8);
    d.buffer = hostInterfaceBuffer;
    r.take(d);
    r.hostAccepts = false;
    r.start(0us);
    r.answer(0, 30us);
    r.answer(1, 30us);
    CHECK(r.job.isStopped);
    CHECK(r.job.rowsOpen == 0);
    REQUIRE(r.failures.size() == 1);
    CHECK(r.failures[0].malformed == MalformedReason::HostRefused);
}

TEST_CASE("a merge sends halves, programs pages that are buffered whole, and programs over a blank source")
{
    Rows r;
    FlashDescriptor d = partsDescriptor(SuperchipOpcode::CopyBack, 0, 8);
    d.hasSectorTable = true;
    d.spareAddress = UnitParts::tables;
    std::array<std::uint32_t, 8> words{};
    for (std::uint32_t i = 0; i < 8; i += 2) // all of bus 0
        words[i] = raw(UnitParts::data) + i * static_cast<std::uint32_t>(sectorBytes);
    words[1] = raw(UnitParts::data); // one sector of bus 1
    r.put(UnitParts::tables, words);
    r.take(d);
    CHECK_FALSE(r.rows.mustWait(r.job));
    r.start(0us);
    REQUIRE(r.sent.size() == 2);
    CHECK(r.sent[0].op.opcode == nand::Opcode::Program);
    CHECK(r.sent[1].op.form == nand::Form::CopyOut);
    CHECK(r.sent[1].op.replaced == 1);
    r.answer(0, 30us);
    CHECK_FALSE(r.answer(1, 31us)); // still CopyOut: its source was blank
    REQUIRE(r.sent.size() == 3);
    CHECK(r.sent[2].op.opcode == nand::Opcode::Program);
    CHECK(r.sent[2].op.sectors == 4);
    CHECK(r.sent[2].ticket.lane == r.sent[1].ticket.lane);
    CHECK(r.answer(2, 40us));
    CHECK(r.job.rowsOpen == 0);
}

TEST_CASE("an answer that no slot waits for is an internal error")
{
    Rows r;
    r.take(partsDescriptor(SuperchipOpcode::Erase, 0, 0));
    r.start(0us);
    r.answer(0, 1us);
    r.answer(1, 1us);
    CHECK_THROWS_AS(r.answer(1, 2us), InternalError);
}

namespace {

// An operation of one chip in steps.
FlashDescriptor stepped(SuperchipOpcode opcode)
{
    FlashDescriptor d = partsDescriptor(opcode, 0, 4);
    d.isOneChip = d.isStepped = true;
    return d;
}

void take(Rows& r, const FlashDescriptor& d)
{
    r.take(d);
    r.job.map = &r.oneChip;
    r.start(0us);
    REQUIRE(r.sent.size() == 1);
    CHECK(r.sent[0].op.isStepped);
}

// The primitive ends, and firmware issues the next one.
void step(Rows& r, Primitive next, Time now)
{
    const std::size_t reported = r.suspensions.size();
    r.rows.primitiveEnded(r.unit, r.sent.back().ticket.lane, now);
    REQUIRE(r.suspensions.size() == reported + 1);
    r.rows.issuePrimitive(r.unit, static_cast<std::uint32_t>(next), now + 1us);
    CHECK(r.failures.empty());
}

} // namespace

TEST_CASE("a stepped operation is suspended after each primitive, and continues with the one that follows")
{
    struct Case {
        SuperchipOpcode opcode;
        std::vector<Primitive> primitives;
    };
    const Case cases[] = {
        {SuperchipOpcode::Read, {Primitive::DataOut}},
        {SuperchipOpcode::Program, {Primitive::StatusRead}},
        {SuperchipOpcode::Erase, {Primitive::StatusRead}},
        {SuperchipOpcode::CopyBack, {Primitive::StatusRead}},
        {SuperchipOpcode::CopyBack, {Primitive::RecordOut, Primitive::Transfer, Primitive::StatusRead}}};
    for (const Case& c : cases) {
        CAPTURE(enumName(c.opcode));
        Rows r;
        FlashDescriptor d = stepped(c.opcode);
        d.commonSpare = c.primitives.size() == 3; // in halves
        take(r, d);
        CHECK((c.primitives.size() != 3 || r.sent[0].op.form == nand::Form::CopyOut));
        for (const Primitive primitive : c.primitives)
            step(r, primitive, 10us);
        CHECK(r.continued.size() == c.primitives.size());
        CHECK(r.suspensions[0].outcome.code == StatusCode::Suspended);
        r.answer(0, 50us);
        CHECK(r.job.rowsOpen == (c.opcode == SuperchipOpcode::Read ? 1 : 0)); // its data is stored
    }
}

TEST_CASE("a primitive that does not follow is refused")
{
    Rows r;
    take(r, stepped(SuperchipOpcode::Read));
    const auto data = static_cast<std::uint32_t>(Primitive::DataOut);
    r.rows.issuePrimitive(r.unit, data, 1us); // not suspended yet
    r.rows.primitiveEnded(r.unit, 0, 2us);
    r.rows.issuePrimitive(r.unit, static_cast<std::uint32_t>(Primitive::StatusRead), 3us);
    REQUIRE(r.failures.size() == 2);
    CHECK(r.failures[1].kind == FailureKind::PrimitiveRefused);
    CHECK(r.failures[1].value == 4);
    CHECK(r.continued.empty());
    r.rows.issuePrimitive(r.unit, data, 4us);
    CHECK(r.continued.size() == 1);
    r.rows.issuePrimitive(r.unit, data, 5us); // twice
    CHECK(r.failures.size() == 3);
}

TEST_CASE("a stepped merge of a blank source is suspended before the program of what is buffered")
{
    for (const bool isUntimed : {false, true}) {
        Rows r;
        r.unit.config.isUntimed = isUntimed;
        FlashDescriptor d = stepped(SuperchipOpcode::CopyBack);
        d.hasSectorTable = true;
        d.spareAddress = UnitParts::tables;
        std::array<std::uint32_t, 4> words{};
        words[1] = raw(UnitParts::data);
        r.put(UnitParts::tables, words);
        take(r, d);
        if (!isUntimed) {
            step(r, Primitive::RecordOut, 10us);
            CHECK_FALSE(r.answer(0, 20us)); // still CopyOut: its source was blank
            REQUIRE(r.suspensions.size() == 2);
            CHECK(r.suspensions[1].outcome.blank);
            CHECK(r.sent.size() == 1);
            r.rows.issuePrimitive(r.unit, static_cast<std::uint32_t>(Primitive::Transfer), 21us);
            CHECK(r.continued.size() == 1); // not the die's
        } else {
            CHECK_FALSE(r.answer(0, 20us));
        }
        REQUIRE(r.sent.size() == 2);
        CHECK(r.sent[1].op.opcode == nand::Opcode::Program);
        CHECK(r.sent[1].op.isStepped);
        if (!isUntimed)
            step(r, Primitive::StatusRead, 300us);
        CHECK(r.answer(1, 310us));
        CHECK(r.job.rowsOpen == 0);
    }
}
