// SPDX-License-Identifier: Apache-2.0
#include "tests/domain/rv32/guest.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::test::rv32asm;
using rv32::Stop;
using rv32::Watchpoint;
using test::Guest;

namespace {

constexpr std::uint32_t base = Guest::memoryBase;

std::vector<Word> loop()
{
    return {addi(a0, a0, 1), pair(cNop(), cLi(a1, 3)), jal(zero, -8)};
}

struct Recorder : rv32::Observer {
    void retired(const rv32::Core& core, std::uint32_t pc, std::uint32_t bits, unsigned cycles) override
    {
        CHECK(core.pc() == pc);
        pcs.push_back(pc);
        words.push_back(bits);
        cyclesSeen += cycles;
        counts.push_back(core.retired());
        if (onRetired)
            onRetired();
    }
    void accessed(const rv32::Core& core, std::uint32_t address, unsigned bytes, bool isStore) override
    {
        accesses.push_back({isStore, address, bytes, 0, core.retired(), core.pc()});
    }
    void trapped(const rv32::Core& core) override { handlers.push_back(core.pc()); }

    std::vector<std::uint32_t> pcs;
    std::vector<std::uint32_t> words;
    std::vector<std::uint64_t> counts;
    unsigned cyclesSeen = 0;
    std::vector<test::BusAccess> accesses;
    std::vector<std::uint32_t> handlers;
    std::function<void()> onRetired;
};

} // namespace

TEST_CASE("a breakpoint stops before its instruction, the next run continues past it and returns to it")
{
    Guest guest(loop());
    guest.core.addBreakpoint(base + 6);
    CHECK(guest.core.run(100) == Stop::Breakpoint);
    CHECK(guest.core.pc() == base + 6);
    CHECK(guest.core.retired() == 2);
    CHECK(guest.core.reg(11) == 0);
    CHECK(guest.core.run(100) == Stop::Breakpoint);
    CHECK(guest.core.retired() == 6);
    CHECK(guest.core.reg(11) == 3);
    CHECK(guest.core.run(1) == Stop::Budget); // a single step from it
    CHECK(guest.core.pc() == base + 8);
    guest.core.removeBreakpoint(base + 6);
    CHECK(guest.core.run(100) == Stop::Budget);
    CHECK(guest.core.retired() == 107);
}

TEST_CASE("a breakpoint set at the current instruction stops at once, and one set while code is decoded is honoured")
{
    Guest guest(loop());
    guest.core.run(50);
    const std::uint32_t here = guest.core.pc();
    guest.core.addBreakpoint(here);
    CHECK(guest.core.run(100) == Stop::Breakpoint);
    CHECK(guest.core.pc() == here);
    CHECK(guest.core.retired() == 50);
}

TEST_CASE("a breakpoint stays when its instruction is overwritten")
{
    Guest guest({sw(a1, 4, sp), addi(a0, a0, 1)});
    guest.core.setReg(2, base);
    guest.core.setReg(11, addi(a0, a0, 7));
    guest.core.addBreakpoint(base + 4);
    CHECK(guest.core.run(10) == Stop::Breakpoint);
    guest.core.run(1);
    CHECK(guest.core.reg(10) == 7);
}

TEST_CASE("an interrupt goes before a breakpoint, which stops when the handler is back")
{
    Guest guest({addi(a0, a0, 1), addi(a0, a0, 1)});
    guest.put(Guest::handler, {csrrwi(zero, rv32::csr::mie, 0), mret()});
    guest.core.setCsr(rv32::csr::mtvec, Guest::handler);
    guest.core.setCsr(rv32::csr::mie, 0x800);
    guest.core.setCsr(rv32::csr::mstatus, 8);
    guest.core.addBreakpoint(base + 4);
    CHECK(guest.core.run(10) == Stop::Breakpoint);
    guest.core.setInterrupt(rv32::InterruptLine::External, true);
    CHECK(guest.core.run(10) == Stop::Breakpoint);
    CHECK(guest.core.pc() == base + 4);
    CHECK(guest.core.interrupts() == 1);
    CHECK(guest.core.reg(10) == 1);
}

