// SPDX-License-Identifier: Apache-2.0
//
// The parts of the core one by one: memory with watchpoints and code, translation, traps and CSRs, atomics.
#include "models/cpu/rv32/core.h"
#include "models/cpu/rv32/instruction.h"
#include "tests/support/catch.h"

#include <array>
#include <cstring>

using namespace strobe::rv32;

namespace {

constexpr std::uint32_t base = 0x1000;

struct Bus : Environment {
    BusResult answer = BusResult::Ok;
    BusResult load(std::uint32_t, unsigned, std::uint32_t& value) override
    {
        value = 77;
        return answer;
    }
    BusResult store(std::uint32_t, unsigned, std::uint32_t) override { return answer; }
    std::uint64_t cycles(const Core&) const override { return 1000; }
};

struct Parts {
    Bus bus;
    std::array<std::uint8_t, pageBytes> bytes{};
    Core core{CoreConfig{}, bus}; // only an argument for the bus
    Hart hart;
    HartMemory memory{core, hart, bus};
    SystemUnit system{core, hart, memory, bus, 0, 3};
    AtomicUnit atomics{hart, memory, system};

    Parts() { memory.map({base, base + pageBytes - 1, bytes.data()}); }
    void put(std::uint32_t address, std::uint32_t word) { std::memcpy(&bytes.at(address - base), &word, sizeof word); }
    bool isLoadDirect() const { return memory.direct().loadTable()[base >> pageBits] != 0; }
    bool isStoreDirect() const { return memory.direct().storeTable()[base >> pageBits] != 0; }
};

Step atomicStep(Operation operation)
{
    Step step{};
    step.imm = static_cast<std::int32_t>(operation);
    step.rd = 1;
    step.rs1 = 2;
    step.rs2 = 3;
    return step;
}

} // namespace

TEST_CASE("watchpoints: one that leads past the end of the address space ends there")
{
    CHECK(Watchpoint{0x100, 4, true, true}.last() == 0x103);
    CHECK(Watchpoint{0xFFFFFFFC, 4, true, true}.last() == UINT32_MAX);
    CHECK(Watchpoint{0xFFFFFFFC, 8, true, true}.last() == UINT32_MAX);
}

TEST_CASE("watchpoints: a hit is reported once and describes the access")
{
    Watchpoints watchpoints;
    watchpoints.add({0x100, 4, false, true});
    CHECK_FALSE(watchpoints.accessed(0x100, 4, false));
    CHECK_FALSE(watchpoints.accessed(0x104, 4, true));
    CHECK(watchpoints.accessed(0x102, 2, true));
    CHECK(watchpoints.hit().address == 0x102);
    CHECK(watchpoints.takeHit());
    CHECK_FALSE(watchpoints.takeHit());
    CHECK(watchpoints.remove({0x100, 4, false, true}));
    CHECK_FALSE(watchpoints.remove({0x100, 4, false, true}));
    CHECK(watchpoints.empty());
}

TEST_CASE("hart memory: watched pages and stores to code leave the tables of threaded code")
{
    Parts parts;
    CHECK(parts.isLoadDirect());
    CHECK(parts.isStoreDirect());
    parts.memory.addWatchpoint({base + 8, 4, true, false});
    CHECK_FALSE(parts.isLoadDirect());
    CHECK(parts.isStoreDirect());
    CHECK(parts.memory.removeWatchpoint({base + 8, 4, true, false}));
    CHECK(parts.isLoadDirect());
    REQUIRE(parts.memory.enterCode(base) != nullptr);
    CHECK(parts.isLoadDirect());
    CHECK_FALSE(parts.isStoreDirect());
}

TEST_CASE("hart memory: what is neither direct nor answered by the bus is a trap or happens later")
{
    Parts parts;
    std::uint32_t value = 0;
    CHECK(parts.memory.load(0x8000, 4, value) == Done::Ok);
    CHECK(value == 77);
    parts.bus.answer = BusResult::Later;
    CHECK(parts.memory.load(0x8000, 4, value) == Done::Later);
    parts.bus.answer = BusResult::Fault;
    CHECK(parts.memory.store(0x8000, 4, 1) == Done::Trap);
    CHECK(parts.hart.trap.cause == Cause::StoreAccess);
    CHECK(parts.hart.trap.value == 0x8000);
    CHECK(parts.memory.load(base + 1, 4, value) == Done::Trap);
    CHECK(parts.hart.trap.cause == Cause::LoadMisaligned);
    CHECK(parts.memory.enterCode(0x8000) == nullptr);
    CHECK(parts.hart.trap.cause == Cause::FetchAccess);
}

