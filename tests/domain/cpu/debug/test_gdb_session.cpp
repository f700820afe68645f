// SPDX-License-Identifier: Apache-2.0
#include "guest_target.h"
#include "models/cpu/debug/gdb_packets.h"
#include "models/cpu/debug/gdb_session.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::cpu;
using namespace strobe::test::rv32asm;
using test::Guest;

namespace {

constexpr std::uint32_t base = Guest::memoryBase;

std::vector<Word> counting() // a0 counts, and is stored after the program
{
    return {addi(a0, a0, 1), auipc(a1, 0), sw(a0, 0x7C, a1), jal(zero, -12)};
}

struct Debugged {
    test::GuestTarget target{counting()};
    GdbSession session{target};

    std::string ask(std::string_view packet)
    {
        const GdbSession::Answer answer = session.handle(packet);
        CHECK(answer.resume == GdbSession::Resume::Stay);
        return answer.payload.value_or("(none)");
    }
    GdbSession::Resume go(std::string_view packet) { return session.handle(packet).resume; }
};

} // namespace

TEST_CASE("registers are read and written in the target's byte order, all together and one by one")
{
    Debugged d;
    d.target.core(0).setReg(10, 0x12345678);
    const std::string all = d.ask("g");
    CHECK(all.size() == 33U * 8);
    CHECK(all.substr(std::size_t{10} * 8, 8) == "78563412");
    CHECK(all.substr(std::size_t{32} * 8) == "00000080"); // pc
    CHECK(d.ask("pa") == "78563412");
    CHECK(d.ask("Pa=01000000") == "OK");
    CHECK(d.target.core(0).reg(10) == 1);
    CHECK(d.ask("P20=04000080") == "OK");
    CHECK(d.target.core(0).pc() == base + 4);
    std::string changed = d.ask("g");
    changed.replace(std::size_t{11} * 8, 8, "efbeadde");
    CHECK(d.ask("G" + changed) == "OK");
    CHECK(d.target.core(0).reg(11) == 0xDEADBEEF);
}

TEST_CASE("control and status registers have GDB's numbers and are in the description")
{
    Debugged d;
    CHECK(d.ask("p346") == toHex(std::string("\x00\x00\x00\x00", 4))); // 65 + mtvec
    CHECK(d.ask("P346=01010080") == "OK");
    CHECK(d.target.core(0).csr(rv32::csr::mtvec) == 0x80000101);
    CHECK(d.ask("pf55") == "00000000");     // mhartid
    CHECK(d.ask("Pf55=01000000") == "E16"); // read-only
    CHECK(d.ask("p41") == "E16");           // CSR 0: there is none
    CHECK(d.ask("p25") == "E16");           // a floating-point register
    const std::string xml = d.ask("qXfer:features:read:target.xml:0,2000");
    CHECK(xml.front() == 'l');
    CHECK(xml.find("<architecture>riscv:rv32</architecture>") != std::string::npos);
    CHECK(xml.find("name=\"mepc\" bitsize=\"32\" regnum=\"898\"") != std::string::npos);
    const std::string first = d.ask("qXfer:features:read:target.xml:0,40");
    CHECK(first == "m" + xml.substr(1, 0x40));
    CHECK(d.ask("qXfer:features:read:target.xml:40,40") == "m" + xml.substr(0x41, 0x40));
    CHECK(d.ask("qXfer:features:read:target.xml:ffff,40") == "l");
}

TEST_CASE("memory is read and written, in digits and in bytes; what is not there is an error")
{
    Debugged d;
    CHECK(d.ask("m80000000,4") == toHex(std::string("\x13\x05\x15\x00", 4)));
    CHECK(d.ask("M80001000,3:010203") == "OK");
    CHECK(d.ask("X80001003,2:ab") == "OK");
    CHECK(d.ask("m80001000,5") == "0102036162");
    CHECK(d.ask("m0,4") == "E0e");
    CHECK(d.ask("M0,1:00") == "E0e");
    CHECK(d.ask("M80001000,2:01") == "E16"); // fewer bytes than said
    CHECK(d.ask("m80001000") == "E16");
}

