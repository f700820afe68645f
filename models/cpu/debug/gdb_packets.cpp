// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/debug/gdb_packets.h"

#include <charconv>

namespace strobe::cpu {

namespace {

constexpr char interruptByte = 0x03;
constexpr char escapeByte = '}';
constexpr char escapeBit = 0x20;

unsigned char checksum(std::string_view text)
{
    unsigned sum = 0;
    for (const char c : text)
        sum += static_cast<unsigned char>(c);
    return static_cast<unsigned char>(sum);
}

std::string unescaped(std::string_view text)
{
    std::string plain;
    plain.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == escapeByte && i + 1 < text.size())
            plain += static_cast<char>(text[++i] ^ escapeBit);
        else
            plain += text[i];
    }
    return plain;
}

} // namespace

std::optional<GdbFrame> GdbFrameReader::next()
{
    const std::size_t start = pending_.find_first_of("$\x03");
    pending_.erase(0, start); // acknowledgements and noise
    if (pending_.empty())
        return std::nullopt;
    if (pending_.front() == interruptByte) {
        pending_.erase(0, 1);
        return GdbFrame{GdbFrame::Kind::Interrupt, {}};
    }
    const std::size_t hash = pending_.find('#');
    if (hash == std::string::npos || hash + 2 >= pending_.size()) {
        if (hash == std::string::npos &&
            pending_.size() > 2 * gdbPacketBytes) { // a conforming debugger does not send that
            pending_.clear();
            return GdbFrame{GdbFrame::Kind::Damaged, {}};
        }
        return std::nullopt;
    }
    const std::string body = pending_.substr(1, hash - 1);
    const auto stated = hexNumber(std::string_view(pending_).substr(hash + 1, 2));
    pending_.erase(0, hash + 3);
    if (!stated || *stated != checksum(body))
        return GdbFrame{GdbFrame::Kind::Damaged, {}};
    return GdbFrame{GdbFrame::Kind::Packet, unescaped(body)};
}

std::string gdbFrame(std::string_view payload)
{
    std::string body;
    body.reserve(payload.size());
    for (const char c : payload) {
        if (c == '$' || c == '#' || c == escapeByte || c == '*') {
            body += escapeByte;
            body += static_cast<char>(c ^ escapeBit);
        } else {
            body += c;
        }
    }
    const unsigned char sum = checksum(body);
    return "$" + body + "#" + toHex(std::string_view(reinterpret_cast<const char*>(&sum), 1)); // NOLINT: a byte
}

std::string toHex(std::string_view bytes)
{
    constexpr const char* digits = "0123456789abcdef";
    std::string text;
    text.reserve(2 * bytes.size());
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        text += digits[byte >> 4U];
        text += digits[byte & 15U];
    }
    return text;
}

std::optional<std::string> fromHex(std::string_view digits)
{
    if (digits.size() % 2 != 0)
        return std::nullopt;
    std::string bytes;
    bytes.reserve(digits.size() / 2);
    for (std::size_t i = 0; i < digits.size(); i += 2) {
        const auto byte = hexNumber(digits.substr(i, 2));
        if (!byte)
            return std::nullopt;
        bytes += static_cast<char>(*byte);
    }
    return bytes;
}

std::optional<std::uint32_t> hexNumber(std::string_view digits)
{
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
    if (error != std::errc() || end != digits.data() + digits.size())
        return std::nullopt;
    return value;
}

} // namespace strobe::cpu
