#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Commands of several pages or blocks that are latched one by one: the planes of a multi-plane read, program or erase,
// and the pages of a word line (Form::Plane, LastPlane, LastPlaneCache, WordLinePlane, WordLinePage, WordLineEnd). The
// array starts for all of them when the last one is latched; until then a group is open (ArrayState). Latched pages
// count as in the array: a reset corrupts them. In a cache program of several planes the array executes the planes
// before while those of the next row are latched. Legality is decided before (die_rules.h). Owns no clock.
// Not modelled: multi-plane cache reads.

#include "models/nand/die_state.h"
#include "models/nand/operation.h"

namespace strobe::nand {

// One of the forms above. Returns when R/B# rises: after tDBSY or tPBSY, of the last one when the array is done, in
// cache form tCBSY after the array has finished the planes before.
Time latchPage(DieState& die, Operation& op, Time now);

// `op`, the last one, was refused. The array starts for the latched pages, except word lines that lack a page. If
// nothing remains, nothing starts and R/B# stays high. REQUIRES: a group is open
Time startLatched(DieState& die, Operation& op, Time now);

} // namespace strobe::nand
