// SPDX-License-Identifier: Apache-2.0
#include "models/base/check.h"
#include "models/pins/channel_record.h"
#include "pin_helpers.h"

using namespace strobe;
using namespace strobe::pins;
using namespace strobe::pins::test;

namespace {

// An operation as a channel leaves it, on an idle bus, from `start` on.
nand::Operation carriedOut(const channel::BusSchedule& schedule, nand::Operation op, std::uint16_t die, Time start)
{
    op.die = DieId{die};
    op.requestStart = start;
    op.requestEnd = start + schedule.requestTime(op);
    op.ready = op.requestEnd + schedule.arrayTime(op);
    op.done = schedule.responsePossible(op, op.ready) + schedule.responseTime(op);
    return op;
}

} // namespace

TEST_CASE("a channel's picture is that of its operations, each where its time stamps say")
{
    const nand::Part part = parts()[0];
    for (const char* name : {"CONV", "PROPOSED"}) {
        const InterfaceTiming timing = interfaceNamed(name);
        const channel::BusSchedule schedule(timing, part);
        const PinTwin twin = twinOf(timing, part);
        const nand::Operation op = operation(Opcode::Read, 1);
        const Time start = 7us;
        const ChannelPicture picture = drawChannel({twin}, 1, {RecordedOperation(carriedOut(schedule, op, 0, start))});
        const Waveform alone = twin.replay(op);
        INFO(name);
        REQUIRE(picture.waveform.changes().size() == alone.changes().size());
        for (std::size_t i = 0; i < alone.changes().size(); ++i) {
            const Change& change = picture.waveform.changes()[i];
            CHECK(change.at == alone.changes()[i].at + start);
            CHECK(change.level == alone.changes()[i].level);
        }
        CHECK(picture.contentions == 0);
    }
}

TEST_CASE("dies have chip enables by way and R/B# of their own")
{
    const nand::Part part = parts()[0];
    const InterfaceTiming timing = interfaceNamed("CONV");
    const channel::BusSchedule schedule(timing, part);
    const std::vector<PinTwin> twins(4, twinOf(timing, part));                         // two ways of two dies
    const nand::Operation op = carriedOut(schedule, operation(Opcode::Erase), 7, 1us); // die 3 of the second channel
    const ChannelPicture picture = drawChannel(twins, 2, {RecordedOperation(op)});
    const Waveform& w = picture.waveform;
    CHECK(w.lines().size() == 2 + 4 + 6);
    CHECK(w.identifierOf({Pin::ChipEnable, 1}) == "CE_n1");
    CHECK(w.changesOf({Pin::ChipEnable, 0}).empty());
    CHECK(w.changesOf({Pin::ChipEnable, 1}).size() == 4);
    CHECK(w.changesOf({Pin::Ready, 3}).size() == 2);
    CHECK(w.changesOf({Pin::Ready, 2}).empty());
}

TEST_CASE("a chip that is selected twice without a gap stays selected")
{
    const nand::Part part = parts()[0];
    const InterfaceTiming timing = interfaceNamed("CONV");
    const channel::BusSchedule schedule(timing, part);
    const nand::Operation first = carriedOut(schedule, operation(Opcode::Read, 1), 0, 0us);
    const nand::Operation second = carriedOut(schedule, operation(Opcode::Read, 1), 0, first.done);
    const Waveform w =
        drawChannel({twinOf(timing, part)}, 1, {RecordedOperation(first), RecordedOperation(second)}).waveform;
    // request, response and the next request, response: down, up, down (both), up
    CHECK(w.changesOf({Pin::ChipEnable, 0}).size() == 6);
    CHECK(w.levelAt({Pin::ChipEnable, 0}, first.done) == 0);
}

TEST_CASE("a bus that is driven before a die has let go of it is counted")
{
    const nand::Part part = parts()[0];
    InterfaceTiming timing = interfaceNamed("CONV");
    timing.tCS = {};
    const channel::BusSchedule schedule(timing, part);
    const nand::Operation first = carriedOut(schedule, operation(Opcode::Read, 1), 0, 0us);
    const nand::Operation second = carriedOut(schedule, operation(Opcode::Erase), 1, first.done);
    const std::vector<PinTwin> twins(2, twinOf(timing, part));
    CHECK(drawChannel(twins, 1, {RecordedOperation(first), RecordedOperation(second)}).contentions == 1);
}

TEST_CASE("time stamps that do not fit the interface are found")
{
    const nand::Part part = parts()[0];
    const channel::BusSchedule fast(interfaceNamed("PROPOSED"), part);
    const nand::Operation op = carriedOut(fast, operation(Opcode::Read, 1), 0, 0us);
    CHECK_THROWS_AS(drawChannel({twinOf(interfaceNamed("CONV"), part)}, 1, {RecordedOperation(op)}), InternalError);
}

TEST_CASE("a recorded operation keeps its bytes when their place is used again")
{
    std::vector<std::byte> buffer(512, std::byte{0xA5});
    nand::Operation op = operation(Opcode::Program, 1);
    op.data = {buffer.data(), DataMode::Bytes};
    const RecordedOperation recorded(op);
    buffer.assign(512, std::byte{0});
    CHECK(recorded.op().data.data[511] == std::byte{0xA5});
}
