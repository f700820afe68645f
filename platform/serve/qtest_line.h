#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// One line of the qtest protocol, with which QEMU's own tests drive its machine without a processor: the part of it
// that reaches memory, I/O ports and the clock.
//
//   readb|readw|readl|readq ADDRESS          writeb|writew|writel|writeq ADDRESS VALUE
//   inb|inw|inl PORT                         outb|outw|outl PORT VALUE
//   read ADDRESS BYTES                       write ADDRESS BYTES 0xHEX       memset ADDRESS BYTES VALUE
//   clock_step NANOSECONDS
//
// Numbers are decimal, or hexadecimal after 0x.

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace strobe::platform::serve {

struct QtestCommand {
    enum class Kind : std::uint8_t { Read, Write, In, Out, ReadBytes, WriteBytes, StepClock };
    Kind kind = Kind::Read;
    std::uint64_t address = 0;
    std::uint32_t bytes = 0;     // of an access
    std::uint64_t value = 0;     // to be written; nanoseconds
    std::vector<std::byte> data; // to be written, all of its bytes
};

inline constexpr std::uint32_t mostQtestBytes = 1U << 20U;           // of one read or write of memory
inline constexpr std::uint64_t mostQtestStep = 1'000'000'000'000ULL; // nanoseconds

class QtestError : public std::runtime_error { // what is wrong with the line, and what is allowed
public:
    using runtime_error::runtime_error;
};

QtestCommand parseQtest(std::string_view line); // without its end; throws QtestError

} // namespace strobe::platform::serve
