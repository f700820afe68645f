/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/superblock_map/writes.h"

#include "firmware/ftl/superblock_map/commands.h"
#include "firmware/ftl/superblock_map/durability.h"

static void end_write(struct superblock_map* sbm, uint32_t slot)
{
    const struct command* command = &sbm->commands.slot[slot];
    if (command->status == HOST_OK && command->through)
        durability_wait(sbm, slot);
    else
        command_complete(sbm, slot, command->status);
}

/* Places the sectors of the piece up to the end of a superblock; false: no entry is available. */
static bool place(struct superblock_map* sbm, struct piece* piece)
{
    const uint64_t at = sbm->commands.slot[piece->slot].lba + piece->first;
    const uint32_t first = (uint32_t)(at % sbm->layout.sectors);
    const uint32_t entry = entry_open(&sbm->buffer, (uint32_t)(at / sbm->layout.sectors));
    if (entry == NONE)
        return false;
    uint32_t sectors = sbm->layout.sectors - first;
    if (sectors > piece->sectors)
        sectors = piece->sectors;
    HAL_COST(place_sectors);
    HAL_COST_TIMES(place_sector, sectors);
    ++sbm->buffer.stamp;
    buffer_put(&sbm->buffer, entry, first, piece->number, sectors);
    piece->first += sectors;
    piece->number += sectors;
    piece->sectors -= sectors;
    sbm->commands.slot[piece->slot].cursor += sectors;
    return true;
}

static void discard(struct superblock_map* sbm, struct piece* piece)
{
    for (uint32_t i = 0; i < piece->sectors; ++i)
        buffer_discard(&sbm->buffer, piece->number + i);
    sbm->commands.slot[piece->slot].cursor += piece->sectors;
    piece->sectors = 0;
}

void writes_place(struct superblock_map* sbm)
{
    struct writes* writes = &sbm->writes;
    while (writes->taken != writes->put) {
        struct piece* piece = &writes->pieces[writes->taken & writes->mask];
        struct command* command = &sbm->commands.slot[piece->slot];
        while (command->status == HOST_OK && piece->sectors != 0) {
            if (sbm->read_only) {
                command->status = HOST_DEVICE_FAULT;
            } else if (!place(sbm, piece)) {
                sbm->merging.needs_entry = true;
                return;
            }
        }
        discard(sbm, piece);
        ++writes->taken;
        if (command->cursor == command->sectors)
            end_write(sbm, piece->slot);
    }
}

void writes_fed(struct superblock_map* sbm, const struct piece* piece)
{
    struct writes* writes = &sbm->writes;
    if (!sbm->commands.slot[piece->slot].active)
        command_take(sbm, piece->slot);
    buffer_arrived(&sbm->buffer, piece->number, piece->sectors);
    if (writes->put - writes->taken > writes->mask)
        hal_panic("inbound feeder: its queue of pieces overflowed");
    writes->pieces[writes->put++ & writes->mask] = *piece;
    writes_place(sbm);
}