TEST_CASE("a watchpoint stops after the access and names it, for loads, stores or both")
{
    const std::uint32_t variable = base + 0x200;
    struct Row {
        bool onLoad;
        bool onStore;
        unsigned stops;
    };
    for (const Row& row : {Row{true, false, 1}, Row{false, true, 2}, Row{true, true, 3}}) {
        Guest guest({sb(a0, 3, sp), lw(a1, 0, sp), sw(a0, 4, sp), sh(a0, 2, sp), jal(zero, 0)});
        guest.core.setReg(2, variable);
        guest.core.setReg(10, 0xAB);
        const Watchpoint watchpoint{variable + 2, 2, row.onLoad, row.onStore};
        guest.core.addWatchpoint(watchpoint);
        unsigned stops = 0;
        while (guest.core.run(20) == Stop::Watchpoint) {
            ++stops;
            CHECK(guest.core.watchHit().watchpoint == watchpoint);
            if (guest.core.watchHit().isStore && guest.core.watchHit().bytes == 1) {
                CHECK(guest.core.watchHit().address == variable + 3);
                CHECK(guest.core.pc() == base + 4);
                CHECK(guest.memory[0x203] == 0xAB);
            }
        }
        CHECK(stops == row.stops);
        CHECK(guest.core.removeWatchpoint(watchpoint));
        CHECK_FALSE(guest.core.removeWatchpoint(watchpoint));
        guest.core.setPc(base);
        CHECK(guest.core.run(20) == Stop::Budget);
    }
}

TEST_CASE("a watchpoint sees atomics and the bus")
{
    Guest guest({amoaddW(a0, a0, sp), sw(a0, 0, a1)});
    guest.core.setReg(2, base + 0x200);
    guest.core.setReg(11, Guest::deviceBase);
    guest.core.addWatchpoint({base + 0x200, 4, false, true});
    guest.core.addWatchpoint({Guest::deviceBase, 4, false, true});
    CHECK(guest.core.run(5) == Stop::Watchpoint);
    CHECK(guest.core.pc() == base + 4);
    CHECK(guest.core.run(5) == Stop::Watchpoint);
    CHECK(guest.core.watchHit().address == Guest::deviceBase);
    CHECK(guest.core.pc() == base + 8);
}

TEST_CASE("an observer sees every instruction with its bits, its accesses before it, and traps")
{
    Guest guest({pair(cLi(a0, 1), cNop()), lw(a1, 0, sp), ecall()});
    guest.put(Guest::handler, {nop()});
    guest.core.setCsr(rv32::csr::mtvec, Guest::handler);
    guest.core.setReg(2, Guest::deviceBase);
    Recorder recorder;
    guest.core.observe(&recorder);
    guest.core.run(5);
    CHECK(recorder.pcs == std::vector<std::uint32_t>{base, base + 2, base + 4, Guest::handler});
    CHECK(recorder.words == std::vector<std::uint32_t>{cLi(a0, 1), cNop(), lw(a1, 0, sp), nop()});
    CHECK(recorder.counts == std::vector<std::uint64_t>{0, 1, 2, 3});
    CHECK(recorder.cyclesSeen == 4);
    CHECK(recorder.handlers == std::vector<std::uint32_t>{Guest::handler});
    const std::vector<test::BusAccess> expected{{false, Guest::deviceBase, 4, 0, 2, base + 4}};
    CHECK(recorder.accesses == expected);
}

TEST_CASE("an observer may come and go between runs and during one; nothing else changes")
{
    Guest plain(loop());
    Guest observed(loop());
    Recorder recorder;
    plain.core.run(1000);
    observed.core.run(300);
    observed.core.observe(&recorder);
    observed.core.run(300);
    CHECK(recorder.pcs.size() == 300);
    recorder.onRetired = [&] {
        if (recorder.pcs.size() == 350)
            observed.core.observe(nullptr);
    };
    CHECK(observed.core.run(400) == Stop::Budget);
    CHECK(recorder.pcs.size() == 350);
    CHECK(observed.core.retired() == 1000);
    CHECK(observed.core.pc() == plain.core.pc());
    CHECK(observed.core.reg(10) == plain.core.reg(10));
}

TEST_CASE("an observer can stop the run after any instruction")
{
    Guest guest(loop());
    Recorder recorder;
    recorder.onRetired = [&] {
        if (recorder.pcs.size() == 5)
            guest.core.stop();
    };
    guest.core.observe(&recorder);
    CHECK(guest.core.run(100) == Stop::Requested);
    CHECK(guest.core.retired() == 5);
    CHECK(guest.core.pc() == base + 4);
}
