/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/superblock_map/reads.h"

#include "firmware/ftl/superblock_map/commands.h"

#include <string.h>

/* --- one operation ------------------------------------------------------------------------------------------------ */

/* The sectors that are buffered now; of a superblock with two entries, the newer ones. The table is a copy for this
 * read alone, because the table of an open entry may change before the read has ended. */
static bus_address table_for(const struct superblock_map* sbm, uint32_t index, uint32_t entry, uint32_t first,
                             uint32_t sectors)
{
    uint32_t* table = sbm->reads.scratch + index * READ_MOST;
    const uint32_t older = sbm->buffer.entry[entry].older;
    memcpy(table, entry_table(&sbm->buffer, entry) + first, sectors * sizeof *table);
    for (uint32_t i = 0; older != NONE && i < sectors; ++i)
        table[i] = table[i] != 0 ? table[i] : entry_table(&sbm->buffer, older)[first + i];
    HAL_COST_TIMES(read_table_sector, sectors);
    return sbm->reads.scratch_at + index * READ_MOST * 4;
}

static void begin_operation(struct superblock_map* sbm, uint32_t slot, uint32_t logical, uint32_t first,
                            uint32_t sectors)
{
    struct reads* reads = &sbm->reads;
    struct command* command = &sbm->commands.slot[slot];
    const uint32_t index = sbm->read_progress.begun % reads->slots;
    const uint32_t entry = entry_of(&sbm->buffer, logical);
    const bool is_whole = sectors == command->sectors;
    HAL_COST(host_read_page);
    struct flash_descriptor* descriptor =
        units_prepare(&sbm->units, reads->first_slot + index, FLASH_READ,
                      superchip_of_group(&sbm->layout, logical % sbm->layout.groups), FLASH_FOR_HOST);
    descriptor->start_sector = first;
    descriptor->sectors = sectors;
    descriptor->buffer = HOST_BUFFER;
    descriptor->blocks = sbm->map[logical];
    descriptor->source_sector = slot | command->cursor << 16;
    if (entry != NONE || sbm->map[logical] == 0) {
        descriptor->control |= FLASH_DESCRIPTOR_CONTROL_SECTOR_TABLE_MASK;
        descriptor->spare_address = entry == NONE ? reads->no_sectors : table_for(sbm, index, entry, first, sectors);
    }
    if (is_whole)
        descriptor->control |= FLASH_DESCRIPTOR_CONTROL_COMPLETE_MASK;
    reads->command[index] = slot;
    command->cursor += sectors;
    ++sbm->read_progress.begun;
    if (is_whole)
        command_end(sbm, slot); /* the hardware completes it; the slot may be reused before the event arrives */
    else
        ++command->pieces;
    units_submit_foreground(&sbm->units, reads->first_slot + index);
}

/* The next piece of a command: up to the end of its superblock. */
static void begin_next(struct superblock_map* sbm, uint32_t slot)
{
    const struct command* command = &sbm->commands.slot[slot];
    const uint64_t at = command->lba + command->cursor;
    const uint32_t logical = (uint32_t)(at / sbm->layout.sectors);
    const uint32_t first = (uint32_t)(at % sbm->layout.sectors);
    const uint32_t entry = entry_of(&sbm->buffer, logical);
    uint32_t sectors = sbm->layout.sectors - first;
    if (sectors > command->sectors - command->cursor)
        sectors = command->sectors - command->cursor;
    if (entry != NONE && sectors > READ_MOST)
        sectors = READ_MOST;
    begin_operation(sbm, slot, logical, first, sectors);
}

/* --- commands ----------------------------------------------------------------------------------------------------- */

static void run(struct superblock_map* sbm)
{
    const struct read_progress* progress = &sbm->read_progress;
    struct command_line* line = &sbm->reads.line;
    while (line->head != NONE && progress->begun - progress->ended < sbm->reads.slots) {
        const uint32_t slot = line->head;
        begin_next(sbm, slot);
        if (sbm->commands.slot[slot].cursor == sbm->commands.slot[slot].sectors)
            line->head = sbm->commands.slot[slot].next;
    }
}

void reads_start(struct superblock_map* sbm, uint32_t slot)
{
    command_line_join(sbm, &sbm->reads.line, slot);
    run(sbm);
}

void reads_done(struct superblock_map* sbm, uint32_t number, struct units_result result)
{
    const uint32_t slot = sbm->reads.command[number - sbm->reads.first_slot];
    struct command* command = &sbm->commands.slot[slot];
    const bool was_whole = (sbm->units.descriptors[number].control & FLASH_DESCRIPTOR_CONTROL_COMPLETE_MASK) != 0;
    const enum host_status status = result.status == FLASH_OK ? HOST_OK : HOST_UNCORRECTABLE;
    ++sbm->read_progress.ended;
    if (was_whole) {
        if (status != HOST_OK)
            host_complete(slot, status); /* the hardware leaves failures to firmware */
    } else {
        --command->pieces;
        if (status != HOST_OK)
            command->status = status;
        if (command->pieces == 0 && command->cursor == command->sectors)
            command_complete(sbm, slot, command->status);
    }
    run(sbm);
}

void reads_init(struct superblock_map* sbm, struct arena* arena, uint32_t first_slot, uint32_t slots)
{
    struct reads* reads = &sbm->reads;
    *reads = (struct reads){.first_slot = first_slot, .slots = slots, .line = {NONE, NONE}};
    reads->command = arena_array(arena, slots, sizeof *reads->command, "reads");
    reads->scratch_at = arena_take(arena, (uint64_t)slots * READ_MOST, 4, 64, "reads");
    reads->scratch = hal_memory(reads->scratch_at, slots * READ_MOST * 4);
    reads->no_sectors = arena_take(arena, sbm->layout.sectors, 4, 64, "reads");
    sbm->read_progress.synthesizer = sbm->boot->synthesizer != 0;
}
