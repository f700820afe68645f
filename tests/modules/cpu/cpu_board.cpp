// SPDX-License-Identifier: Apache-2.0
#include "tests/modules/cpu/cpu_board.h"

#include <cstring>
#include <memory>
#include <vector>

namespace strobe::test {

Recorder::Recorder(sc_core::sc_module_name name, cpu::InterruptControllerModule& interrupts)
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

void Recorder::transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay)
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

CpuBoard::CpuBoard(std::uint32_t script, std::uint32_t argument, cpu::NativeCpuConfig config, int count)
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

memory::BulkMemoryConfig CpuBoard::smallMemory()
{
    memory::BulkMemoryConfig config;
    config.region = {BusAddress{SDRAM}, 0x10000};
    config.dataBuffer = {BusAddress{SDRAM + 0x4000}, 0x4000};
    return config;
}

void CpuBoard::setWord(std::uint32_t index, std::uint32_t value)
{
    std::memcpy(boot.bytes() + 4 * index, &value, sizeof value);
}

std::uint32_t CpuBoard::word(std::uint32_t index)
{
    std::uint32_t value = 0;
    std::memcpy(&value, boot.bytes() + 4 * index, sizeof value);
    return value;
}

} // namespace strobe::test
