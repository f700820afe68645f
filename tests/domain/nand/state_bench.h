#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The state of a die without the die, for tests of the functions that commands are made of. No rule is checked here.

#include "models/nand/array_operations.h"
#include "models/nand/die_state.h"
#include "tests/domain/nand/die_helpers.h"

#include <utility>

namespace strobe::nand::test {

struct StateBench {
    explicit StateBench(Part thePart = smallPart(), const Aging& aging = {})
        : part(std::move(thePart)), die(DieId{3}, part, 0, Rng(1, "die 3"), aging)
    {
    }

    void waitUntilFree() { now = std::max(now, die.array.freeAt()); }
    Operation start(Operation op)
    {
        now = startCommand(die, op, now);
        return op;
    }
    // Programs the page with tags of its own.
    Operation program(PageAddress page)
    {
        PageTags tags = tagsAt(page);
        Operation op = start(makeProgram(page, tags, {page.block, page.page, 7, 8}));
        op.data = {};
        return op;
    }
    bool holds(PageAddress page) const
    {
        PageTags found{};
        return die.cells.peek(page, contentOf(found)) && found == tagsAt(page) && !die.cells.isTorn(page);
    }
    static PageTags tagsAt(PageAddress page) { return tagsOf(page.block * 64 + page.page * 4, 1); }

    Part part;
    DieState die;
    Time now = 1ms;
};

inline FlashFault faultOf(FlashFaultKind kind)
{
    FlashFault fault;
    fault.kind = kind;
    return fault;
}
inline void plan(DieState& die, const FlashFault& fault)
{
    die.faults =
        std::make_unique<FlashFaults>(die.id, die.part.geometry, std::vector<FlashFault>{fault}, Rng(1, "faults"));
}

} // namespace strobe::nand::test
