// SPDX-License-Identifier: Apache-2.0
//
// What a unit does with several descriptors: lists, order, overlap, and descriptors that cannot be executed.
#include "tests/domain/controller/controller_bench.h"

using namespace strobe;
using namespace strobe::controller;
using namespace strobe::controller::test;

namespace {

FlashControllerConfig unitsAndDies(std::uint32_t units, std::uint16_t ways)
{
    FlashControllerConfig config = Bench::oneUnit();
    config.units = units;
    config.array = {1, ways, 1};
    return config;
}

// Puts the descriptors one after the other as a list that starts at `first`.
void putList(Bench& bench, std::uint32_t first, std::vector<FlashDescriptor> list)
{
    for (std::uint32_t i = 0; i < list.size(); ++i) {
        if (i + 1 < list.size())
            list[i].next = descriptorAt(first + i + 1);
        list[i].cookie = first + i;
        bench.put(first + i, list[i]);
    }
}

std::vector<std::uint32_t> cookies(const std::vector<Bench::Event>& events)
{
    std::vector<std::uint32_t> all;
    for (const auto& event : events)
        all.push_back(event.cookie);
    return all;
}

} // namespace

TEST_CASE("the descriptors of a list are executed and reported in order")
{
    Bench bench;
    bench.putTags(0, 40, 4);
    putList(bench, 0,
            {descriptor(SuperchipOpcode::Erase, 0, 1), pages(SuperchipOpcode::Program, 0, {1, 0}, 1, 0),
             pages(SuperchipOpcode::Read, 0, {1, 0}, 1, 8)});
    bench.head(0, descriptorAt(0));
    bench.run();
    const auto events = bench.takeEvents();
    CHECK(cookies(events) == std::vector<std::uint32_t>{0, 1, 2});
    for (const auto& event : events)
        CHECK(event.outcome.code == StatusCode::Ok);
    CHECK(bench.hasTags(8, 40, 4));
    CHECK(bench.controller.unit(UnitId{0}).counters().lists == 1);
}

TEST_CASE("the next program of a die is in its channel's queue before the present one ends")
{
    Bench bench;
    putList(bench, 0,
            {pages(SuperchipOpcode::Program, 0, {1, 0}, 1, 0), pages(SuperchipOpcode::Program, 0, {1, 1}, 1, 4),
             pages(SuperchipOpcode::Program, 0, {1, 2}, 1, 8)});
    bench.head(0, descriptorAt(0));
    bench.run();
    REQUIRE(bench.sent.size() == 3);
    const Time first = bench.sent[0].at;
    const Time each = Bench::request + 200us + Bench::statusRead;
    CHECK(bench.sent[1].at < first + each);
    CHECK(bench.sent[2].at < first + 2 * each);
    // So the die never waits: three programs take three times one.
    CHECK(bench.lines.at(0).at == first + each + Bench::burst(4) + Bench::burst(16));
    CHECK(bench.now == first + 3 * each);
}

TEST_CASE("a page that is copied does not overtake the program before it, whose data is still fetched and encoded")
{
    FlashControllerConfig config = Bench::oneUnit();
    config.ecc.encodeLatency = 20us;
    Bench bench(config);
    bench.putTags(0, 40, 4);
    bench.put(0, pages(SuperchipOpcode::Program, 0, {2, 0}, 1, 0));
    bench.head(0, descriptorAt(0));
    bench.run();
    bench.takeEvents();
    FlashDescriptor copy = descriptor(SuperchipOpcode::CopyBack, 0, 4);
    copy.sourceBlocks = 2;
    copy.sectors = 4;
    copy.startSector = 4; // page 0 of block 2 to page 1 of block 4
    putList(bench, 1, {pages(SuperchipOpcode::Program, 0, {4, 0}, 1, 0), copy});
    bench.head(0, descriptorAt(1));
    bench.run();
    for (const auto& event : bench.takeEvents())
        CHECK(event.outcome.code == StatusCode::Ok);
    REQUIRE(bench.sent.size() == 3);
    CHECK(bench.sent[1].op.opcode == nand::Opcode::Program);
    CHECK(bench.sent[2].op.opcode == nand::Opcode::CopyBack);
    CHECK(bench.sent[2].at >= bench.sent[1].at);
}

TEST_CASE("lists written to HEAD one by one overlap like the descriptors of one list")
{
    Bench bench;
    for (std::uint32_t i = 0; i < 3; ++i) {
        bench.put(i, pages(SuperchipOpcode::Program, 0, {1, i}, 1, 0));
        bench.head(0, descriptorAt(i));
    }
    bench.run();
    CHECK(bench.now == bench.sent[0].at + 3 * (Bench::request + 200us + Bench::statusRead));
    const ResourceUsage& usage = bench.controller.unit(UnitId{0}).resource().usage();
    CHECK(usage.jobs == 3);
    CHECK(usage.busy == bench.now); // the first HEAD was at time zero
}

