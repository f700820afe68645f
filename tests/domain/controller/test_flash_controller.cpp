// SPDX-License-Identifier: Apache-2.0
//
// Registers, doorbells, event ring and interrupt line.
#include "models/base/config_error.h"
#include "tests/domain/controller/controller_bench.h"

#include <string>

using namespace strobe;
using namespace strobe::controller;
using namespace strobe::controller::test;

namespace {

FlashDescriptor aRead()
{
    return pages(SuperchipOpcode::Read, 0, {1, 0}, 1, 0);
}

std::uint64_t counted(const Dispatcher& dispatcher, nand::Purpose purpose, nand::Opcode opcode)
{
    return dispatcher.counters().operations[static_cast<std::size_t>(purpose)][static_cast<std::size_t>(opcode)];
}

std::string configError(FlashControllerConfig config)
{
    try {
        Bench bench(config);
    } catch (const ConfigError& error) {
        return error.what();
    }
    return "";
}

} // namespace

TEST_CASE("a foreground unit comes after the background units and its operations have priority")
{
    FlashControllerConfig config = Bench::oneUnit();
    config.units = 2;
    CHECK(Bench(config).read(regs::flash::FOREGROUND) == 0);
    config.hasForeground = true;
    Bench bench(config);
    CHECK(bench.read(regs::flash::UNITS) == 2);
    CHECK(bench.read(regs::flash::FOREGROUND) == 2);
    for (std::uint32_t unit = 0; unit < 3; ++unit) {
        bench.put(unit, pages(SuperchipOpcode::Read, 0, {0, 0}, 1, 0));
        bench.head(unit, descriptorAt(unit));
    }
    bench.run();
    REQUIRE(bench.sent.size() == 3);
    CHECK(bench.sent[0].op.priority == nand::Priority::Background);
    CHECK(bench.sent[1].op.priority == nand::Priority::Background);
    CHECK(bench.sent[2].op.priority == nand::Priority::Foreground);
    CHECK(bench.takeEvents().at(2).unit == 2);
    config.units = 4096;
    CHECK_THROWS_AS(Bench(config), ConfigError);
}

TEST_CASE("firmware finds units, depth and degrees in the registers")
{
    FlashControllerConfig config;
    config.units = 3;
    config.unitDepth = 7;
    config.array = {4, 2, 1};
    config.superchip = {4, 2};
    Bench bench(config);
    CHECK(bench.read(regs::flash::UNITS) == 3);
    CHECK(bench.read(regs::flash::UNIT_DEPTH) == 7);
    CHECK(bench.read(regs::flash::SUPERCHIP) == 0x0204);
}

TEST_CASE("registers after the last unit do not exist")
{
    Bench bench;
    std::uint32_t value = 0;
    CHECK(bench.controller.readRegister(regs::flash::UNIT_STATUS, value, bench.now) == Access::Ok);
    CHECK(bench.controller.readRegister(regs::flash::UNIT_STATUS + 8, value, bench.now) == Access::Unmapped);
    CHECK(bench.controller.writeRegister(regs::flash::UNIT_HEAD + 8, 64, bench.now, bench.now) == Access::Unmapped);
    CHECK(bench.controller.writeRegister(regs::flash::UNIT_HEAD + 2, 64, bench.now, bench.now) == Access::Misaligned);
    CHECK(bench.controller.isIdle());
}

TEST_CASE("a doorbell takes effect at the time of its write, not before")
{
    Bench bench;
    bench.put(0, aRead());
    bench.head(0, descriptorAt(0), 5us);
    CHECK(bench.controller.nextTime() == 5us);
    CHECK(bench.read(regs::flash::UNIT_STATUS) == 0);
    bench.run();
    CHECK(bench.lines.at(0).at == 5us + Bench::readTime());
    CHECK(bench.bursts.at(0).at == 5us);
}

TEST_CASE("the status register shows the list that is executed and those that wait")
{
    Bench bench;
    bench.put(0, aRead());
    bench.head(0, descriptorAt(0));
    CHECK(bench.read(regs::flash::UNIT_STATUS) == 0x001);
    bench.head(0, descriptorAt(0));
    bench.head(0, descriptorAt(0));
    CHECK(bench.read(regs::flash::UNIT_STATUS) == 0x201);
    bench.run();
    CHECK(bench.read(regs::flash::UNIT_STATUS) == 0);
    CHECK(bench.controller.unit(UnitId{0}).maxWaitingLists() == 2);
}

