// SPDX-License-Identifier: Apache-2.0
//
// Descriptors with a sector table, reads to the host, common spare records, single chips: what comes out, and when.
#include "tests/domain/controller/controller_bench.h"

using namespace strobe;
using namespace strobe::controller;
using namespace strobe::controller::test;

namespace {

FlashControllerConfig hostUnit(SuperchipGeometry degrees = {1, 1})
{
    FlashControllerConfig config = Bench::oneUnit();
    config.hasHost = true;
    config.array = {degrees.bus, degrees.chip, 1};
    config.superchip = degrees;
    return config;
}

FlashDescriptor toHost(FlashDescriptor d, std::uint16_t slot, std::uint32_t first = 0)
{
    d.buffer = hostInterfaceBuffer;
    d.sourceSector = slot | first << 16;
    return d;
}

FlashDescriptor withTable(FlashDescriptor d, BusAddress table)
{
    d.hasSectorTable = true;
    d.spareAddress = table;
    return d;
}

// Superchips of 2 x 1, superpages of 8 sectors; all in block 2 of both chips, copy-backs from block 4.
FlashDescriptor superpages(SuperchipOpcode opcode, std::uint32_t first, std::uint32_t count)
{
    FlashDescriptor d = descriptor(opcode, 0, 0);
    d.inlineBlocks = false;
    d.blocks = raw(listsAt);
    d.sourceBlocks = raw(listsAt + 8);
    d.startSector = d.sourceSector = first * 8;
    d.sectors = count * 8;
    d.buffer = bufferAt(0);
    return d;
}

void putBlocks(Bench& bench)
{
    bench.putWords(listsAt, std::array<std::uint32_t, 4>{2, 2, 4, 4});
}

void execute(Bench& bench, const FlashDescriptor& d, std::uint32_t number = 0)
{
    bench.put(number, d);
    bench.head(0, descriptorAt(number));
    bench.run();
    bench.run(bench.now + 10us); // the event is in the ring, memory is idle
}

constexpr BusAddress tableAt = listsAt + 0x100;

nand::Spare spareOf(Bench& bench, std::uint32_t die, nand::PageAddress page)
{
    nand::Operation op;
    op.target = page;
    bench.dies[die]->issue(op, bench.now + 1ms);
    bench.dies[die]->fetch(op);
    bench.now += 2ms;
    return op.spare;
}

} // namespace

TEST_CASE("a read to the host goes through the splitter and completes the command with its last row")
{
    Bench bench(hostUnit());
    bench.putTags(0, 700, 8);
    execute(bench, pages(SuperchipOpcode::Program, 0, {2, 0}, 2, 0));
    const Time start = bench.now;
    const std::size_t bursts = bench.bursts.size();
    FlashDescriptor read = toHost(pages(SuperchipOpcode::Read, 0, {2, 0}, 2, 0), 5, 3);
    read.completes = true;
    execute(bench, read, 1);
    REQUIRE(bench.sunk.size() == 2);
    CHECK(bench.sunk[0].run.slot == 5);
    CHECK(bench.sunk[0].run.first == 3);
    CHECK(bench.sunk[1].run.first == 7);
    CHECK_FALSE(bench.sunk[0].run.completes);
    CHECK(bench.sunk[1].run.completes);
    CHECK(Bench::isTagged(bench.sunk[0], 0, 700, 4));
    CHECK(Bench::isTagged(bench.sunk[1], 0, 704, 4));
    CHECK(bench.sunk[0].at == start + Bench::burst(64) + Bench::request + 25us + Bench::response + 3us);
    CHECK(bench.bursts.size() == bursts + 3); // descriptor, status and event: no data goes through memory
    CHECK(bench.outcome(1).code == StatusCode::Ok);
}

TEST_CASE("a slot is occupied until the host has taken its sectors, and the descriptor retires then")
{
    FlashControllerConfig config = hostUnit();
    config.unitOperations = 1;
    Bench bench(config);
    const Time start = bench.now;
    execute(bench, toHost(pages(SuperchipOpcode::Read, 0, {2, 0}, 2, 0), 0));
    const Time row = Bench::request + 25us + Bench::response + 3us;
    REQUIRE(bench.sunk.size() == 2);
    CHECK(bench.sunk[1].at == start + Bench::burst(64) + row + Bench::hostTime + row);
    CHECK(bench.lines.at(0).at == bench.sunk[1].at + Bench::hostTime + Bench::burst(4) + Bench::burst(16));
}

