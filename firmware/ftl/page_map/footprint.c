/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/page_map/footprint.h"

#include "firmware/app/request.h"
#include "firmware/ftl/page_map/ftl.h"
#include "firmware/ftl/page_map/recovery_state.h"
#include "firmware/ftl/page_map/request_state.h"
#include "firmware/ftl/page_map/tables.h"

#define FITS(owner, array, bytes)                                                                                      \
    _Static_assert(sizeof *((struct owner*)0)->array <= (bytes), "footprint.h counts fewer bytes for an element")
FITS(flash, wait, FOOTPRINT_FLASH_WAIT);
FITS(flash, dies, FOOTPRINT_FLASH_DIE);
FITS(block_table, block, FOOTPRINT_BLOCK);
FITS(block_table, plane, FOOTPRINT_PLANE);
FITS(collection, planes, FOOTPRINT_COLLECTOR);
FITS(collection, plain, FOOTPRINT_PLAIN_OP);
FITS(padding, ops, FOOTPRINT_PADDING_OP);
FITS(parity, stripes, FOOTPRINT_STRIPE);
FITS(rebuild, jobs, FOOTPRINT_REBUILD_JOB);
FITS(buffer, slot, FOOTPRINT_SLOT);
FITS(write_queues, ready, FOOTPRINT_SLOT_QUEUE);
FITS(write_queues, gathered, FOOTPRINT_SLOT_QUEUE);
FITS(app, requests, FOOTPRINT_REQUEST);
FITS(app, turns, FOOTPRINT_LINE);
FITS(read_ahead, stream, FOOTPRINT_AHEAD_STREAM);
FITS(read_ahead, held, FOOTPRINT_AHEAD_UNIT);
FITS(recovery_versions, duplicates, FOOTPRINT_DUPLICATE);
FITS(recovery_io, ops, FOOTPRINT_RECOVERY_OP);
FITS(recovery, first, FOOTPRINT_FIRST_PAGE);
FITS(recovery_erases, group, FOOTPRINT_GROUP_ERASE);
_Static_assert(sizeof(struct peer_block) <= FOOTPRINT_PEER_BLOCK, "what the cores share");
_Static_assert(FOOTPRINT_RECOVERY_DEPTH == RECOVERY_DEPTH, "reads of a die during recovery");
_Static_assert(FOOTPRINT_UNIT_BYTES == FLASH_UNIT_BYTES, "a unit of a unit table");
_Static_assert(FOOTPRINT_TABLE_WRITERS == (uint32_t)TABLES_WRITERS, "flash operations for tables");
_Static_assert(FOOTPRINT_STREAMS == (uint32_t)STREAMS, "open blocks of a plane");
_Static_assert(FOOTPRINT_MOST_SLOTS == BUFFER_MOST_SLOTS, "slots of the buffer");
_Static_assert(FOOTPRINT_DIE_DEPTH == FLASH_DIE_DEPTH, "operations of a die in the hardware");

uint64_t request_footprint(const struct boot_block* boot)
{
    return page_map_footprint(boot);
}
