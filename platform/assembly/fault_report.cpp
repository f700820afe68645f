// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/fault_report.h"

#include "models/base/check.h"
#include "models/cpu/rv32_cpu_module.h"
#include "platform/assembly/call_chain.h"

#include <fmt/format.h>

namespace strobe::platform {

namespace {

constexpr std::array<const char*, 32> registerNames{
    "zero", "ra", "sp", "gp", "tp", "t0", "t1", "t2", "s0", "s1", "a0",  "a1",  "a2", "a3", "a4", "a5",
    "a6",   "a7", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6"};

struct Place {
    const rv32::Core* hart; // null: native
    const cpu::Rv32Firmware* firmware;
};

Place placeOf(const SsdModule& ssd, std::size_t core)
{
    const cpu::CpuModule* const cpu = core == 0 ? ssd.cpu.get() : ssd.second->cpu.get();
    const auto* const module = dynamic_cast<const cpu::Rv32CpuModule*>(cpu);
    return {module == nullptr ? nullptr : &module->core(), core == 0 ? ssd.firmware.get() : ssd.second->firmware.get()};
}

std::string exceptionText(const Place& place, const rv32::Trap& trap, std::uint32_t pc)
{
    const auto cause = static_cast<std::uint32_t>(trap.cause);
    return fmt::format("{} (mcause {}) at pc {:#010x} in {}, mtval {:#010x}", causeText(cause), cause, pc,
                       place.firmware->placeOf(pc), trap.value);
}

std::string stateText(const Place& place, const rv32::Registers& registers)
{
    std::string text;
    for (const std::uint32_t call : callChain(*place.hart, registers, place.firmware->image()))
        text += "\n      called from " + place.firmware->placeOf(call);
    constexpr std::size_t perLine = 6;
    for (std::size_t i = 1; i < registers.x.size(); ++i)
        text += fmt::format("{}{:>3} {:08x}", (i - 1) % perLine == 0 ? "\n    " : "  ", registerNames.at(i),
                            registers.x.at(i));
    return text;
}

} // namespace

std::string causeText(std::uint32_t mcause)
{
    if ((mcause & rv32::interruptFlag) != 0) {
        switch (static_cast<rv32::InterruptLine>(mcause & ~rv32::interruptFlag)) {
        case rv32::InterruptLine::Software: return "software interrupt";
        case rv32::InterruptLine::Timer: return "timer interrupt";
        case rv32::InterruptLine::External: return "external interrupt";
        }
        return "unknown interrupt";
    }
    switch (static_cast<rv32::Cause>(mcause)) {
    case rv32::Cause::FetchAccess: return "instruction access fault";
    case rv32::Cause::IllegalInstruction: return "illegal instruction";
    case rv32::Cause::Breakpoint: return "breakpoint (ebreak)";
    case rv32::Cause::LoadMisaligned: return "misaligned load";
    case rv32::Cause::LoadAccess: return "load access fault";
    case rv32::Cause::StoreMisaligned: return "misaligned store";
    case rv32::Cause::StoreAccess: return "store access fault";
    case rv32::Cause::EnvironmentCall: return "environment call";
    }
    return "unknown exception";
}

std::string describeFault(const SsdModule& ssd, std::size_t core)
{
    const Place place = placeOf(ssd, core);
    if (place.hart == nullptr)
        return {};
    std::string text;
    if (const auto& exception = place.hart->lastException()) {
        text = "\n  last exception\n    " + exceptionText(place, exception->trap, exception->registers.pc) +
               stateText(place, exception->registers);
    } else {
        const rv32::Registers now = place.hart->registers();
        text = fmt::format("\n  no exception was taken; core {}\n    at pc {:#010x} in {}", core, now.pc,
                           place.firmware->placeOf(now.pc)) +
               stateText(place, now);
    }
    const std::vector<std::string> refused = refusals(ssd);
    if (!refused.empty())
        text += "\n  refused by the hardware";
    for (const std::string& line : refused)
        text += "\n    " + line;
    return text;
}

std::string describeException(const SsdModule& ssd, std::size_t core, const rv32::Trap& trap)
{
    const Place place = placeOf(ssd, core);
    check(place.hart != nullptr, "exceptions are of firmware on a core that is modelled");
    return exceptionText(place, trap, place.hart->pc());
}

std::vector<std::string> refusals(const SsdModule& ssd)
{
    std::vector<std::string> lines = ssd.hostFaults().first;
    for (const SsdModule::FirmwareFaults* faults : {&ssd.memoryFaults(), &ssd.consoleFaults()})
        lines.insert(lines.end(), faults->first.begin(), faults->first.end());
    for (const controller::Failure& failure : ssd.flash.controller().failures().first()) {
        if (failure.kind != controller::FailureKind::OperationFailed)
            lines.push_back(controller::toText(failure));
    }
    return lines;
}

} // namespace strobe::platform