TEST_CASE("code that the debugger writes is executed")
{
    Debugged d;
    d.target.core(0).run(8);
    CHECK(d.target.core(0).reg(10) == 2);
    CHECK(d.ask("M80000000,4:13055506") == "OK"); // addi a0, a0, 101
    d.target.core(0).run(4);
    CHECK(d.target.core(0).reg(10) == 103);
}

TEST_CASE("breakpoints stop every hart until they are removed")
{
    Debugged d;
    CHECK(d.ask("Z0,80000008,4") == "OK");
    for (std::size_t hart = 0; hart < 2; ++hart) {
        CHECK(d.target.core(hart).run(100) == rv32::Stop::Breakpoint);
        CHECK(d.target.core(hart).pc() == base + 8);
    }
    d.session.halted({Halt::Reason::Breakpoint, 1, {}});
    CHECK(d.ask("?") == "T05thread:2;hwbreak:;");
    CHECK(d.ask("z0,80000008,4") == "OK");
    CHECK(d.target.core(0).run(100) == rv32::Stop::Budget);
    CHECK(d.ask("Z7,80000008,4") == "");
    CHECK(d.ask("Z0,oops,4") == "E16");
}

TEST_CASE("a watchpoint reports the address that was touched; write, read and access are distinguished")
{
    Debugged d;
    CHECK(d.ask("Z2,80000080,0") == "E16"); // no bytes
    CHECK(d.ask("Z2,80000080,4") == "OK");
    CHECK(d.target.core(0).run(100) == rv32::Stop::Watchpoint);
    d.session.halted({Halt::Reason::Watchpoint, 0, {}, 0, d.target.core(0).watchHit()});
    CHECK(d.ask("?") == "T05thread:1;watch:80000080;");
    CHECK(d.ask("z2,80000080,4") == "OK");
    CHECK(d.target.core(0).run(100) == rv32::Stop::Budget);
    CHECK(d.ask("Z3,80000080,4") == "OK"); // no loads
    CHECK(d.target.core(0).run(100) == rv32::Stop::Budget);
    CHECK(d.ask("Z4,80000080,4") == "OK");
    CHECK(d.target.core(0).run(100) == rv32::Stop::Watchpoint);
    d.session.halted({Halt::Reason::Watchpoint, 0, {}, 0, d.target.core(0).watchHit()});
    CHECK(d.ask("?").find("awatch:80000080;") != std::string::npos);
    d.session.forgetBreakpoints();
    CHECK(d.target.core(0).run(100) == rv32::Stop::Budget);
}

TEST_CASE("continuing, stepping one hart, detaching and killing are distinguished")
{
    Debugged d;
    CHECK(d.go("c") == GdbSession::Resume::Run);
    CHECK(d.go("s") == GdbSession::Resume::Step);
    CHECK(d.ask("vCont?") == "vCont;c;C;s;S");
    CHECK(d.go("vCont;c") == GdbSession::Resume::Run);
    CHECK(d.go("vCont;s:2;c") == GdbSession::Resume::Step);
    CHECK(d.session.hart() == 1);
    CHECK(d.go("vCont;c:1;s:1") == GdbSession::Resume::Step);
    CHECK(d.session.hart() == 0);
    CHECK(d.go("D") == GdbSession::Resume::Detach);
    CHECK(d.go("k") == GdbSession::Resume::Kill);
}

TEST_CASE("harts are threads with names")
{
    Debugged d;
    CHECK(d.ask("qfThreadInfo") == "m1,2");
    CHECK(d.ask("qsThreadInfo") == "l");
    CHECK(d.ask("qXfer:threads:read::0,1000") == "l<?xml version=\"1.0\"?><threads><thread id=\"1\" name=\"cpu0\"/>"
                                                 "<thread id=\"2\" name=\"cpu1\"/></threads>");
    CHECK(d.ask("T2") == "OK");
    CHECK(d.ask("T3") == "E16");
    CHECK(d.ask("Hg2") == "OK");
    CHECK(d.ask("pf55") == "01000000"); // mhartid of the second
    CHECK(d.ask("Hc-1") == "OK");
    CHECK(d.ask("Hg9") == "E16");
    d.session.halted({Halt::Reason::Interrupted, 1, {}});
    CHECK(d.ask("?") == "T02thread:2;");
    CHECK(d.ask("qC") == "QC2");
}