TEST_CASE("rows go to the host in order even if the chips finish out of order")
{
    FlashControllerConfig config = hostUnit({1, 2});
    config.units = 2;
    config.unitOperations = 4;
    Bench bench(config);
    FlashDescriptor erase = descriptor(SuperchipOpcode::Erase, 0, 6); // keeps the chip of the first row
    erase.isOneChip = true;
    bench.put(0, erase);
    FlashDescriptor read = toHost(descriptor(SuperchipOpcode::Read, 0, 0), 1);
    read.inlineBlocks = false;
    read.blocks = raw(listsAt);
    read.sectors = 8;
    bench.putWords(listsAt, std::array<std::uint32_t, 2>{2, 2});
    bench.put(1, read);
    bench.head(0, descriptorAt(0));
    bench.run(2us);
    bench.head(1, descriptorAt(1));
    bench.run();
    REQUIRE(bench.sunk.size() == 2);
    CHECK(bench.sunk[0].run.first == 0);
    CHECK(bench.sunk[1].run.first == 4);
    CHECK(bench.sunk[0].at > 2ms);
    CHECK(bench.sunk[1].at == bench.sunk[0].at);
}

TEST_CASE("rows that the host interface refuses, or that fail before, are not sent, and the command is not completed")
{
    Bench bench(hostUnit());
    execute(bench, toHost(pages(SuperchipOpcode::Read, 0, {2, 0}, 1, 0), Bench::refusedSlot));
    CHECK(bench.outcome(0).code == StatusCode::Malformed);
    CHECK(bench.controller.failures().first().at(0).malformed == MalformedReason::HostRefused);

    FlashDescriptor read = toHost(pages(SuperchipOpcode::Read, 0, {99, 0}, 2, 0), 1); // no such block
    read.completes = true;
    execute(bench, read, 1);
    CHECK(bench.outcome(1).code == StatusCode::Illegal);
    CHECK(bench.sunk.empty());
    CHECK(bench.controller.isIdle());
}

TEST_CASE("buffered sectors replace what flash holds, and pages that are buffered whole are not read")
{
    Bench bench(hostUnit());
    bench.putTags(0, 100, 8); // version 1 in flash
    execute(bench, pages(SuperchipOpcode::Program, 0, {2, 0}, 2, 0));
    bench.putTags(64, 100, 8, 2); // version 2 in the buffer
    bench.putTable(tableAt, {-1, 65, -1, -1, 68, 69, 70, 71});
    const std::size_t sent = bench.sent.size();
    execute(bench, withTable(toHost(pages(SuperchipOpcode::Read, 0, {2, 0}, 2, 0), 0), tableAt), 1);
    CHECK(bench.sent.size() == sent + 1);
    REQUIRE(bench.sunk.size() == 2);
    CHECK(Bench::isTagged(bench.sunk[0], 0, 100, 1, 1));
    CHECK(Bench::isTagged(bench.sunk[0], 1, 101, 1, 2));
    CHECK(Bench::isTagged(bench.sunk[0], 2, 102, 2, 1));
    CHECK(Bench::isTagged(bench.sunk[1], 0, 104, 4, 2));

    execute(bench, withTable(pages(SuperchipOpcode::Read, 0, {2, 0}, 2, 32), tableAt), 2); // into the buffer as well
    CHECK(bench.hasTags(32, 100, 1));
    CHECK(bench.hasTags(33, 101, 1, 2));
    CHECK(bench.hasTags(36, 104, 4, 2));
}

