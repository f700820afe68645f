// SPDX-License-Identifier: Apache-2.0
//
// Backward compatibility: a channel with data valid strobe serves dies that have none with conventional cycles.
#include "tests/domain/channel/parts.h"
#include "tests/modules/channel/rig.h"
#include "tests/support/catch.h"
#include "tests/support/kernel_fixture.h"

using namespace strobe;
using namespace strobe::channel;
using namespace strobe::channel::test;
using nand::Opcode;
using strobe::test::KernelFixture;

namespace {

constexpr std::uint32_t strobed = 0; // positions on the channel
constexpr std::uint32_t conventional = 1;
constexpr std::uint32_t sectors = 4;

struct MixedChannel {
    MixedChannel()
        : controller("controller"),
          channel("channel", ChannelId{0},
                  {std::make_shared<const BusSchedule>(fast), std::make_shared<const BusSchedule>(slow)},
                  SegmentOrder::CommandsFirst)
    {
        controller.socket.bind(channel.host);
        for (std::uint16_t i = 0; i < 2; ++i) {
            dies.push_back(std::make_unique<nand::Die>(DieId{i}, part, 0, Rng(1, "die")));
            modules.push_back(std::make_unique<nand::DieModule>(("die_" + std::to_string(i)).c_str(), *dies.back()));
            channel.dies[i].bind(modules.back()->socket);
        }
    }

    static nand::Operation operation(std::uint32_t die, Opcode opcode, std::vector<std::byte>& data)
    {
        nand::Operation op;
        op.die = DieId{static_cast<std::uint16_t>(die)};
        op.opcode = opcode;
        op.sectors = sectors;
        op.data = {data.data(), DataMode::Bytes};
        return op;
    }

    nand::Part part = parts()[0];
    BusSchedule fast{resolveTiming(InterfaceKind::Proposed, table2, {}), part};
    BusSchedule slow{resolveTiming(InterfaceKind::Conv, table2, {}), part};
    Controller controller;
    ChannelModule channel;
    std::vector<std::unique_ptr<nand::Die>> dies;
    std::vector<std::unique_ptr<nand::DieModule>> modules;
};

} // namespace

TEST_CASE("dies with and without a data strobe share a channel, each at its own timing, with data intact")
{
    KernelFixture kernel;
    MixedChannel mixed;
    std::array<std::vector<std::byte>, 2> written;
    std::array<std::vector<std::byte>, 2> read;
    for (std::uint32_t die = 0; die < 2; ++die) {
        read[die].resize(sectors * sectorBytes);
        for (std::size_t i = 0; i < sectors * sectorBytes; ++i)
            written[die].push_back(static_cast<std::byte>(i * 7 + die + 1));
        mixed.controller.stage(die * 5ms, MixedChannel::operation(die, Opcode::Program, written[die]));
        mixed.controller.stage(20ms + die * 5ms, MixedChannel::operation(die, Opcode::Read, read[die]));
    }
    kernel.run();

    REQUIRE(mixed.controller.done.size() == 4);
    for (const auto& done : mixed.controller.done) {
        CAPTURE(done.op.die, done.op.opcode);
        CHECK(done.op.status == nand::Status::Ok);
        // By hand, not through BusSchedule: 12 ns and two bytes per cycle, or 19.814 ns and one.
        const bool hasStrobe = raw(done.op.die) == strobed;
        const Time cycle = picoseconds(hasStrobe ? 12'000 : 19'814);
        const Time command = cycle * 6; // two commands, two column and two row cycles
        const Time data = hasStrobe ? cycle * 2112 / 2 : cycle * 2112;
        const Time expected =
            done.op.opcode == Opcode::Read ? command + 25us + data : command + data + 200us + cycle * 2;
        CHECK(done.op.done - done.op.submitted == expected);
    }
    CHECK(read[strobed] == written[strobed]);
    CHECK(read[conventional] == written[conventional]);
}

TEST_CASE("two dies of different interfaces at the same time wait for each other's segments, not for their timing")
{
    KernelFixture kernel;
    MixedChannel mixed;
    std::vector<std::byte> buffer(sectors * sectorBytes);
    mixed.controller.stage({}, MixedChannel::operation(conventional, Opcode::Erase, buffer));
    mixed.controller.stage({}, MixedChannel::operation(strobed, Opcode::Erase, buffer));
    kernel.run();
    REQUIRE(mixed.controller.done.size() == 2);
    const nand::Operation& first = mixed.controller.done[0].op; // round-robin: position 0
    const nand::Operation& second = mixed.controller.done[1].op;
    CHECK(first.die == DieId{strobed});
    CHECK(first.requestEnd == 4 * 12ns);
    CHECK(second.requestStart == first.requestEnd);
    CHECK(second.requestEnd - second.requestStart == picoseconds(4 * 19'814));
}
