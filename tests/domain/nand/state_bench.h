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
    explicit StateBench(Part thePart = smallPart(), const Aging& aging = {});
    ~StateBench();

    void waitUntilFree() { now = std::max(now, die.array.freeAt()); }
    Operation start(Operation op);
    // Programs the page with tags of its own.
    Operation program(PageAddress page);
    bool holds(PageAddress page) const;
    static PageTags tagsAt(PageAddress page) { return tagsOf(page.block * 64 + page.page * 4, 1); }

    Part part;
    DieState die;
    Time now = 1ms;
};

FlashFault faultOf(FlashFaultKind kind);
void plan(DieState& die, const FlashFault& fault);

} // namespace strobe::nand::test
