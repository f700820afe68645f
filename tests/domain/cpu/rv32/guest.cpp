// SPDX-License-Identifier: Apache-2.0
#include "tests/domain/cpu/rv32/guest.h"

#include <cstring>
#include <functional>
#include <vector>

namespace strobe::test {

Guest::Guest(std::vector<std::uint32_t> program, const rv32::CoreConfig& config)
    : memory(memoryBytes), core(at(config), *this)
{
    put(memoryBase, program);
    core.map({memoryBase, memoryBase + memoryBytes - 1, memory.data()});
}

Guest::~Guest() = default;

void Guest::put(std::uint32_t address, const std::vector<std::uint32_t>& words)
{
    if (!words.empty()) // memcpy takes no null pointer, even for zero bytes
        std::memcpy(&memory[address - memoryBase], words.data(), words.size() * 4);
}

std::uint32_t Guest::word(std::uint32_t address) const
{
    std::uint32_t value = 0;
    std::memcpy(&value, &memory[address - memoryBase], 4);
    return value;
}

rv32::BusResult Guest::load(std::uint32_t address, unsigned bytes, std::uint32_t& value)
{
    return record(false, address, bytes, value);
}

rv32::BusResult Guest::store(std::uint32_t address, unsigned bytes, std::uint32_t value)
{
    return record(true, address, bytes, value);
}

void Guest::guardHit(const rv32::Core& hart, rv32::Guard guard, std::uint32_t address)
{
    guardHits.push_back({guard, address, hart.pc()});
}

rv32::CoreConfig Guest::at(rv32::CoreConfig config)
{
    config.resetPc = memoryBase;
    return config;
}

rv32::BusResult Guest::record(bool isStore, std::uint32_t address, unsigned bytes, std::uint32_t& value)
{
    if (address < deviceBase || address >= deviceBase + 0x1000)
        return rv32::BusResult::Fault;
    if (putOff > 0) {
        --putOff;
        return rv32::BusResult::Later;
    }
    if (!isStore)
        value = deviceValue;
    accesses.push_back({isStore, address, bytes, value, core.retired(), core.pc()});
    if (onAccess)
        onAccess();
    return rv32::BusResult::Ok;
}

} // namespace strobe::test
