// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/interrupt_controller.h"

#include "models/base/check.h"
#include "models/base/strobe_registers.h"

#include <iterator>

namespace strobe::cpu {

namespace {
constexpr std::uint32_t bit(InterruptSource line)
{
    return std::uint32_t{1} << static_cast<unsigned>(line);
}
static_assert(bit(InterruptSource::Host) == regs::intc::PENDING_host_mask);
static_assert(bit(InterruptSource::Flash) == regs::intc::PENDING_flash_mask);
static_assert(bit(InterruptSource::Timer) == regs::intc::PENDING_timer_mask);
static_assert(bit(InterruptSource::Software) == regs::intc::PENDING_software_mask);
static_assert(bit(InterruptSource::Capture) == regs::intc::PENDING_capture_mask);
static_assert(bit(InterruptSource::Thermal) == regs::intc::PENDING_thermal_mask);
} // namespace

InterruptController::InterruptController()
    : registers_(regs::intc::table, std::size(regs::intc::table), regs::intc::size)
{
    registers_.onWrite(regs::intc::SOFTWARE, [this](std::uint32_t, std::uint32_t value) {
        drive(InterruptSource::Software, (value & regs::intc::SOFTWARE_set_mask) != 0);
    });
}

bool InterruptController::setLine(InterruptSource line, bool asserted)
{
    check(line != InterruptSource::Software, "the software interrupt follows its register");
    return drive(line, asserted);
}

bool InterruptController::drive(InterruptSource line, bool asserted)
{
    const std::uint32_t before = pending();
    const std::uint32_t after = asserted ? before | bit(line) : before & ~bit(line);
    registers_.poke(regs::intc::PENDING, after);
    if ((after & ~before) != 0)
        ++assertions_[static_cast<std::size_t>(line)];
    return before != after;
}

std::uint32_t InterruptController::pending() const
{
    return registers_.peek(regs::intc::PENDING);
}

std::uint32_t InterruptController::active() const
{
    return pending() & enabled();
}

std::uint32_t InterruptController::enabled() const
{
    return registers_.peek(regs::intc::ENABLE);
}

std::uint64_t InterruptController::assertions(InterruptSource line) const
{
    return assertions_[static_cast<std::size_t>(line)];
}

} // namespace strobe::cpu
