// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/rv32_firmware.h"

#include <chrono>
#include <cstdio>
#include <utility>

namespace strobe::cpu {

namespace {
constexpr const char* markersName = "hal_cost_markers"; // firmware/hal/rv32/start.S
constexpr unsigned returnAddress = 1;
constexpr unsigned stackPointer = 2;
constexpr unsigned a0 = 10;
constexpr unsigned a1 = 11;
constexpr std::uint32_t trapStackBytes = 4096;  // at most
constexpr std::uint32_t stackGuardBytes = 4096; // how far below it an access is taken for an overflow
} // namespace

Rv32Firmware::Rv32Firmware(ElfImage image, rv32::Core& core, std::string cpu, Semihosting::Line console)
    : places_(std::move(image)), cpu_(std::move(cpu)),
      calls_(
          [&core](std::uint32_t address, std::uint32_t bytes) {
              return reinterpret_cast<const std::byte*>(core.memory().find(address, bytes, false));
          },
          std::move(console))
{
    if (places_.image().find(markersName) != nullptr)
        core.observe(&observer_.emplace(core));
}

bool Rv32Firmware::serveBreak(rv32::Core& core)
{
    if (!calls_.isCall(core.pc()))
        return false;
    core.setReg(a0, calls_.serve(core.reg(a0), core.reg(a1), timeOf(core)));
    if (calls_.exit())
        end(*calls_.exit(), core);
    return true;
}

Time Rv32Firmware::timeOf(const rv32::Core& core)
{
    const std::uint64_t high = core.csr(rv32::csr::timeh).value_or(0);
    const std::uint64_t low = core.csr(rv32::csr::time).value_or(0);
    return std::chrono::nanoseconds(static_cast<std::int64_t>(high << 32 | low));
}

void Rv32Firmware::end(const Semihosting::Exit& exit, const rv32::Core& core) const
{
    const std::string who =
        "firmware image \"" + image().name() + "\" on " + cpu_ + " at " + toText(timeOf(core)) + ": ";
    if (!exit.isError())
        throw FirmwareEnded(who + "it has ended the run");
    if (!exit.lastText.empty())
        throw FirmwareFault(who + "panic: " + exit.lastText + origin(core));
    char text[120];
    std::snprintf(text, sizeof text,
                  "it has stopped itself (reason 0x%x, code %u; mcause %u, mepc 0x%08x, mtval 0x%08x)", exit.reason,
                  exit.code, core.csr(rv32::csr::mcause).value_or(0), core.csr(rv32::csr::mepc).value_or(0),
                  core.csr(rv32::csr::mtval).value_or(0));
    throw FirmwareFault(who + text);
}

// The trap handler has a stack of its own (firmware/hal/rv32/link.ld), which distinguishes a panic because of an
// exception from one that firmware asked for.
std::string Rv32Firmware::origin(const rv32::Core& core) const
{
    const ElfImage::Symbol* trapStack = image().find("__trap_stack_top");
    const ElfImage::Symbol* stackLimit = image().find("__stack_limit");
    const std::uint32_t sp = core.reg(stackPointer);
    const bool isTrap = trapStack != nullptr && sp <= trapStack->address && trapStack->address - sp < trapStackBytes;
    if (!isTrap)
        return "\n  called by " + places_.at(core.reg(returnAddress) - 1);
    std::string text = "\n  in " + places_.at(core.csr(rv32::csr::mepc).value_or(0));
    const std::uint32_t below =
        stackLimit == nullptr ? 0 : stackLimit->address - core.csr(rv32::csr::mtval).value_or(0);
    if (below > 0 && below <= stackGuardBytes)
        text += "\n  the stack has overflowed: the address is just below __stack_limit";
    return text;
}

std::vector<CostMeter::Row> Rv32Firmware::costs() const
{
    return observer_ ? observer_->rows() : std::vector<CostMeter::Row>{};
}

void Rv32Firmware::resetCosts()
{
    if (observer_)
        observer_->reset();
}

} // namespace strobe::cpu
