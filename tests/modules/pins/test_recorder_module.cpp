// SPDX-License-Identifier: Apache-2.0
//
// The recorder sits in the wire, changes nothing and keeps what goes by; its pictures agree with the wire's times.
#include "models/pins/recorder_module.h"
#include "tests/domain/channel/parts.h"
#include "tests/modules/channel/rig.h"
#include "tests/support/kernel_fixture.h"

#include <algorithm>

using namespace strobe;
using namespace strobe::pins;
using nand::Opcode;
using strobe::channel::test::Controller;
using strobe::channel::test::parts;
using strobe::channel::test::table2;
using strobe::test::KernelFixture;
using namespace std::chrono_literals;

namespace {

channel::InterfaceTiming proposed()
{
    channel::InterfaceTiming timing = channel::resolveTiming(channel::InterfaceKind::Proposed, table2, {});
    timing.tCS = 20ns;
    timing.tWB = 100ns;
    timing.tRR = 20ns;
    timing.tWHR = 60ns;
    return timing;
}
channel::InterfaceTiming conventional()
{
    channel::InterfaceTiming timing = proposed();
    timing.name = "CONV";
    timing.cycle = picoseconds(19'814);
    timing.bytesPerCycle = 1;
    return timing;
}

// A controller, perhaps a recorder, a channel of four dies: the last two have no data strobe.
struct Wire {
    Wire(bool recorded, std::size_t limit, Time from)
        : controller("controller"),
          channel("channel", ChannelId{0}, {schedules[0], schedules[0], schedules[1], schedules[1]},
                  channel::SegmentOrder::CommandsFirst)
    {
        if (recorded) {
            recorder = std::make_unique<RecorderModule>("recorder", RecorderRequest{ChannelId{0}, limit, from});
            controller.socket.bind(recorder->host);
            recorder->channel.bind(channel.host);
        } else {
            controller.socket.bind(channel.host);
        }
        for (std::uint16_t i = 0; i < 4; ++i) {
            dies.push_back(std::make_unique<nand::Die>(DieId{i}, part, 0, Rng(1, "die")));
            modules.push_back(std::make_unique<nand::DieModule>(("die_" + std::to_string(i)).c_str(), *dies.back()));
            channel.dies[i].bind(modules.back()->socket);
        }
    }

    void stageMix(std::size_t count)
    {
        Rng rng(7, "mix");
        for (std::size_t i = 0; i < count; ++i) {
            nand::Operation op;
            op.die = DieId{static_cast<std::uint16_t>(rng.below(4))};
            static constexpr Opcode opcodes[] = {Opcode::Read,       Opcode::Program, Opcode::Erase,
                                                 Opcode::ReadStatus, Opcode::ReadId,  Opcode::CopyBack};
            op.opcode = opcodes[rng.below(std::size(opcodes))];
            op.target.block = static_cast<std::uint32_t>(rng.below(part.geometry.blocks()));
            op.source = op.target;
            op.sectors = static_cast<std::uint32_t>(rng.below(5));
            controller.stage(static_cast<int>(i) * 40us, op);
        }
    }

    nand::Part part = parts()[0];
    std::array<std::shared_ptr<const channel::BusSchedule>, 2> schedules{
        std::make_shared<const channel::BusSchedule>(proposed(), part),
        std::make_shared<const channel::BusSchedule>(conventional(), part)};
    Controller controller;
    std::unique_ptr<RecorderModule> recorder;
    channel::ChannelModule channel;
    std::vector<std::unique_ptr<nand::Die>> dies;
    std::vector<std::unique_ptr<nand::DieModule>> modules;
};

std::vector<Time> completions(bool recorded)
{
    KernelFixture kernel;
    Wire wire(recorded, 1'000, {});
    wire.stageMix(300);
    kernel.run();
    std::vector<Time> times;
    for (const auto& done : wire.controller.done)
        times.push_back(done.at);
    CHECK(wire.controller.wrongAnswers == 0);
    CHECK(wire.controller.lateResponses == 0);
    return times;
}

} // namespace

TEST_CASE("a recorder in the wire changes no time")
{
    const std::vector<Time> without = completions(false);
    CHECK(without.size() == 300);
    CHECK(completions(true) == without);
}

TEST_CASE("what a channel did with a mix of operations and dies can be drawn, and the lengths agree")
{
    KernelFixture kernel;
    Wire wire(true, 1'000, {});
    wire.stageMix(300);
    kernel.run();
    REQUIRE(wire.recorder->operations().size() == 300);
    const PinTwin fast(pinModelOf(proposed(), table2), wire.part);
    const PinTwin slow(pinModelOf(conventional(), table2), wire.part);
    // Fails a check if any request is longer or shorter than its edges, or if two are on the bus at once.
    const ChannelPicture picture = drawChannel({fast, fast, slow, slow}, 2, wire.recorder->operations());
    CHECK(picture.contentions == 0);
    CHECK(picture.left == 0);
    CHECK(std::any_of(wire.recorder->operations().begin(), wire.recorder->operations().end(), [](const auto& recorded) {
        return recorded.op().status == nand::Status::Illegal; // refused operations have a picture too
    }));
    CHECK(picture.waveform.end() >= wire.controller.done.back().at);
}

TEST_CASE("a recorder keeps the first operations from a time on, and no more than asked for")
{
    KernelFixture kernel;
    Wire wire(true, 5, 1ms);
    wire.stageMix(100);
    kernel.run();
    REQUIRE(wire.recorder->operations().size() == 5);
    std::vector<Time> submitted;
    for (const RecordedOperation& recorded : wire.recorder->operations())
        submitted.push_back(recorded.op().submitted);
    std::sort(submitted.begin(), submitted.end());
    CHECK(submitted.front() == 1ms);
    CHECK(submitted.back() == 1ms + 4 * 40us);
    CHECK(wire.controller.completed == 100);
}
