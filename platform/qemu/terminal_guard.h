#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Standard input and output as they were before QEMU: it makes a terminal raw and both of them non-blocking, and does
// not undo that if it is killed. The terminal is left alone while another job is in its foreground.

#include <array>
#include <optional>
#include <termios.h>

namespace strobe::platform::qemu {

class TerminalGuard {
public:
    // Two descriptors: input, output.
    explicit TerminalGuard(std::array<int, 2> descriptors);
    ~TerminalGuard(); // restores
    TerminalGuard(const TerminalGuard&) = delete;
    TerminalGuard& operator=(const TerminalGuard&) = delete;

private:
    struct Saved {
        int descriptor = -1;
        int flags = -1; // of the open file; -1: not known
        std::optional<termios> terminal;
    };
    std::array<Saved, 2> saved_;
};

} // namespace strobe::platform::qemu
