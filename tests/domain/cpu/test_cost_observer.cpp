// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/cost_observer.h"
#include "tests/domain/cpu/rv32/guest.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::test;
using namespace strobe::test::rv32asm;

namespace {

constexpr std::uint32_t mark(std::uint32_t point, std::uint32_t source = 0)
{
    return point << 20 | source << 15 | 0x2013; // slti x0, source, point
}

cpu::CostMeter::Row rowOf(const cpu::CostObserver& observer, std::size_t point)
{
    return observer.rows().at(point);
}

} // namespace

TEST_CASE("cycles belong to the point that was marked last, and the marks cost nothing")
{
    Guest guest({nop(), mark(0), nop(), nop(), nop(), mark(1), nop(), mark(0), nop(), mark(1)});
    cpu::CostObserver observer(guest.core);
    guest.core.observe(&observer);
    guest.core.run(10);
    CHECK(observer.unmarked() == 1);
    CHECK(rowOf(observer, 0).times == 2);
    CHECK(rowOf(observer, 0).cycles == 4);
    CHECK(rowOf(observer, 0).squares == 9 + 1);
    CHECK(rowOf(observer, 0).share == 0.8);
    CHECK(rowOf(observer, 1).times == 1); // the second charge is not over
    CHECK(rowOf(observer, 1).cycles == 1);
}

TEST_CASE("a mark may count its point several times, as given by a register")
{
    Guest guest({addi(a0, zero, 4), mark(2, 10), nop(), nop(), nop(), nop(), nop(), nop(), nop(), nop(), mark(3)});
    cpu::CostObserver observer(guest.core);
    guest.core.observe(&observer);
    guest.core.run(11);
    CHECK(rowOf(observer, 2).times == 4);
    CHECK(rowOf(observer, 2).cycles == 8);
    CHECK(rowOf(observer, 2).squares == 16); // four charges of two
}

TEST_CASE("an instruction that only resembles a mark counts as work")
{
    const std::uint32_t noPoint = mark(0xFFF);                    // there is no such cost point
    const std::uint32_t comparison = 5U << 20 | 0x2013 | 10 << 7; // slti a0, x0, 5
    Guest guest({mark(0), noPoint, comparison, mark(1)});
    cpu::CostObserver observer(guest.core);
    guest.core.observe(&observer);
    guest.core.run(4);
    CHECK(rowOf(observer, 0).cycles == 2);
}

TEST_CASE("a reset restarts the counts, but keeps the current point")
{
    Guest guest({mark(0), nop(), nop(), mark(1)});
    cpu::CostObserver observer(guest.core);
    guest.core.observe(&observer);
    guest.core.run(2);
    observer.reset();
    guest.core.run(2);
    CHECK(rowOf(observer, 0).times == 1);
    CHECK(rowOf(observer, 0).cycles == 2);
    CHECK(rowOf(observer, 1).times == 0);
}

TEST_CASE("compiled code, stepped code and a cycle table of ones give the same counts")
{
    // a0 times: two points, with a branch and a trap inside.
    const auto run = [&](unsigned compileAfter, bool isTimed) {
        rv32::CoreConfig config;
        config.compileAfter = compileAfter;
        if (isTimed)
            config.cycles = rv32::CycleTable{};
        Guest guest({addi(a0, zero, 200), mark(0), addi(a1, a1, 1), andi(t1, a1, 1), beq(t1, zero, 8), nop(),
                     mark(1, 10), nop(), ecall(), addi(a0, a0, -1), bne(a0, zero, -36), mark(2), wfi()},
                    config);
        guest.put(Guest::handler,
                  {csrr(t0, rv32::csr::mepc), addi(t0, t0, 4), csrrw(zero, rv32::csr::mepc, t0), mret()});
        REQUIRE(guest.core.setCsr(rv32::csr::mtvec, Guest::handler));
        cpu::CostObserver observer(guest.core);
        guest.core.observe(&observer);
        CHECK(guest.core.run(100'000) == rv32::Stop::Waiting);
        CHECK((guest.core.compiledBlocks() != 0) == (compileAfter != 0 && !isTimed));
        std::vector<std::uint64_t> counts = {observer.unmarked()};
        for (std::size_t point = 0; point < 3; ++point) {
            counts.push_back(rowOf(observer, point).times);
            counts.push_back(rowOf(observer, point).cycles);
        }
        return counts;
    };
    // Of point 0 three instructions and every other time one more, of point 1 nop, four of the handler, addi and bne.
    const std::vector<std::uint64_t> expected = {1, 200, 200 * 3 + 100, 200 * 201 / 2, 200 * 7, 0, 0};
    CHECK(run(4, false) == expected);
    CHECK(run(0, false) == expected);
    CHECK(run(0, true) == expected);
}