TEST_CASE("a unit with one operation at a time fetches data only when the die is free")
{
    FlashControllerConfig config = Bench::oneUnit();
    config.unitOperations = 1;
    Bench bench(config);
    putList(bench, 0,
            {pages(SuperchipOpcode::Program, 0, {1, 0}, 1, 0), pages(SuperchipOpcode::Program, 0, {1, 1}, 1, 4)});
    bench.head(0, descriptorAt(0));
    bench.run();
    const Time done = bench.sent[0].at + Bench::request + 200us + Bench::statusRead;
    // Status and event of the first go before the data of the second, whose descriptor was fetched long before.
    CHECK(bench.sent[1].at == done + Bench::burst(4) + Bench::burst(16) + Bench::burst(2048) + 2us);
    CHECK(bench.controller.dispatcher().counters().maxUnderWay == 1);
}

TEST_CASE("a program that uses the data of the previous read waits for that read")
{
    Bench bench(unitsAndDies(1, 2));
    bench.putTags(0, 600, 4);
    putList(bench, 0,
            {pages(SuperchipOpcode::Program, 0, {1, 0}, 1, 0), pages(SuperchipOpcode::Read, 0, {1, 0}, 1, 16),
             pages(SuperchipOpcode::Program, 0, {2, 0}, 1, 16), pages(SuperchipOpcode::Read, 0, {2, 0}, 1, 32)});
    bench.head(0, descriptorAt(0));
    bench.run();
    CHECK(bench.hasTags(32, 600, 4));
}

TEST_CASE("descriptors for different dies do not overlap within a unit")
{
    Bench bench(unitsAndDies(1, 2));
    putList(bench, 0, {descriptor(SuperchipOpcode::Erase, 0, 1), pages(SuperchipOpcode::Read, 1, {1, 0}, 1, 0)});
    bench.head(0, descriptorAt(0));
    bench.run();
    CHECK(cookies(bench.takeEvents()) == std::vector<std::uint32_t>{0, 1});
    CHECK(bench.sent[1].at == bench.sent[0].at + Bench::request + 2ms + Bench::statusRead);
}

TEST_CASE("units work side by side")
{
    Bench bench(unitsAndDies(2, 2));
    bench.put(0, descriptor(SuperchipOpcode::Erase, 0, 1));
    bench.put(1, pages(SuperchipOpcode::Read, 1, {1, 0}, 1, 0));
    bench.head(0, descriptorAt(0));
    bench.head(1, descriptorAt(1));
    bench.run();
    const auto events = bench.takeEvents();
    REQUIRE(events.size() == 2);
    CHECK(events[0].unit == 1); // the read is done long before the erase
    CHECK(events[1].unit == 0);
    CHECK(bench.controller.dispatcher().counters().dieUsedByAnotherUnit == 0);
}

TEST_CASE("two units on one die are counted as conflicting")
{
    Bench bench(unitsAndDies(2, 1));
    for (std::uint32_t unit = 0; unit < 2; ++unit) {
        bench.put(unit, pages(SuperchipOpcode::Read, 0, {1, 0}, 1, unit * 4));
        bench.head(unit, descriptorAt(unit));
    }
    bench.run();
    CHECK(bench.takeEvents().size() == 2);
    CHECK(bench.controller.dispatcher().counters().dieUsedByAnotherUnit == 1);
}

TEST_CASE("a list continues after a descriptor that failed or is malformed")
{
    Bench bench;
    FlashDescriptor malformed = pages(SuperchipOpcode::Read, 0, {1, 0}, 1, 0);
    malformed.sectors = 0;
    malformed.report = false;
    putList(bench, 0,
            {malformed, pages(SuperchipOpcode::Read, 0, {9, 0}, 1, 0), pages(SuperchipOpcode::Read, 0, {1, 0}, 1, 0)});
    bench.head(0, descriptorAt(0));
    bench.run();
    const auto events = bench.takeEvents();
    REQUIRE(events.size() == 3);
    CHECK(events[0].outcome.code == StatusCode::Malformed);
    CHECK(events[1].outcome.code == StatusCode::Illegal);
    CHECK(events[2].outcome.code == StatusCode::Ok);
    CHECK(bench.outcome(0).code == StatusCode::Malformed);
    CHECK(bench.controller.failures().first().at(0).malformed == MalformedReason::ZeroSectors);
    CHECK(bench.controller.isIdle());
}

TEST_CASE("a descriptor that cannot be read ends its list and is reported with its address")
{
    struct Case {
        BusAddress address;
        MalformedReason reason;
    };
    const Case bad = GENERATE(Case{descriptorsAt + 32, MalformedReason::DescriptorAddress},
                              Case{BusAddress{0}, MalformedReason::DescriptorAddress},
                              Case{BusAddress{0x40000000}, MalformedReason::DescriptorOutsideMemory},
                              Case{dataBuffer.base, MalformedReason::DescriptorOutsideMemory});
    Bench bench;
    bench.put(0, pages(SuperchipOpcode::Read, 0, {1, 0}, 1, 0));
    bench.head(0, bad.address);
    bench.head(0, descriptorAt(0)); // the next list is not touched by it
    bench.run();
    const auto events = bench.takeEvents();
    REQUIRE(events.size() == 2);
    CHECK(events[0].outcome.code == StatusCode::Malformed);
    CHECK(events[0].descriptor == bad.address);
    CHECK(events[1].outcome.code == StatusCode::Ok);
    CHECK(bench.controller.failures().first().at(0).malformed == bad.reason);
    CHECK(bench.controller.unit(UnitId{0}).counters().lists == 2);
    CHECK(bench.controller.unit(UnitId{0}).counters().descriptors[0] == 1);
}