TEST_CASE("translator: an instruction gets the handler of its kind and length, under a breakpoint that of breakpoints")
{
    Parts parts;
    std::array<const void*, 2000> table{};
    std::array<char, 2000> places{};
    for (std::size_t i = 0; i < table.size(); ++i)
        table.at(i) = &places.at(i);
    const Handlers handlers{table.data()};
    const CycleTable cycles;
    Translator translator(parts.memory, cycles);
    parts.put(base, 0x00108093); // addi x1, x1, 1
    CodePage* const page = parts.memory.enterCode(base);
    REQUIRE(page != nullptr);
    Step& step = *page->stepOf(base);

    translator.setHandlers(handlers);
    CHECK_FALSE(translator.isTranslated(step));
    REQUIRE(translator.translate(base, step));
    CHECK(step.handler == handlers.of(StepKind::Addi, 4));
    CHECK(translator.isTranslated(step));
    translator.addBreakpoint(base);
    CHECK(step.handler == handlers.decode()); // translated again when it is reached
    REQUIRE(translator.translate(base, step));
    CHECK(step.handler == handlers.breakpoint());
    CHECK_FALSE(translator.isTranslated(step));
    CHECK(translator.handlerAt(base) == handlers.of(StepKind::Addi, 4));
    translator.removeBreakpoint(base);
    REQUIRE(translator.translate(base, step));
    CHECK(translator.isTranslated(step));
}

TEST_CASE("system unit: a trap takes its cycles, saves the pc and continues at the vector")
{
    Parts parts;
    REQUIRE(parts.system.write(csr::mtvec, 0x2000));
    parts.hart.pc = 0x1234;
    parts.hart.budget = parts.hart.left = 100;
    parts.hart.raise(Cause::EnvironmentCall, 0);
    parts.system.enterTrap();
    CHECK(parts.hart.pc == 0x2000);
    CHECK(parts.hart.left == 97);
    CHECK(parts.hart.retired() == 0);
    CHECK(parts.system.traps() == 1);
    CHECK(parts.system.read(csr::mepc) == 0x1234U);
    CHECK(parts.system.returnFromTrap() == 0x1234);
}

TEST_CASE("system unit: mcycle counts the environment's cycles, and an interrupt that may be taken needs attention")
{
    Parts parts;
    CHECK(parts.system.read(csr::mcycle) == 1000U);
    CHECK(parts.system.write(csr::mcycle, 5));
    CHECK(parts.system.read(csr::mcycle) == 5U);
    CHECK_FALSE(parts.system.write(csr::cycle, 5)); // read-only
    parts.system.setInterrupt(InterruptLine::Timer, true);
    CHECK_FALSE(parts.hart.attention);
    REQUIRE(parts.system.write(csr::mie, 1U << 7U));
    REQUIRE(parts.system.write(csr::mstatus, 1U << 3U));
    parts.system.setInterrupt(InterruptLine::Timer, true);
    CHECK(parts.hart.attention);
}

TEST_CASE("atomic unit: sc succeeds once, at the address of the last lr")
{
    Parts parts;
    parts.put(base + 16, 7);
    parts.hart.x[2] = base + 16;
    parts.hart.x[3] = 9;
    CHECK(parts.atomics.execute(atomicStep(Operation::LrW)) == Done::Ok);
    CHECK(parts.hart.x[1] == 7);
    CHECK(parts.atomics.hasReservation());
    CHECK(parts.atomics.execute(atomicStep(Operation::ScW)) == Done::Ok);
    CHECK(parts.hart.x[1] == 0);
    CHECK(parts.bytes[16] == 9);
    CHECK(parts.atomics.execute(atomicStep(Operation::ScW)) == Done::Ok);
    CHECK(parts.hart.x[1] == 1);
    CHECK(parts.atomics.execute(atomicStep(Operation::AmoaddW)) == Done::Ok);
    CHECK(parts.hart.x[1] == 9);
    CHECK(parts.bytes[16] == 18);
    parts.hart.x[2] = base + 17;
    CHECK(parts.atomics.execute(atomicStep(Operation::AmoaddW)) == Done::Trap);
    CHECK(parts.hart.trap.cause == Cause::StoreMisaligned);
}
