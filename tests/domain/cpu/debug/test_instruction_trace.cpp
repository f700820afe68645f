// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/debug/instruction_trace.h"
#include "tests/domain/cpu/rv32/guest.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::cpu;
using namespace strobe::test::rv32asm;
using test::Guest;

TEST_CASE("an instruction is a line with what it wrote and touched")
{
    Guest guest({lui(a1, 0x80000), addi(a0, a0, -1), pair(cNop(), cLi(a2, 3)), sw(a0, 0x100, a1), ecall()});
    guest.core.setCsr(rv32::csr::mtvec, Guest::handler);
    guest.put(Guest::handler, {nop(), nop()});
    std::string text;
    InstructionTrace trace(nullptr, 6, [&](std::string_view line) { text += line; });
    guest.core.observe(&trace);
    guest.core.run(10);
    CHECK(text == "         0 80000000 800005b7 lui       x11=80000000\n"
                  "         1 80000004 fff50513 addi      x10=ffffffff\n"
                  "         2 80000008     0001 addi     \n"
                  "         3 8000000a     460d addi      x12=00000003\n"
                  "         4 8000000c 10a5a023 sw        store 80000100+4\n"
                  "         5 exception 11 at 80000010, mtval 00000000, goes on at 80008000\n"
                  "         5 80008000 00000013 addi     \n");
    CHECK(trace.left() == 0);
}
