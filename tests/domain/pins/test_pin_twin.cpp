// SPDX-License-Identifier: Apache-2.0
//
// The twin and the bus schedule know each other's parameters only: their lengths must agree all the same.
#include "pin_helpers.h"

using namespace strobe;
using namespace strobe::pins;
using namespace strobe::pins::test;

namespace {

// Both as "label start length", where zero lengths do not count.
std::vector<std::string> story(const channel::BusSchedule& schedule, const nand::Operation& op)
{
    std::vector<std::string> lines;
    Time at{};
    for (const channel::Segment& s : schedule.segments(op)) {
        if (s.duration > Time{})
            lines.push_back(std::string(s.label) + " " + std::to_string(at.count()) + " " +
                            std::to_string(s.duration.count()) + (s.onBus ? " bus" : " die"));
        at += s.duration;
    }
    return lines;
}
std::vector<std::string> story(const Waveform& waveform)
{
    std::vector<std::string> lines;
    for (const Stretch& s : waveform.stretches())
        lines.push_back(s.label + " " + std::to_string(s.start.count()) + " " + std::to_string(s.length().count()) +
                        (s.onBus ? " bus" : " die"));
    return lines;
}

} // namespace

TEST_CASE("each segment of each operation is as long as the bus schedule says, to the picosecond")
{
    for (InterfaceTiming timing : interfaces()) {
        for (const nand::Part& part : parts()) {
            for (const bool status : {true, false}) {
                timing.statusAfterArray = status;
                const channel::BusSchedule schedule(timing, part);
                const PinTwin twin = twinOf(timing, part);
                for (const auto& row : nand::opcodeTable) {
                    if (!PinTwin::knows(row.value))
                        continue;
                    for (const std::uint32_t sectors : {0U, 1U, part.geometry.sectorsPerPage()}) {
                        const nand::Operation op = operation(row.value, sectors);
                        INFO(timing.name << " " << part.name << " " << row.name << " " << sectors << " sectors");
                        const Waveform waveform = twin.replay(op);
                        CHECK(story(waveform) == story(schedule, op));
                        Waveform scratch(twin.model().signalling);
                        CHECK(twin.request(scratch, op, {}).end == schedule.requestTime(op));
                        CHECK(twin.response(scratch, op, {}).end == schedule.responseTime(op));
                    }
                }
            }
        }
    }
}

TEST_CASE("data out with an operation's own clock is as long as the bus schedule says")
{
    for (const nand::Part& part : parts()) {
        const InterfaceTiming timing = interfaceNamed("CONV");
        const channel::BusSchedule schedule(timing, part);
        const PinTwin twin = twinOf(timing, part);
        for (const Opcode opcode : {Opcode::Read, Opcode::ReadId}) {
            nand::Operation op = operation(opcode, opcode == Opcode::Read ? 1 : 0);
            op.outputCycle = picoseconds(5'000);
            op.sampleAt = picoseconds(21'562);
            Waveform scratch(twin.model().signalling);
            CHECK(twin.response(scratch, op, {}).end == schedule.responseTime(op));
            CHECK(story(twin.replay(op)) == story(schedule, op));
            const auto edges = edgesOf(scratch, Pin::Read, 0);
            REQUIRE(edges.size() > 2);
            CHECK(edges[2] - edges[1] == picoseconds(5'000));
        }
    }
}

TEST_CASE("odd periods and odd lengths lose no picosecond at double data rate")
{
    InterfaceTiming timing = interfaceNamed("PROPOSED");
    nand::Part part = parts()[0];
    part.geometry.spareBytes = 5; // 517 bytes of one sector less its share: an odd number
    for (const Time cycle : {picoseconds(12'000), picoseconds(12'345), picoseconds(2'999)}) {
        timing.cycle = cycle;
        const channel::BusSchedule schedule(timing, part);
        const PinTwin twin = twinOf(timing, part);
        for (std::uint32_t sectors = 1; sectors <= 4; ++sectors) {
            const nand::Operation op = operation(Opcode::Read, sectors);
            Waveform scratch(twin.model().signalling);
            CAPTURE(cycle.count(), sectors, schedule.dataBytes(sectors));
            CHECK(twin.response(scratch, op, {}).end == schedule.responseTime(op));
        }
    }
}

TEST_CASE("all operations of the paper have a waveform")
{
    for (const Opcode opcode : {Opcode::Read, Opcode::Program, Opcode::Erase, Opcode::CopyBack, Opcode::ReadStatus,
                                Opcode::ReadId, Opcode::Reset})
        CHECK(PinTwin::knows(opcode));
}

TEST_CASE("a length in bytes replaces that of the sectors")
{
    const PinTwin twin = twinOf(interfaceNamed("CONV"), parts()[0]);
    const Waveform waveform = twin.replay(operation(Opcode::Read, 4), 3);
    CHECK(stretchOf(waveform, "data out").length() == picoseconds(3 * 19'814));
    CHECK(stretchOf(waveform, "data out").rule == "3 tRC");
    CHECK(edgesOf(waveform, Pin::Read, 0).size() == 3);
}

TEST_CASE("a die without a data strobe has RE#, a die with one has DVS")
{
    const nand::Part part = parts()[0];
    const Waveform old = twinOf(interfaceNamed("CONV"), part).replay(operation(Opcode::Read, 1), 4);
    CHECK(old.nameOf({Pin::Read}) == "RE#");
    CHECK(old.nameOf({Pin::Write}) == "WE#");
    CHECK(edgesOf(old, Pin::Read, highImpedance).empty()); // always driven, by the controller
    CHECK(edgesOf(old, Pin::LatchClock, 1).size() == 5);   // four bytes, a cycle behind RE#

    const Waveform strobed = twinOf(interfaceNamed("PROPOSED"), part).replay(operation(Opcode::Read, 1), 4);
    CHECK(strobed.nameOf({Pin::Read}) == "DVS");
    CHECK(strobed.nameOf({Pin::Write}) == "RWEB");
    CHECK(strobed.levelAt({Pin::Read}, {}) == highImpedance); // the die's, while it sends
    CHECK(edgesOf(strobed, Pin::LatchClock, 1).empty());
}

TEST_CASE("interfaces are known by name, others by their data rate")
{
    CHECK(signallingOf(interfaceNamed("ONFI_SDR_5")) == Signalling::Conventional);
    CHECK(signallingOf(interfaceNamed("SYNC_ONLY")) == Signalling::DataValidStrobe);
    CHECK(signallingOf(interfaceNamed("NV_DDR_3")) == Signalling::SourceSynchronous);
    CHECK(signallingOf(interfaceNamed("NV_DDR2_3")) == Signalling::DataStrobe);
    InterfaceTiming other;
    other.name = "home-made";
    CHECK(signallingOf(other) == Signalling::Conventional);
    other.bytesPerCycle = 2;
    CHECK(signallingOf(other) == Signalling::DataStrobe);
}
