// SPDX-License-Identifier: Apache-2.0
#include "models/base/strobe_registers.h"
#include "models/cpu/boot_block.h"
#include "tests/support/catch.h"

#include <array>
#include <cstring>

using namespace strobe;

namespace {
std::uint32_t wordAt(const std::byte* memory, std::uint32_t offset)
{
    std::uint32_t word = 0;
    std::memcpy(&word, memory + offset, sizeof word);
    return word;
}
} // namespace

TEST_CASE("the layout of the boot block in memory is that of the register description")
{
    cpu::BootBlock block;
    block.channels = 4;
    block.pageBytes = 2048;
    block.cpuKhz = 200'000;
    block.commandPlacement = 1;
    std::array<std::byte, regs::bootBlock::size + 1> memory{};
    memory.back() = std::byte{0xEE};
    block.fill(memory.data());

    CHECK(std::memcmp(memory.data(), "STRB", 4) == 0);
    CHECK(wordAt(memory.data(), regs::bootBlock::VERSION) == 9);
    CHECK(wordAt(memory.data(), regs::bootBlock::CHANNELS) == 4);
    CHECK(wordAt(memory.data(), regs::bootBlock::PAGE_BYTES) == 2048);
    CHECK(wordAt(memory.data(), regs::bootBlock::CPU_KHZ) == 200'000);
    CHECK(wordAt(memory.data(), regs::bootBlock::COMMAND_PLACEMENT) == 1);
    CHECK(wordAt(memory.data(), regs::bootBlock::GC_POLICY) == 0);
    CHECK(memory.back() == std::byte{0xEE}); // and not a byte further
}
