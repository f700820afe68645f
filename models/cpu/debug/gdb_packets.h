#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The frames of GDB's remote serial protocol: "$payload#checksum", acknowledged by '+' or '-' until both sides agree to
// omit the acknowledgements, and the single byte 0x03 by which the debugger interrupts. Bytes may arrive in any
// portions. Not here: what a payload means (gdb_session.h), sockets (gdb_server.h). Source: GDB manual, appendix E,
// sections "Overview" and "Interrupts".

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace strobe::cpu {

inline constexpr std::size_t gdbPacketBytes = 16384; // of a payload, in both directions

struct GdbFrame {
    enum class Kind { Packet, Interrupt, Damaged } kind = Kind::Packet;
    std::string payload; // of a packet, escapes undone
};

class GdbFrameReader {
public:
    void take(std::string_view bytes) { pending_ += bytes; }
    // The next frame; nothing: more bytes are needed. Acknowledgements are dropped.
    std::optional<GdbFrame> next();

private:
    std::string pending_;
};

std::string gdbFrame(std::string_view payload);

// Bytes as pairs of hexadecimal digits, low address first, and back; nothing: invalid text.
std::string toHex(std::string_view bytes);
std::optional<std::string> fromHex(std::string_view digits);
// "8000abcd", without prefix; nothing: not a number, or more than 32 bits.
std::optional<std::uint32_t> hexNumber(std::string_view digits);

} // namespace strobe::cpu
