#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Fields of binary traces: little-endian numbers, and messages with the place of a byte.

#include "models/host/workload/trace_text.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace strobe::host {

// REQUIRES: the bytes are there.
template <class Number>
Number littleEndian(std::string_view bytes, std::size_t at)
{
    Number number = 0;
    for (std::size_t i = sizeof(Number); i-- > 0;)
        number = static_cast<Number>((std::uint64_t{number} << 8) | static_cast<unsigned char>(bytes[at + i]));
    return number;
}

// "file: byte 96: expected …, found …"
[[noreturn]] void failAtByte(const TraceText& text, std::uint64_t byte, const std::string& expected,
                             const std::string& found);
// The next record of a fixed size; empty at the end of the file, a ConfigError if the end cuts it off.
std::string_view takeRecord(TraceText& text, std::size_t size);

} // namespace strobe::host