TEST_CASE("the feeder works while the flash does: a read waits for the later of both")
{
    Bench bench(hostUnit());
    bench.putTable(tableAt, {-1, 65, -1, 70});
    execute(bench, withTable(toHost(pages(SuperchipOpcode::Read, 0, {2, 0}, 1, 0), 0), tableAt));
    const Time table = Bench::burst(64) + Bench::burst(16);
    CHECK(bench.sent.at(0).at == table);
    REQUIRE(bench.bursts.size() >= 4);
    CHECK(bench.bursts[2].at == table); // one burst for each of the two sectors
    CHECK(bench.bursts[3].at == table + Bench::burst(512));
    CHECK(bench.sunk.at(0).at == table + Bench::request + 25us + Bench::response + 3us);

    bench.putTable(tableAt, {64, 65, 66, 67});
    const Time start = bench.now;
    execute(bench, withTable(toHost(pages(SuperchipOpcode::Read, 0, {2, 0}, 1, 0), 0), tableAt), 1);
    CHECK(bench.sent.size() == 1);
    CHECK(bench.sunk.at(1).at == start + table + Bench::burst(2048)); // all of it neighbours: one burst
}

TEST_CASE("a read of an unmapped superblock is zeros except for the buffered sectors")
{
    Bench bench(hostUnit());
    bench.putTags(65, 101, 1, 3);
    bench.putTable(tableAt, {-1, 65, -1, -1, -1, -1, -1, -1});
    FlashDescriptor read = withTable(toHost(pages(SuperchipOpcode::Read, 0, {0, 0}, 2, 0), 0), tableAt);
    read.inlineBlocks = false;
    read.blocks = 0;
    execute(bench, read);
    CHECK(bench.sent.empty());
    REQUIRE(bench.sunk.size() == 2);
    CHECK(Bench::isTagged(bench.sunk[0], 1, 101, 1, 3));
    const std::vector<std::byte> zeros(4 * 8);
    CHECK(bench.sunk[1].data == zeros);
    CHECK(std::memcmp(bench.sunk[0].data.data(), zeros.data(), 8) == 0);
}

TEST_CASE("a program from a table takes sectors from their addresses and omits pages without any")
{
    Bench bench(hostUnit({2, 1}));
    putBlocks(bench);
    bench.putTags(64, 200, 8);
    // superpage 0: bus 0 has sectors 0 2 4 6, bus 1 has 1 3 5 7
    bench.putTable(tableAt, {64, -1, -1, -1, 68, -1, 70, -1, /* superpage 1 */ -1, 65, -1, -1, -1, -1, -1, 71});
    FlashDescriptor program = withTable(superpages(SuperchipOpcode::Program, 0, 2), tableAt);
    program.commonSpare = true;
    program.spare = {7, 8, 9, 10};
    execute(bench, program);
    CHECK(bench.outcome(0).code == StatusCode::Ok);
    REQUIRE(bench.sent.size() == 2);
    CHECK(bench.dies[0]->block(2).nextPage == 1);
    CHECK(bench.dies[1]->block(2).nextPage == 2);
    CHECK(spareOf(bench, 0, {2, 0}) == program.spare);
    CHECK(spareOf(bench, 1, {2, 0}) == nand::blankSpare);
    execute(bench, superpages(SuperchipOpcode::Read, 0, 2), 1);
    CHECK(bench.hasTags(0, 200, 1));
    CHECK(bench.hasTags(4, 204, 1));
    CHECK(bench.hasTags(6, 206, 1));
    CHECK(bench.hasTags(9, 201, 1));
    CHECK(bench.hasTags(15, 207, 1));
    CHECK(bench.hasTags(1, 0, 0));
    const SectorTag none = 0;
    CHECK(std::memcmp(bench.memory.sectors(bufferAt(2), 1).data, &none, 8) == 0);
}

