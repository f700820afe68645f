/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/superblock_map/feed.h"

#include "firmware/ftl/superblock_map/commands.h"

static bool has_room(const struct superblock_map* sbm, uint32_t sectors)
{
    return sbm->feed.taken + sectors - sbm->buffer.given_back <= sbm->buffer.most;
}

/* Orders the next piece of the oldest write; false: there is none, or no space for it. */
static bool order_next(struct superblock_map* sbm)
{
    struct feed* feed = &sbm->feed;
    if (feed->line.head == NONE)
        return false;
    const uint32_t slot = feed->line.head;
    const struct command* command = &sbm->commands.slot[slot];
    const uint32_t to_end = sbm->buffer.sectors - feed->taken % sbm->buffer.sectors;
    uint32_t sectors = command->sectors - feed->ordered;
    if (sectors > FEED_PIECE_MOST)
        sectors = FEED_PIECE_MOST;
    if (sectors > to_end)
        sectors = to_end;
    if (!has_room(sbm, sectors))
        return false;
    feed->flying[feed->put++ & feed->mask] = (struct piece){slot, feed->taken, feed->ordered, sectors};
    host_transfer(slot, false, feed->ordered, sectors, buffer_address(&sbm->buffer, feed->taken), 0, false);
    feed->taken += sectors;
    feed->ordered += sectors;
    if (feed->ordered == command->sectors) {
        feed->line.head = command->next;
        feed->ordered = 0;
    }
    return true;
}

void feed_start(struct superblock_map* sbm, uint32_t slot)
{
    command_line_join(sbm, &sbm->feed.line, slot);
}

void feed_run(struct superblock_map* sbm)
{
    while (order_next(sbm)) {
    }
}

struct piece feed_done(struct feed* feed)
{
    return feed->flying[feed->done++ & feed->mask];
}