TEST_CASE("a list beyond the depth of a unit is refused, counted and noted")
{
    FlashControllerConfig config = Bench::oneUnit();
    config.unitDepth = 2;
    Bench bench(config);
    bench.put(0, aRead());
    for (int i = 0; i < 4; ++i)
        bench.head(0, descriptorAt(0));
    bench.run();
    CHECK(bench.takeEvents().size() == 3); // one executed, two waiting
    CHECK(bench.controller.unit(UnitId{0}).counters().listsRefused == 1);
    CHECK(bench.controller.failures().count(FailureKind::ListRefused) == 1);
    CHECK(bench.controller.failures().first().at(0).descriptor == descriptorAt(0));
    bench.head(0, descriptorAt(0)); // a place is free again
    bench.run();
    CHECK(bench.takeEvents().size() == 1);
}

TEST_CASE("a unit accepts the next list as soon as firmware can see the event of one")
{
    FlashControllerConfig config = Bench::oneUnit();
    config.unitDepth = 0;
    Bench bench(config);
    bench.put(0, aRead());
    bench.put(1, aRead());
    bench.head(0, descriptorAt(0));
    while (bench.takeEvents().empty())
        bench.run(bench.now + 100ns);
    bench.head(0, descriptorAt(1));
    bench.run();
    CHECK(bench.controller.unit(UnitId{0}).counters().listsRefused == 0);
    CHECK(bench.controller.unit(UnitId{0}).counters().lists == 2);
}

TEST_CASE("the line rises when the entry is in memory and falls when firmware has taken all events")
{
    Bench bench;
    bench.put(0, aRead());
    bench.head(0, descriptorAt(0));
    bench.run();
    REQUIRE(bench.lines.size() == 1);
    bench.now = bench.lines[0].at;
    CHECK(bench.lines[0].at == bench.bursts.back().end);
    CHECK(bench.bursts.back().bytes == 16);
    CHECK(bench.read(regs::flash::RING_PRODUCER) == 1);
    CHECK(bench.takeEvents().size() == 1);
    bench.acknowledge(300ns);
    REQUIRE(bench.lines.size() == 2);
    CHECK_FALSE(bench.lines[1].asserted);
    CHECK(bench.lines[1].at == bench.now + 300ns); // a write that arrives later lets the line fall later
    CHECK(bench.read(regs::flash::RING_CONSUMER) == 1);
}

TEST_CASE("the line does not move while events remain")
{
    Bench bench;
    for (std::uint32_t i = 0; i < 2; ++i) {
        bench.put(i, aRead());
        bench.head(0, descriptorAt(i));
    }
    bench.run();
    bench.now += 1us;
    CHECK(bench.lines.size() == 1);
    bench.write(regs::flash::RING_CONSUMER, 1);
    CHECK(bench.lines.size() == 1);
    bench.write(regs::flash::RING_CONSUMER, 2);
    CHECK(bench.lines.size() == 2);
}

TEST_CASE("an event that firmware polls away before the line has risen leaves it low")
{
    Bench bench;
    bench.put(0, aRead());
    bench.head(0, descriptorAt(0));
    bench.run(); // the entry's burst is in progress now
    CHECK(bench.takeEvents().size() == 1);
    bench.acknowledge();
    REQUIRE(bench.lines.size() == 2);
    CHECK(bench.lines[1].at == bench.lines[0].at); // up and down in no time
    CHECK_FALSE(bench.lines[1].asserted);
}

TEST_CASE("a full ring holds events back until firmware takes some")
{
    FlashControllerConfig config = Bench::oneUnit();
    config.unitDepth = 40;
    Bench bench(config);
    for (std::uint32_t i = 0; i < 20; ++i) {
        FlashDescriptor read = aRead();
        read.cookie = i;
        bench.put(i, read);
        bench.head(0, descriptorAt(i));
    }
    bench.run();
    CHECK(bench.controller.ring().producer() == 16);
    CHECK(bench.controller.ring().counters().overflows == 4);
    auto events = bench.takeEvents();
    REQUIRE(events.size() == 16);
    bench.now += 1us;
    bench.acknowledge();
    CHECK(bench.lines.size() == 1); // there are more: it stays high
    const auto rest = bench.takeEvents();
    REQUIRE(rest.size() == 4);
    CHECK(rest.back().cookie == 19);
    bench.now += 1us;
    bench.acknowledge();
    CHECK(bench.lines.size() == 2);
}

