/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/zoned/footprint.h"

#include "firmware/app/request.h"
#include "firmware/ftl/zoned/drive.h"

_Static_assert(sizeof(struct zone) <= FOOTPRINT_ZONE, "footprint.h counts fewer bytes for a zone");
_Static_assert(sizeof(struct unit) <= FOOTPRINT_ZONE_UNIT, "footprint.h counts fewer bytes for a unit buffer");
_Static_assert(sizeof(struct piece) <= FOOTPRINT_ZONE_PIECE, "footprint.h counts fewer bytes for a piece");
_Static_assert(sizeof(struct command) <= FOOTPRINT_ZONE_COMMAND, "footprint.h counts fewer bytes for a command");
_Static_assert(sizeof(struct saved_unit) <= FOOTPRINT_ZONE_SAVED_UNIT,
               "footprint.h counts fewer bytes for a saved unit");
_Static_assert(sizeof(struct zone_plane) <= FOOTPRINT_ZONE_PLANE, "footprint.h counts fewer bytes for a plane");

uint64_t request_footprint(const struct boot_block* boot)
{
    return zoned_footprint(boot);
}
