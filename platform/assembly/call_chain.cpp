// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/call_chain.h"

#include <cstring>
#include <optional>

namespace strobe::platform {

namespace {

constexpr unsigned returnAddress = 1;
constexpr unsigned stackPointer = 2;
constexpr std::uint32_t mostBytes = 16384; // of the stack, without the symbol of its top

template <class T>
std::optional<T> read(const rv32::Core& hart, std::uint32_t address)
{
    const std::uint8_t* bytes = hart.memory().find(address, sizeof(T), false);
    if (bytes == nullptr)
        return std::nullopt;
    T value{};
    std::memcpy(&value, bytes, sizeof value);
    return value;
}

// The address of the call that returns to `to` (Unprivileged ISA: jal, jalr, c.jal, c.jalr that write ra); nothing:
// none.
std::optional<std::uint32_t> callBefore(const rv32::Core& hart, std::uint32_t to)
{
    constexpr std::uint32_t jal = 0x6F;
    constexpr std::uint32_t jalr = 0x67;
    if (to % 2 != 0 || to < 4)
        return std::nullopt;
    const auto low = read<std::uint16_t>(hart, to - 4);
    const auto high = read<std::uint16_t>(hart, to - 2);
    if (!low || !high)
        return std::nullopt;
    const std::uint32_t word = std::uint32_t{*high} << 16U | *low;
    const std::uint32_t opcode = word & 0x7FU;
    if ((opcode == jal || opcode == jalr) && (word >> 7U & 0x1FU) == returnAddress)
        return to - 4;
    const bool isCompressedJal = (*high & 0xE003U) == 0x2001U;
    const bool isCompressedJalr = (*high & 0xF07FU) == 0x9002U && (*high >> 7U & 0x1FU) != 0;
    if (isCompressedJal || isCompressedJalr)
        return to - 2;
    return std::nullopt;
}

bool isInside(const cpu::ElfImage::Symbol* function, std::uint32_t address)
{
    return function != nullptr && address - function->address < function->size;
}

} // namespace

std::vector<std::uint32_t> callChain(const rv32::Core& hart, const rv32::Registers& at, const cpu::ElfImage& image)
{
    std::vector<std::uint32_t> calls;
    const auto add = [&](std::uint32_t to) {
        const std::optional<std::uint32_t> call = callBefore(hart, to);
        if (call && (calls.empty() || calls.back() != *call))
            calls.push_back(*call);
    };
    if (!isInside(image.functionAt(at.pc), at.x[returnAddress]))
        add(at.x[returnAddress]);
    const std::uint32_t sp = at.x[stackPointer] & ~3U;
    const cpu::ElfImage::Symbol* top = image.find("__stack_top");
    const std::uint32_t end =
        top != nullptr && top->address > sp && top->address - sp < mostBytes ? top->address : sp + mostBytes;
    for (std::uint32_t place = sp; place < end && calls.size() < mostCalls; place += 4) {
        const auto word = read<std::uint32_t>(hart, place);
        if (!word)
            break;
        add(*word);
    }
    return calls;
}

} // namespace strobe::platform
