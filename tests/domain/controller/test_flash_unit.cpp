// SPDX-License-Identifier: Apache-2.0
//
// What a unit does with one descriptor: times, contents, statuses.
#include "tests/domain/controller/controller_bench.h"

#include <cstring>

using namespace strobe;
using namespace strobe::controller;
using namespace strobe::controller::test;

namespace {

constexpr nand::PageAddress page0{2, 0};
constexpr BusAddress tableAt{0x80009000}; // control memory

std::size_t stage(Stage s)
{
    return static_cast<std::size_t>(s);
}

// One of firmware's tables as the contents of a page.
FlashDescriptor tablePage(SuperchipOpcode opcode, std::uint32_t page)
{
    FlashDescriptor d = pages(opcode, 0, {2, page}, 1, 0);
    d.buffer = tableAt;
    d.inlineSpare = true;
    d.spare = {1, 2, 3, 4};
    return d;
}

FlashControllerConfig fourBusesTwoChips()
{
    FlashControllerConfig config = Bench::oneUnit();
    config.array = {4, 2, 1};
    config.superchip = {4, 2};
    return config;
}

} // namespace

TEST_CASE("an unloaded program takes descriptor, data, encoder, flash, status and event, one after the other")
{
    Bench bench;
    bench.put(0, pages(SuperchipOpcode::Program, 0, page0, 1, 0));
    bench.head(0, descriptorAt(0));
    bench.run();
    REQUIRE(bench.lines.size() == 1);
    CHECK(bench.lines[0].asserted);
    CHECK(bench.lines[0].at == Bench::programTime());
    CHECK(bench.sent.at(0).at == Bench::burst(64) + Bench::burst(2048) + 2us);
    const FlashUnitCounters& counters = bench.controller.unit(UnitId{0}).counters();
    CHECK(counters.stageTime[stage(Stage::FetchingDescriptor)] == Bench::burst(64));
    CHECK(counters.stageTime[stage(Stage::FetchingData)] == Bench::burst(2048));
    CHECK(counters.stageTime[stage(Stage::Encoding)] == 2us);
    CHECK(counters.stageTime[stage(Stage::InFlash)] == Bench::request + 200us + Bench::statusRead);
    CHECK(counters.stageTime[stage(Stage::WritingBack)] == Bench::burst(4));
}

TEST_CASE("an unloaded read takes descriptor, flash, decoder, data, status and event, one after the other")
{
    Bench bench;
    bench.put(0, pages(SuperchipOpcode::Read, 0, page0, 1, 0));
    bench.head(0, descriptorAt(0));
    bench.run();
    REQUIRE(bench.lines.size() == 1);
    CHECK(bench.lines[0].at == Bench::readTime());
    const FlashUnitCounters& counters = bench.controller.unit(UnitId{0}).counters();
    CHECK(counters.stageTime[stage(Stage::InFlash)] == Bench::request + 25us + Bench::response);
    CHECK(counters.stageTime[stage(Stage::Decoding)] == 3us);
    CHECK(counters.stageTime[stage(Stage::StoringData)] == Bench::burst(2048));
}

TEST_CASE("a read without decoding time stores its data at once")
{
    FlashControllerConfig config;
    Bench bench(config);
    bench.put(0, pages(SuperchipOpcode::Read, 0, page0, 1, 0));
    bench.head(0, descriptorAt(0));
    bench.run();
    CHECK(bench.lines.at(0).at == Bench::readTime() - 3us);
}

TEST_CASE("an unloaded erase moves no data")
{
    Bench bench;
    bench.put(0, descriptor(SuperchipOpcode::Erase, 0, 2));
    bench.head(0, descriptorAt(0));
    bench.run();
    CHECK(bench.lines.at(0).at ==
          Bench::burst(64) + Bench::request + 2ms + Bench::statusRead + Bench::burst(4) + Bench::burst(16));
    CHECK(bench.bursts.size() == 3);
    CHECK(bench.dies[0]->block(2).erases == 1);
}

