// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/semihosting.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <utility>

namespace strobe::cpu {

namespace {

constexpr std::uint32_t before = 0x01F01013; // slli x0, x0, 0x1f
constexpr std::uint32_t ebreak = 0x00100073;
constexpr std::uint32_t after = 0x40705013; // srai x0, x0, 7

enum Operation : std::uint32_t {
    WriteC = 0x03,
    Write0 = 0x04,
    Write = 0x05,
    Clock = 0x10,
    ExitSimple = 0x18,
    ExitExtended = 0x20
};

constexpr std::uint32_t applicationExit = 0x20026;
constexpr std::uint32_t refused = 0xFFFFFFFF;
constexpr std::size_t longestText = 4096;

} // namespace

bool Semihosting::Exit::isError() const
{
    return reason != applicationExit || code != 0;
}

Semihosting::Semihosting(Memory memory, Line line) : memory_(std::move(memory)), line_(std::move(line)) {}

std::optional<std::uint32_t> Semihosting::word(std::uint32_t address) const
{
    const std::byte* bytes = memory_(address, sizeof(std::uint32_t));
    if (bytes == nullptr)
        return std::nullopt;
    std::uint32_t value = 0;
    std::memcpy(&value, bytes, sizeof value);
    return value;
}

bool Semihosting::isCall(std::uint32_t pc) const
{
    return word(pc - 4) == before && word(pc) == ebreak && word(pc + 4) == after;
}

std::string Semihosting::textAt(std::uint32_t address) const
{
    std::string text;
    while (text.size() < longestText) {
        const std::byte* character = memory_(address++, 1);
        if (character == nullptr || *character == std::byte{0})
            break;
        text += static_cast<char>(*character);
    }
    return text;
}

void Semihosting::write(std::string_view text, Time now)
{
    pending_ += text;
    for (std::size_t end = pending_.find('\n'); end != std::string::npos; end = pending_.find('\n')) {
        if (line_)
            line_(now, std::string_view(pending_).substr(0, end));
        pending_.erase(0, end + 1);
    }
    lastText_ = text;
}

// Three words: handle, address, bytes. Answers how many bytes were not written.
std::uint32_t Semihosting::writeBlock(std::uint32_t argument, Time now)
{
    const auto handle = word(argument);
    const auto address = word(argument + 4);
    const auto bytes = word(argument + 8);
    if (!handle || !address || !bytes || (*handle != 1 && *handle != 2))
        return refused;
    const std::byte* contents = memory_(*address, *bytes);
    if (contents == nullptr)
        return *bytes;
    write({reinterpret_cast<const char*>(contents), *bytes}, now);
    return 0;
}

void Semihosting::end(std::uint32_t reason, std::uint32_t code)
{
    std::string last = lastText_;
    while (!last.empty() && last.back() == '\n')
        last.pop_back();
    exit_ = Exit{reason, code, last};
}

std::uint32_t Semihosting::serve(std::uint32_t operation, std::uint32_t argument, Time now)
{
    switch (operation) {
    case WriteC: write(textAt(argument).substr(0, 1), now); return 0;
    case Write0: write(textAt(argument), now); return 0;
    case Write: return writeBlock(argument, now);
    case Clock: return static_cast<std::uint32_t>(now / std::chrono::milliseconds(10));
    case ExitSimple: end(argument, 0); return 0;
    case ExitExtended: end(word(argument).value_or(0), word(argument + 4).value_or(0)); return 0;
    default: return refused;
    }
}

} // namespace strobe::cpu
