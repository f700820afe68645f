// SPDX-License-Identifier: Apache-2.0
//
// The flash controller on real wires: SDRAM, channels and dies below it.
#include "models/channel/combined_segments.h"
#include "tests/modules/controller/rig.h"
#include "tests/support/catch.h"
#include "tests/support/kernel_fixture.h"

#include <algorithm>

using namespace strobe;
using namespace strobe::controller;
using namespace strobe::controller::test;
using strobe::test::KernelFixture;

namespace {

RigConfig config(std::uint16_t channels = 1, std::uint16_t ways = 1)
{
    RigConfig rig;
    rig.array = {channels, ways, 1};
    rig.units = rig.array.dies();
    rig.part = slcPart();
    return rig;
}

void putTags(Rig& rig, std::uint32_t sector, std::uint32_t lba, std::uint32_t sectors)
{
    makeTagRun(lba, 1, sectors, rig.sdram.memory().sectors(rig.bufferAt(sector), sectors).data);
}
bool hasTags(Rig& rig, std::uint32_t sector, std::uint32_t lba, std::uint32_t sectors)
{
    std::vector<std::byte> expected(sectors * sizeof(SectorTag));
    makeTagRun(lba, 1, sectors, expected.data());
    const Content content = rig.sdram.memory().sectors(rig.bufferAt(sector), sectors);
    return std::equal(expected.begin(), expected.end(), content.data);
}

// One circular list per die: `count` descriptors beginning with an erase, one per unit.
constexpr std::uint32_t programsPerDie = 60;
constexpr std::uint32_t descriptorsPerDie = programsPerDie + 1;

void putPrograms(Rig& rig, std::uint32_t dies)
{
    for (std::uint32_t die = 0; die < dies; ++die) {
        const std::uint32_t first = die * descriptorsPerDie;
        rig.put(first, [&] {
            FlashDescriptor d = rig.page(SuperchipOpcode::Erase, die, {1, 0}, 0);
            d.next = rig.descriptorAt(first + 1);
            d.report = false;
            return d;
        }());
        for (std::uint32_t i = 0; i < programsPerDie; ++i) {
            FlashDescriptor d = rig.page(SuperchipOpcode::Program, die, {1, i}, die * 4);
            d.report = false;
            d.next = i + 1 < programsPerDie ? rig.descriptorAt(first + i + 2) : BusAddress{0};
            rig.put(first + 1 + i, d);
        }
    }
}

} // namespace

TEST_CASE("an unloaded page program takes its closed form from HEAD to the line")
{
    KernelFixture kernel;
    Rig rig(config());
    rig.put(0, rig.page(SuperchipOpcode::Program, 0, {1, 0}, 0));
    rig.cpu.script = [&] { rig.head(0, 0, 7us); };
    kernel.run();
    REQUIRE(rig.lines.size() == 1);
    CHECK(rig.lines[0].at == 7us + rig.burst(64) + rig.burst(2048) + 2us + rig.flashTime(nand::Opcode::Program) +
                                 rig.burst(4) + rig.burst(16));
}

TEST_CASE("an unloaded page read takes its closed form from HEAD to the line")
{
    KernelFixture kernel;
    Rig rig(config());
    rig.put(0, rig.page(SuperchipOpcode::Read, 0, {1, 0}, 0));
    rig.cpu.script = [&] { rig.head(0, 0, 7us); };
    kernel.run();
    REQUIRE(rig.lines.size() == 1);
    CHECK(rig.lines[0].at == 7us + rig.burst(64) + rig.flashTime(nand::Opcode::Read) + 3us + rig.burst(2048) +
                                 rig.burst(24) + rig.burst(16));
    CHECK(rig.controller.activations() <= 4); // doorbell, descriptor, decoded, stored
}