TEST_CASE("programmed data is read back, sectors and spare record")
{
    Bench bench;
    FlashDescriptor program = pages(SuperchipOpcode::Program, 0, page0, 1, 0);
    program.inlineSpare = true;
    program.spare = {11, 22, 33, 44};
    FlashDescriptor read = pages(SuperchipOpcode::Read, 0, page0, 1, 8);
    read.inlineSpare = true;
    read.cookie = 0x1234;
    bench.putTags(0, 1000, 4);
    bench.put(0, program);
    bench.put(1, read);
    bench.head(0, descriptorAt(0));
    bench.run();
    bench.head(0, descriptorAt(1));
    bench.run();
    CHECK(bench.hasTags(8, 1000, 4));
    const DescriptorWords words = bench.descriptorWords(1);
    CHECK(words[10] == statusWord({StatusCode::Ok, 0, false}));
    CHECK(words[11] == 0x1234);
    CHECK(nand::Spare{words[12], words[13], words[14], words[15]} == program.spare);
    CHECK(bench.descriptorWords(0)[12] == 11); // a program leaves its own record alone
}

TEST_CASE("a page that was never programmed reads as blank, and the status says so")
{
    Bench bench;
    FlashDescriptor read = pages(SuperchipOpcode::Read, 0, page0, 1, 0);
    read.inlineSpare = true;
    bench.put(0, read);
    bench.head(0, descriptorAt(0));
    bench.run();
    CHECK(bench.outcome(0).code == StatusCode::Ok);
    CHECK(bench.outcome(0).blank);
    CHECK(bench.descriptorWords(0)[12] == 0xFFFFFFFF);
    const auto events = bench.takeEvents();
    REQUIRE(events.size() == 1);
    CHECK(events[0].outcome.blank);
}

TEST_CASE("a run over several pages becomes one operation per page, with spare records kept in memory")
{
    Bench bench;
    FlashDescriptor program = pages(SuperchipOpcode::Program, 0, page0, 4, 0);
    program.spareAddress = listsAt;
    std::array<std::uint32_t, 16> records{};
    for (std::uint32_t i = 0; i < 16; ++i)
        records[i] = 100 + i;
    bench.putWords(listsAt, records);
    bench.putTags(0, 500, 16);
    FlashDescriptor read = pages(SuperchipOpcode::Read, 0, page0, 0, 32);
    read.startSector = 2; // sectors 2..12 touch all four pages
    read.sectors = 11;
    read.spareAddress = listsAt + 256;
    bench.put(0, program);
    bench.put(1, read);
    bench.head(0, descriptorAt(0));
    bench.run();
    bench.head(0, descriptorAt(1));
    bench.run();
    CHECK(bench.dies[0]->counters().array.programs == 4);
    CHECK(bench.dies[0]->counters().array.reads == 4);
    CHECK(bench.hasTags(32, 502, 11));
    for (std::uint32_t i = 0; i < 16; ++i)
        CHECK(bench.word(listsAt + 256 + 4 * i) == 100 + i);
    CHECK(bench.takeEvents().size() == 2); // one per descriptor, not per page
    CHECK(bench.sent[4].op.firstSector == 2);
    CHECK(bench.sent[4].op.sectors == 2);
    CHECK(bench.sent[7].op.sectors == 1);
}

TEST_CASE("a copy-back moves pages inside the die without touching memory")
{
    Bench bench;
    bench.putTags(0, 70, 8);
    bench.put(0, pages(SuperchipOpcode::Program, 0, {2, 0}, 2, 0));
    FlashDescriptor copy = descriptor(SuperchipOpcode::CopyBack, 0, 4);
    copy.sourceBlocks = 2;
    copy.sectors = 8;
    copy.startSector = 4; // pages 0, 1 of block 2 to pages 1, 2 of block 4
    bench.put(1, copy);
    bench.put(2, pages(SuperchipOpcode::Read, 0, {4, 1}, 2, 16));
    bench.head(0, descriptorAt(0));
    bench.run();
    const std::size_t before = bench.bursts.size();
    bench.head(0, descriptorAt(1));
    bench.run();
    CHECK(bench.bursts.size() == before + 3); // descriptor, status, event
    bench.head(0, descriptorAt(2));
    bench.run();
    CHECK(bench.hasTags(16, 70, 8));
    CHECK(bench.dies[0]->counters().array.copyBacks == 2);
}

