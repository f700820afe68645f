// SPDX-License-Identifier: Apache-2.0
//
// Firmware's tables in control memory as contents of pages, and pages that a power loss has spoilt.
#include "tests/domain/controller/controller_bench.h"

#include <cstring>

using namespace strobe;
using namespace strobe::controller;
using namespace strobe::controller::test;

namespace {

constexpr BusAddress tableAt{0x80009000}; // control memory

FlashDescriptor tablePage(SuperchipOpcode opcode, std::uint32_t page)
{
    FlashDescriptor d = pages(opcode, 0, {2, page}, 1, 0);
    d.buffer = tableAt;
    d.inlineSpare = true;
    d.spare = {1, 2, 3, 4};
    return d;
}

} // namespace

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

TEST_CASE("a page that a power loss has spoilt is beyond correction, or reads as blank")
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
