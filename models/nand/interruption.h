#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// What stops operations of a die before they are done: suspension and resumption of programs and erases, RESET, and
// loss of power. Legality is decided before (die_rules.h). Owns no clock.
// Reset times and what an abort leaves: ONFI 1.0 section 5; see docs/nand.md.

#include "models/nand/die_state.h"
#include "models/nand/operation.h"

#include <cstdint>

namespace strobe::nand {

// The rest of the program or erase waits. Both change nothing of `op` but op.ready, op.arrayEnd and, when it resumes,
// op.statusByte. Return when R/B# rises: when the array has stopped, when the operation is done.
Time suspendArray(DieState& die, Operation& op, Time now);
Time resumeArray(DieState& die, Operation& op, Time now);

// What is in the array, latched, suspended or sensed by a plane is aborted: pages that were being changed hold neither
// the old nor the new contents, registers that were being loaded hold blank sectors. Returns how long the reset takes,
// which depends on what it interrupts.
Time resetArray(DieState& die, Time now);

// Power is gone at `at`. As Die::powerOff() (die.h).
std::uint32_t cutPower(DieState& die, Time at);

} // namespace strobe::nand
