#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// RV32 CPUs on a small platform: fabric (10 ns per access), SRAM at 0 for code and data, SDRAM, per CPU an interrupt
// controller and a timer, and a target that records every access with its time of arrival.

#include "firmware/hal/cores.h"
#include "models/cpu/rv32_cpu_module.h"
#include "tests/modules/cpu/cpu_board.h"
#include "tests/support/rv32_assembler.h"

namespace strobe::test {

struct Rv32Board {
    static constexpr std::uint32_t sramBytes = 0x10000;
    static constexpr std::uint32_t handler = 0x4000;
    static constexpr std::uint32_t perCpu = HAL_CORE_STEP; // from one CPU's controller and timer to the next one's

    fabric::FabricModule fabric{"fabric", std::chrono::nanoseconds(10)};
    memory::SramModule sram{"sram", sramBytes, Time{}};
    memory::SdramModule sdram{"sdram", CpuBoard::smallMemory()};
    std::vector<std::unique_ptr<cpu::InterruptControllerModule>> intcs;
    std::vector<std::unique_ptr<cpu::TimerModule>> timers;
    std::unique_ptr<Recorder> recorder;
    std::vector<std::unique_ptr<cpu::Rv32CpuModule>> cpus;

    // All CPUs start at 0; programs distinguish them by mhartid.
    explicit Rv32Board(const std::vector<std::uint32_t>& program, cpu::Rv32CpuConfig config = {}, int count = 1)
    {
        put(0, program);
        fabric.map("sram", {BusAddress{0}, sramBytes}, sram.fabric);
        fabric.map("sdram", sdram.memory().config().region, sdram.fabric);
        for (int i = 0; i < count; ++i) {
            const std::string n = std::to_string(i);
            const std::uint32_t offset = perCpu * static_cast<std::uint32_t>(i);
            intcs.push_back(std::make_unique<cpu::InterruptControllerModule>(("intc" + n).c_str()));
            timers.push_back(std::make_unique<cpu::TimerModule>(("timer" + n).c_str(), *intcs.back()));
            fabric.map("intc" + n, {BusAddress{regs::intc::base + offset}, regs::intc::size}, intcs.back()->registers);
            fabric.map("timer" + n, {BusAddress{regs::timer::base + offset}, regs::timer::size},
                       timers.back()->registers);
        }
        recorder = std::make_unique<Recorder>("recorder", *intcs[0]);
        fabric.map("recorder", {BusAddress{RECORDER}, 0x1000}, recorder->registers);
        for (int i = 0; i < count; ++i) {
            config.hart = static_cast<std::uint32_t>(i);
            cpus.push_back(std::make_unique<cpu::Rv32CpuModule>(("cpu" + std::to_string(i)).c_str(), config,
                                                                *intcs[static_cast<std::size_t>(i)]));
            cpus.back()->bus.bind(fabric.cpus);
        }
    }

    void put(std::uint32_t address, const std::vector<std::uint32_t>& words)
    {
        if (!words.empty()) // memcpy takes no null pointer, even for zero bytes
            std::memcpy(sram.bytes() + address, words.data(), words.size() * 4);
    }
    std::uint32_t word(std::uint32_t address)
    {
        std::uint32_t value = 0;
        std::memcpy(&value, sram.bytes() + address, sizeof value);
        return value;
    }
    cpu::Rv32CpuModule& cpu() { return *cpus[0]; }
    rv32::Core& core() { return cpus[0]->core(); }
};

} // namespace strobe::test