TEST_CASE("a merge moves untouched pages, replaces touched sectors on the way, programs whole pages, leaves blank ones")
{
    Bench bench(hostUnit({2, 1}));
    putBlocks(bench);
    // Source, block 4: superpages 0 and 1 whole, of superpage 2 bus 0 only, superpage 3 blank.
    bench.putTags(0, 300, 24);
    FlashDescriptor source = superpages(SuperchipOpcode::Program, 0, 2);
    source.blocks = raw(listsAt + 8);
    source.commonSpare = true;
    source.spare = {1, 1, 1, 1};
    execute(bench, source);
    bench.putTable(tableAt, {16, -1, 18, -1, 20, -1, 22, -1});
    FlashDescriptor third = withTable(superpages(SuperchipOpcode::Program, 2, 1), tableAt);
    third.blocks = raw(listsAt + 8);
    execute(bench, third);

    bench.putTags(64, 300, 32, 2);
    bench.putTable(tableAt, {-1, -1, -1, -1, -1, -1, -1, -1, // untouched
                             -1, 73, 74, -1, -1, 77, -1, 79, // bus 0: one of four, bus 1: 1 5 7 of 1 3 5 7
                             80, 81, 82, -1, 84, -1, 86, -1, // bus 0: all; bus 1: one, of a blank page
                             -1, -1, -1, -1, -1, -1, -1, -1});
    FlashDescriptor merge = withTable(superpages(SuperchipOpcode::CopyBack, 0, 4), tableAt);
    merge.commonSpare = true;
    merge.spare = {2, 2, 2, 2};
    bench.sent.clear();
    execute(bench, merge, 2);
    CHECK(bench.outcome(2).code == StatusCode::Ok);
    const auto opcodes = [&](nand::Opcode opcode) {
        return std::count_if(bench.sent.begin(), bench.sent.end(),
                             [&](const auto& s) { return s.op.opcode == opcode; });
    };
    CHECK(opcodes(nand::Opcode::CopyBack) == 7); // of which three find a blank source
    CHECK(opcodes(nand::Opcode::Program) == 2);
    CHECK(bench.dies[0]->block(2).nextPage == 3);
    CHECK(bench.dies[1]->block(2).nextPage == 3);
    CHECK(spareOf(bench, 0, {2, 0}) == merge.spare);
    CHECK(spareOf(bench, 1, {2, 2}) == merge.spare);
    CHECK(spareOf(bench, 0, {2, 3}) == nand::blankSpare);

    execute(bench, superpages(SuperchipOpcode::Read, 0, 3), 3);
    CHECK(bench.hasTags(0, 300, 9));
    CHECK(bench.hasTags(9, 309, 2, 2));
    CHECK(bench.hasTags(11, 311, 2, 1));
    CHECK(bench.hasTags(13, 313, 1, 2));
    CHECK(bench.hasTags(14, 314, 1, 1));
    CHECK(bench.hasTags(15, 315, 1, 2));
    CHECK(bench.hasTags(16, 316, 3, 2));
    CHECK(bench.hasTags(20, 320, 1, 2));
    CHECK(bench.hasTags(22, 322, 1, 2));
}

TEST_CASE("in a merge a page that is copied does not overtake one before it that is programmed")
{
    FlashControllerConfig config = hostUnit();
    config.ecc.encodeLatency = 50us;
    Bench bench(config);
    bench.putTags(0, 100, 8);
    execute(bench, pages(SuperchipOpcode::Program, 0, {4, 0}, 2, 0));
    bench.putTags(64, 100, 4, 2);
    bench.putTable(tableAt, {64, 65, 66, 67, -1, -1, -1, -1}); // all of page 0: fetched and encoded; nothing of page 1
    FlashDescriptor merge = withTable(pages(SuperchipOpcode::CopyBack, 0, {2, 0}, 2, 0), tableAt);
    merge.sourceBlocks = 4;
    bench.sent.clear();
    execute(bench, merge, 1);
    CHECK(bench.outcome(1).code == StatusCode::Ok);
    REQUIRE(bench.sent.size() == 2);
    CHECK(bench.sent[0].op.target.page == 0);
    CHECK(bench.sent[1].op.target.page == 1);
    CHECK(bench.sent[1].at > bench.sent[0].at);
    CHECK(bench.dies[0]->block(2).nextPage == 2);
    execute(bench, pages(SuperchipOpcode::Read, 0, {2, 0}, 2, 0), 2);
    CHECK(bench.hasTags(0, 100, 4, 2));
    CHECK(bench.hasTags(4, 104, 4));
}

TEST_CASE("a merge of one page takes table, sectors, both halves and status, one after the other")
{
    Bench bench(hostUnit());
    bench.putTags(0, 100, 4);
    execute(bench, pages(SuperchipOpcode::Program, 0, {4, 0}, 1, 0));
    bench.putTags(64, 100, 4, 2);
    bench.putTable(tableAt, {-1, 65, -1, -1});
    FlashDescriptor merge = withTable(pages(SuperchipOpcode::CopyBack, 0, {2, 0}, 1, 0), tableAt);
    merge.sourceBlocks = 4;
    const Time start = bench.now;
    execute(bench, merge, 1);
    const Time halves = Bench::request + 25us + Bench::statusRead + Bench::request + 200us + Bench::statusRead;
    const Time encode = 2us;
    CHECK(bench.bursts.back().end == start + Bench::burst(64) + Bench::burst(16) + Bench::burst(512) + encode + halves +
                                         Bench::burst(4) + Bench::burst(16));
    CHECK(bench.sent.at(1).op.replaced == 2);
}