TEST_CASE("a list of erase, program and read returns the written data, in order")
{
    KernelFixture kernel;
    const DataMode mode = GENERATE(DataMode::Tags, DataMode::Bytes);
    RigConfig withMode = config();
    withMode.dataMode = mode;
    Rig rig(withMode);
    const Content source = rig.sdram.memory().sectors(rig.bufferAt(0), 4);
    for (std::size_t i = 0; i < 4 * stride(mode); ++i)
        source.data[i] = static_cast<std::byte>(i * 7 + i / 256);
    FlashDescriptor list[3] = {rig.page(SuperchipOpcode::Erase, 0, {1, 0}, 0),
                               rig.page(SuperchipOpcode::Program, 0, {1, 0}, 0),
                               rig.page(SuperchipOpcode::Read, 0, {1, 0}, 16)};
    list[1].spare = {5, 6, 7, 8};
    for (std::uint32_t i = 0; i < 3; ++i) {
        list[i].cookie = 100 + i;
        list[i].next = i < 2 ? rig.descriptorAt(i + 1) : BusAddress{0};
        rig.put(i, list[i]);
    }
    rig.cpu.script = [&] { rig.head(0, 0); };
    kernel.run();
    const Content read = rig.sdram.memory().sectors(rig.bufferAt(16), 4);
    CHECK(std::equal(source.data, source.data + 4 * stride(mode), read.data));
    CHECK(rig.controller.controller().ring().producer() == 3);
    for (std::uint32_t i = 0; i < 3; ++i) {
        CHECK(rig.word(Rig::ringAt + i * 16) == (memory::EventRing::phaseBit | 1));
        CHECK(rig.word(Rig::ringAt + i * 16 + 4) == raw(rig.descriptorAt(i)));
        CHECK(rig.word(Rig::ringAt + i * 16 + 8) == 100 + i);
        CHECK(rig.outcome(i).code == StatusCode::Ok);
    }
    CHECK(rig.word(rig.descriptorAt(2) + 0x30) == 5);
    CHECK(rig.word(rig.descriptorAt(2) + 0x3C) == 8);
    CHECK(rig.controller.operationsInFlight() == 0);
}

TEST_CASE("a stepped erase is suspended when R/B# rises, and its die does nothing else until it has ended")
{
    KernelFixture kernel;
    RigConfig two = config();
    two.units = 2;
    Rig rig(two);
    FlashDescriptor erase = rig.page(SuperchipOpcode::Erase, 0, {1, 0}, 0);
    erase.isOneChip = erase.isStepped = true;
    erase.startSector = 0;
    rig.put(0, erase);
    rig.put(1, rig.page(SuperchipOpcode::Read, 0, {2, 0}, 0));
    rig.cpu.script = [&] {
        rig.head(0, 0);
        rig.head(1, 1, 5us);
        sc_core::wait(toSc(10ms));
        CHECK(rig.controller.controller().ring().producer() == 1); // the read waits, too
        CHECK(rig.outcome(0).code == StatusCode::Pending);
        rig.cpu.write(regs::flash::PRIMITIVE, static_cast<std::uint32_t>(Primitive::StatusRead));
    };
    kernel.run();
    CHECK(parseStatus(rig.word(Rig::ringAt)).code == StatusCode::Suspended);
    REQUIRE(rig.controller.controller().ring().producer() == 3);
    CHECK(rig.word(Rig::ringAt + 16 + 4) == raw(rig.descriptorAt(0)));
    CHECK(rig.outcome(0).code == StatusCode::Ok);
    CHECK(rig.outcome(1).code == StatusCode::Ok);
    CHECK(rig.controller.operationsInFlight() == 0);
    CHECK(rig.controller.controller().failures().total() == 0);
}

TEST_CASE("two units share a channel: the bus of one works while the die of the other does")
{
    KernelFixture kernel;
    Rig rig(config(1, 2));
    for (std::uint32_t die = 0; die < 2; ++die)
        rig.put(die, rig.page(SuperchipOpcode::Program, die, {1, 0}, die * 4));
    rig.cpu.script = [&] {
        rig.head(0, 0);
        rig.head(1, 1);
    };
    kernel.run();
    CHECK(rig.controller.controller().ring().producer() == 2);
    // The second waits for the first's request on the bus and for nothing else.
    const Time first = 2 * rig.burst(64) + rig.burst(2048) + 2us;
    const Time expected = first + rig.requestTime(nand::Opcode::Program) + rig.flashTime(nand::Opcode::Program) +
                          rig.burst(4) + rig.burst(16);
    CHECK(rig.channels[0]->interface().bus().usage().jobs == 4);
    CHECK(now() <= expected);
    CHECK(rig.lines.at(0).at == first + rig.flashTime(nand::Opcode::Program) + rig.burst(4) + rig.burst(16));
}

