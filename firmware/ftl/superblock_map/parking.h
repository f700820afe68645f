/* SPDX-License-Identifier: Apache-2.0
 *
 * The optimised flush: buffered sectors are written one after the other into superblocks of the parking area, without
 * merging, and stay in the buffer, too. After they have been merged the parked copies are no longer needed; after a
 * power loss recovery restores those that are (recovery_parked.h).
 *
 * A batch is some rows of sectors followed by a separate row with an index page: runs of sectors of a logical
 * superblock, each with the stamp of its entry. A parked run is valid as long as no remap in the log has that stamp: an
 * entry is merged as a whole. The index is written after the sectors are in flash, so a batch with an index is
 * complete. A round parks everything that was in the buffer when it began.
 */
#ifndef STROBE_SUPERBLOCK_MAP_PARKING_H
#define STROBE_SUPERBLOCK_MAP_PARKING_H

#include "firmware/ftl/superblock_map/state.h"

/* Reserves the area; 0 superblocks: flushes always merge. */
void parking_init(struct superblock_map* sbm, struct arena* arena, uint32_t superblocks);
/* Requests a round, if parking is possible. */
void parking_request(struct superblock_map* sbm);
void parking_run(struct superblock_map* sbm);

/* A round is in progress or requested. */
static inline bool parking_is_on(const struct parking* parking)
{
    return parking->requested || parking->running;
}

/* Whether all writes up to that stamp are parked, except trimmed sectors. */
static inline bool parking_covers(const struct parking* parking, uint32_t stamp)
{
    return parking->members != 0 && (int32_t)(parking->stamp - stamp) >= 0;
}

/* Whether everything that is parked in a member is merged and recorded in the log. */
bool parking_is_spent(const struct parking* parking, const struct sector_buffer* buffer,
                      const struct journal_records* records, uint32_t member);

/* Collects the next batch, from `position` on, in index and table; returns the number of the sector after it. Sectors
 * that were overwritten since the round began are collected, because the newer ones are not part of the round. */
uint32_t parking_collect(struct parking* parking, const struct sector_buffer* buffer);

#endif
