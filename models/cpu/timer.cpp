// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/timer.h"

#include "models/base/strobe_registers.h"

#include <chrono>
#include <iterator>

namespace strobe::cpu {

namespace {
constexpr std::int64_t picosecondsPerNanosecond = 1'000;
}

Timer::Timer() : registers_(regs::timer::table, std::size(regs::timer::table), regs::timer::size)
{
    registers_.onRead(regs::timer::TIME_LO, [this](std::uint32_t) {
        const auto ns = static_cast<std::uint64_t>(readAt_.count() / picosecondsPerNanosecond);
        registers_.poke(regs::timer::TIME_HI, static_cast<std::uint32_t>(ns >> 32));
        return static_cast<std::uint32_t>(ns);
    });
    registers_.onWrite(regs::timer::COMPARE_HI, [this](std::uint32_t, std::uint32_t high) {
        const std::uint64_t ns = std::uint64_t{high} << 32 | registers_.peek(regs::timer::COMPARE_LO);
        constexpr std::uint64_t beyond = static_cast<std::uint64_t>(never.count() / picosecondsPerNanosecond);
        compareAt_ = ns >= beyond ? never : picoseconds(static_cast<std::int64_t>(ns) * picosecondsPerNanosecond);
    });
}

Access Timer::read(std::uint32_t offset, std::uint32_t& value, Time now)
{
    readAt_ = now;
    return registers_.read(offset, value);
}

Access Timer::view(std::uint32_t offset, std::uint32_t& value, Time now) const
{
    const auto ns = static_cast<std::uint64_t>(now.count() / picosecondsPerNanosecond);
    switch (offset) {
    case regs::timer::TIME_LO: value = static_cast<std::uint32_t>(ns); return Access::Ok;
    case regs::timer::TIME_HI: value = static_cast<std::uint32_t>(ns >> 32); return Access::Ok;
    default: return registers_.view(offset, value);
    }
}

Time Timer::risesAt() const
{
    return registers_.peek(regs::timer::CONTROL) != 0 ? compareAt_ : never;
}

} // namespace strobe::cpu