TEST_CASE("programs through one unit per die reach the bound that dies or bus set, within one percent")
{
    KernelFixture kernel;
    const std::uint16_t ways = GENERATE(as<std::uint16_t>(), 1, 4, 32); // dies, dies, bus decide
    RigConfig saturated = config(1, ways);
    saturated.part.times.tBERS = 200us;
    Rig rig(saturated);
    putPrograms(rig, ways);
    rig.cpu.script = [&] {
        for (std::uint32_t die = 0; die < ways; ++die)
            rig.head(die, die * descriptorsPerDie);
    };
    kernel.run();
    const auto& counters = rig.controller.controller().dispatcher().counters();
    CHECK(counters.finished == std::uint64_t{ways} * descriptorsPerDie);
    CHECK(rig.controller.controller().failures().total() == 0);

    // After the erases, either each die programs without a break or the bus is never free, up to the last tPROG.
    const Time erase = rig.flashTime(nand::Opcode::Erase);
    const Time program = rig.flashTime(nand::Opcode::Program);
    const Time bus = rig.requestTime(nand::Opcode::Program) + rig.responseTime(nand::Opcode::Program);
    const Time onBus = ways * programsPerDie * bus + (program - bus);
    const Time bound = erase + std::max(programsPerDie * program, onBus);
    INFO("bound " << toText(bound) << ", took " << toText(now()));
    CHECK(now() >= bound);
    CHECK(toSeconds(now()) <= 1.01 * toSeconds(bound));
}

TEST_CASE("the die of one unit never waits between two programs")
{
    KernelFixture kernel;
    Rig rig(config());
    putPrograms(rig, 1);
    rig.cpu.script = [&] { rig.head(0, 0); };
    kernel.run();
    CHECK(rig.dies[0]->counters().array.programs == programsPerDie);
    CHECK(now() ==
          rig.burst(64) + rig.flashTime(nand::Opcode::Erase) + programsPerDie * rig.flashTime(nand::Opcode::Program));
}

TEST_CASE("the die of one unit never waits between two word lines")
{
    KernelFixture kernel;
    RigConfig wordLines = config();
    wordLines.unitOperations = 6;
    wordLines.part.geometry.pagesPerBlock = 60;
    wordLines.part.geometry.pagesPerProgram = 3;
    Rig rig(wordLines);
    constexpr std::uint32_t count = 20;
    FlashDescriptor erase = rig.page(SuperchipOpcode::Erase, 0, {1, 0}, 0);
    erase.report = false;
    erase.next = rig.descriptorAt(1);
    rig.put(0, erase);
    for (std::uint32_t i = 0; i < count; ++i) {
        FlashDescriptor d = rig.page(SuperchipOpcode::Program, 0, {1, 3 * i}, i % 2 * 12);
        d.sectors *= 3;
        d.inlineSpare = false;
        d.commonSpare = true;
        d.report = false;
        d.next = i + 1 < count ? rig.descriptorAt(i + 2) : BusAddress{0};
        rig.put(1 + i, d);
    }
    rig.cpu.script = [&] { rig.head(0, 0); };
    kernel.run();
    CHECK(rig.controller.controller().failures().total() == 0);
    CHECK(rig.dies[0]->counters().array.programs == 3 * count);
    nand::Operation program;
    program.opcode = nand::Opcode::Program;
    program.sectors = 4;
    Time wordLine{};
    for (const channel::Segment& segment : channel::wordLineSegments(rig.schedule, program, 1))
        wordLine += segment.duration;
    CHECK(now() == rig.burst(64) + rig.flashTime(nand::Opcode::Erase) + count * wordLine);
}

