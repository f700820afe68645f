// SPDX-License-Identifier: Apache-2.0
//
// Separate command lines on the pins: packets decoded from the edges of CA_CLK, and which lines a die is selected for.
#include "models/base/check.h"
#include "models/pins/channel_record.h"
#include "pin_helpers.h"
#include "tests/domain/channel/train_player.h"

using namespace strobe;
using namespace strobe::pins;
using namespace strobe::pins::test;
using channel::test::TrainPlayer;

namespace {

InterfaceTiming separate()
{
    return separateInterfaces().front(); // CA_CLK of 5 ns
}

std::string hex(std::uint32_t byte)
{
    constexpr const char* digits = "0123456789ABCDEF";
    return {digits[byte >> 4U & 15U], digits[byte & 15U]};
}

// What a die reads on CA: two bits at each edge of CA_CLK, six edges a packet: "1:00 2:10 …", header and byte.
std::string packets(const Waveform& waveform, std::size_t most)
{
    std::string text;
    std::uint32_t bits = 0;
    std::uint32_t edges = 0;
    for (const Change& change : waveform.changesOf({Pin::Write, 0})) {
        bits = bits << 2U | std::uint32_t{waveform.levelAt({Pin::AddressLatch, 0}, change.at)} << 1U |
               waveform.levelAt({Pin::CommandLatch, 0}, change.at);
        if (++edges % 6 != 0)
            continue;
        text += (text.empty() ? "" : " ") + std::to_string(bits >> 8U) + ":" + hex(bits);
        bits = 0;
        if (edges / 6 == most)
            break;
    }
    return text;
}

nand::Operation target(nand::Operation op)
{
    op.target = {1, 2};
    return op;
}

} // namespace

TEST_CASE("commands and addresses are packets of a header and a byte, and page data is between SCE and SCT")
{
    const nand::Part part = parts()[0]; // two row cycles, 64 pages a block
    const PinTwin twin = twinOf(separate(), part);
    const Waveform read = replayOf(twin, target(operation(Opcode::Read, 1)), 4);
    CHECK(packets(read, 11) == "1:00 2:00 2:00 2:42 2:00 1:30 1:05 2:00 2:00 1:E0 4:00"); // SCE, out
    CHECK(packets(read, 12).substr(packets(read, 11).size()) == " 5:00");
    const Waveform program = replayOf(twin, target(operation(Opcode::Program, 1)), 4);
    CHECK(packets(program, 10) == "1:80 2:00 2:00 2:42 2:00 1:12 4:01 5:00 1:10 1:70"); // SCE, in
}

TEST_CASE("the die latches each packet and each byte of data, and a status byte comes back on CA1")
{
    const nand::Part part = parts()[0];
    InterfaceTiming timing = separate();
    timing.dataInCycle = 20ns; // at which DQ keeps the set-up times of NV-DDR
    const PinTwin twin = twinOf(timing, part);
    nand::Operation op = target(operation(Opcode::Program, 1));
    op.statusByte = 0xC5;
    const Waveform program = replayOf(twin, op, 2);
    std::string byDie;
    std::string byController;
    for (const Capture& capture : program.captures()) {
        (capture.byDie ? byDie : byController) += hex(capture.byte) + " ";
        CHECK(capture.setUpMargin() >= Time{});
        CHECK(capture.holdMargin() >= Time{});
    }
    CHECK(byDie == "80 00 00 42 00 12 01 00 01 00 10 70 "); // SCE, two bytes of data, SCT
    CHECK(byController == "C5 ");
    const Stretch& status = stretchOf(program, "status");
    CHECK(status.length() == 20ns); // four clocks
    std::uint32_t bits = 0;
    for (const Change& change : program.changesOf({Pin::Write, 0})) {
        if (change.at >= status.start)
            bits = bits << 1U | program.levelAt({Pin::AddressLatch, 0}, change.at);
    }
    CHECK(bits == 0xC5);
}

TEST_CASE("a die is selected only while the command lines are its own, and its strobes run while it is not")
{
    const nand::Part part = parts()[0];
    const PinTwin twin = twinOf(separate(), part);
    const Waveform read = replayOf(twin, operation(Opcode::Read, 1), 6);
    const Stretch& data = stretchOf(read, "data out");
    CHECK(read.nameOf({Pin::ChipEnable, 0}) == "CA_CE#");
    CHECK(read.levelAt({Pin::ChipEnable, 0}, data.start) == 1);
    CHECK(read.levelAt({Pin::ChipEnable, 0}, stretchOf(read, "tCCS").start) == 1);
    CHECK(read.levelAt({Pin::ChipEnable, 0}, stretchOf(read, "SCE").start) == 0);
    CHECK(read.changesOf({Pin::ChipEnable, 0}).size() == 8); // request, column, SCE, SCT
    CHECK(edgesOf(read, Pin::Strobe, 1).size() >= 3);
    CHECK(read.lines().size() == 8);
}

TEST_CASE("the picture of a channel shows operations that overlap, as they were carried out")
{
    const nand::Part part = channel::test::roundPart();
    const InterfaceTiming timing = separate();
    TrainPlayer player(timing, part, 3, {});
    for (std::uint32_t die = 0; die < 3; ++die) {
        nand::Operation op = operation(die == 2 ? Opcode::Program : Opcode::Read, 1);
        player.add(die, 0ns, op);
        player.add(die, 0ns, die == 2 ? operation(Opcode::Erase) : op);
    }
    player.play();
    std::vector<RecordedOperation> recorded;
    for (const nand::Operation& op : player.operations) {
        std::vector<BusTenure> tenures;
        for (const TrainPlayer::Tenure& tenure : player.tenures) {
            if (tenure.op == &op)
                tenures.push_back({tenure.phase, tenure.form, tenure.accesses, tenure.start, tenure.end, tenure.ready});
        }
        recorded.emplace_back(op, std::move(tenures));
    }
    const std::vector<PinTwin> twins(3, twinOf(timing, part));
    const ChannelPicture picture = drawChannel(twins, 1, recorded);
    std::size_t bursts = 0;
    for (const Stretch& stretch : picture.waveform.stretches())
        bursts += stretch.label == "data out" || stretch.label == "data in" ? 1U : 0U;
    CHECK(bursts == 5);
    // The same tenures, one of them earlier: two dies on the same lines.
    std::vector<BusTenure> moved = recorded[1].tenures();
    for (BusTenure& tenure : moved) {
        tenure.start = recorded[0].tenures().front().start + 10ns;
        tenure.end = tenure.start + (recorded[1].tenures().front().end - recorded[1].tenures().front().start);
        tenure.phase = channel::NandInterface::Phase::Request;
    }
    moved.pop_back();
    CHECK_THROWS_AS(drawChannel(twins, 1, {recorded[0], RecordedOperation(recorded[1].op(), moved)}), InternalError);
}