TEST_CASE("a copy-back with a common spare record writes that record, otherwise it copies the source's")
{
    Bench bench(hostUnit());
    FlashDescriptor program = pages(SuperchipOpcode::Program, 0, {4, 0}, 1, 0);
    program.inlineSpare = true;
    program.spare = {1, 2, 3, 4};
    execute(bench, program);
    FlashDescriptor copy = pages(SuperchipOpcode::CopyBack, 0, {2, 0}, 1, 0);
    copy.sourceBlocks = 4;
    execute(bench, copy, 1);
    copy.startSector = 4;
    copy.commonSpare = true;
    copy.spare = {5, 6, 7, 8};
    execute(bench, copy, 2);
    CHECK(spareOf(bench, 0, {2, 0}) == program.spare);
    CHECK(spareOf(bench, 0, {2, 1}) == copy.spare);
}

TEST_CASE("a failure names the chip and the page of the superblock")
{
    Bench bench(hostUnit({2, 1}));
    putBlocks(bench);
    bench.dies[1]->wearOut(2);
    execute(bench, superpages(SuperchipOpcode::Program, 1, 3));
    CHECK(bench.outcome(0).code == StatusCode::ProgramFailed);
    CHECK(bench.outcome(0).chip == 1);
    CHECK(bench.outcome(0).page == 1);
    const auto events = bench.takeEvents();
    REQUIRE(events.size() == 1);
    CHECK(events[0].outcome.page == 1);
}

TEST_CASE("a descriptor of one chip works on a die of a larger superchip, with sectors dealt to it by its table")
{
    Bench bench(hostUnit({2, 1}));
    putBlocks(bench);
    bench.putTags(0, 400, 8);
    for (std::uint32_t die = 0; die < 2; ++die) { // what a unit does with one superpage, done by firmware
        const auto first = static_cast<int>(die);
        bench.putTable(tableAt, {first, first + 2, first + 4, first + 6});
        FlashDescriptor program = withTable(pages(SuperchipOpcode::Program, die, {2, 0}, 1, 0), tableAt);
        program.isOneChip = true;
        execute(bench, program);
        CHECK(bench.outcome(0).code == StatusCode::Ok);
    }
    execute(bench, superpages(SuperchipOpcode::Read, 0, 1), 1);
    CHECK(bench.hasTags(0, 400, 8));
    FlashDescriptor erase = descriptor(SuperchipOpcode::Erase, 1, 2);
    erase.isOneChip = true;
    execute(bench, erase, 2);
    CHECK(bench.dies[0]->block(2).erases == 0);
    CHECK(bench.dies[1]->block(2).erases == 1);
    erase.superchip = 2;
    execute(bench, erase, 3);
    CHECK(bench.outcome(3).code == StatusCode::Malformed);
}

TEST_CASE("a table or a buffered sector that is not where it must be refuses the descriptor")
{
    struct Case {
        BusAddress table;
        BusAddress sector;
        MalformedReason reason;
    };
    const Case cases[] = {{BusAddress{0x70000000}, bufferAt(0), MalformedReason::TableOutsideMemory},
                          {bufferAt(0), bufferAt(0), MalformedReason::TableOutsideMemory},
                          {tableAt, bufferAt(0) + 4, MalformedReason::BufferUnaligned},
                          {tableAt, listsAt, MalformedReason::BufferOutsideMemory}};
    for (const Case& c : cases) {
        Bench bench(hostUnit());
        bench.putWords(tableAt, std::array<std::uint32_t, 4>{0, raw(c.sector), 0, 0});
        execute(bench, withTable(pages(SuperchipOpcode::Program, 0, {2, 0}, 1, 0), c.table));
        CHECK(bench.outcome(0).code == StatusCode::Malformed);
        CHECK(bench.controller.failures().first().at(0).malformed == c.reason);
        CHECK(bench.controller.isIdle());
    }
}
