// SPDX-License-Identifier: Apache-2.0
#include "tests/domain/nand/state_bench.h"

#include <utility>

namespace strobe::nand::test {

StateBench::StateBench(Part thePart, const Aging& aging)
    : part(std::move(thePart)), die(DieId{3}, part, 0, Rng(1, "die 3"), aging)
{
}

StateBench::~StateBench() = default;

Operation StateBench::start(Operation op)
{
    now = startCommand(die, op, now);
    return op;
}

Operation StateBench::program(PageAddress page)
{
    PageTags tags = tagsAt(page);
    Operation op = start(makeProgram(page, tags, {page.block, page.page, 7, 8}));
    op.data = {};
    return op;
}

bool StateBench::holds(PageAddress page) const
{
    PageTags found{};
    return die.cells.peek(page, contentOf(found)) && found == tagsAt(page) && !die.cells.isTorn(page);
}

FlashFault faultOf(FlashFaultKind kind)
{
    FlashFault fault;
    fault.kind = kind;
    return fault;
}

void plan(DieState& die, const FlashFault& fault)
{
    die.faults =
        std::make_unique<FlashFaults>(die.id, die.part.geometry, std::vector<FlashFault>{fault}, Rng(1, "faults"));
}

} // namespace strobe::nand::test