TEST_CASE("an impossible ring and impossible counts are noted and change nothing")
{
    Bench bench;
    bench.write(regs::flash::RING_CONSUMER, 5);
    CHECK(bench.controller.failures().count(FailureKind::RingConsumerRefused) == 1);
    bench.write(regs::flash::RING_ENTRIES, 12);
    CHECK(bench.controller.failures().count(FailureKind::RingUnusable) == 1);
    bench.write(regs::flash::RING_BASE, 0x40000000);
    bench.write(regs::flash::RING_ENTRIES, 16);
    bench.put(0, aRead());
    bench.head(0, descriptorAt(0));
    bench.run();
    CHECK(bench.controller.failures().count(FailureKind::RingUnusable) == 2); // nothing can be written there
    CHECK(bench.controller.isIdle());
}

TEST_CASE("every operation that was sent came back, and all are counted by purpose and opcode")
{
    FlashControllerConfig config = Bench::oneUnit();
    config.units = 4;
    config.array = {2, 2, 1};
    Bench bench(config);
    for (std::uint32_t die = 0; die < 4; ++die) {
        FlashDescriptor erase = descriptor(SuperchipOpcode::Erase, die, 3);
        FlashDescriptor program = pages(SuperchipOpcode::Program, die, {3, 0}, 3, die * 16);
        erase.purpose = nand::Purpose::GarbageCollection;
        erase.next = descriptorAt(die * 2 + 1);
        bench.put(die * 2, erase);
        bench.put(die * 2 + 1, program);
        bench.head(die, descriptorAt(die * 2));
    }
    bench.run();
    const Dispatcher& dispatcher = bench.controller.dispatcher();
    CHECK(dispatcher.counters().issued == 16);
    CHECK(dispatcher.counters().finished == 16);
    CHECK(dispatcher.underWay() == 0);
    CHECK(counted(dispatcher, nand::Purpose::GarbageCollection, nand::Opcode::Erase) == 4);
    CHECK(counted(dispatcher, nand::Purpose::Host, nand::Opcode::Erase) == 0);
    CHECK(counted(dispatcher, nand::Purpose::Host, nand::Opcode::Program) == 12);
    CHECK(bench.takeEvents().size() == 8);
    bench.controller.resetCounters(bench.now);
    CHECK(dispatcher.counters().issued == 0);
    CHECK(bench.controller.unit(UnitId{0}).resource().usage().jobs == 0);
}

TEST_CASE("after a reset of the counters a list that is being executed counts for the rest of its time")
{
    Bench bench;
    bench.put(0, descriptor(SuperchipOpcode::Erase, 0, 1));
    bench.head(0, descriptorAt(0));
    bench.run(1500us);
    bench.controller.resetCounters(bench.now);
    bench.run();
    const ResourceUsage& usage = bench.controller.unit(UnitId{0}).resource().usage();
    CHECK(usage.jobs == 1);
    CHECK(usage.busy == bench.now - 1500us);
    CHECK(usage.waited == Time{});
}

TEST_CASE("the error of an impossible controller says what is allowed")
{
    FlashControllerConfig config;
    config.units = 0;
    CHECK(configError(config) == "flash controller: the number of units is 0, allowed are 1 to 4096");
    config.units = 4097;
    CHECK(configError(config) == "flash controller: the number of units is 4097, allowed are 1 to 4096");
    config = {};
    config.unitDepth = 255;
    CHECK(configError(config) == "flash controller: the depth of a unit is 255, allowed are 0 to 254");
    config = {};
    config.unitOperations = 0;
    CHECK(configError(config) ==
          "flash controller: the number of operations that a unit works on is 0, allowed are 1 to 64");
    config = {};
    config.superchip = {2, 1};
    CHECK(configError(config) == "superchip: bus-level degree 2 must divide the 1 channels");
}
