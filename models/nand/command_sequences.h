#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Commands that continue an earlier one, and reads that begin otherwise than with 30h: cache read and cache program,
// copy-back in halves, further accesses and senses of a page, read references, plane-independent reads. One function
// for each of these forms (operation.h); each returns when R/B# rises. Legality is decided before (die_rules.h). Owns
// no clock. Not modelled: multi-plane cache reads; a reset between two accesses (the page keeps what all of them
// write).

#include "models/nand/die_state.h"
#include "models/nand/operation.h"

namespace strobe::nand {

// Form::Access. The effect of all accesses was applied with the first one.
Time issueAccess(DieState& die, Operation& op, Time now);

// Form::References: a read after SET FEATURES.
Time issueReferences(DieState& die, Operation& op, Time now);

// Form::Sense. The effect of a soft read was applied with its first sense. Its last references are not those of an
// option.
Time issueSense(DieState& die, Operation& op, Time now);

// Form::Cache. Read: what the page register holds moves to the cache register, then the array fetches this page.
// Program: this page moves from the cache register to the page register as soon as the array has finished the previous
// one.
Time issueCache(DieState& die, Operation& op, Time now);

// Form::CopyOut: as a read of the source, of which only the spare record goes out. A reset during it harms no page.
Time issueCopyOut(DieState& die, Operation& op, Time now);
// Form::CopyIn: the page register, with what op.replaced and op.replacesSpare name, into the target.
Time issueCopyIn(DieState& die, Operation& op, Time now);

// Form::PlaneRead, a read or a status. The other planes keep their registers and go on. Nothing of the array as a whole
// is at work, or it is suspended.
Time issuePlaneRead(DieState& die, Operation& op, Time now);

} // namespace strobe::nand
