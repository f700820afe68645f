// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/debug/trace_entry.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::cpu;
using namespace std::chrono_literals;

namespace {

TraceEntry entryOf(TraceEntry::What what, std::uint32_t pc)
{
    TraceEntry entry;
    entry.what = what;
    entry.at = 5us;
    entry.pc = pc;
    return entry;
}

} // namespace

TEST_CASE("without conditions every entry is taken")
{
    for (const auto what : {TraceEntry::What::Instruction, TraceEntry::What::Register, TraceEntry::What::Trap})
        CHECK(TraceFilter{}.takes(entryOf(what, 0x100)));
}

TEST_CASE("entries are chosen by time, the end excluded")
{
    TraceFilter filter;
    filter.from = 5us;
    CHECK(filter.takes(entryOf(TraceEntry::What::Instruction, 0)));
    filter.to = 5us;
    CHECK_FALSE(filter.takes(entryOf(TraceEntry::What::Instruction, 0)));
}

TEST_CASE("entries are chosen by kind; traps and returns are of one")
{
    TraceFilter filter;
    filter.kinds.reset();
    filter.kinds.set(static_cast<std::size_t>(TraceKind::Interrupts));
    CHECK(filter.takes(entryOf(TraceEntry::What::Trap, 0)));
    CHECK(filter.takes(entryOf(TraceEntry::What::Return, 0)));
    CHECK_FALSE(filter.takes(entryOf(TraceEntry::What::Register, 0)));
}

TEST_CASE("entries are chosen by one of their addresses, which a range includes to its last byte")
{
    TraceFilter filter;
    filter.ranges = {{0x100, 0x1FF}};
    CHECK(filter.takes(entryOf(TraceEntry::What::Instruction, 0x1FF)));
    CHECK_FALSE(filter.takes(entryOf(TraceEntry::What::Instruction, 0x200)));
    TraceEntry load = entryOf(TraceEntry::What::Instruction, 0x200);
    load.accesses[0].address = 0x180;
    CHECK_FALSE(filter.takes(load)); // it has no access
    load.accessCount = 1;
    CHECK(filter.takes(load));
    TraceEntry trap = entryOf(TraceEntry::What::Trap, 0x200);
    trap.target = 0x100;
    CHECK(filter.takes(trap));
}
