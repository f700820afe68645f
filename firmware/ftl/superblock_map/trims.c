/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/superblock_map/trims.h"

#include "firmware/ftl/superblock_map/commands.h"

/* The whole pages in the range. */
static uint64_t first_whole(const struct layout* layout, const struct command* command)
{
    const uint32_t page = layout->page_sectors;
    return (command->lba + page - 1) / page * page;
}

static uint64_t end_of_whole(const struct layout* layout, const struct command* command)
{
    const uint32_t page = layout->page_sectors;
    return (command->lba + command->sectors) / page * page;
}

static bool has_more(const struct layout* layout, const struct command* command)
{
    return first_whole(layout, command) + command->cursor < end_of_whole(layout, command);
}

/* The part of a trim in one superblock; false: no entry is available. */
static bool trim_next(struct superblock_map* sbm, struct command* command)
{
    const struct layout* layout = &sbm->layout;
    const uint64_t at = first_whole(layout, command) + command->cursor;
    const uint64_t end = end_of_whole(layout, command);
    const uint32_t logical = (uint32_t)(at / layout->sectors);
    const uint32_t first = (uint32_t)(at % layout->sectors);
    uint32_t sectors = layout->sectors - first;
    if (at + sectors > end)
        sectors = (uint32_t)(end - at);
    HAL_COST(host_trim_page);
    if (sbm->map[logical] != 0 || entry_of(&sbm->buffer, logical) != NONE) {
        const uint32_t entry = entry_open(&sbm->buffer, logical);
        if (entry == NONE) {
            sbm->merging.needs_entry = true;
            return false;
        }
        HAL_COST_TIMES(place_sector, sectors);
        ++sbm->buffer.stamp;
        for (uint32_t i = 0; i < sectors; ++i)
            buffer_trim(&sbm->buffer, entry, first + i);
    }
    command->cursor += sectors;
    return true;
}

bool trims_continue(struct superblock_map* sbm)
{
    const uint32_t slot = sbm->trims.head;
    if (slot == NONE)
        return false;
    struct command* command = &sbm->commands.slot[slot];
    if (sbm->read_only)
        command->status = HOST_DEVICE_FAULT;
    else if (has_more(&sbm->layout, command) && !trim_next(sbm, command))
        return false;
    if (command->status == HOST_OK && has_more(&sbm->layout, command))
        return true;
    sbm->trims.head = command->next;
    command_complete(sbm, slot, command->status);
    return true;
}
