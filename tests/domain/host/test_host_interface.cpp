// SPDX-License-Identifier: Apache-2.0
//
// Commands, events and the interrupt line. Transfers and reads without firmware have files of their own.
#include "tests/domain/host/interface_bench.h"

using namespace strobe;
using namespace strobe::host;
using namespace strobe::test;
namespace reg = strobe::regs::host;

TEST_CASE("enabling the port announces the drive and its capacity once")
{
    InterfaceBench bench;
    CHECK(bench.front.readyCalls == 1);
    CHECK(bench.block.capacitySectors() == (std::uint64_t{1} << 32) + 5000);
    CHECK(bench.read(reg::SLOTS) == 32);
    bench.write(reg::CONTROL, 0);
    bench.write(reg::CONTROL, 1);
    bench.run(10us);
    CHECK(bench.front.readyCalls == 1);
}

TEST_CASE("a command becomes a record, then an event, then an interrupt")
{
    InterfaceBench bench;
    bench.block.submit({5, RequestKind::Write, true, 0x1'2345'6789, 24}, 0us);
    bench.run(500ns);
    CHECK(bench.line.empty());
    bench.run(10us);
    const std::uint32_t record = recordsAt + 5 * 32;
    CHECK(bench.memory.word(record) == (2 | 0x100)); // write, forced unit access
    CHECK(bench.memory.word(record + 4) == 0x2345'6789);
    CHECK(bench.memory.word(record + 8) == 1);
    CHECK(bench.memory.word(record + 12) == 24);
    CHECK(bench.memory.word(ringAt) == (1 | 0x8000'0000)); // command arrived, phase 1
    CHECK(bench.memory.word(ringAt + 4) == 5);
    REQUIRE(bench.memory.bursts.size() == 2);
    CHECK(bench.memory.bursts[0].length == 32);
    CHECK(bench.memory.bursts[1].length == 16);
    CHECK(bench.memory.bursts[1].at == 1us);
    CHECK(bench.line == std::vector<std::pair<bool, Time>>{{true, 2us}});
    CHECK(bench.read(reg::RING_PRODUCER) == 1);
}

TEST_CASE("kinds of commands are numbered as in the register description")
{
    InterfaceBench bench;
    std::uint16_t slot = 0;
    for (const auto& [kind, name, text] : requestKindTable) {
        bench.block.submit({slot, kind, false, 0, 8}, bench.now);
        bench.run(bench.now + 5us);
        CHECK(bench.memory.word(recordsAt + slot * 32u) == slot + 1u);
        ++slot;
    }
}

TEST_CASE("the line falls when firmware has taken all events")
{
    InterfaceBench bench;
    bench.block.submit(readCommand(0, 8), 0us);
    bench.block.submit(readCommand(1, 8), 0us);
    bench.run(5us);
    bench.write(reg::RING_CONSUMER, 1);
    bench.run(6us);
    CHECK(bench.line.size() == 1);
    bench.writeAt(reg::RING_CONSUMER, 2, 8us); // a CPU that runs ahead
    bench.run(7us);
    CHECK(bench.line.size() == 1);
    bench.run(9us);
    CHECK(bench.line == std::vector<std::pair<bool, Time>>{{true, 2us}, {false, 8us}});
}

TEST_CASE("a CPU that runs ahead reads the line as of its local time")
{
    InterfaceBench bench;
    bench.block.submit(readCommand(0, 8), 0us);
    bench.run(5us);
    bench.writeAt(reg::RING_CONSUMER, 1, 8us);
    bench.block.reportLine(7us);
    CHECK(bench.line.size() == 1);
    bench.block.reportLine(8us);
    CHECK(bench.line.back() == std::pair<bool, Time>{false, 8us});

    // A command that comes before that keeps the line from falling: it is high again from the same instant on.
    bench.block.submit(readCommand(1, 8), 5us);
    bench.run(20us);
    CHECK(bench.line == std::vector<std::pair<bool, Time>>{{true, 2us}, {false, 8us}, {true, 8us}});
    bench.writeAt(reg::RING_CONSUMER, 2, 30us);
    bench.run(29us);
    CHECK(bench.line.size() == 3);
    bench.run(30us);
    CHECK(bench.line.back() == std::pair<bool, Time>{false, 30us});
}

TEST_CASE("events that find the ring full arrive when firmware frees entries")
{
    InterfaceBench bench(2);
    for (std::uint16_t slot = 0; slot < 3; ++slot)
        bench.block.submit(readCommand(slot, 8), 0us);
    bench.run(5us);
    CHECK(bench.read(reg::RING_PRODUCER) == 2);
    CHECK(bench.block.ring().counters().overflows == 1);
    bench.write(reg::RING_CONSUMER, 2);
    bench.run(20us);
    CHECK(bench.read(reg::RING_PRODUCER) == 3);
    CHECK(bench.memory.word(ringAt) == 1); // phase 0 in the second round
    CHECK(bench.memory.word(ringAt + 4) == 2);
    CHECK(bench.line == std::vector<std::pair<bool, Time>>{{true, 2us}}); // there was always something to take
}

TEST_CASE(
    "a command waits from its event in the ring to the register write that takes it, with the place of that write")
{
    InterfaceBench bench(2);
    std::uint32_t pc = 0x100;
    bench.block.locateFirmware([&pc] { return std::optional<std::uint32_t>(pc); });
    for (std::uint16_t slot = 0; slot < 3; ++slot)
        bench.block.submit(readCommand(slot, 8u + slot), 0us);
    bench.run(5us);
    // Records end at 1 us, where the events of the first two follow, and the third finds the ring full.
    bench.writeAt(reg::RING_CONSUMER, 1, 6us);
    CHECK(bench.block.commandTimes().pickup.times == 1);
    CHECK(bench.block.commandTimes().pickup.longest == 4us);
    CHECK(bench.block.commandTimes().pickup.longestFrom == 2us);
    CHECK(bench.block.commandTimes().pickup.pc == 0x100u);
    pc = 0x200;
    bench.writeAt(reg::RING_CONSUMER, 2, 7us);
    bench.run(20us);
    bench.writeAt(reg::RING_CONSUMER, 3, 21us);
    const CommandTimes times = bench.block.commandTimes();
    CHECK(times.pickup.times == 3);
    CHECK(times.pickup.took == 4us + 5us + 19us);
    CHECK(times.pickup.longest == 19us); // due at 2 us, though put later
    CHECK(times.longestOf.slot == 2);
    CHECK(times.longestOf.sectors == 10);
    CHECK(times.pickup.pc == 0x200u);
    CHECK(bench.faults.empty());
    bench.block.resetRingCounters(21us);
    CHECK(bench.block.commandTimes().pickup.times == 0);
}

TEST_CASE("a command is handled until the register write that completes it, with the place of that write")
{
    InterfaceBench bench;
    std::uint32_t pc = 0x100;
    bench.block.locateFirmware([&pc] { return std::optional<std::uint32_t>(pc); });
    bench.block.submit(readCommand(3, 8), 0us);
    bench.run(5us);
    bench.writeAt(reg::RING_CONSUMER, 1, 6us);
    pc = 0x300;
    bench.writeAt(reg::COMPLETE, 3 | 4 << reg::COMPLETE_status_shift, 9us);
    const HandlingTimes& times = bench.block.handlingTimes();
    CHECK(times.handling.times == 1);
    CHECK(times.handling.longest == 3us);
    CHECK(times.handling.longestFrom == 6us);
    CHECK(times.handling.pc == 0x300u);
    CHECK(times.longestOf.slot == 3);
    bench.run(20us);
    CHECK(bench.faults.empty());
    bench.writeAt(reg::COMPLETE, 3, 21us); // it is not there any more
    CHECK(bench.block.handlingTimes().handling.times == 1);
}

TEST_CASE("a command is not taken by a count of events that were never put")
{
    InterfaceBench bench;
    bench.block.submit(readCommand(3, 8), 0us);
    bench.run(5us);
    bench.write(reg::RING_CONSUMER, 9);
    CHECK(bench.block.commandTimes().pickup.times == 0);
    bench.write(reg::RING_CONSUMER, 1);
    CHECK(bench.block.commandTimes().pickup.times == 1);
    bench.run(6us);
    CHECK(bench.faults.size() == 1);
}

TEST_CASE("commands that arrive while the port is disabled are held")
{
    InterfaceBench bench;
    bench.write(reg::CONTROL, 0);
    bench.run(1us);
    bench.block.submit(readCommand(0, 8), 1us);
    bench.run(10us);
    CHECK(bench.line.empty());
    bench.write(reg::CONTROL, 1);
    bench.run(20us);
    CHECK(bench.line == std::vector<std::pair<bool, Time>>{{true, 12us}});
}

TEST_CASE("a port that is enabled without a capacity stays disabled")
{
    InterfaceBench bench;
    bench.write(reg::CONTROL, 0);
    bench.write(reg::CAPACITY_LO, 0);
    bench.write(reg::CAPACITY_HI, 0);
    bench.write(reg::CONTROL, 1);
    bench.run(1us);
    CHECK(bench.faults ==
          std::vector<std::string>{"the port is enabled with a capacity of 0 sectors: it stays disabled"});
    CHECK_FALSE(bench.block.isEnabled());
    bench.block.submit(readCommand(8, 8), 1us);
    bench.run(10us);
    CHECK(bench.block.holds(RequestKind::Read, readCommand(8, 8).lba));
    CHECK(bench.line.empty());
    bench.write(reg::CAPACITY_LO, 5000);
    bench.write(reg::CONTROL, 1);
    bench.run(20us);
    CHECK(bench.block.isEnabled());
    CHECK(bench.line.size() == 1);
}

TEST_CASE("a wrong ring set-up and events that were never put are faults")
{
    InterfaceBench bench;
    bench.write(reg::RING_CONSUMER, 3);
    bench.write(reg::RING_ENTRIES, 12);
    bench.run(1us);
    REQUIRE(bench.faults.size() == 2);
    CHECK(bench.faults[0] == "RING_ENTRIES: 12 entries at 8192 are no power of two or not word-aligned");
    CHECK(bench.faults[1] == "RING_CONSUMER: 3 events taken, but only 0 were put");

    bench.write(reg::COMMANDS, 0x4000'0000);
    bench.block.submit(readCommand(0, 8), 1us);
    bench.run(10us);
    CHECK(bench.faults.back() == "COMMANDS: the command records are not in memory");
    bench.write(reg::COMMANDS, recordsAt + 4);
    bench.block.submit(readCommand(1, 8), 20us);
    bench.run(30us);
    CHECK(bench.faults.back() == "COMMANDS: the command records are not at a multiple of 32");
}

TEST_CASE("accesses outside the registers are refused")
{
    InterfaceBench bench;
    std::uint32_t value = 0;
    CHECK(bench.block.readRegister(0x200, value) == Access::Unmapped);
    CHECK(bench.block.writeRegister(0x2, 0, bench.now) == Access::Misaligned);
}

TEST_CASE("when the supply fails firmware gets an event, and neither side reaches the other any more")
{
    InterfaceBench bench;
    bench.block.submit(readCommand(0, 8), 0us);
    bench.run(10us);
    bench.startTransfer(0 | reg::XFER_START_to_host_mask | reg::XFER_START_notify_mask, 0, 4, bufferAt, bench.now);
    bench.run(11us);
    REQUIRE(bench.front.transfers.size() == 1);
    std::vector<Time> saved;
    bench.block.supplyFails(bench.now, [&saved](Time at) { saved.push_back(at); });
    CHECK(bench.memory.word(ringAt + 16) == (4 | 0x8000'0000));
    bench.block.transferDone(bench.front.transfers[0].handle, bench.now); // of the link, which is gone
    bench.block.submit(readCommand(1, 8), bench.now);
    bench.startTransfer(0 | reg::XFER_START_to_host_mask, 4, 4, bufferAt, bench.now);
    bench.write(reg::COMPLETE, 0);
    bench.run(20us);
    CHECK(bench.read(reg::RING_PRODUCER) == 2);
    CHECK(bench.front.transfers.size() == 1);
    CHECK(bench.front.done.empty());
    CHECK(bench.front.readyCalls == 1);
    CHECK(saved.empty());
    bench.writeAt(reg::CONTROL, reg::CONTROL_enable_mask | reg::CONTROL_saved_mask, 22us);
    bench.run(30us);
    CHECK(saved == std::vector<Time>{22us});
}

TEST_CASE("firmware says where an append is written, before its first transfer, and of no other command")
{
    InterfaceBench bench;
    bench.block.submit({3, RequestKind::Append, false, 4096, 8}, 0us);
    bench.block.submit({4, RequestKind::Write, false, 0, 8}, 0us);
    bench.run(10us);
    bench.write(reg::PLACE_SECTOR, 77);
    bench.write(reg::PLACE, 3);
    bench.run(11us);
    CHECK(bench.front.places == std::vector<std::pair<std::uint16_t, std::uint64_t>>{{3, 4096 + 77}});
    CHECK(bench.faults.empty());
    for (const std::uint32_t slot : {4U, 5U, 1000U})
        bench.write(reg::PLACE, slot);
    bench.startTransfer(3, 0, 8, bufferAt, bench.now);
    bench.run(12us);
    bench.write(reg::PLACE, 3);
    bench.run(13us);
    CHECK(bench.faults.size() == 4);
    CHECK(bench.front.places.size() == 1);
}

TEST_CASE("zones: their shape is that of the registers, their states are read from the table in memory")
{
    InterfaceBench bench;
    CHECK(bench.block.zones().sectors == 0);
    bench.write(reg::ZONE_SECTORS, 128);
    bench.write(reg::ZONE_CAPACITY, 100);
    bench.write(reg::ZONE_LIMITS, 3 | 5U << 16U);
    bench.write(reg::ZONE_TABLE, recordsAt);
    CHECK(bench.block.zones().sectors == 128);
    CHECK(bench.block.zones().capacity == 100);
    CHECK(bench.block.zones().open == 3);
    CHECK(bench.block.zones().active == 5);
    bench.block.submit({0, RequestKind::FinishZone, false, 44, 7}, 0us); // its record: 8, 44, 0, 7
    bench.run(10us);
    const HostPort::ZoneList list = bench.block.zoneStates(0, 2, bench.now);
    REQUIRE(list.zones.size() == 2);
    CHECK(list.zones[0].state == 8);
    CHECK(list.zones[0].written == 44);
    CHECK(list.zones[1].written == 7);
    CHECK(list.at > bench.now);
}