TEST_CASE("data mode none moves nothing but takes the same time")
{
    FlashControllerConfig config = Bench::oneUnit();
    config.dataMode = DataMode::None;
    Bench bench(config);
    bench.put(0, pages(SuperchipOpcode::Program, 0, page0, 1, 0));
    bench.put(1, pages(SuperchipOpcode::Read, 0, page0, 1, 0));
    bench.head(0, descriptorAt(0));
    bench.run();
    CHECK(bench.now + Bench::burst(4) + Bench::burst(16) == Bench::programTime());
    CHECK(bench.lines.at(0).at == Bench::programTime());
    bench.takeEvents();
    bench.acknowledge();
    bench.now += 1us; // the memory is idle again
    const Time start = bench.now;
    bench.head(0, descriptorAt(1));
    bench.run();
    CHECK(bench.lines.back().at - start == Bench::readTime());
    CHECK_FALSE(bench.outcome(1).blank);
}

TEST_CASE("an illegal operation ends the descriptor, is always reported and leaves die, block, page and reason")
{
    Bench bench;
    FlashDescriptor program = pages(SuperchipOpcode::Program, 0, page0, 1, 0);
    program.report = false;
    program.cookie = 77;
    bench.put(0, program);
    bench.put(1, program);
    bench.head(0, descriptorAt(0));
    bench.run();
    CHECK(bench.takeEvents().empty()); // ok, and no report requested
    bench.head(0, descriptorAt(1));    // the same page again
    bench.run();
    const auto events = bench.takeEvents();
    REQUIRE(events.size() == 1);
    CHECK(events[0].outcome.code == StatusCode::Illegal);
    CHECK(events[0].descriptor == descriptorAt(1));
    CHECK(events[0].cookie == 77);
    CHECK(bench.outcome(1).code == StatusCode::Illegal);
    const FailureLog& failures = bench.controller.failures();
    CHECK(failures.count(FailureKind::OperationIllegal) == 1);
    REQUIRE(failures.first().size() == 1);
    CHECK(failures.first()[0].illegal == nand::IllegalReason::PageNotErased);
    CHECK(failures.first()[0].target == page0);
    CHECK(bench.controller.unit(UnitId{0}).counters().failed == 1);
}

TEST_CASE("an illegal read stores nothing")
{
    Bench bench;
    bench.putTags(0, 9, 4);
    bench.put(0, pages(SuperchipOpcode::Read, 0, {8, 0}, 1, 0)); // block 8 is not there
    bench.head(0, descriptorAt(0));
    bench.run();
    CHECK(bench.outcome(0).code == StatusCode::Illegal);
    CHECK(bench.hasTags(0, 9, 4));
}

TEST_CASE("a failed program or erase ends with its own code")
{
    Bench bench;
    bench.dies[0]->wearOut(2);
    bench.put(0, pages(SuperchipOpcode::Program, 0, page0, 1, 0));
    bench.put(1, descriptor(SuperchipOpcode::Erase, 0, 2));
    bench.head(0, descriptorAt(0));
    bench.head(0, descriptorAt(1));
    bench.run();
    const auto events = bench.takeEvents();
    REQUIRE(events.size() == 2);
    CHECK(events[0].outcome.code == StatusCode::ProgramFailed);
    CHECK(events[1].outcome.code == StatusCode::EraseFailed);
    CHECK(bench.controller.failures().count(FailureKind::OperationFailed) == 2);
}

TEST_CASE("after a failed page no further page of the descriptor is started")
{
    FlashControllerConfig config = Bench::oneUnit();
    config.unitOperations = 1;
    Bench bench(config);
    bench.put(0, pages(SuperchipOpcode::Program, 0, {2, 1}, 1, 0)); // page 0 is too late from now on
    bench.put(1, pages(SuperchipOpcode::Program, 0, {2, 0}, 4, 0));
    bench.head(0, descriptorAt(0));
    bench.head(0, descriptorAt(1));
    bench.run();
    CHECK(bench.outcome(1).code == StatusCode::Illegal);
    CHECK(bench.sent.size() == 2);
    CHECK(bench.controller.isIdle());
}

