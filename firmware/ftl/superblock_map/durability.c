/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/superblock_map/durability.h"

#include "firmware/ftl/superblock_map/commands.h"
#include "firmware/ftl/superblock_map/journal_records.h"
#include "firmware/ftl/superblock_map/parking.h"

/* The logical superblocks that the command concerns; a flush: all. */
static void span(const struct superblock_map* sbm, const struct command* command, uint32_t* first, uint32_t* last)
{
    *first = 0;
    *last = NONE;
    if (command->kind == HOST_FLUSH)
        return;
    *first = (uint32_t)(command->lba / sbm->layout.sectors);
    *last = (uint32_t)((command->lba + command->sectors - 1) / sbm->layout.sectors);
}

static bool concerns(const struct entry* entry, uint32_t first, uint32_t last, uint32_t stamp)
{
    return entry->state != ENTRY_FREE && entry->logical >= first && entry->logical <= last &&
           (int32_t)(entry->stamp - stamp) <= 0;
}

/* Whether everything that the command waits for is in flash; entries that parking does not cover must be merged. */
static bool is_durable(struct superblock_map* sbm, const struct command* command)
{
    uint32_t first;
    uint32_t last;
    bool durable = true;
    span(sbm, command, &first, &last);
    const bool parked = parking_covers(&sbm->parking, command->waits_for);
    for (uint32_t i = 0; i < sbm->buffer.entries; ++i) {
        struct entry* entry = &sbm->buffer.entry[i];
        if (!concerns(entry, first, last, command->waits_for) || (parked && !entry->was_trimmed))
            continue;
        durable = false;
        if (parked || !parking_is_on(&sbm->parking))
            entry->must = true;
    }
    return durable && !journal_has_unwritten_remap(&sbm->journal.records, first, last, command->waits_for);
}

void durability_wait(struct superblock_map* sbm, uint32_t slot)
{
    sbm->commands.slot[slot].waits_for = sbm->buffer.stamp;
    parking_request(sbm);
    command_line_join(sbm, &sbm->flushes, slot);
}

void durability_run(struct superblock_map* sbm)
{
    uint32_t slot = sbm->flushes.head;
    sbm->flushes.head = NONE;
    while (slot != NONE) {
        const uint32_t next = sbm->commands.slot[slot].next;
        if (is_durable(sbm, &sbm->commands.slot[slot]))
            command_complete(sbm, slot, HOST_OK);
        else if (sbm->read_only)
            command_complete(sbm, slot, HOST_DEVICE_FAULT);
        else
            command_line_join(sbm, &sbm->flushes, slot);
        slot = next;
    }
}
