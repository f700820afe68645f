/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/page_map/page_program.h"

#include "firmware/ftl/page_map/bad_blocks.h"
#include "firmware/ftl/page_map/ftl.h"

static const struct flash_spare no_record = {{NONE, NONE, NONE, NONE}};

/* --- a strip ------------------------------------------------------------------------------------------------------ */

static void program_unit(struct ftl* ftl, uint32_t number, uint32_t unit, enum spare_kind kind, uint32_t erases,
                         enum flash_purpose purpose)
{
    struct slot* slot = buffer_slot(&ftl->buffer, number);
    slot->physical = unit;
    slot->state = SLOT_PROGRAMMING;
    slot->next = NONE;
    flash_program(&ftl->flash, number, blocks_place(&ftl->blocks, unit, 0), ftl->geometry.sectors_per_unit,
                  buffer_address(&ftl->buffer, number), spare_record(slot->logical, slot->sequence, kind, erases),
                  purpose);
}

/* Returns the first slot that is left for the strips that follow. */
static uint32_t program_units(struct ftl* ftl, uint32_t first, uint32_t unit, uint32_t units, enum spare_kind kind,
                              uint32_t erases, enum flash_purpose purpose)
{
    const struct flash_units table = flash_units_of(&ftl->flash, first, units);
    struct slot* last = NULL;
    uint32_t number = first;
    for (uint32_t i = 0; i < units; ++i) {
        if (number == NONE) {
            flash_set_unit(&table, i, 0, no_record);
            continue;
        }
        HAL_COST(table_unit);
        last = buffer_slot(&ftl->buffer, number);
        last->physical = unit + i;
        last->state = SLOT_PROGRAMMING;
        flash_set_unit(&table, i, buffer_address(&ftl->buffer, number),
                       spare_record(last->logical, last->sequence, kind, erases));
        number = last->next;
    }
    last->next = NONE;
    flash_program_units(&ftl->flash, first, blocks_place(&ftl->blocks, unit, 0), units * ftl->geometry.sectors_per_unit,
                        purpose);
    return number;
}

/* --- padding ------------------------------------------------------------------------------------------------------ */

static void pad(struct ftl* ftl, uint32_t unit, uint32_t units, enum spare_kind kind, enum flash_purpose purpose)
{
    struct padding* padding = &ftl->padding;
    if (padding->free == NONE)
        hal_panic("page mapping: more strips are padded than padding_ops() allows");
    struct padding_op* op = &padding->ops[padding->free];
    const uint32_t number = padding->first_op + padding->free;
    const struct flash_place place = blocks_place(&ftl->blocks, unit, 0);
    const uint32_t sectors = units * ftl->geometry.sectors_per_unit;
    padding->free = op->next;
    op->block = block_of_unit(&ftl->geometry, unit);
    op->die = place.die;
    op->is_host = kind == SPARE_HOST;
    if (units == 1) {
        flash_program(&ftl->flash, number, place, sectors, buffer_address(&ftl->buffer, 0), no_record, purpose);
        return;
    }
    const struct flash_units table = flash_units_of(&ftl->flash, number, units);
    for (uint32_t i = 0; i < units; ++i)
        flash_set_unit(&table, i, 0, no_record);
    flash_program_units(&ftl->flash, number, place, sectors, purpose);
}

void padding_ended(struct ftl* ftl, uint32_t number, enum flash_status status)
{
    struct padding* padding = &ftl->padding;
    const uint32_t index = number - padding->first_op;
    struct padding_op* op = &padding->ops[index];
    op->next = padding->free;
    padding->free = index;
    if (status != FLASH_OK)
        bad_blocks_program_failed(ftl, op->block);
    blocks_program_ended(&ftl->blocks, op->block);
    if (op->is_host)
        write_room_program_ended(&ftl->room, op->die);
}

void padding_init(struct ftl* ftl, struct arena* arena, uint32_t first_op, uint32_t die_depth)
{
    const uint32_t ops = padding_ops(&ftl->geometry, die_depth);
    ftl->padding = (struct padding){.free = NONE, .first_op = first_op};
    if (ops == 0)
        return;
    ftl->padding.ops = arena_array(arena, ops, sizeof *ftl->padding.ops, "padding");
    for (uint32_t index = 0; index < ops; ++index) {
        ftl->padding.ops[index].next = ftl->padding.free;
        ftl->padding.free = index;
    }
}

/* --- a page ------------------------------------------------------------------------------------------------------- */

void page_program(struct ftl* ftl, uint32_t first, uint32_t unit, enum spare_kind kind, enum flash_purpose purpose)
{
    const struct geometry* g = &ftl->geometry;
    const uint32_t block = block_of_unit(g, unit);
    const uint32_t erases = ftl->blocks.block[block].erases;
    const uint32_t units = blocks_units_of_strip(&ftl->blocks, block);
    uint32_t number = first;
    for (uint32_t strip = 0; strip < g->row_planes; ++strip, unit += g->units_per_strip) {
        if (number == NONE) {
            pad(ftl, unit, units, kind, purpose);
        } else if (units != 1) {
            number = program_units(ftl, number, unit, units, kind, erases, purpose);
        } else {
            const uint32_t next = buffer_slot(&ftl->buffer, number)->next;
            program_unit(ftl, number, unit, kind, erases, purpose);
            number = next;
        }
    }
}