TEST_CASE("block lists and spare records outside control memory make a descriptor malformed")
{
    Bench bench;
    FlashDescriptor noBlocks = pages(SuperchipOpcode::Read, 0, {1, 0}, 1, 0);
    noBlocks.inlineBlocks = false;
    noBlocks.blocks = 0x40000000;
    FlashDescriptor noSpareToProgram = pages(SuperchipOpcode::Program, 0, {1, 0}, 1, 0);
    noSpareToProgram.spareAddress = BusAddress{0x40000000};
    FlashDescriptor noSpareToRead = pages(SuperchipOpcode::Read, 0, {1, 0}, 1, 0);
    noSpareToRead.spareAddress = BusAddress{0x40000000};
    putList(bench, 0, {noBlocks, noSpareToProgram, noSpareToRead});
    bench.head(0, descriptorAt(0));
    bench.run();
    const auto& failures = bench.controller.failures().first();
    REQUIRE(failures.size() == 3);
    CHECK(failures[0].malformed == MalformedReason::BlocksOutsideMemory);
    CHECK(failures[1].malformed == MalformedReason::SpareOutsideMemory);
    CHECK(failures[2].malformed == MalformedReason::SpareOutsideMemory);
    for (std::uint32_t i = 0; i < 3; ++i)
        CHECK(bench.outcome(i).code == StatusCode::Malformed);
    CHECK(bench.dies[0]->counters().array.programs == 0);
    CHECK(bench.controller.isIdle());
}

TEST_CASE("block numbers come from a list in memory if they are not inline")
{
    Bench bench;
    FlashDescriptor copy = descriptor(SuperchipOpcode::CopyBack, 0, raw(listsAt));
    copy.inlineBlocks = false;
    copy.sourceBlocks = raw(listsAt) + 4;
    copy.sectors = 4;
    bench.putWords(listsAt, std::array<std::uint32_t, 2>{4, 2});
    bench.put(0, copy);
    bench.head(0, descriptorAt(0));
    bench.run();
    REQUIRE(bench.sent.size() == 1);
    CHECK(bench.sent[0].op.target.block == 4);
    CHECK(bench.sent[0].op.source.block == 2);
    CHECK(bench.sent[0].at == Bench::burst(64) + 2 * Bench::burst(4));
}

TEST_CASE("reads of other planes are reported when they are done, if the dies read independently by plane")
{
    const auto isIndependent = GENERATE(false, true);
    FlashControllerConfig config = Bench::oneUnit();
    config.unitOperations = 4;
    config.hasPlaneReads = isIndependent;
    nand::Part part = benchPart();
    part.planeIndependentReads = true;
    part.pageTypes = {{"fast", 20us, {}}, {"slow", 80us, {}}};
    Bench bench(config, part);
    const std::array<nand::PageAddress, 3> targets{{{2, 1}, {3, 0}, {5, 0}}}; // slow; twice the other plane
    for (std::uint32_t i = 0; i < targets.size(); ++i) {
        FlashDescriptor read = pages(SuperchipOpcode::Read, 0, targets[i], 1, 4 * i);
        read.cookie = i;
        bench.put(i, read);
        bench.head(0, descriptorAt(i));
    }
    bench.run();
    CHECK(bench.dies[0]->counters().planeReads.overlapped == 2);
    CHECK(cookies(bench.takeEvents()) ==
          (isIndependent ? std::vector<std::uint32_t>{1, 2, 0} : std::vector<std::uint32_t>{0, 1, 2}));
    CHECK(bench.controller.unit(UnitId{0}).counters().lists == 3);
    CHECK_FALSE(bench.controller.unit(UnitId{0}).isBusy());
}

TEST_CASE("a descriptor that firmware changes while it is in execution is done as it was fetched, and counted")
{
    for (const std::uint32_t word : {0U, 3U, 9U, 11U, 12U}) { // NEXT, START_SECTOR, SPARE_ADDRESS; COOKIE, SPARE0
        Bench bench;
        bench.putTags(0, 40, 4);
        putList(bench, 0, {pages(SuperchipOpcode::Program, 0, {1, 0}, 1, 0)});
        bench.head(0, descriptorAt(0));
        bench.run(50us);
        DescriptorWords words = bench.descriptorWords(0);
        words[word] ^= 0x40;
        bench.putWords(descriptorAt(0), words);
        bench.run();
        CHECK(bench.outcome(0).code == StatusCode::Ok);
        CHECK(bench.controller.failures().count(FailureKind::DescriptorChanged) == (word < 10 ? 1 : 0));
    }
}
