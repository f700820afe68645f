/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/superblock_map/footprint.h"

#include "firmware/app/request.h"
#include "firmware/ftl/superblock_map/state.h"

#define FITS(owner, array, bytes)                                                                                      \
    _Static_assert(sizeof *((struct owner*)0)->array <= (bytes), "footprint.h counts fewer bytes for an element")
FITS(software_units, unit, FOOTPRINT_SOFTWARE_UNIT);
FITS(software_units, chip, FOOTPRINT_SOFTWARE_CHIP);
FITS(software_units, die, FOOTPRINT_SOFTWARE_DIE);
FITS(jobs, job, FOOTPRINT_JOB);
FITS(superblocks, superblock, FOOTPRINT_SUPERBLOCK);
FITS(superblocks, free, FOOTPRINT_FREE_GROUP);
FITS(superblocks, replaced, FOOTPRINT_REPLACED);
FITS(journal_records, pending, FOOTPRINT_RECORD);
FITS(journal, spares, FOOTPRINT_SPARE);
FITS(sector_buffer, entry, FOOTPRINT_ENTRY);
FITS(commands, slot, FOOTPRINT_COMMAND);
FITS(writes, pieces, FOOTPRINT_PIECE);
_Static_assert(sizeof *((struct recovery*)0)->parked.batch <= FOOTPRINT_BATCH, "footprint.h counts fewer bytes");
_Static_assert(sizeof(struct peer_block) <= FOOTPRINT_PEER_BLOCK, "what the cores share");

uint64_t request_footprint(const struct boot_block* boot)
{
    return superblock_map_footprint(boot);
}
