// SPDX-License-Identifier: Apache-2.0
#include "tests/domain/cpu/rv32/guest.h"
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

TEST_CASE("a trap is held before it is entered, with the registers of the instruction, and the next run enters it")
{
    for (const bool isObserved : {false, true}) {
        Guest guest({addi(a0, a0, 1), lw(a1, 0, sp), addi(a0, a0, 1)});
        guest.put(Guest::handler, {addi(a2, a2, 5), nop(), nop()});
        guest.core.setCsr(rv32::csr::mtvec, Guest::handler);
        guest.core.setReg(2, 0x1000); // nothing is there
        guest.core.holdTraps(true);
        Recorder recorder;
        guest.core.observe(isObserved ? &recorder : nullptr);
        CHECK(guest.core.run(100) == Stop::Trap);
        CHECK(guest.core.pc() == base + 4);
        CHECK(guest.core.executed() == 1);
        CHECK(guest.core.traps() == 0);
        REQUIRE(guest.core.heldTrap().has_value());
        CHECK(guest.core.heldTrap()->cause == rv32::Cause::LoadAccess);
        CHECK(guest.core.heldTrap()->value == 0x1000);
        CHECK_FALSE(guest.core.lastException().has_value());
        CHECK(guest.core.run(1) == Stop::Budget); // the entry takes the cycle of the instruction
        CHECK(guest.core.pc() == Guest::handler);
        CHECK(guest.core.executed() == 2);
        CHECK(guest.core.retired() == 1);
        CHECK_FALSE(guest.core.heldTrap().has_value());
        guest.core.run(1);
        CHECK(guest.core.reg(12) == 5);
        REQUIRE(guest.core.lastException().has_value());
        CHECK(guest.core.lastException()->registers.pc == base + 4);
        CHECK(guest.core.lastException()->registers.x[12] == 0);
    }
}

TEST_CASE("every kind of exception is held but an environment call; a new pc drops the trap")
{
    struct Row {
        Word instruction;
        rv32::Cause cause;
    };
    for (const Row& row :
         {Row{0, rv32::Cause::IllegalInstruction}, Row{ebreak(), rv32::Cause::Breakpoint},
          Row{lw(a1, 1, zero), rv32::Cause::LoadMisaligned}, Row{sw(a1, 0, zero), rv32::Cause::StoreAccess},
          Row{jal(zero, 0x100000 - 4), rv32::Cause::FetchAccess}}) {
        Guest guest({row.instruction, nop()});
        guest.core.setCsr(rv32::csr::mtvec, Guest::handler);
        guest.core.holdTraps(true);
        CHECK(guest.core.run(10) == Stop::Trap);
        REQUIRE(guest.core.heldTrap().has_value());
        CHECK(guest.core.heldTrap()->cause == row.cause);
        guest.core.setPc(base + 4);
        CHECK_FALSE(guest.core.heldTrap().has_value());
        CHECK(guest.core.run(1) == Stop::Budget);
        CHECK(guest.core.pc() == base + 8);
        CHECK(guest.core.traps() == 0);
    }
    Guest guest({ecall()});
    guest.put(Guest::handler, {nop(), nop()});
    guest.core.setCsr(rv32::csr::mtvec, Guest::handler);
    guest.core.holdTraps(true);
    CHECK(guest.core.run(2) == Stop::Budget);
    CHECK(guest.core.traps() == 1);
    CHECK_FALSE(guest.core.lastException().has_value());
}

TEST_CASE("of exceptions without an instruction in between the first is kept")
{
    Guest guest({lw(a1, 1, zero)});
    guest.core.setCsr(rv32::csr::mtvec, 0x1000); // nothing is there
    guest.core.run(10);
    CHECK(guest.core.traps() > 2);
    REQUIRE(guest.core.lastException().has_value());
    CHECK(guest.core.lastException()->trap.cause == rv32::Cause::LoadMisaligned);
    CHECK(guest.core.lastException()->registers.pc == base);
}

TEST_CASE("a run without cycles enters a pending interrupt and executes nothing")
{
    Guest guest({addi(a0, a0, 1), addi(a0, a0, 1)});
    guest.put(Guest::handler, {nop()});
    guest.core.setCsr(rv32::csr::mtvec, Guest::handler);
    guest.core.setCsr(rv32::csr::mie, 0x800);
    guest.core.setCsr(rv32::csr::mstatus, 8);
    guest.core.run(1);
    guest.core.setInterrupt(rv32::InterruptLine::External, true);
    CHECK(guest.core.run(0) == Stop::Budget);
    CHECK(guest.core.executed() == 1);
    CHECK(guest.core.interrupts() == 1);
    CHECK(guest.core.pc() == Guest::handler);
}

