#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The UART without a kernel (regs::uart): bytes that firmware writes leave one after the other at the line's rate, from
// a queue of limited depth; a byte written to a full queue is lost, counted and reported. Text is passed on line by
// line, when its newline has been sent. Time is an argument, picoseconds. Not modelled: reception, parity, baud rate
// registers, an interrupt.

#include "models/base/register_bank.h"
#include "models/base/time.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace strobe::cpu {

struct UartConfig {
    std::uint32_t depth = 64;
    std::uint64_t bitsPerSecond = 3'000'000;
    std::uint32_t bitsPerByte = 10; // start, eight of data, stop
};

class Uart {
public:
    using Line = std::function<void(Time at, std::string_view text)>; // without its newline

    Uart(const UartConfig& config, Line line);

    Access read(std::uint32_t offset, std::uint32_t& value, Time now);
    Access view(std::uint32_t offset, std::uint32_t& value, Time now) const; // the same, without side effects
    // REQUIRES: writes in order of time.
    Access write(std::uint32_t offset, std::uint32_t value, Time now);

    // Called for each byte that is lost, after it has been counted.
    void onLost(std::function<void()> listener) { lost_ = std::move(listener); }

    // Passes on text that no newline has followed.
    void flush();

private:
    void put(char character, Time now);
    void lineEnds();
    std::uint32_t queued(Time now) const;

    UartConfig config_;
    Time byteTime_;
    Line line_;
    std::function<void()> lost_;
    RegisterBank registers_;
    Time now_{};      // of the current access
    Time lineFree_{}; // when the last byte in the queue has left
    std::string text_;
};

} // namespace strobe::cpu