TEST_CASE("monitor commands are answered with text, unknown ones too")
{
    Debugged d;
    CHECK(fromHex(d.ask("qRcmd," + toHex("time"))) == "1 us\n");
    CHECK(fromHex(d.ask("qRcmd," + toHex("tea"))) == "there is no command \"tea\"; monitor help lists them\n");
    CHECK(d.ask("qRcmd,0") == "E16");
}

TEST_CASE("unsupported packets get an empty answer, as the protocol requires")
{
    Debugged d;
    for (const char* packet : {"", "!", "B", "vMustReplyEmpty", "qSymbol::", "QNonStop:1", "R00"})
        CHECK(d.ask(packet) == "");
    CHECK(d.session.acknowledges());
    CHECK(d.ask("QStartNoAckMode") == "OK");
    CHECK_FALSE(d.session.acknowledges());
    d.session.restart();
    CHECK(d.session.acknowledges());
}

TEST_CASE("reverse execution is offered only by a target that records its past, and its packets are distinguished")
{
    Debugged d;
    CHECK(d.ask("qSupported:").find("ReverseStep") == std::string::npos);
    d.target.doesRemember = true;
    CHECK(d.ask("qSupported:").find(";ReverseStep+;ReverseContinue+") != std::string::npos);
    CHECK(d.go("bs") == GdbSession::Resume::StepBack);
    CHECK(d.go("bc") == GdbSession::Resume::RunBack);
    CHECK(d.ask("bx") == "");
    CHECK(d.go("qRcmd," + toHex("reset")) == GdbSession::Resume::Reset);
    const GdbSession::Answer snapshot = d.session.handle("qRcmd," + toHex("snapshot  before the loop "));
    CHECK(snapshot.resume == GdbSession::Resume::Snapshot);
    CHECK(snapshot.name == "before the loop");
    const GdbSession::Answer restore = d.session.handle("qRcmd," + toHex("restore"));
    CHECK(restore.resume == GdbSession::Resume::Restore);
    CHECK(restore.name.empty());
    CHECK(fromHex(d.ask("qRcmd," + toHex("snapshots")))->find("there is no command") == 0);
    d.session.halted({Halt::Reason::Reset, 0, {}});
    CHECK(fromHex(d.session.stopReply())->find("the drive is at the beginning of its run again") == 0);
    d.session.halted({Halt::Reason::Begin, 0, {}});
    CHECK(d.ask("?") == "T05thread:1;replaylog:begin;");
}

TEST_CASE("the target is told when the debugger changes a register or memory, and not when it reads")
{
    Debugged d;
    d.ask("g");
    d.ask("m80000000,4");
    d.ask("Z0,80000008,4");
    d.ask("P41=01000000"); // no such register
    CHECK(d.target.changes == 0);
    d.ask("Pa=01000000");
    CHECK(d.target.changes == 1);
    d.ask("M80001000,3:010203");
    CHECK(d.target.changes == 2);
    d.ask("G" + d.ask("g"));
    CHECK(d.target.changes == 3);
}

TEST_CASE("breakpoints can be disarmed without being forgotten, and go to another session as text")
{
    Debugged d;
    d.ask("Z0,80000008,4");
    d.ask("Z2,80000080,4");
    d.session.disarm();
    CHECK(d.target.core(0).run(100) == rv32::Stop::Budget);
    d.session.arm();
    CHECK(d.target.core(0).run(100) != rv32::Stop::Budget);

    Debugged other;
    other.session.restore(d.session.saved());
    CHECK(other.session.saved() == d.session.saved());
    CHECK(other.target.core(0).run(100) == rv32::Stop::Breakpoint);
    CHECK(other.target.core(0).run(100) == rv32::Stop::Watchpoint);
    CHECK(other.ask("z0,80000008,4") == "OK");
    CHECK(other.ask("z2,80000080,4") == "OK");
    CHECK(other.target.core(0).run(100) == rv32::Stop::Budget);
}

TEST_CASE("an event halts with its signal, and its text goes to the user as output")
{
    Debugged d;
    d.session.halted({Halt::Reason::Event, 1, "panic", 6});
    CHECK(d.ask("?") == "T06thread:2;");
    CHECK(GdbSession::output("no\n") == "O6e6f0a");
}