TEST_CASE("a 4x2 superchip programs and reads back a run that starts and ends in the middle of rows")
{
    Bench bench(fourBusesTwoChips());
    bench.putWords(listsAt, std::array<std::uint32_t, 8>{0, 1, 2, 3, 4, 5, 6, 7}); // another block on each chip
    FlashDescriptor program;
    program.opcode = SuperchipOpcode::Program;
    program.report = true;
    program.blocks = raw(listsAt);
    program.sectors = 64; // two superpages
    program.buffer = bufferAt(0);
    program.spareAddress = listsAt + 64;
    for (std::uint32_t page = 0; page < 16; ++page)
        bench.putWords(listsAt + 64 + page * 16, std::array<std::uint32_t, 4>{page, 0, 0, 0});
    FlashDescriptor read = program;
    read.opcode = SuperchipOpcode::Read;
    read.startSector = 13;
    read.sectors = 38;
    read.buffer = bufferAt(64);
    read.spareAddress = listsAt + 512;
    bench.putTags(0, 3000, 64);
    bench.put(0, program);
    bench.put(1, read);
    bench.head(0, descriptorAt(0));
    bench.run();
    bench.head(0, descriptorAt(1));
    bench.run();
    CHECK(bench.outcome(0).code == StatusCode::Ok);
    CHECK(bench.outcome(1).code == StatusCode::Ok);
    CHECK(bench.hasTags(64, 3013, 38));
    for (const auto& die : bench.dies)
        CHECK(die->counters().array.programs == 2);
    // Sectors 13, 14, 15 are on buses 1, 2, 3 of row 0; then two whole rows, then sectors 48, 49, 50 on buses 0, 1, 2.
    const std::vector<std::uint32_t> records{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14};
    for (std::uint32_t i = 0; i < records.size(); ++i)
        CHECK(bench.word(listsAt + 512 + i * 16) == records[i]);
    CHECK(bench.word(listsAt + 512 + 14 * 16) == 0);
}

TEST_CASE("the chips of one row work at the same time, and the failed one is named")
{
    Bench bench(fourBusesTwoChips());
    bench.putWords(listsAt, std::array<std::uint32_t, 8>{1, 1, 1, 1, 1, 1, 1, 1});
    FlashDescriptor erase;
    erase.opcode = SuperchipOpcode::Erase;
    erase.blocks = raw(listsAt);
    bench.dies[4]->wearOut(1); // channel 2, position 0: chip 2
    bench.put(0, erase);
    bench.head(0, descriptorAt(0));
    bench.run();
    CHECK(bench.outcome(0).code == StatusCode::EraseFailed);
    CHECK(bench.outcome(0).chip == 2);
    CHECK(bench.sent.size() == 8); // both rows were on their way
    for (const auto& sent : bench.sent)
        CHECK(sent.at == Bench::burst(64) + Bench::burst(32));
    CHECK(bench.takeEvents().size() == 1);
}

TEST_CASE("a table in control memory goes to flash and comes back as bytes, whatever sectors are")
{
    for (const DataMode mode : {DataMode::Tags, DataMode::Bytes, DataMode::None}) {
        FlashControllerConfig config = Bench::oneUnit();
        config.dataMode = mode;
        Bench bench(config);
        std::byte* table = bench.memory.bytes(tableAt, 2048);
        for (std::uint32_t i = 0; i < 2048; ++i)
            table[i] = static_cast<std::byte>(i * 7);
        bench.put(0, tablePage(SuperchipOpcode::Program, 0));
        bench.head(0, descriptorAt(0));
        bench.run();
        std::memset(table, 0, 2048);
        bench.put(1, tablePage(SuperchipOpcode::Read, 0));
        bench.head(0, descriptorAt(1));
        bench.run();
        CHECK(bench.outcome(1).code == StatusCode::Ok);
        bool isSame = true;
        for (std::uint32_t i = 0; i < 2048; ++i)
            isSame = isSame && table[i] == static_cast<std::byte>(i * 7);
        CHECK(isSame);
    }
}

