/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/superblock_map/reads.h"

#include "firmware/drivers/timer.h"
#include "firmware/ftl/superblock_map/state.h"

#include <string.h>

/* --- fences ------------------------------------------------------------------------------------------------------- */

struct fence reads_fence(void)
{
    const struct reads* reads = &sbm.reads;
    return (struct fence){reads->begun, reads->synthesizer ? reg_read(FLASH_SYNTH_STARTED) : 0};
}

bool reads_have_passed(const struct fence* fence)
{
    struct reads* reads = &sbm.reads;
    if ((int32_t)(reads->ended - fence->read) < 0)
        return false;
    if ((int32_t)(reads->synthesized - fence->synthesized) < 0)
        reads->synthesized = reg_read(FLASH_SYNTH_ENDED);
    const bool passed = (int32_t)(reads->synthesized - fence->synthesized) >= 0;
    reads->awaits_synthesizer |= !passed;
    return passed;
}

void reads_set_alarm(void)
{
    sbm.reads.alarm = sbm.reads.awaits_synthesizer;
    if (sbm.reads.alarm)
        timer_set(hal_time_ns() + SYNTHESIZER_LOOK_NS);
}

void reads_cancel_alarm(void)
{
    sbm.reads.awaits_synthesizer = false;
    if (sbm.reads.alarm)
        timer_cancel();
    sbm.reads.alarm = false;
}

/* --- one operation ------------------------------------------------------------------------------------------------ */

/* Which sectors are buffered now, of a superblock with two entries the newer ones: a table for this read alone, because
 * that of an open entry may change before the read is done. */
static bus_address table_for(uint32_t index, uint32_t entry, uint32_t first, uint32_t sectors)
{
    uint32_t* table = sbm.reads.scratch + index * READ_MOST;
    const uint32_t older = sbm.buffer.entry[entry].older;
    memcpy(table, entry_table(&sbm.buffer, entry) + first, sectors * sizeof *table);
    for (uint32_t i = 0; older != NONE && i < sectors; ++i)
        table[i] = table[i] != 0 ? table[i] : entry_table(&sbm.buffer, older)[first + i];
    HAL_COST_TIMES(read_table_sector, sectors);
    return sbm.reads.scratch_at + index * READ_MOST * 4;
}

static void begin_operation(uint32_t slot, uint32_t logical, uint32_t first, uint32_t sectors)
{
    struct reads* reads = &sbm.reads;
    struct command* command = &sbm.commands[slot];
    const uint32_t index = reads->begun % reads->slots;
    const uint32_t entry = entry_of(&sbm.buffer, logical);
    const bool is_whole = sectors == command->sectors;
    HAL_COST(host_read_page);
    struct flash_descriptor* descriptor =
        units_prepare(&sbm.units, reads->first_slot + index, FLASH_READ,
                      superchip_of_group(&sbm.layout, logical % sbm.layout.groups), FLASH_FOR_HOST);
    descriptor->start_sector = first;
    descriptor->sectors = sectors;
    descriptor->buffer = HOST_BUFFER;
    descriptor->blocks = sbm.map[logical];
    descriptor->source_sector = slot | command->cursor << 16;
    if (entry != NONE || sbm.map[logical] == 0) {
        descriptor->control |= FLASH_DESCRIPTOR_CONTROL_SECTOR_TABLE_MASK;
        descriptor->spare_address = entry == NONE ? reads->no_sectors : table_for(index, entry, first, sectors);
    }
    if (is_whole)
        descriptor->control |= FLASH_DESCRIPTOR_CONTROL_COMPLETE_MASK;
    reads->command[index] = slot;
    command->cursor += sectors;
    ++reads->begun;
    if (is_whole)
        command_end(slot); /* the hardware completes it; the slot may be used again before firmware hears of that */
    else
        ++command->pieces;
    units_submit_foreground(&sbm.units, reads->first_slot + index);
}

/* The next piece of a command: up to the end of its superblock. */
static void begin_next(uint32_t slot)
{
    const struct command* command = &sbm.commands[slot];
    const uint64_t at = command->lba + command->cursor;
    const uint32_t logical = (uint32_t)(at / sbm.layout.sectors);
    const uint32_t first = (uint32_t)(at % sbm.layout.sectors);
    const uint32_t entry = entry_of(&sbm.buffer, logical);
    uint32_t sectors = sbm.layout.sectors - first;
    if (sectors > command->sectors - command->cursor)
        sectors = command->sectors - command->cursor;
    if (entry != NONE && sectors > READ_MOST)
        sectors = READ_MOST;
    begin_operation(slot, logical, first, sectors);
}

/* --- commands ----------------------------------------------------------------------------------------------------- */

static void run(void)
{
    struct reads* reads = &sbm.reads;
    while (reads->head != NONE && reads->begun - reads->ended < reads->slots) {
        const uint32_t slot = reads->head;
        begin_next(slot);
        if (sbm.commands[slot].cursor == sbm.commands[slot].sectors)
            reads->head = sbm.commands[slot].next;
    }
}

void reads_start(uint32_t slot)
{
    struct reads* reads = &sbm.reads;
    sbm.commands[slot].next = NONE;
    if (reads->head == NONE)
        reads->head = slot;
    else
        sbm.commands[reads->tail].next = slot;
    reads->tail = slot;
    run();
}

void reads_done(uint32_t number, struct units_result result)
{
    struct reads* reads = &sbm.reads;
    const uint32_t slot = reads->command[number - reads->first_slot];
    struct command* command = &sbm.commands[slot];
    const bool was_whole = (sbm.units.descriptors[number].control & FLASH_DESCRIPTOR_CONTROL_COMPLETE_MASK) != 0;
    const enum host_status status = result.status == FLASH_OK ? HOST_OK : HOST_UNCORRECTABLE;
    ++reads->ended;
    if (was_whole) {
        if (status != HOST_OK)
            host_complete(slot, status); /* what failed is left to firmware */
    } else {
        --command->pieces;
        if (status != HOST_OK)
            command->status = status;
        if (command->pieces == 0 && command->cursor == command->sectors)
            command_complete(slot, command->status);
    }
    run();
}

void reads_init(const struct boot_block* boot, struct arena* arena, uint32_t first_slot, uint32_t slots)
{
    struct reads* reads = &sbm.reads;
    *reads = (struct reads){.first_slot = first_slot, .slots = slots, .head = NONE, .tail = NONE};
    reads->command = arena_array(arena, slots, sizeof *reads->command, "reads");
    reads->scratch_at = arena_take(arena, (uint64_t)slots * READ_MOST, 4, 64, "reads");
    reads->scratch = hal_memory(reads->scratch_at, slots * READ_MOST * 4);
    reads->no_sectors = arena_take(arena, sbm.layout.sectors, 4, 64, "reads");
    reads->synthesizer = boot->synthesizer != 0;
}
