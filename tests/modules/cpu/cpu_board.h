#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A small platform around the CPU under test: fabric (10 ns per access), boot memory, SDRAM, interrupt controller,
// timer, and a target that records every access with its time of arrival.

#include "models/base/check.h"
#include "models/base/strobe_registers.h"
#include "models/cpu/native_cpu_module.h"
#include "models/cpu/timer_module.h"
#include "models/fabric/fabric_module.h"
#include "models/memory/sdram_module.h"
#include "models/memory/sram_module.h"
#include "models/tlm/time_bridge.h"
#include "tests/modules/cpu/test_scripts.h"

#include <cstring>
#include <memory>
#include <vector>

namespace strobe::test {

struct Access {
    bool isWrite;
    std::uint32_t offset;
    std::uint32_t value;
    Time at; // of arrival

    friend bool operator==(const Access& a, const Access& b)
    {
        return a.isWrite == b.isWrite && a.offset == b.offset && a.value == b.value && a.at == b.at;
    }
};

class Recorder : public sc_core::sc_module {
public:
    tlm_utils::simple_target_socket<Recorder> registers{"registers"};
    std::vector<Access> accesses;
    std::vector<Time> readsAtKernelTime;

    Recorder(sc_core::sc_module_name name, cpu::InterruptControllerModule& interrupts)
        : sc_module(name), interrupts_(interrupts)
    {
        registers.register_b_transport(this, &Recorder::transport);
        SC_HAS_PROCESS(Recorder);
        SC_METHOD(acknowledge);
        sensitive << acknowledgeAt_;
        dont_initialize();
        SC_METHOD(lower);
        sensitive << lowerNow_;
        dont_initialize();
    }

private:
    void transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay)
    {
        const auto offset = static_cast<std::uint32_t>(payload.get_address());
        std::uint32_t value = 0x600D0000 | offset;
        if (payload.is_write())
            std::memcpy(&value, payload.get_data_ptr(), sizeof value);
        else
            std::memcpy(payload.get_data_ptr(), &value, sizeof value);
        if (payload.is_read())
            readsAtKernelTime.push_back(now());
        accesses.push_back({payload.is_write(), offset, value, now() + fromSc(delay)});
        check(offset != RECORDER_BROKEN - RECORDER, "a target with a bug");
        if (offset == RECORDER_ACK - RECORDER)
            acknowledgeAt_.notify(delay);
        payload.set_response_status(tlm::TLM_OK_RESPONSE);
    }
    void acknowledge() { lowerNow_.notify(sc_core::SC_ZERO_TIME); }
    void lower() { interrupts_.setLine(cpu::InterruptSource::Host, false, now()); }

    cpu::InterruptControllerModule& interrupts_;
    sc_core::sc_event acknowledgeAt_;
    sc_core::sc_event lowerNow_;
};

struct CpuBoard {
    struct Line {
        Time at;
        std::string text;
    };

    fabric::FabricModule fabric{"fabric", std::chrono::nanoseconds(10)};
    memory::SramModule boot{"boot", 4096, Time{}};
    memory::SdramModule sdram;
    cpu::InterruptControllerModule intc{"intc"};
    cpu::TimerModule timer{"timer", intc};
    Recorder recorder{"recorder", intc};
    std::vector<Line> console;
    std::vector<std::unique_ptr<cpu::NativeCpuModule>> cpus;

    explicit CpuBoard(std::uint32_t script, std::uint32_t argument = 0, cpu::NativeCpuConfig config = {}, int count = 1)
        : sdram("sdram", smallMemory())
    {
        fabric.map("boot", {BusAddress{BOOT_MEMORY}, boot.size()}, boot.fabric);
        fabric.map("sdram", sdram.memory().config().region, sdram.fabric);
        fabric.map("intc", {BusAddress{regs::intc::base}, regs::intc::size}, intc.registers);
        fabric.map("timer", {BusAddress{regs::timer::base}, regs::timer::size}, timer.registers);
        fabric.map("recorder", {BusAddress{RECORDER}, 0x1000}, recorder.registers);
        setWord(0, script);
        setWord(1, argument);
        config.image = CPU_TEST_IMAGE;
        for (int i = 0; i < count; ++i) {
            cpus.push_back(std::make_unique<cpu::NativeCpuModule>(("cpu" + std::to_string(i)).c_str(), config, intc,
                                                                  [this](Time at, std::string_view text) {
                                                                      console.push_back({at, std::string(text)});
                                                                  }));
            cpus.back()->bus.bind(fabric.cpus);
        }
    }

    static memory::BulkMemoryConfig smallMemory()
    {
        memory::BulkMemoryConfig config;
        config.region = {BusAddress{SDRAM}, 0x10000};
        config.dataBuffer = {BusAddress{SDRAM + 0x4000}, 0x4000};
        return config;
    }
    cpu::NativeCpuModule& cpu() { return *cpus[0]; }
    void setWord(std::uint32_t index, std::uint32_t value)
    {
        std::memcpy(boot.bytes() + 4 * index, &value, sizeof value);
    }
    std::uint32_t word(std::uint32_t index)
    {
        std::uint32_t value = 0;
        std::memcpy(&value, boot.bytes() + 4 * index, sizeof value);
        return value;
    }
    std::uint32_t result(std::uint32_t index) { return word(RESULTS + index); }
};

} // namespace strobe::test
