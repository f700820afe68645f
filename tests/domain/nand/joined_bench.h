#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A die for tests of multi-plane and cache operations and of suspension.

#include "tests/domain/nand/die_helpers.h"

namespace strobe::nand::test {

inline Operation in(Form form, Operation op)
{
    op.form = form;
    return op;
}

// The small part with waits that differ in every digit.
struct Joined : Bench {
    Joined()
    {
        part.times.tDBSY = 1us;
        part.times.tRCBSY = 3us;
        part.times.tCBSY = 4us;
        part.times.tPSUSP = 7us;
        part.times.tESUSP = 11us;
        part.times.tPRSM = 13us;
        part.times.tERSM = 17us;
        part.maxSuspends = 2;
    }
    Operation plane(Form form, Opcode opcode, PageAddress target) { return run(in(form, make(opcode, target))); }
};

} // namespace strobe::nand::test
