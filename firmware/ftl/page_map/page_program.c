/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/page_map/page_program.h"

#include "firmware/ftl/page_map/bad_blocks.h"
#include "firmware/ftl/page_map/ftl.h"
#include "firmware/ftl/page_map/parity.h"

#define NO_PARITY NONE /* of what the XOR engine does */

static const struct flash_spare no_record = {{NONE, NONE, NONE, NONE}};

/* --- flash ---------------------------------------------------------------------------------------------------------
 */

static void program_page(struct ftl* ftl, uint32_t op, struct flash_place place, bus_address from,
                         struct flash_spare spare, uint32_t order, enum flash_purpose purpose)
{
    if (order == NO_PARITY)
        flash_program(&ftl->flash, op, place, ftl->geometry.sectors_per_unit, from, spare, purpose);
    else
        flash_program_parity(&ftl->flash, op, place, ftl->geometry.sectors_per_unit, from, spare, order, purpose);
}

static void program_table(struct ftl* ftl, uint32_t op, struct flash_place place, uint32_t sectors, uint32_t order,
                          enum flash_purpose purpose)
{
    if (order == NO_PARITY)
        flash_program_units(&ftl->flash, op, place, sectors, purpose);
    else
        flash_program_units_parity(&ftl->flash, op, place, sectors, order, purpose);
}

/* --- a strip ------------------------------------------------------------------------------------------------------ */

static void program_unit(struct ftl* ftl, uint32_t number, uint32_t unit, enum spare_kind kind, uint32_t erases,
                         uint32_t order, enum flash_purpose purpose)
{
    struct slot* slot = buffer_slot(&ftl->buffer, number);
    slot->physical = unit;
    slot->state = SLOT_PROGRAMMING;
    slot->next = NONE;
    program_page(ftl, number, blocks_place(&ftl->blocks, unit, 0), buffer_address(&ftl->buffer, number),
                 spare_record(slot->logical, slot->sequence, kind, erases), order, purpose);
}

/* The slots of the strip, whose first unit is `unit`. */
static void program_units(struct ftl* ftl, uint32_t first, uint32_t unit, uint32_t units, enum spare_kind kind,
                          uint32_t erases, uint32_t order, enum flash_purpose purpose)
{
    const struct geometry* g = &ftl->geometry;
    const struct flash_units table = flash_units_of(&ftl->flash, first, units);
    uint32_t number = first;
    uint32_t physical = unit;
    uint32_t left = g->units_per_flash_page; /* of the flash page; those of the other strips follow */
    for (uint32_t i = 0; i < units; ++i) {
        if (number == NONE) {
            flash_set_unit(&table, i, 0, no_record);
            continue;
        }
        HAL_COST(table_unit);
        struct slot* slot = buffer_slot(&ftl->buffer, number);
        slot->physical = physical++;
        slot->state = SLOT_PROGRAMMING;
        flash_set_unit(&table, i, buffer_address(&ftl->buffer, number),
                       spare_record(slot->logical, slot->sequence, kind, erases));
        number = slot->next;
        if (--left == 0) {
            physical += (g->row_planes - 1) * g->units_per_flash_page;
            left = g->units_per_flash_page;
        }
    }
    program_table(ftl, first, blocks_place(&ftl->blocks, unit, 0), units * g->sectors_per_unit, order, purpose);
}

/* --- padding ------------------------------------------------------------------------------------------------------ */

static void pad(struct ftl* ftl, uint32_t unit, uint32_t units, enum spare_kind kind, uint32_t order,
                enum flash_purpose purpose)
{
    struct padding* padding = &ftl->padding;
    if (padding->free == NONE)
        hal_panic("page mapping: more strips are padded than padding_ops() allows");
    struct padding_op* op = &padding->ops[padding->free];
    const uint32_t number = padding->first_op + padding->free;
    const struct flash_place place = blocks_place(&ftl->blocks, unit, 0);
    const uint32_t sectors = units * ftl->geometry.sectors_per_unit;
    padding->free = op->next;
    op->unit = unit;
    op->die = place.die;
    op->is_host = kind != SPARE_MOVED;
    if (units == 1) {
        program_page(ftl, number, place, buffer_address(&ftl->buffer, 0), no_record, order, purpose);
        return;
    }
    const struct flash_units table = flash_units_of(&ftl->flash, number, units);
    for (uint32_t i = 0; i < units; ++i)
        flash_set_unit(&table, i, 0, no_record);
    program_table(ftl, number, place, sectors, order, purpose);
}

void padding_ended(struct ftl* ftl, uint32_t number, enum flash_status status)
{
    struct padding* padding = &ftl->padding;
    const uint32_t index = number - padding->first_op;
    struct padding_op* op = &padding->ops[index];
    op->next = padding->free;
    padding->free = index;
    const uint32_t block = block_of_unit(&ftl->geometry, op->unit);
    if (status != FLASH_OK)
        bad_blocks_program_failed(ftl, block);
    blocks_program_ended(&ftl->blocks, block);
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

/* Divides the slots of a page, which are linked in the order of its units, among its strips. */
static void deal(struct ftl* ftl, uint32_t number, uint32_t first[BOOT_BLOCK_ROW_PLANES_MAX])
{
    const struct geometry* g = &ftl->geometry;
    struct slot* last[BOOT_BLOCK_ROW_PLANES_MAX];
    for (uint32_t strip = 0; strip < g->row_planes; ++strip)
        first[strip] = NONE;
    uint32_t strip = 0;
    uint32_t left = g->units_per_flash_page;
    while (number != NONE) {
        struct slot* slot = buffer_slot(&ftl->buffer, number);
        if (first[strip] == NONE)
            first[strip] = number;
        else
            last[strip]->next = number; /* NOLINT(clang-analyzer-core.NullDereference): set with first[strip] */
        last[strip] = slot;
        number = slot->next;
        slot->next = NONE;
        if (--left == 0) {
            strip = strip + 1 == g->row_planes ? 0 : strip + 1;
            left = g->units_per_flash_page;
        }
    }
}

void page_program(struct ftl* ftl, uint32_t first, uint32_t unit, enum spare_kind kind, enum flash_purpose purpose)
{
    const struct geometry* g = &ftl->geometry;
    const uint32_t block = block_of_unit(g, unit);
    const uint32_t erases = ftl->blocks.block[block].erases;
    const uint32_t units = blocks_units_of_strip(&ftl->blocks, block);
    const enum spare_kind label = spare_kind_with(kind, ftl->blocks.block[block].handle);
    uint32_t slots[BOOT_BLOCK_ROW_PLANES_MAX] = {first};
    if (g->row_planes != 1)
        deal(ftl, first, slots);
    const uint32_t stripe = g->has_parity ? parity_begin_page(ftl, unit) : NONE;
    for (uint32_t strip = 0; strip < g->row_planes; ++strip) {
        const uint32_t begin = unit_of_strip(g, unit, strip);
        const uint32_t order = stripe == NONE ? NO_PARITY : parity_order(&ftl->parity, g, stripe, strip, false);
        if (slots[strip] == NONE)
            pad(ftl, begin, units, kind, order, purpose);
        else if (units != 1)
            program_units(ftl, slots[strip], begin, units, label, erases, order, purpose);
        else
            program_unit(ftl, slots[strip], begin, label, erases, order, purpose);
    }
}
