// SPDX-License-Identifier: Apache-2.0
//
// Every parameter of memories, fabric and CPU, once.
#include "platform/config/describe_tools.h"
#include "platform/config/scenario_file.h"

namespace strobe::platform {

void describeMemories(Fields& f, ScenarioFile& c)
{
    f.object("memory", "Bulk SDRAM: firmware tables, descriptors and the sector buffer.", [&](Fields& g) {
        g.quantity("size", Quantity::Size, c.memory.size, {mebibyte, mostMemoryBytes}, "Size of the memory.");
        g.quantity("bufferSize", Quantity::Size, c.memory.bufferSize, {16 * kibibyte, mostMemoryBytes},
                   "Part of the memory that buffers sectors.");
        g.quantity("bandwidth", Quantity::Rate, c.memory.bytesPerSecond, {megabytePerSecond, 1'000'000'000'000},
                   "Bandwidth of the data path that all ports share.");
        g.quantity("latency", Quantity::Time, c.memory.latency, {0, 100 * microsecond},
                   "Latency of the first access of a burst.");
    });
    f.object("sram", "On-chip SRAM of the CPU.", [&](Fields& g) {
        g.quantity("size", Quantity::Size, c.sram.size, {4 * kibibyte, 16 * mebibyte}, "Size.");
        g.quantity("latency", Quantity::Time, c.sram.latency, {0, 100 * microsecond}, "Latency of an access.");
    });
    f.object("fabric", "Bus between the CPU and registers and memories.", [&](Fields& g) {
        g.quantity("latency", Quantity::Time, c.fabric.latency, {0, 100 * microsecond},
                   "Latency of an access, added to that of the target.");
    });
    f.object("cpu", "The CPU that runs the firmware.", [&](Fields& g) {
        g.quantity("clock", Quantity::Frequency, c.cpu.hertz, {megahertz, 10'000 * megahertz}, "Clock.");
        g.quantity("quantum", Quantity::Time, c.cpu.quantum, {0, millisecond},
                   "How far the CPU may run ahead of simulated time before it synchronises.");
    });
}

} // namespace strobe::platform
