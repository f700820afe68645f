#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Semihosting: requests of firmware on the RV32 core to the platform, without a kernel (RISC-V semihosting 0.3,
// operations of Arm's specification). The core has met an ebreak; isCall() reports whether it is between the two shifts
// that mark a call, serve() executes the request in a0 and a1. Operations:
//   0x03 WRITEC, 0x04 WRITE0, 0x05 WRITE to handle 1 or 2   text to the console, line by line
//   0x10 CLOCK       simulated time in 1/100 s
//   0x18 EXIT, 0x20 EXIT_EXTENDED    ends the run: regularly (reason 0x20026, code 0), or with an error
// All others answer -1. Not modelled: files, input, the host's time of day.

#include "models/base/time.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace strobe::cpu {

class Semihosting {
public:
    using Line = std::function<void(Time at, std::string_view text)>; // without its newline
    // Host memory of a range of the bus, or null.
    using Memory = std::function<const std::byte*(std::uint32_t address, std::uint32_t bytes)>;

    struct Exit {
        std::uint32_t reason = 0;
        std::uint32_t code = 0;
        std::string lastText; // the last text before it: the message of a panic
        bool isError() const;
    };

    Semihosting(Memory memory, Line line);

    bool isCall(std::uint32_t pc) const; // of an uncompressed ebreak

    // Returns the new value of a0.
    std::uint32_t serve(std::uint32_t operation, std::uint32_t argument, Time now);
    const std::optional<Exit>& exit() const { return exit_; } // requested so far

private:
    std::optional<std::uint32_t> word(std::uint32_t address) const;
    std::string textAt(std::uint32_t address) const; // up to its 0
    void write(std::string_view text, Time now);
    std::uint32_t writeBlock(std::uint32_t argument, Time now);
    void end(std::uint32_t reason, std::uint32_t code);

    Memory memory_;
    Line line_;
    std::string pending_; // after the last newline
    std::string lastText_;
    std::optional<Exit> exit_;
};

} // namespace strobe::cpu
