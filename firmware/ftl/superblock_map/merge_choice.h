/* SPDX-License-Identifier: Apache-2.0
 *
 * Which logical superblock is merged next, and when; without side effects.
 *
 *   reason                                            which entries are due
 *   a flush or a write-through command waits          those it waits for, at once, oldest first
 *   less free space than the high-watermark, or more  oldest first, until only the one written last is left
 *     open superblocks than the limit ("draining")
 *   no space, or no entry, for new host data          the one written last, too
 *
 * Entries of superchips without a job come first.
 */
#ifndef STROBE_SUPERBLOCK_MAP_MERGE_CHOICE_H
#define STROBE_SUPERBLOCK_MAP_MERGE_CHOICE_H

#include "firmware/ftl/superblock_map/state.h"

/* The host cannot continue: new data finds no entry, or the ring is full up to a sector of the entry written last. */
static inline bool merge_host_is_stuck(const struct merging* merging, const struct sector_buffer* buffer)
{
    return merging->needs_entry || buffer_free(buffer) < FEED_PIECE_MOST;
}

/* The open entry with the last write, or NONE. */
uint32_t merge_written_last(const struct sector_buffer* buffer);

/* Whether the drive is draining from now on; `last`: merge_written_last(). */
bool merge_drains(const struct merging* merging, const struct sector_buffer* buffer, uint32_t last);

/* The oldest entry that is due and can be merged now, or NONE. `idle`: only of superchips without a job. `kept`: the
 * entry that draining leaves open, or NONE. */
uint32_t merge_choose(const struct merging* merging, const struct sector_buffer* buffer, const struct jobs* jobs,
                      bool idle, uint32_t kept);

#endif
