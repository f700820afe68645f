// SPDX-License-Identifier: Apache-2.0
//
// How fast RV32 firmware runs: two CPUs that share a fabric and a memory, each in a loop like that of a translation
// layer (a random logical page, table look-ups and updates, and a write of its timer's compare register: one register
// access in some 40 instructions). Simulated until a fixed number of instructions has been executed.
#include "platform/app/bench.h"

#include "firmware/hal/cores.h"
#include "models/base/check.h"
#include "models/base/strobe_registers.h"
#include "models/cpu/rv32_cpu_module.h"
#include "models/cpu/timer_module.h"
#include "models/fabric/fabric_module.h"
#include "models/memory/sram_module.h"
#include "models/tlm/time_bridge.h"

#include <cstring>
#include <iterator>

namespace strobe::platform {

namespace {

constexpr std::uint32_t perCpu = HAL_CORE_STEP; // from one CPU's tables and registers to the next one's
constexpr std::uint32_t cpus = 2;
constexpr std::uint32_t memoryBytes = (cpus + 1) * perCpu;

// Output of gcc 12 (-O2 -march=rv32imac -mabi=ilp32) for:
//   enum { pages = 65536, pagesPerBlock = 64 };
//   struct tables { u32 l2p[pages]; u32 p2l[pages]; u16 valid[pages / pagesPerBlock]; };
//   hart = mhartid; t = 0x100000 + hart * 0x100000; compare = 0x02010008 + hart * 0x100000;
//   u32 seed = 0x12345678, next = 0, writes = 0;
//   for (;;) {
//       seed ^= seed << 13; seed ^= seed >> 17; seed ^= seed << 5;
//       const u32 lpn = seed * 2654435761u >> 16;
//       const u32 old = t->l2p[lpn];
//       if (old != 0) { --t->valid[(old - 1) / pagesPerBlock]; t->p2l[old - 1] = 0; }
//       t->l2p[lpn] = next + 1; t->p2l[next] = lpn; ++t->valid[next / pagesPerBlock];
//       next = (next + 1) % pages;
//       *compare = ++writes;
//   }
constexpr std::uint32_t loopProgram[] = {
    0xC6061141, 0x2573C422, 0x0F37F140, 0x050501F1, 0x6E410552, 0x56370F21, 0x8FB71234, 0x9F2A9E37, 0x43814301,
    0x67860613, 0x9B1F8F93, 0x00080EB7, 0xFFFE0293, 0x00D61713, 0x57938F31, 0x8FB90117, 0x00579613, 0x08338E3D,
    0xD79303F6, 0x85B30063, 0x078601C3, 0x00138093, 0x97AA058A, 0x97F695AA, 0x58130305, 0x18930108, 0x98AA0028,
    0x0008A403, 0x0050F3B3, 0xFFF40713, 0x00675693, 0x97720686, 0x070A96AA, 0x972A96F6, 0xD403C801, 0x147D0006,
    0x00869023, 0x00072023, 0x0018A023, 0x0105A023, 0x0007D703, 0x90230705, 0x202300E7, 0xB759006F};
static_assert(regs::timer::base + regs::timer::COMPARE_LO == 0x02010008, "the program's address of the register");
static_assert(perCpu == 0x00100000, "the program's step from one CPU to the next");

struct Board {
    fabric::FabricModule fabric{"fabric", std::chrono::nanoseconds(10)};
    memory::SramModule memory{"memory", memoryBytes, Time{}};
    std::vector<std::unique_ptr<cpu::InterruptControllerModule>> interrupts;
    std::vector<std::unique_ptr<cpu::TimerModule>> timers;
    std::vector<std::unique_ptr<cpu::Rv32CpuModule>> cores;

    Board()
    {
        fabric.map("memory", {BusAddress{0}, memoryBytes}, memory.fabric);
        std::memcpy(memory.bytes(), loopProgram, sizeof loopProgram);
        for (std::uint32_t i = 0; i < cpus; ++i) {
            const std::string n = std::to_string(i);
            interrupts.push_back(std::make_unique<cpu::InterruptControllerModule>(("interrupts" + n).c_str()));
            timers.push_back(std::make_unique<cpu::TimerModule>(("timer" + n).c_str(), *interrupts[i]));
            fabric.map("interrupts" + n, {BusAddress{regs::intc::base + i * perCpu}, regs::intc::size},
                       interrupts[i]->registers);
            fabric.map("timer" + n, {BusAddress{regs::timer::base + i * perCpu}, regs::timer::size},
                       timers[i]->registers);
            cpu::Rv32CpuConfig config;
            config.hart = i;
            config.quantum = std::chrono::microseconds(10);
            cores.push_back(std::make_unique<cpu::Rv32CpuModule>(("cpu" + n).c_str(), config, *interrupts[i]));
            cores[i]->bus.bind(fabric.cpus);
            cores[i]->core().setReg(2, perCpu - 1024 * i); // stack
        }
    }
    std::uint64_t instructions() const { return cores[0]->instructions() + cores[1]->instructions(); }
    std::uint64_t accesses() const { return cores[0]->counters().writes + cores[1]->counters().writes; }
};

} // namespace

std::vector<BenchMetric> runFirmwareCase(bool quick)
{
    Board board;
    const std::shared_ptr<Agenda> agenda = Agenda::ofContext();
    const Time length = quick ? std::chrono::milliseconds(20) : std::chrono::milliseconds(1000);
    agenda->runAheadUntil(length);
    const double start = cpuSeconds();
    sc_core::sc_start(toSc(length));
    const double seconds = cpuSeconds() - start;
    for (const auto& core : board.cores) {
        core->rethrowFault();
        check(core->core().traps() == 0, "the program of the bench traps");
    }
    const auto instructions = static_cast<double>(board.instructions());
    return {{"instructions", instructions, "instructions"},
            {"register_accesses", static_cast<double>(board.accesses()), "accesses"},
            {"cpu_time", seconds, "s"},
            {"instructions_per_second", instructions / seconds, "1/s"},
            {"time_per_1000_instructions", seconds * 1e12 / instructions, "ns"}};
}

} // namespace strobe::platform
