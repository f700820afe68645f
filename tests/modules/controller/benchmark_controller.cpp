// SPDX-License-Identifier: Apache-2.0
//
// Host time of a page operation from descriptor to event: one unit per die, circular lists, every descriptor
// reports, a process takes the events whenever the line rises. Usage: benchmark_controller [simulated milliseconds]
#include "tests/modules/controller/rig.h"
#include "tests/support/kernel_fixture.h"

#include <cstdio>
#include <cstdlib>
#include <ctime>

using namespace strobe;
using namespace strobe::controller;
using namespace strobe::controller::test;

namespace {

constexpr std::uint16_t channels = 8;
constexpr std::uint16_t ways = 8;

// A list per die that begins again when it is done: reads of two pages, or an erase and the programs of a block.
void putLists(Rig& rig, SuperchipOpcode opcode)
{
    const std::uint32_t length = opcode == SuperchipOpcode::Read ? 2 : 65;
    for (std::uint32_t die = 0; die < channels * ways; ++die) {
        for (std::uint32_t i = 0; i < length; ++i) {
            const bool isErase = opcode == SuperchipOpcode::Program && i == 0;
            const std::uint32_t page = opcode == SuperchipOpcode::Read ? i : i - 1;
            FlashDescriptor d = isErase ? rig.page(SuperchipOpcode::Erase, die, {1, 0}, 0)
                                        : rig.page(opcode, die, {1, page}, die * 8 + i % 2 * 4);
            d.next = rig.descriptorAt(die * length + (i + 1) % length);
            rig.put(die * length + i, d);
        }
        rig.head(die, die * length);
    }
}

void measure(const char* what, SuperchipOpcode opcode, DataMode mode, std::int64_t milliseconds)
{
    strobe::test::KernelFixture kernel;
    RigConfig config;
    config.array = {channels, ways, 1};
    config.units = config.array.dies();
    config.part = slcPart();
    config.dataMode = mode;
    config.memoryRate = 3'200'000'000;
    Rig rig(config);
    rig.cpu.script = [&] {
        putLists(rig, opcode);
        for (;;) {
            sc_core::wait(rig.cpu.lineRose);
            rig.lines.clear();
            rig.cpu.write(regs::flash::RING_CONSUMER, rig.cpu.read(regs::flash::RING_PRODUCER));
        }
    };
    const std::clock_t start = std::clock(); // processor time: the machine may have other work
    kernel.run(milliseconds * Time(1ms));
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    const auto operations = static_cast<double>(rig.controller.controller().dispatcher().counters().finished);
    double channelActivations = 0;
    for (const auto& channel : rig.channels)
        channelActivations += static_cast<double>(channel->activations());
    std::printf("%-16s %9.0f operations  %6.0f ns each  %.2f controller and %.2f channel activations each\n", what,
                operations, seconds * 1e9 / operations, static_cast<double>(rig.controller.activations()) / operations,
                channelActivations / operations);
    if (rig.controller.controller().failures().total() != 0)
        std::printf("  failures: %s\n", toText(rig.controller.controller().failures().first()[0]).c_str());
}

} // namespace

int main(int argc, char* argv[])
{
    const std::int64_t milliseconds = argc > 1 ? std::atoll(argv[1]) : 400;
    measure("reads, tags", SuperchipOpcode::Read, DataMode::Tags, milliseconds);
    measure("reads, none", SuperchipOpcode::Read, DataMode::None, milliseconds);
    measure("programs, tags", SuperchipOpcode::Program, DataMode::Tags, milliseconds);
    measure("programs, none", SuperchipOpcode::Program, DataMode::None, milliseconds);
    return 0;
}
