/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/start_gap/footprint.h"

#include "firmware/app/request.h"
#include "firmware/ftl/start_gap/state.h"

_Static_assert(sizeof(struct piece) <= FOOTPRINT_GAP_PIECE, "footprint.h counts fewer bytes for a piece");
_Static_assert(sizeof(struct command) <= FOOTPRINT_GAP_COMMAND, "footprint.h counts fewer bytes for a command");
_Static_assert(MAX_PIECES == FOOTPRINT_GAP_PIECES, "pieces in progress");

uint64_t request_footprint(const struct boot_block* boot)
{
    return start_gap_footprint(boot);
}
