// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/debug/race_check.h"
#include "tests/domain/cpu/rv32/guest.h"
#include "tests/support/catch.h"

#include <memory>

using namespace strobe;
using namespace strobe::cpu;
using namespace strobe::test::rv32asm;
using test::Guest;

namespace {

constexpr std::uint32_t base = Guest::memoryBase;
constexpr Word all = 3; // loads and stores
constexpr Word acquire = 1U << 26;
constexpr Word release = 1U << 25;

// Two harts; a1 is the begin of memory, a2 a block of registers that interrupts hart 1. Words: 0x100 data, 0x200 flag.
struct Harts {
    RaceCheck check{{{Guest::deviceBase, 0x100, 2}}};
    std::vector<std::unique_ptr<Guest>> harts;

    Harts(const std::vector<Word>& first, const std::vector<Word>& second)
    {
        for (const auto& program : {first, second}) {
            rv32::CoreConfig config;
            config.hart = static_cast<std::uint32_t>(harts.size());
            rv32::Core& core = harts.emplace_back(std::make_unique<Guest>(program, config))->core;
            core.setReg(11, base);
            core.setReg(12, Guest::deviceBase);
            core.observe(&check);
        }
    }
    Harts& run(std::size_t hart, int instructions)
    {
        harts[hart]->core.run(instructions);
        return *this;
    }
    Harts& endInterrupt(std::size_t hart)
    {
        harts[hart]->core.setInterrupt(rv32::InterruptLine::External, false);
        return *this;
    }
    std::size_t races() const { return check.findings().size(); }
};

// The hart has an external interrupt; its handler is at the given instruction of its program.
void trap(Harts& h, std::size_t hart, std::uint32_t handler)
{
    rv32::Core& core = h.harts[hart]->core;
    core.setCsr(rv32::csr::mtvec, base + 4 * handler);
    core.setCsr(rv32::csr::mie, 1U << 11);
    core.setCsr(rv32::csr::mstatus, 8);
    core.setInterrupt(rv32::InterruptLine::External, true);
}

const std::vector<Word> sends{sw(a0, 0x100, a1), fence(all, all), sw(a0, 0x200, a1)};
const std::vector<Word> takes{nop(), lw(a0, 0x200, a1), fence(all, all), lw(a0, 0x100, a1)};

} // namespace

TEST_CASE("two accesses of which one is a store race, two loads do not, nor those of one hart")
{
    CHECK(Harts({sw(a0, 0x100, a1)}, {lw(a0, 0x100, a1)}).run(0, 1).run(1, 1).races() == 1);
    CHECK(Harts({sw(a0, 0x100, a1)}, {lw(a0, 0x100, a1)}).run(1, 1).run(0, 1).races() == 1);
    CHECK(Harts({sw(a0, 0x100, a1)}, {sw(a0, 0x100, a1)}).run(0, 1).run(1, 1).races() == 1);
    CHECK(Harts({lw(a0, 0x100, a1)}, {lw(a0, 0x100, a1)}).run(0, 1).run(1, 1).races() == 0);
    CHECK(Harts({sw(a0, 0x100, a1), lw(a0, 0x100, a1)}, {}).run(0, 2).races() == 0);
}

TEST_CASE("a finding has word, harts and places, each pair of places once")
{
    Harts h({sw(a0, 0x100, a1), sw(a0, 0x104, a1), jal(zero, -8)}, {nop(), lw(a0, 0x100, a1), jal(zero, -4)});
    h.run(0, 3).run(1, 5).run(0, 3);
    REQUIRE(h.races() == 1);
    const RaceCheck::Finding found = h.check.findings()[0];
    CHECK(found.address == base + 0x100);
    CHECK(found.first.hart == 0);
    CHECK(found.first.isStore);
    CHECK(found.first.pc == base);
    CHECK(found.second.hart == 1);
    CHECK_FALSE(found.second.isStore);
    CHECK(found.second.pc == base + 4);
}

TEST_CASE("different bytes of a word do not race")
{
    CHECK(Harts({sb(a0, 0x100, a1)}, {sb(a0, 0x101, a1)}).run(0, 1).run(1, 1).races() == 0);
    CHECK(Harts({sb(a0, 0x101, a1)}, {sh(a0, 0x100, a1)}).run(0, 1).run(1, 1).races() == 1);
}

TEST_CASE("a message orders what was stored before it, with a fence on both sides")
{
    CHECK(Harts(sends, takes).run(0, 3).run(1, 4).races() == 0);
    const std::vector<Word> sendsWithout{sw(a0, 0x100, a1), nop(), sw(a0, 0x200, a1)};
    const std::vector<Word> takesWithout{nop(), lw(a0, 0x200, a1), nop(), lw(a0, 0x100, a1)};
    CHECK(Harts(sends, takesWithout).run(0, 3).run(1, 4).races() == 1); // of the data; the flag is known as one
    CHECK(Harts(sendsWithout, takes).run(0, 3).run(1, 4).races() == 2); // of both
    CHECK(Harts(sendsWithout, takesWithout).run(0, 3).run(1, 4).races() == 2);
}

TEST_CASE("fences of loads alone, or of stores alone, order what they say")
{
    const std::vector<Word> releases{sw(a0, 0x100, a1), fence(all, 1), sw(a0, 0x200, a1)};
    const std::vector<Word> acquires{lw(a0, 0x200, a1), fence(2, all), lw(a0, 0x100, a1)};
    CHECK(Harts(releases, acquires).run(0, 3).run(1, 3).races() == 0);
    const std::vector<Word> wrong{lw(a0, 0x200, a1), fence(1, 1), lw(a0, 0x100, a1)};
    CHECK(Harts(releases, wrong).run(0, 3).run(1, 3).races() == 1);
}