TEST_CASE("sectors go through a unit that has carried a table before")
{
    Bench bench;
    bench.put(0, tablePage(SuperchipOpcode::Program, 0));
    bench.head(0, descriptorAt(0));
    bench.run();
    bench.putTags(0, 100, 4);
    bench.put(1, pages(SuperchipOpcode::Program, 0, {2, 1}, 1, 0));
    bench.head(0, descriptorAt(1));
    bench.run();
    bench.put(2, pages(SuperchipOpcode::Read, 0, {2, 1}, 1, 8));
    bench.head(0, descriptorAt(2));
    bench.run();
    CHECK(bench.hasTags(8, 100, 4));
}

TEST_CASE("a buffer outside all memory is found when it is used")
{
    Bench bench;
    FlashDescriptor d = tablePage(SuperchipOpcode::Program, 0);
    d.buffer = BusAddress{0x10000};
    bench.put(0, d);
    bench.head(0, descriptorAt(0));
    bench.run();
    CHECK(bench.outcome(0).code == StatusCode::Malformed);
}

TEST_CASE("a page that a power loss has interrupted is beyond correction, or reads as blank")
{
    std::uint32_t torn = 0;
    std::uint32_t blank = 0;
    for (std::uint32_t block = 0; block < 8; ++block) {
        Bench bench;
        nand::Die& die = *bench.dies[0];
        for (std::uint32_t before = 0; before < block; ++before) { // draws of their own
            nand::Operation program;
            program.opcode = nand::Opcode::Program;
            program.target = {before, 0};
            const Time end = die.issue(program, Time{});
            die.powerOff(end - 1us);
        }
        nand::Operation program;
        program.opcode = nand::Opcode::Program;
        program.target = {block, 0};
        die.powerOff(die.issue(program, Time{}) - 1us);
        bench.put(0, pages(SuperchipOpcode::Read, 0, {block, 0}, 1, 0));
        bench.head(0, descriptorAt(0));
        bench.run();
        const Outcome outcome = bench.outcome(0);
        if (outcome.code == StatusCode::Uncorrectable)
            ++torn;
        else if (outcome.code == StatusCode::Ok && outcome.blank)
            ++blank;
        CHECK(bench.takeEvents().size() == 1);
        const auto& counters = bench.controller.unit(UnitId{0}).counters();
        CHECK(counters.stageTime[static_cast<std::size_t>(Stage::Decoding)] == 3us); // it tries
    }
    CHECK(torn + blank == 8);
    CHECK(torn > 0);
    CHECK(blank > 0);
}

TEST_CASE("a read beyond correction returns the page's own spare record, with and without decoding time")
{
    for (const Time latency : {Time{3us}, Time{}}) {
        FlashControllerConfig config = Bench::oneUnit();
        config.ecc.decodeLatency = latency;
        config.ecc.code.iterationTime = latency;
        config.ecc.code.correctableBits = 8;
        Bench bench(config);
        for (std::uint32_t page = 0; page < 2; ++page) {
            FlashDescriptor program = pages(SuperchipOpcode::Program, 0, {2, page}, 1, 0);
            program.inlineSpare = true;
            program.spare = {page + 11, 22, 33, 44};
            bench.put(0, program);
            bench.head(0, descriptorAt(0));
            bench.run();
        }
        for (std::uint32_t page = 0; page < 2; ++page) {
            bench.bitErrors = page == 0 ? 0 : 9;
            FlashDescriptor read = pages(SuperchipOpcode::Read, 0, {2, page}, 1, 8);
            read.inlineSpare = true;
            bench.put(0, read);
            bench.head(0, descriptorAt(0));
            bench.run();
            CHECK(bench.outcome(0).code == (page == 0 ? StatusCode::Ok : StatusCode::Uncorrectable));
            CHECK(bench.descriptorWords(0)[12] == page + 11);
        }
    }
}