TEST_CASE("stores to a guarded range are reported and take effect, those beside it are not reported")
{
    const std::uint32_t page = base + 0x2000; // the range has a whole page and a part of the next
    Guest guest({sw(a0, 0, sp), sb(a0, 3, x(3)), sw(a0, 0, x(4)), lw(a1, 0, sp), amoaddW(a2, a0, sp)});
    guest.core.guard(rv32::Guard::Stores, page, page + 0x103F);
    guest.core.setReg(10, 7);
    guest.core.setReg(2, page + 0x10);
    guest.core.setReg(3, page - 4); // its last byte is outside
    guest.core.setReg(4, page + 0x1800);
    guest.core.run(5);
    REQUIRE(guest.guardHits.size() == 2);
    CHECK(guest.guardHits[0].guard == rv32::Guard::Stores);
    CHECK(guest.guardHits[0].address == page + 0x10);
    CHECK(guest.guardHits[0].pc == base);
    CHECK(guest.guardHits[1].pc == base + 16);
    CHECK(guest.word(page + 0x10) == 14);
    CHECK(guest.core.reg(11) == 7);
}

TEST_CASE("stores to the first bytes of a page are reported wherever it ends, and each instruction in a range once")
{
    Guest guest({sw(a0, 4, sp), sw(a0, 16, sp), sw(a0, 4, sp), jal(zero, 0x100 - 12)});
    guest.put(base + 0x100, {nop(), jal(zero, -4)});
    guest.core.guard(rv32::Guard::Null, base + 0x4000, base + 0x400F);
    guest.core.guard(rv32::Guard::Execution, base + 0x100, base + 0x1FF);
    guest.core.setReg(2, base + 0x4000);
    guest.core.run(50);
    REQUIRE(guest.guardHits.size() == 4);
    CHECK(guest.guardHits[0].guard == rv32::Guard::Null);
    CHECK(guest.guardHits[1].address == base + 0x4004);
    CHECK(guest.guardHits[2].guard == rv32::Guard::Execution);
    CHECK(guest.guardHits[2].address == base + 0x100);
    CHECK(guest.guardHits[3].guard == rv32::Guard::Execution);
    CHECK(guest.guardHits[3].address == base + 0x104);
}

TEST_CASE("the rest of a page with a null range is stored to directly, unless it is code, watched or no longer mapped")
{
    const std::uint32_t page = base + 0x4000;
    Guest guest({sw(a0, 16, sp), sh(a0, 22, sp), sb(a0, 15, sp), sw(a0, -4, x(3)), sb(a0, -5, x(3)), sw(a0, 18, sp)});
    guest.put(page + 0x100, {addi(a0, a0, 1), sw(a1, 0x100, sp), jal(zero, -8)});
    guest.core.guard(rv32::Guard::Null, page, page + 15);
    CHECK(guest.core.memory().window().first == page + 16);
    CHECK(guest.core.memory().window().bytes == 0x1000 - 16);
    CHECK(guest.core.memory().storeTable()[page >> 12] == 0);
    guest.core.setReg(10, 0x12345678);
    guest.core.setReg(2, page);
    guest.core.setReg(3, page + 0x1000);
    guest.core.run(5);
    CHECK(guest.word(page + 16) == 0x12345678);
    CHECK(guest.word(page + 20) == 0x56780000);
    CHECK(guest.word(page + 0xFF8) == 0x78000000);
    CHECK(guest.word(page + 0xFFC) == 0x12345678);
    REQUIRE(guest.guardHits.size() == 1);
    CHECK(guest.guardHits[0].address == page + 15);
    guest.core.run(1);
    CHECK(guest.csr(rv32::csr::mcause) == static_cast<std::uint32_t>(rv32::Cause::StoreMisaligned));

    const rv32::Watchpoint point{page + 0x200, 4, false, true};
    guest.core.addWatchpoint(point);
    CHECK(guest.core.memory().window().bytes == 0);
    guest.core.removeWatchpoint(point);
    CHECK(guest.core.memory().window().bytes != 0);

    guest.core.setPc(page + 0x100);
    guest.core.setReg(10, 0);
    guest.core.setReg(11, addi(a0, a0, 100)); // in the place of the instruction that adds 1
    guest.core.run(6);
    CHECK(guest.core.memory().window().bytes == 0);
    CHECK(guest.core.reg(10) == 101);

    guest.core.unmap(page, page);
    CHECK(guest.core.memory().window().bytes == 0);
}
