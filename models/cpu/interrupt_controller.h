#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The interrupt controller without a kernel: level-sensitive lines, an enable mask, a software interrupt (regs::intc).
// The CPU is interrupted while active() is not zero. A line falls when its source is served, never by a write here.
// Not modelled: priorities and vectors (firmware reads which lines are active), one mask per CPU.

#include "models/base/enum_table.h"
#include "models/base/register_bank.h"

#include <array>
#include <cstdint>

namespace strobe::cpu {

// Each has one line. Bit numbers of PENDING and ENABLE, as enum hal_line of firmware/hal/hal.h.
enum class InterruptSource : std::uint8_t { Host, Flash, Timer, Software, Capture, Thermal };

inline constexpr std::array<EnumRow<InterruptSource>, 6> interruptSourceTable{
    {{InterruptSource::Host, "host", "the host interface's event ring is not empty"},
     {InterruptSource::Flash, "flash", "the flash controller's event ring is not empty"},
     {InterruptSource::Timer, "timer", "the timer has reached its compare value"},
     {InterruptSource::Software, "software", "firmware asked for it"},
     {InterruptSource::Capture, "capture", "read capture has read a pattern, or the temperature is outside its limits"},
     {InterruptSource::Thermal, "thermal", "the temperature sensor has a new sample"}}};
constexpr const auto& enumTable(InterruptSource)
{
    return interruptSourceTable;
}

class InterruptController {
public:
    InterruptController();

    // The level of a hardware line; returns whether it has changed. REQUIRES: not the software line, which follows its
    // register.
    bool setLine(InterruptSource line, bool asserted);

    std::uint32_t pending() const; // asserted lines
    std::uint32_t active() const;  // asserted and enabled lines
    std::uint32_t enabled() const;
    std::uint64_t assertions(InterruptSource line) const; // how often a line has risen

    Access read(std::uint32_t offset, std::uint32_t& value) { return registers_.read(offset, value); }
    Access view(std::uint32_t offset, std::uint32_t& value) const { return registers_.view(offset, value); }
    Access write(std::uint32_t offset, std::uint32_t value) { return registers_.write(offset, value); }

private:
    bool drive(InterruptSource line, bool asserted);

    RegisterBank registers_;
    std::array<std::uint64_t, interruptSourceTable.size()> assertions_{};
};

} // namespace strobe::cpu
