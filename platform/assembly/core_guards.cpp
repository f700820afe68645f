// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/core_guards.h"

#include "firmware/hal/rv32/stack_pattern.h"
#include "platform/assembly/read_only_registers.h"
#include "platform/assembly/register_names.h"

#include <fmt/format.h>

#include <cstring>
#include <utility>

namespace strobe::platform {

namespace {

constexpr std::uint32_t nullBytes = 16;

// Start-up code paints the stack, which may begin at address 0.
bool isPaint(const rv32::Core& core, std::uint32_t address)
{
    const std::uint8_t* const bytes = core.memory().find(address & ~3U, sizeof(std::uint32_t), false);
    std::uint32_t word = 0;
    if (bytes != nullptr)
        std::memcpy(&word, bytes, sizeof word);
    return word == STACK_PATTERN;
}

} // namespace

void guardMemory(cpu::Rv32CpuModule& module, const cpu::Rv32Firmware& firmware, MistakeListener report)
{
    rv32::Core& core = module.core();
    const cpu::ElfImage& image = firmware.image();
    for (const cpu::ElfImage::Segment& segment : image.segments()) {
        if (segment.executable && !segment.writable && segment.size != 0)
            core.guard(rv32::Guard::Stores, segment.address, static_cast<std::uint32_t>(segment.end() - 1));
    }
    core.guard(rv32::Guard::Null, 0, nullBytes - 1);
    const cpu::ElfImage::Symbol* const limit = image.find("__stack_limit");
    const cpu::ElfImage::Symbol* const top = image.find("__stack_top");
    if (limit != nullptr && top != nullptr && top->address > limit->address)
        core.guard(rv32::Guard::Execution, limit->address, top->address - 1);
    module.onGuardHit([&firmware, report = std::move(report)](const rv32::Core& hart, rv32::Guard guard,
                                                              std::uint32_t address) {
        const std::string place = fmt::format("pc {:#010x} in {}", hart.pc(), firmware.placeOf(hart.pc()));
        switch (guard) {
        case rv32::Guard::Stores:
            if (address >= nullBytes)
                report(fmt::format("store into code or constants at {:#010x} ({}), {}", address,
                                   firmware.placeOf(address), place));
            break;
        case rv32::Guard::Null:
            if (!isPaint(hart, address))
                report(fmt::format("store through a null pointer at {:#010x}, {}", address, place));
            break;
        case rv32::Guard::Execution:
            report(hart.pc() < nullBytes
                       ? fmt::format("execution at {:#010x}: a null function pointer, or mtvec is not set", hart.pc())
                       : fmt::format("execution of the stack, {}", place));
            break;
        }
    });
}

void guardRegisters(cpu::Rv32CpuModule& module, const cpu::Rv32Firmware& firmware, const MemoryLayout& layout,
                    std::uint32_t cores, MistakeListener report)
{
    module.onRegisterWrite(
        [&firmware, report = std::move(report), names = RegisterNames(layout, cores),
         registers = ReadOnlyRegisters(memoryMap(layout, cores))](const rv32::Core& hart, std::uint32_t address) {
            if (registers.has(address))
                report(fmt::format("write to the read-only register {}, pc {:#010x} in {}", names.of(address),
                                   hart.pc(), firmware.placeOf(hart.pc())));
        });
}

} // namespace strobe::platform
