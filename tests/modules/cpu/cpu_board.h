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

    Recorder(sc_core::sc_module_name name, cpu::InterruptControllerModule& interrupts);

private:
    void transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
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

    explicit CpuBoard(std::uint32_t script, std::uint32_t argument = 0, cpu::NativeCpuConfig config = {},
                      int count = 1);

    static memory::BulkMemoryConfig smallMemory();
    cpu::NativeCpuModule& cpu() { return *cpus[0]; }
    void setWord(std::uint32_t index, std::uint32_t value);
    std::uint32_t word(std::uint32_t index);
    std::uint32_t result(std::uint32_t index) { return word(RESULTS + index); }
};

} // namespace strobe::test
