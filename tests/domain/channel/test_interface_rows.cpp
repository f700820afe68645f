// SPDX-License-Identifier: Apache-2.0
#include "models/base/check.h"
#include "models/channel/bus_schedule.h"
#include "models/channel/interface_rows.h"
#include "tests/domain/channel/parts.h"
#include "tests/support/catch.h"

#include <algorithm>
#include <set>

using namespace strobe;
using namespace strobe::channel;
using namespace strobe::channel::test;
using nand::Opcode;

namespace {

const InterfaceTiming& row(const char* name)
{
    const InterfaceRow* found = findInterface(name);
    REQUIRE(found != nullptr);
    return found->timing;
}

Time unloaded(const BusSchedule& schedule, Opcode opcode)
{
    Time total{};
    for (const Segment& s : schedule.segments(operation(opcode, schedule.part().geometry.sectorsPerPage())))
        total += s.duration;
    return total;
}

} // namespace

TEST_CASE("the modes of ONFI exist by name, each once, with their sources")
{
    const auto names = interfaceNames();
    CHECK(std::set<std::string>(names.begin(), names.end()).size() == names.size());
    CHECK(names.size() == 3 + 6 + 6 + 11 + 20 + 17);
    for (const char* name : {"CONV", "PROPOSED", "ONFI_SDR_0", "NV_DDR_5", "NV_DDR2_8", "NV_DDR3_15", "NV_LPDDR4_19"})
        CHECK(std::count(names.begin(), names.end(), name) == 1);
    for (const InterfaceRow& r : interfaceRows()) {
        INFO(r.timing.name);
        CHECK_FALSE(r.source.empty());
        CHECK_FALSE(r.help.empty());
        CHECK(r.isConfirmed() == (r.timing.name.rfind("ONFI_SDR", 0) == 0));
    }
    CHECK(findInterface("CONV") == nullptr); // computed, not a row
    CHECK(findInterface("ONFI_SDR_6") == nullptr);
}

TEST_CASE("a mode never has a slower data clock than the mode before it")
{
    const auto& rows = interfaceRows();
    for (std::size_t i = 1; i < rows.size(); ++i) {
        const auto family = [](const InterfaceRow& r) { return r.timing.name.substr(0, r.timing.name.rfind('_')); };
        if (family(rows[i]) != family(rows[i - 1]))
            continue;
        INFO(rows[i].timing.name);
        CHECK(rows[i].timing.outCycle() < rows[i - 1].timing.outCycle());
        CHECK(rows[i].timing.inCycle() < rows[i - 1].timing.inCycle());
    }
}

TEST_CASE("data rates of the modes, in bytes per microsecond")
{
    struct Rate {
        const char* name;
        double out;
    };
    const Rate rates[] = {{"ONFI_SDR_0", 10},   {"ONFI_SDR_4", 40},     {"ONFI_SDR_5", 50},      {"NV_DDR_0", 40},
                          {"NV_DDR_4", 166.67}, {"NV_DDR_5", 200},      {"NV_DDR2_4", 200},      {"NV_DDR2_7", 400},
                          {"NV_DDR2_8", 533.3}, {"NV_DDR2_10", 800},    {"NV_DDR3_12", 1200},    {"NV_DDR3_15", 1600},
                          {"NV_DDR3_19", 2400}, {"NV_LPDDR4_17", 2000}, {"NV_LPDDR4_3600", 3600}};
    for (const Rate& rate : rates) {
        INFO(rate.name);
        const InterfaceTiming& t = row(rate.name);
        CHECK(1e6 * t.bytesPerCycle / static_cast<double>(t.outCycle().count()) == Approx(rate.out).epsilon(0.001));
    }
}

TEST_CASE("ONFI SDR mode 1 writes faster than it reads")
{
    const nand::Part part = parts()[0]; // 2,112 bytes, four address cycles
    const BusSchedule schedule(row("ONFI_SDR_1"), part);
    CHECK(schedule.dataInTime(2112) == 2112 * 45ns);
    CHECK(schedule.dataOutTime(2112) == 2112 * 50ns);
    CHECK(unloaded(schedule, Opcode::Read) == 35ns + 6 * 45ns + part.times.tR + 20ns + 35ns + 2112 * 50ns);
    CHECK(unloaded(schedule, Opcode::Program) ==
          35ns + 6 * 45ns + 400ns + 2112 * 45ns + part.times.tPROG + 35ns + 45ns + 80ns + 50ns);
}

