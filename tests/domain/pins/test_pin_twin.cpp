// SPDX-License-Identifier: Apache-2.0
//
// The twin and the bus schedule share only their parameters; their lengths must agree.
#include "models/base/check.h"
#include "pin_helpers.h"
#include "tests/support/sanitizers.h"

using namespace strobe;
using namespace strobe::pins;
using namespace strobe::pins::test;

namespace {

// Both as "label start length", where zero lengths do not count.
std::vector<std::string> sequence(const channel::BusSchedule& schedule, const nand::Operation& op)
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
std::vector<std::string> sequence(const Waveform& waveform)
{
    std::vector<std::string> lines;
    for (const Stretch& s : waveform.stretches())
        lines.push_back(s.label + " " + std::to_string(s.start.count()) + " " + std::to_string(s.length().count()) +
                        (s.onBus ? " bus" : " die"));
    return lines;
}

// Of one operation, pins against transactions.
struct Comparison {
    const channel::BusSchedule& schedule;
    const PinTwin& twin;

    void check(const nand::Operation& op) const
    {
        INFO(schedule.timing().name << " " << schedule.part().name << " " << enumName(op.opcode) << " "
                                    << enumName(op.form) << " " << op.sectors << " sectors, replaced " << op.replaced);
        CHECK(sequence(replayOf(twin, op)) == sequence(schedule, op));
        Waveform scratch(twin.model().signalling);
        const bool isCopyIn = op.form == nand::Form::CopyIn;
        CHECK(twin.request(scratch, op, {}).end == (isCopyIn ? schedule.copyInTime(op) : schedule.requestTime(op)));
        CHECK(twin.response(scratch, op, {}).end == schedule.responseTime(op));
    }
};

} // namespace

TEST_CASE("each segment of each operation in each form is as long as the bus schedule says, to the picosecond")
{
    std::vector<nand::Part> all = parts();
    all.push_back(versatilePart());
    all.push_back(phaseChangePart());
    std::size_t first = 0; // under sanitizers every sixteenth part, another one for each interface
    for (const InterfaceTiming& timing : allInterfaces()) {
        for (std::size_t i = strobe::test::isSanitized ? first++ % 16 : 0; i < all.size();
             i += strobe::test::isSanitized ? 16 : 1) {
            const nand::Part& part = all[i];
            const channel::BusSchedule schedule(timing, part);
            const PinTwin twin = twinOf(timing, part);
            const Comparison alike{schedule, twin};
            for (const Sequence& row : sequences()) {
                if (part.isOverwritable() && row.opcode == Opcode::CopyBack)
                    continue; // there is no such command
                nand::Operation op = operation(row.opcode);
                op.form = row.form;
                op.target.page = 1;
                alike.check(op);
                op.pslc = part.geometry.hasPslc() && row.opcode <= Opcode::CopyBack;
                if (op.pslc)
                    alike.check(op);
                op.pslc = false;
                if (row.opcode == Opcode::Read || row.opcode == Opcode::Program) {
                    for (const std::uint32_t sectors : {1U, part.geometry.sectorsPerPage()}) {
                        op.sectors = sectors;
                        alike.check(op);
                    }
                }
                if (row.form == nand::Form::CopyIn) {
                    for (const std::uint64_t replaced : {0b001U, 0b110U, 0b101U}) {
                        op.replaced = replaced;
                        op.replacesSpare = replaced != 0b110;
                        alike.check(op);
                    }
                }
            }
        }
    }
}

TEST_CASE("without status reads a response is as long as the bus schedule says: nothing or data")
{
    for (InterfaceTiming timing : allInterfaces()) {
        timing.statusAfterArray = false;
        const channel::BusSchedule schedule(timing, versatilePart());
        const PinTwin twin = twinOf(timing, versatilePart());
        for (const Sequence& row : sequences()) {
            nand::Operation op = operation(row.opcode, row.opcode == Opcode::Read ? 1 : 0);
            op.form = row.form;
            Comparison{schedule, twin}.check(op);
            Waveform scratch(twin.model().signalling);
            CHECK((twin.response(scratch, op, {}).end == Time{}) == (row.isPolled || row.response.empty()));
        }
    }
}

TEST_CASE("twin and bus schedule have the same forms of the same opcodes")
{
    const nand::Part part = parts()[0];
    const channel::BusSchedule schedule(interfaceNamed("CONV"), part);
    const PinTwin twin = twinOf(interfaceNamed("CONV"), part);
    std::size_t known = 0;
    for (const auto& form : nand::formTable) {
        for (const auto& opcode : nand::opcodeTable) {
            nand::Operation op = operation(opcode.value);
            op.form = form.value;
            INFO(form.name << " " << opcode.name);
            const bool isKnown = std::any_of(sequences().begin(), sequences().end(), [&](const Sequence& s) {
                return s.form == op.form && s.opcode == op.opcode;
            });
            if (isKnown) {
                CHECK(!schedule.requestSegments(op).empty());
                ++known;
            } else {
                CHECK_THROWS_AS(schedule.requestSegments(op), InternalError);
                CHECK_THROWS_AS(replayOf(twin, op), InternalError);
            }
        }
    }
    CHECK(known == sequences().size());
}

TEST_CASE("3Fh, which ends a cache read, is as long as the bus schedule says")
{
    for (const InterfaceTiming& timing : interfaces()) {
        const nand::Part part = versatilePart();
        const channel::BusSchedule schedule(timing, part);
        const PinTwin twin = twinOf(timing, part);
        Waveform scratch(twin.model().signalling);
        const Time end = twin.cacheEnd(scratch, {}).end;
        INFO(timing.name);
        CHECK(end == schedule.cacheEndTime());
        for (const Time arrayEnd : {Time{}, end + 10us})
            CHECK(std::max(twin.cacheEndReady(end, arrayEnd), end + timing.tWB) + timing.tRR ==
                  schedule.cacheEndPossible(end, arrayEnd));
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
            CHECK(sequence(replayOf(twin, op)) == sequence(schedule, op));
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

TEST_CASE("a length in bytes replaces that of the sectors")
{
    const PinTwin twin = twinOf(interfaceNamed("CONV"), parts()[0]);
    const Waveform waveform = replayOf(twin, operation(Opcode::Read, 4), 3);
    CHECK(stretchOf(waveform, "data out").length() == picoseconds(3 * 19'814));
    CHECK(stretchOf(waveform, "data out").rule == "3 tRC");
    CHECK(edgesOf(waveform, Pin::Read, 0).size() == 3);
}

TEST_CASE("a die without a data strobe has RE#, a die with one has DVS")
{
    const nand::Part part = parts()[0];
    const Waveform old = replayOf(twinOf(interfaceNamed("CONV"), part), operation(Opcode::Read, 1), 4);
    CHECK(old.nameOf({Pin::Read}) == "RE#");
    CHECK(old.nameOf({Pin::Write}) == "WE#");
    CHECK(edgesOf(old, Pin::Read, highImpedance).empty()); // always driven, by the controller
    CHECK(edgesOf(old, Pin::LatchClock, 1).size() == 5);   // four bytes, a cycle after RE#

    const Waveform strobed = replayOf(twinOf(interfaceNamed("PROPOSED"), part), operation(Opcode::Read, 1), 4);
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
