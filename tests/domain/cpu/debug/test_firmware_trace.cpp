// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/debug/firmware_trace.h"

#include "models/cpu/debug/trace_text.h"
#include "tests/domain/cpu/rv32/guest.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::cpu;
using namespace strobe::test::rv32asm;
using test::Guest;

namespace {

// A guest whose instructions take 5 ns, and the text of its trace.
struct Traced {
    Traced(const std::vector<std::uint32_t>& program, const std::vector<std::uint32_t>& handler,
           TraceFilter chosen = {})
        : guest(program), filter(std::move(chosen)),
          trace(
              0, filter, [](std::uint32_t address) { return address == Guest::deviceBase + 4 ? "DEV.B" : "DEV.A"; },
              [this](const TraceEntry& entry) { text += lines.of(entry); })
    {
        guest.core.setCsr(rv32::csr::mtvec, Guest::handler);
        guest.put(Guest::handler, handler);
        trace.begin([this] { return std::chrono::nanoseconds(5 * static_cast<std::int64_t>(guest.core.executed())); });
        guest.core.observe(&trace);
    }

    Guest guest;
    TraceFilter filter;
    std::string text;
    TraceText lines{nullptr, 1};
    FirmwareTrace trace;
};

TraceFilter only(TraceKind kind)
{
    TraceFilter filter;
    filter.kinds.reset();
    filter.kinds.set(static_cast<std::size_t>(kind));
    return filter;
}

const std::vector<std::uint32_t> simple{lui(a1, 0x80000), addi(a0, a0, -1), pair(cNop(), cLi(a2, 3)), sw(a0, 0x100, a1),
                                        ecall()};
const std::vector<std::uint32_t> device{lui(a1, 0x40000), li(a0, 0x1F2), sw(a0, 0, a1), sb(a0, 4, a1), lbu(a2, 4, a1)};

} // namespace

TEST_CASE("an instruction is a line with its time, what it wrote and what it touched")
{
    Traced t(simple, {nop(), nop()});
    t.guest.core.run(7);
    CHECK(t.text == "           0.000          0 80000000 800005b7 lui       x11=80000000\n"
                    "           5.000          1 80000004 fff50513 addi      x10=ffffffff\n"
                    "          10.000          2 80000008     0001 addi     \n"
                    "          15.000          3 8000000a     460d addi      x12=00000003\n"
                    "          20.000          4 8000000c 10a5a023 sw        store 80000100+4\n"
                    "          30.000          5 80000010 exception 11, mtval 00000000, goes on at 80008000\n"
                    "          30.000          5 80008000 00000013 addi     \n");
}

TEST_CASE("accesses on the bus have the name of the register and the value, once even if the bus puts them off")
{
    Traced t(device, {}, only(TraceKind::Registers));
    t.guest.deviceValue = 0x7E;
    t.guest.putOff = 3;
    for (int slice = 0; slice < 4; ++slice)
        t.guest.core.run(5 - static_cast<std::int64_t>(t.guest.core.executed()));
    CHECK(t.text == "          10.000          2 80000008 write DEV.A = 000001f2\n"
                    "          15.000          3 8000000c write DEV.B+1 = f2\n"
                    "          20.000          4 80000010 read  DEV.B+1 = 7e\n");
}

TEST_CASE("what a load into x0 has read is not known")
{
    Traced t({lui(a1, 0x40000), lw(zero, 0, a1)}, {}, only(TraceKind::Registers));
    t.guest.deviceValue = 5;
    t.guest.core.run(2);
    CHECK(t.text == "           5.000          1 80000004 read  DEV.A\n");
}

TEST_CASE("an atomic instruction touches memory twice")
{
    Traced t({lui(a1, 0x80000), addi(a1, a1, 0x100), amoaddW(a0, a1, a1)}, {});
    t.guest.core.run(3);
    CHECK(t.text.find("x10=00000000 load 80000100+4 store 80000100+4\n") != std::string::npos);
}

TEST_CASE("interrupts are entered and left, and exceptions have their value")
{
    Traced t({csrrsi(zero, rv32::csr::mstatus, 8), nop(), nop(), lw(a0, 0, zero), nop()},
             {csrrwi(zero, rv32::csr::mie, 0), mret()}, only(TraceKind::Interrupts));
    t.guest.core.setCsr(rv32::csr::mie, 1U << 7U);
    t.guest.core.run(2);
    t.guest.core.setInterrupt(rv32::InterruptLine::Timer, true);
    t.guest.core.run(6);
    CHECK(t.text == "          10.000          2 80000008 interrupt 7 (timer), goes on at 80008000\n"
                    "          15.000          3 80008004 returns to 80000008\n"
                    "          30.000          5 8000000c exception 5, mtval 00000000, goes on at 80008000\n"
                    "          35.000          6 80008004 returns to 8000000c\n");
}

TEST_CASE("a window of time takes the entries from its first instant to before its end")
{
    TraceFilter filter;
    filter.from = std::chrono::nanoseconds(5);
    filter.to = std::chrono::nanoseconds(15);
    Traced t(simple, {}, filter);
    t.guest.core.run(5);
    CHECK(t.text == "           5.000          1 80000004 fff50513 addi      x10=ffffffff\n"
                    "          10.000          2 80000008     0001 addi     \n");
}

TEST_CASE("a range takes what is executed, touched or entered in it")
{
    TraceFilter filter;
    SECTION("instructions by their address")
    {
        filter.ranges = {{0x80000004, 0x80000008}};
        Traced t(simple, {nop()}, filter);
        t.guest.core.run(7);
        CHECK(t.text == "           5.000          1 80000004 fff50513 addi      x10=ffffffff\n"
                        "          10.000          2 80000008     0001 addi     \n");
    }
    SECTION("instructions by what they touch, and traps by their handler")
    {
        filter.ranges = {{0x80000100, 0x80000100}, {Guest::handler, Guest::handler}};
        Traced t(simple, {nop()}, filter);
        t.guest.core.run(7);
        CHECK(t.text == "          20.000          4 8000000c 10a5a023 sw        store 80000100+4\n"
                        "          30.000          5 80000010 exception 11, mtval 00000000, goes on at 80008000\n"
                        "          30.000          5 80008000 00000013 addi     \n");
    }
}

TEST_CASE("with several cores each line begins with the number of its core")
{
    TraceText text(nullptr, 2);
    TraceEntry entry;
    entry.what = TraceEntry::What::Return;
    entry.core = 1;
    entry.at = Time{1'234'567};
    CHECK(text.of(entry) == "1         1234.567          0 00000000 returns to 00000000\n");
}