TEST_CASE("reads through one unit per die saturate the bus")
{
    KernelFixture kernel;
    Rig rig(config(1, 4));
    constexpr std::uint32_t reads = 100;
    for (std::uint32_t die = 0; die < 4; ++die) {
        for (std::uint32_t i = 0; i < reads; ++i) {
            FlashDescriptor d = rig.page(SuperchipOpcode::Read, die, {1, i % 64}, die * 8 + i % 2 * 4);
            d.report = false;
            d.next = i + 1 < reads ? rig.descriptorAt(die * reads + i + 1) : BusAddress{0};
            rig.put(die * reads + i, d);
        }
    }
    rig.cpu.script = [&] {
        for (std::uint32_t die = 0; die < 4; ++die)
            rig.head(die, die * reads);
    };
    kernel.run();
    const Time bus = rig.requestTime(nand::Opcode::Read) + rig.responseTime(nand::Opcode::Read);
    CHECK(toSeconds(now()) <= 1.01 * toSeconds(4 * reads * bus) + toSeconds(rig.flashTime(nand::Opcode::Read)));
    CHECK(now() >= 4 * reads * bus);
}

TEST_CASE("an operation that the die refuses is reported in the ring and in the log")
{
    KernelFixture kernel;
    Rig rig(config());
    FlashDescriptor again = rig.page(SuperchipOpcode::Program, 0, {1, 0}, 0);
    again.report = false;
    again.next = rig.descriptorAt(1);
    rig.put(0, again);
    again.next = BusAddress{0};
    rig.put(1, again);
    rig.cpu.script = [&] { rig.head(0, 0); };
    kernel.run();
    REQUIRE(rig.controller.controller().ring().producer() == 1);
    CHECK(parseStatus(rig.word(Rig::ringAt)).code == StatusCode::Illegal);
    CHECK(rig.word(Rig::ringAt + 4) == raw(rig.descriptorAt(1)));
    const auto& failures = rig.controller.controller().failures();
    REQUIRE(failures.total() == 1);
    CHECK_THAT(toText(failures.first()[0]),
               Catch::Matchers::Contains("program of die 0 block 1 page 0: illegal (page not erased)"));
}

TEST_CASE("the line falls at the time of the write that takes the last event")
{
    KernelFixture kernel;
    Rig rig(config());
    rig.put(0, rig.page(SuperchipOpcode::Read, 0, {1, 0}, 0));
    Time acknowledged{};
    rig.cpu.script = [&] {
        rig.head(0, 0);
        sc_core::wait(rig.cpu.lineRose);
        CHECK(rig.cpu.read(regs::flash::RING_PRODUCER) == 1);
        acknowledged = now() + 3us;
        rig.cpu.write(regs::flash::RING_CONSUMER, 1, 3us);
    };
    kernel.run();
    REQUIRE(rig.lines.size() == 2);
    CHECK_FALSE(rig.lines[1].asserted);
    CHECK(rig.lines[1].at == acknowledged);
    CHECK(acknowledged == rig.lines[0].at + 3us);
}

TEST_CASE("a status register read sees what is due by now, whatever process runs first")
{
    KernelFixture kernel;
    Rig rig(config());
    rig.put(0, rig.page(SuperchipOpcode::Read, 0, {1, 0}, 0));
    std::uint32_t before = 1;
    std::uint32_t after = 0;
    rig.cpu.script = [&] {
        rig.head(0, 0, 2us);
        before = rig.cpu.read(regs::flash::UNIT_STATUS);
        sc_core::wait(toSc(2us));
        after = rig.cpu.read(regs::flash::UNIT_STATUS);
    };
    kernel.run();
    CHECK(before == 0);
    CHECK(after == 1);
}

TEST_CASE("registers of the units may take longer than the others")
{
    KernelFixture kernel;
    RigConfig slow = config();
    slow.unitRegisterLatency = 90ns;
    Rig rig(slow);
    rig.put(0, rig.page(SuperchipOpcode::Read, 0, {1, 0}, 0));
    rig.cpu.script = [&] {
        rig.cpu.read(regs::flash::UNIT_STATUS);
        CHECK(rig.cpu.took == 90ns);
        rig.cpu.read(regs::flash::UNITS);
        CHECK(rig.cpu.took == Time{});
        rig.cpu.read(regs::flash::PRIMITIVE);
        CHECK(rig.cpu.took == 90ns);
        rig.head(0, 0, 7us);
        CHECK(rig.cpu.took == 7us + 90ns);
    };
    kernel.run();
    REQUIRE(rig.lines.size() == 1);
    CHECK(rig.lines[0].at == 7us + 90ns + rig.burst(64) + rig.flashTime(nand::Opcode::Read) + 3us + rig.burst(2048) +
                                 rig.burst(24) + rig.burst(16));
}

