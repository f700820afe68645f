/* SPDX-License-Identifier: Apache-2.0
 *
 * Feeding by firmware, where the host interface has no inbound feeder: host writes arrive as commands, and their data
 * is fetched into the circle piece by piece, as the feeder would, in the order in which they came.
 */
#include "firmware/ftl/superblock_map/state.h"

static bool has_room(uint32_t sectors)
{
    return sbm.feed.taken + sectors - sbm.buffer.told <= sbm.buffer.most;
}

/* The next piece of the oldest write; false: there is none, or no room for it. */
static bool order_next(void)
{
    struct feed* feed = &sbm.feed;
    if (feed->head == NONE)
        return false;
    const uint32_t slot = feed->head;
    const struct command* command = &sbm.commands[slot];
    const uint32_t to_end = sbm.buffer.sectors - feed->taken % sbm.buffer.sectors;
    uint32_t sectors = command->sectors - feed->ordered;
    if (sectors > FEED_PIECE_MOST)
        sectors = FEED_PIECE_MOST;
    if (sectors > to_end)
        sectors = to_end;
    if (!has_room(sectors))
        return false;
    sbm.flying[feed->put++ & sbm.pieces_mask] = (struct piece){slot, feed->taken, feed->ordered, sectors};
    host_transfer(slot, false, feed->ordered, sectors, buffer_address(&sbm.buffer, feed->taken), 0, false);
    feed->taken += sectors;
    feed->ordered += sectors;
    if (feed->ordered == command->sectors) {
        feed->head = command->next;
        feed->ordered = 0;
    }
    return true;
}

void feed_start(uint32_t slot)
{
    struct feed* feed = &sbm.feed;
    sbm.commands[slot].next = NONE;
    if (feed->head == NONE)
        feed->head = slot;
    else
        sbm.commands[feed->tail].next = slot;
    feed->tail = slot;
}

void feed_run(void)
{
    while (order_next()) {
    }
}

struct piece feed_done(void)
{
    return sbm.flying[sbm.feed.done++ & sbm.pieces_mask]; /* transfers end in order */
}
