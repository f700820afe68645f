// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/debug/stacks.h"
#include "tests/support/catch.h"
#include "tests/support/elf_builder.h"

using namespace strobe::cpu;
using Move = Stacks::Move;

namespace {

// Stacks of 0x100 bytes at 0x2000 (core 0), 0x2100 (core 1) and 0x2200 (traps); an array of 0x400 bytes at 0x3000.
ElfImage image()
{
    strobe::test::ElfBuilder elf;
    const auto label = [&](const char* name, std::uint32_t address) {
        elf.symbols.push_back({name, address, 0, STT_NOTYPE});
    };
    label("__stack_limit", 0x2000);
    label("__stack_top", 0x2100);
    label("__second_stack_limit", 0x2100);
    label("__second_stack_top", 0x2200);
    label("__trap_stack_limit", 0x2200);
    label("__trap_stack_top", 0x2300);
    elf.symbols.push_back({"tasks", 0x3000, 0x400, STT_OBJECT});
    return ElfImage::parse(elf.file(), "stacks.elf");
}

std::string text(const Stacks& stacks)
{
    std::string text;
    for (const Stacks::Stack& stack : stacks.used())
        text += stack.name + " " + std::to_string(stack.deepest) + "/" + std::to_string(stack.size) + "; ";
    return text;
}

} // namespace

TEST_CASE("each declared stack has the deepest use of its harts; one that was not used is not listed")
{
    const ElfImage elf = image();
    Stacks stacks(elf);
    stacks.moved(0, 0x2100, Move::Set);
    stacks.moved(0, 0x20C0, Move::Relative);
    CHECK(stacks.moved(0, 0x20E0, Move::Relative));
    stacks.moved(1, 0x2200, Move::Set);
    CHECK(text(stacks) == "core 0 64/256; ");
    stacks.moved(1, 0x21F0, Move::Relative);
    CHECK_FALSE(stacks.moved(0, 0x2300, Move::Set)); // a trap
    stacks.moved(0, 0x22D0, Move::Relative);
    CHECK(text(stacks) == "core 0 64/256; core 1 16/256; traps 48/256; ");
}

TEST_CASE("an overflow belongs to the stack that overflowed, not to the memory below it")
{
    const ElfImage elf = image();
    Stacks stacks(elf);
    stacks.moved(1, 0x2200, Move::Set);
    stacks.moved(1, 0x20F0, Move::Relative);
    CHECK(text(stacks) == "core 1 272/256; ");
}

TEST_CASE("a stack pointer is set in two steps")
{
    const ElfImage elf = image();
    Stacks stacks(elf);
    stacks.moved(0, 0x5000, Move::HalfSet);
    stacks.moved(0, 0x2100, Move::Relative);
    stacks.moved(0, 0x20F0, Move::Relative);
    CHECK(text(stacks) == "core 0 16/256; ");
}

TEST_CASE("stacks of tasks are found where the stack pointer is set; a task goes on in its own")
{
    const ElfImage elf = image();
    Stacks stacks(elf);
    stacks.moved(0, 0x2100, Move::Set);
    stacks.moved(0, 0x3080, Move::Set); // begins with its registers at 0x3080
    stacks.moved(0, 0x3100, Move::Relative);
    stacks.moved(0, 0x30C0, Move::Relative);
    stacks.moved(0, 0x3400, Move::Set);
    stacks.moved(0, 0x33F0, Move::Relative);
    CHECK_FALSE(stacks.moved(0, 0x30C0, Move::Set));
    stacks.moved(0, 0x3040, Move::Relative);
    stacks.moved(0, 0x8000, Move::Set);
    stacks.moved(0, 0x7FF0, Move::Relative);
    CHECK(text(stacks) == "tasks 192/256; tasks+0x100 16/768; 0x00008000 16/0; ");
}

TEST_CASE("after power-on the harts are in no stack, and what was found stays")
{
    const ElfImage elf = image();
    Stacks stacks(elf);
    stacks.moved(0, 0x2100, Move::Set);
    stacks.moved(0, 0x20C0, Move::Relative);
    stacks.powerOn();
    CHECK_FALSE(stacks.moved(0, 0x20F0, Move::Relative));
    CHECK(text(stacks) == "core 0 64/256; ");
}