TEST_CASE("registers are 32 bits wide, and an unmapped offset is an address error")
{
    KernelFixture kernel;
    Rig rig(config());
    std::uint32_t value = 0;
    CHECK(rig.cpu.access(tlm::TLM_READ_COMMAND, regs::flash::UNITS, value, {}, 2) == tlm::TLM_BURST_ERROR_RESPONSE);
    CHECK(rig.cpu.access(tlm::TLM_READ_COMMAND, 0x5C, value) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
    CHECK(rig.cpu.access(tlm::TLM_WRITE_COMMAND, 0x2, value) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
    CHECK(rig.cpu.access(tlm::TLM_READ_COMMAND, regs::flash::UNITS, value) == tlm::TLM_OK_RESPONSE);
    CHECK(value == 1);
    kernel.run();
}

TEST_CASE("a buffer address beyond the memory is malformed, not a crash")
{
    KernelFixture kernel;
    Rig rig(config());
    FlashDescriptor d = rig.page(SuperchipOpcode::Read, 0, {1, 0}, 0);
    d.buffer = BusAddress{0x90000000};
    rig.put(0, d);
    rig.put(1, rig.page(SuperchipOpcode::Read, 0, {1, 0}, 0));
    rig.cpu.script = [&] {
        rig.head(0, 0);
        rig.cpu.write(regs::flash::UNIT_HEAD, 0x90000000); // nor is a descriptor there
        rig.head(0, 1);
    };
    kernel.run();
    CHECK(rig.outcome(0).code == StatusCode::Malformed);
    CHECK(rig.outcome(1).code == StatusCode::Ok);
    CHECK(rig.controller.controller().failures().count(FailureKind::MalformedDescriptor) == 2);
}

TEST_CASE("a 2x2 superchip keeps four dies busy with one unit and brings the data back in order")
{
    KernelFixture kernel;
    RigConfig superchips = config(2, 2);
    superchips.units = 1;
    superchips.superchip = {2, 2};
    Rig rig(superchips);
    FlashDescriptor d;
    d.opcode = SuperchipOpcode::Program;
    d.report = true;
    d.blocks = raw(rig.descriptorAt(100));
    d.sectors = 64; // four superpages
    d.buffer = rig.bufferAt(0);
    rig.put(0, d);
    d.opcode = SuperchipOpcode::Read;
    d.buffer = rig.bufferAt(64);
    rig.put(1, d);
    putTags(rig, 0, 900, 64);
    rig.cpu.script = [&] {
        rig.head(0, 0);
        rig.head(0, 1);
    };
    kernel.run();
    CHECK(rig.outcome(0).code == StatusCode::Ok);
    CHECK(rig.outcome(1).code == StatusCode::Ok);
    CHECK(hasTags(rig, 64, 900, 64));
    for (const auto& die : rig.dies)
        CHECK(die->counters().array.programs == 4);
    CHECK(rig.controller.controller().dispatcher().counters().maxUnderWay == 4);
}

TEST_CASE("every payload that was sent came back, and dies, channels and controller agree on how many")
{
    KernelFixture kernel;
    Rig rig(config(2, 2));
    putPrograms(rig, 4);
    rig.cpu.script = [&] {
        for (std::uint32_t die = 0; die < 4; ++die)
            rig.head(die, die * descriptorsPerDie);
    };
    kernel.run();
    const auto& counters = rig.controller.controller().dispatcher().counters();
    std::uint64_t byChannels = 0;
    for (const auto& channel : rig.channels) {
        byChannels += channel->interface().finished();
        CHECK(channel->interface().isIdle());
    }
    std::uint64_t byDies = 0;
    for (const auto& die : rig.dies)
        byDies += die->counters().array.programs + die->counters().array.erases;
    CHECK(counters.issued == 4 * descriptorsPerDie);
    CHECK(counters.finished == counters.issued);
    CHECK(byChannels == counters.issued);
    CHECK(byDies == counters.issued);
    CHECK(rig.controller.operationsInFlight() == 0);
    CHECK(rig.controller.controller().isIdle());
    // Bytes: data of the programs, a descriptor and a status each, no events.
    CHECK(rig.sdram.memory().port(0).usage().jobs == 4 * (2 * descriptorsPerDie + programsPerDie));
}
