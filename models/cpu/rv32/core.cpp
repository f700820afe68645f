// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/rv32/core.h"

#include <algorithm>
#include <utility>

namespace strobe::rv32 {

std::uint64_t Environment::cycles(const Core& core) const
{
    return core.executed();
}

Core::Core(const CoreConfig& config, Environment& environment)
    : config_(config), cycles_(config.cycles.value_or(CycleTable{})), memory_(*this, hart_, environment),
      translator_(memory_, cycles_), system_(*this, hart_, memory_, environment, config.hart, cycles_.trap),
      atomics_(hart_, memory_, system_), blocks_(hart_, memory_, translator_, config.compileAfter),
      code_(hart_, memory_, translator_, system_, atomics_, cycles_, blocks_)
{
    chooseInstance();
    reset();
}

void Core::reset()
{
    hart_.x = {};
    system_.reset();
    hart_.pc = config_.resetPc & ~1U;
    hart_.isTrapHeld = false;
    hart_.isWaiting = false;
    atomics_.breakReservation();
}

void Core::chooseInstance()
{
    std::optional<Detail> detail;
    if (system_.observer() != nullptr)
        detail = system_.observer()->detail();
    blocks_.setObserver(detail == Detail::Calls ? system_.observer() : nullptr);
    code_.choose(config_.cycles.has_value(), detail);
    isInstanceStale_ = false;
}

Stop Core::run(std::int64_t budget)
{
    hart_.before = executed();
    hart_.budget = hart_.left = budget;
    stopRequested_ = false;
    code_.forgetStop();
    if (hart_.isWaiting) {
        if (!isInterruptPending())
            return Stop::Waiting;
        hart_.isWaiting = false;
    }
    if (hart_.isTrapHeld)
        code_.enterHeldTrap();
    if (system_.csrs().mustInterrupt())
        system_.takeInterrupt();
    for (;;) {
        if (isInstanceStale_)
            chooseInstance();
        const Stop why = code_.run();
        if (!isInstanceStale_ || why != Stop::Requested || stopRequested_)
            return why;
        code_.forgetStop(); // of observe()
    }
}

void Core::limit(std::int64_t cycles)
{
    if (cycles >= hart_.left)
        return;
    hart_.budget -= hart_.left - cycles;
    hart_.left = cycles;
}

void Core::stop()
{
    stopRequested_ = true;
    code_.requestStop();
}

void Core::setPc(std::uint32_t pc)
{
    const std::uint32_t from = std::exchange(hart_.pc, pc & ~1U);
    hart_.isWaiting = false;
    hart_.isTrapHeld = false;
    if (system_.observer() != nullptr)
        system_.observer()->moved(*this, from);
}

void Core::setReg(unsigned number, std::uint32_t value)
{
    if (number != 0)
        hart_.x[number] = value;
}

Registers Core::registers() const
{
    Registers all;
    std::copy_n(hart_.x.begin(), all.x.size(), all.x.begin());
    all.pc = hart_.pc;
    return all;
}

// The present instance ends after the present instruction; run() continues with the other.
void Core::observe(Observer* observer)
{
    system_.setObserver(observer);
    isInstanceStale_ = true;
    code_.requestStop();
}

} // namespace strobe::rv32