TEST_CASE("NV-DDR pays tCAD for commands, half a clock for a byte, and the edges of its strobe")
{
    const nand::Part part = parts()[1]; // 4,224 bytes, five address cycles
    const BusSchedule schedule(row("NV_DDR_3"), part);
    const Time in = 15ns + 2112 * 15ns + picoseconds(22'500);
    const Time out = 25ns + 2112 * 15ns;
    CHECK(unloaded(schedule, Opcode::Read) == 15ns + 7 * 45ns + part.times.tR + 20ns + 15ns + out);
    CHECK(unloaded(schedule, Opcode::Program) ==
          15ns + 7 * 45ns + 400ns + in + part.times.tPROG + 15ns + 45ns + 80ns + 25ns + 15ns);
    CHECK(unloaded(schedule, Opcode::Erase) == 15ns + 5 * 45ns + part.times.tBERS + 15ns + 45ns + 80ns + 25ns + 15ns);
}

TEST_CASE("NV-DDR2 mode 8 moves a page at 533 MT/s, exact to the picosecond")
{
    const nand::Part part = parts()[3]; // 8,640 bytes
    const BusSchedule schedule(row("NV_DDR2_8"), part);
    CHECK(schedule.dataOutTime(8640) == 30ns + picoseconds(4320 * 3750));
    CHECK(schedule.dataInTime(8640) == picoseconds(4320 * 3750) + 21ns);
    CHECK(schedule.dataInTime(0) == 0ns); // no data, no strobe
}

TEST_CASE("NV-LPDDR4 mode 19 moves a page at 2,400 MT/s after the waits of its table")
{
    const nand::Part part = parts()[3]; // 8,640 bytes
    const BusSchedule schedule(row("NV_LPDDR4_19"), part);
    CHECK(schedule.dataOutTime(8640) == 30ns + picoseconds(4320 * 833));
    CHECK(schedule.timing().tADL == 400ns);
    CHECK(schedule.timing().cycle == 25ns); // commands at every data rate
}

TEST_CASE("warm-up cycles are added once to each run of data, not to status bytes")
{
    const nand::Part part = parts()[3];
    InterfaceTiming timing = row("NV_DDR3_15");
    const BusSchedule cold(timing, part);
    timing.warmUpIn = 2;
    timing.warmUpOut = 4;
    const BusSchedule schedule(timing, part);
    const Time clock = picoseconds(1250);
    CHECK(schedule.dataInTime(8640) == cold.dataInTime(8640) + 2 * clock);
    CHECK(schedule.dataOutTime(8640) == cold.dataOutTime(8640) + 4 * clock);
    CHECK(schedule.dataOutTime(0) == 0ns);
    CHECK(schedule.dataOutTime(2, 10ns) == 30ns + 4 * 10ns + 10ns); // at a clock of the operation's own
    CHECK(unloaded(schedule, Opcode::Read) == unloaded(cold, Opcode::Read) + 4 * clock);
    CHECK(unloaded(schedule, Opcode::Program) == unloaded(cold, Opcode::Program) + 2 * clock);
    CHECK(unloaded(schedule, Opcode::Erase) == unloaded(cold, Opcode::Erase));
    for (const Opcode opcode : {Opcode::Read, Opcode::Program, Opcode::ReadId}) {
        const auto op = operation(opcode, part.geometry.sectorsPerPage());
        Time bus{};
        for (const Segment& s : schedule.segments(op))
            bus += s.onBus ? s.duration : Time{};
        CHECK(bus == schedule.requestTime(op) + schedule.responseTime(op));
    }
}

TEST_CASE("for every interface the segments on the bus are request and response")
{
    for (const InterfaceRow& r : interfaceRows()) {
        for (const nand::Part& part : parts()) {
            const BusSchedule schedule(r.timing, part);
            for (const auto& opcode : nand::opcodeTable) {
                const auto op = operation(opcode.value, part.geometry.sectorsPerPage());
                Time bus{};
                for (const Segment& s : schedule.segments(op)) {
                    bus += s.onBus ? s.duration : Time{};
                    CHECK(s.duration > Time{});
                }
                INFO(r.timing.name << " " << part.name << " " << opcode.name);
                CHECK(bus == schedule.requestTime(op) + schedule.responseTime(op));
            }
        }
    }
}

TEST_CASE("a slower clock stretches the cycles that are shorter than it")
{
    const InterfaceTiming slow = atPeriod(row("NV_DDR_5"), 20ns);
    CHECK(slow.inCycle() == 20ns);
    CHECK(slow.outCycle() == 20ns);
    CHECK(slow.cycle == 45ns);
    const InterfaceTiming asymmetric = atPeriod(row("ONFI_SDR_1"), 45ns);
    CHECK(asymmetric.outCycle() == 50ns);
    CHECK(asymmetric.cycle == 45ns);
    CHECK(shortestCycle(row("ONFI_SDR_1")) == 45ns);
    CHECK_THROWS_AS(atPeriod(row("NV_DDR_5"), picoseconds(9'999)), InternalError);
}