TEST_CASE("a flag that was not read yet orders nothing, and is polled without a report")
{
    Harts h(sends, takes);
    h.run(1, 2).run(0, 3).run(1, 2); // read before it was stored
    CHECK(h.races() == 1);
    CHECK(h.check.findings()[0].address == base + 0x100);
}

TEST_CASE("data that is stored after the message races with its reader")
{
    std::vector<Word> late = sends;
    late.push_back(sw(a0, 0x100, a1));
    CHECK(Harts(late, takes).run(0, 4).run(1, 4).races() == 1);
}

TEST_CASE("the first store after the fence of a receiver is data, after that of a sender a flag")
{
    std::vector<Word> counts = takes;
    counts.push_back(sw(a0, 0x300, a1));
    std::vector<Word> alsoCounts = sends;
    alsoCounts.push_back(sw(a0, 0x300, a1));
    Harts h(alsoCounts, counts);
    h.run(0, 4).run(1, 5);
    REQUIRE(h.races() == 1);
    CHECK(h.check.findings()[0].address == base + 0x300);
}

TEST_CASE("two harts that look at each other's flag: store, fence, load")
{
    const std::vector<Word> one{sw(a0, 0x200, a1), fence(all, all), lw(a0, 0x204, a1), sw(a0, 0x200, a1)};
    const std::vector<Word> other{sw(a0, 0x204, a1), fence(all, all), lw(a0, 0x200, a1), sw(a0, 0x204, a1)};
    CHECK(Harts(one, other).run(0, 2).run(1, 3).run(0, 2).run(1, 1).races() == 0);
}

TEST_CASE("atomics with aq and rl order what a lock orders, without these bits they do not")
{
    const auto locked = [](Word takesBits, Word givesBits) {
        return std::vector<Word>{amoswapW(a0, a0, a3) | takesBits, sw(a0, 0x100, a1), amoswapW(a0, a0, a3) | givesBits};
    };
    for (const auto& [program, races] : {std::pair{locked(acquire, release), std::size_t{0}}, {locked(0, 0), 1}}) {
        Harts h(program, program);
        for (auto& hart : h.harts)
            hart->core.setReg(13, base + 0x200);
        CHECK(h.run(0, 3).run(1, 3).races() == races);
    }
}

TEST_CASE("an interrupt orders what was before the store to the register")
{
    const std::vector<Word> rings{sw(a0, 0x100, a1), sw(a0, 0, a2)};
    const std::vector<Word> handles{nop(), lw(a0, 0x100, a1)};
    Harts taken(rings, handles);
    taken.run(0, 2);
    trap(taken, 1, 1);
    CHECK(taken.run(1, 1).races() == 0);
    Harts none(rings, handles);
    CHECK(none.run(0, 2).run(1, 2).races() == 1);
}

TEST_CASE("a trap does not break a sequence by which harts synchronise")
{
    const auto looks = [](std::int32_t own, std::int32_t others) {
        return std::vector<Word>{sw(a0, own, a1), fence(all, all), lw(a0, others, a1), nop(), mret()};
    };
    Harts h(looks(0x200, 0x204), looks(0x204, 0x200));
    for (const std::size_t hart : {0U, 1U}) {
        h.run(hart, 1);
        trap(h, hart, 3);
        h.run(hart, 1).endInterrupt(hart).run(hart, 1);
    }
    CHECK(h.run(0, 1).run(1, 2).run(0, 1).races() == 0);
}

TEST_CASE("a store of a trap handler is not one of the sequence that it interrupts")
{
    std::vector<Word> reader = sends;
    reader.push_back(lw(a0, 0x104, a1));
    // The word after the fence is data, not a flag: nothing was stored since the message arrived.
    Harts h(reader, {nop(), lw(a0, 0x200, a1), fence(all, all), sw(a0, 0x104, a1), sw(a0, 0x300, a1), mret()});
    h.run(0, 3).run(1, 2);
    trap(h, 1, 4);
    h.run(1, 1).endInterrupt(1).run(1, 1);
    CHECK(h.run(1, 2).run(0, 1).races() == 1);
}

TEST_CASE("more races than are kept are reported as such")
{
    const std::vector<Word> walks{sw(a0, 0, a1), addi(a1, a1, 4), jal(zero, -8)};
    Harts h(walks, walks);
    for (auto& hart : h.harts)
        hart->core.setReg(11, base + 0x400);
    CHECK(h.run(0, 15000).run(1, 15000).check.isComplete());
    CHECK_FALSE(h.run(0, 20000).run(1, 20000).check.isComplete());
}

TEST_CASE("a load from the block, and a wait that ends, order like an interrupt")
{
    const std::vector<Word> rings{sw(a0, 0x100, a1), sw(a0, 0, a2)};
    CHECK(Harts(rings, {lw(a0, 4, a2), lw(a0, 0x100, a1)}).run(0, 2).run(1, 2).races() == 0);
    Harts h(rings, {wfi(), lw(a0, 0x100, a1)});
    h.run(1, 1).run(0, 2);
    h.harts[1]->core.setCsr(rv32::csr::mie, 1U << 11);
    h.harts[1]->core.setInterrupt(rv32::InterruptLine::External, true);
    CHECK(h.run(1, 1).races() == 0);
}

TEST_CASE("after power-on nothing has been accessed")
{
    Harts h({sw(a0, 0x100, a1)}, {lw(a0, 0x100, a1)});
    h.run(0, 1);
    h.check.powerOn();
    CHECK(h.run(1, 1).races() == 0);
}
