/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/page_map/parity.h"

#include "firmware/drivers/statistics.h"
#include "firmware/ftl/page_map/bad_blocks.h"
#include "firmware/ftl/page_map/ftl.h"

static const struct flash_spare no_record = {{0, 0, 0, 0}}; /* the XOR engine replaces it */

static uint32_t plane_of(const struct ftl* ftl, uint32_t block)
{
    return ftl->blocks.block[block].plane;
}

/* --- stripes ------------------------------------------------------------------------------------------------------ */

uint32_t parity_find(const struct ftl* ftl, uint32_t block, uint32_t page)
{
    const uint32_t wanted = parity_page_of(&ftl->geometry, page);
    uint32_t stripe = ftl->parity.first[plane_of(ftl, block)];
    while (stripe != NONE && (ftl->parity.stripes[stripe].block != block || ftl->parity.stripes[stripe].page != wanted))
        stripe = ftl->parity.stripes[stripe].next;
    return stripe;
}

static uint32_t begin_stripe(struct ftl* ftl, uint32_t block, uint32_t page)
{
    struct parity* parity = &ftl->parity;
    const uint32_t number = parity->free;
    if (number == NONE)
        hal_panic("page mapping: more stripes are without parity than capacity_stripes() allows");
    struct stripe* stripe = &parity->stripes[number];
    parity->free = stripe->next;
    *stripe = (struct stripe){NONE, block, parity_page_of(&ftl->geometry, page), 0, 0, (uint8_t)(stripe->set + 1u)};
    uint32_t* link = &parity->first[plane_of(ftl, block)];
    while (*link != NONE)
        link = &parity->stripes[*link].next;
    *link = number;
    return number;
}

static void end_stripe(struct ftl* ftl, uint32_t number)
{
    struct parity* parity = &ftl->parity;
    struct stripe* stripe = &parity->stripes[number];
    uint32_t* link = &parity->first[plane_of(ftl, stripe->block)];
    while (*link != number)
        link = &parity->stripes[*link].next;
    *link = stripe->next;
    stripe->next = parity->free;
    parity->free = number;
}

uint32_t parity_begin_page(struct ftl* ftl, uint32_t unit)
{
    const uint32_t block = block_of_unit(&ftl->geometry, unit);
    const uint32_t page = page_of_unit(&ftl->geometry, unit);
    uint32_t number = parity_find(ftl, block, page);
    if (number == NONE)
        number = begin_stripe(ftl, block, page);
    struct stripe* stripe = &ftl->parity.stripes[number];
    stripe->data = (uint16_t)(stripe->data + ftl->geometry.row_planes);
    return number;
}

/* --- programs ----------------------------------------------------------------------------------------------------- */

static void program_strip(struct ftl* ftl, uint32_t number, uint32_t strip)
{
    const struct geometry* g = &ftl->geometry;
    const struct stripe* stripe = &ftl->parity.stripes[number];
    const uint32_t op = ftl->parity.first_op + number * g->row_planes + strip;
    const uint32_t units = blocks_units_of_strip(&ftl->blocks, stripe->block);
    const uint32_t unit = unit_of_strip(g, unit_of_page(g, stripe->block, stripe->page), strip);
    const struct flash_place place = blocks_place(&ftl->blocks, unit, 0);
    const uint32_t order = parity_order(&ftl->parity, g, number, strip, true);
    if (units == 1) {
        flash_program_parity(&ftl->flash, op, place, g->sectors_per_unit, buffer_address(&ftl->buffer, 0), no_record,
                             order, FLASH_FOR_METADATA);
        return;
    }
    const struct flash_units table = flash_units_of(&ftl->flash, op, units);
    for (uint32_t i = 0; i < units; ++i)
        flash_set_unit(&table, i, 0, no_record);
    flash_program_units_parity(&ftl->flash, op, place, units * g->sectors_per_unit, order, FLASH_FOR_METADATA);
}

static bool is_ready(const struct ftl* ftl, const struct stripe* stripe)
{
    return stripe->parity == 0 && stripe->data == 0 && ftl->blocks.block[stripe->block].taken > stripe->page;
}

/* An earlier stripe of its block has to be programmed first. */
static bool has_to_wait(const struct ftl* ftl, uint32_t plane, uint32_t number)
{
    const struct stripe* stripes = ftl->parity.stripes;
    for (uint32_t earlier = ftl->parity.first[plane]; earlier != number; earlier = stripes[earlier].next) {
        if (stripes[earlier].block == stripes[number].block && stripes[earlier].parity == 0)
            return true;
    }
    return false;
}

static void program_ready(struct ftl* ftl, uint32_t plane)
{
    for (uint32_t number = ftl->parity.first[plane]; number != NONE; number = ftl->parity.stripes[number].next) {
        struct stripe* stripe = &ftl->parity.stripes[number];
        if (!is_ready(ftl, stripe) || has_to_wait(ftl, plane, number))
            continue;
        HAL_COST(allocate_page);
        stripe->parity = (uint8_t)ftl->geometry.row_planes;
        for (uint32_t strip = 0; strip < ftl->geometry.row_planes; ++strip)
            program_strip(ftl, number, strip);
    }
}

void parity_data_ended(struct ftl* ftl, uint32_t unit)
{
    const uint32_t block = block_of_unit(&ftl->geometry, unit);
    struct stripe* stripe = &ftl->parity.stripes[parity_find(ftl, block, page_of_unit(&ftl->geometry, unit))];
    if (--stripe->data == 0)
        program_ready(ftl, plane_of(ftl, block));
}

bool parity_ended(struct ftl* ftl, uint32_t op, enum flash_status status)
{
    const uint32_t number = (op - ftl->parity.first_op) / ftl->geometry.row_planes;
    struct stripe* stripe = &ftl->parity.stripes[number];
    const uint32_t block = stripe->block;
    if (status != FLASH_OK)
        bad_blocks_program_failed(ftl, block);
    const bool is_last = --stripe->parity == 0;
    if (is_last) {
        statistics_count(STATISTIC_PARITY_STRIPES, 1);
        end_stripe(ftl, number);
        blocks_parity_ended(&ftl->blocks, block);
    }
    blocks_program_ended(&ftl->blocks, block);
    return is_last;
}

void parity_run(struct ftl* ftl)
{
    while (ftl->blocks.parity_due.count != 0)
        program_ready(ftl, plane_set_take(&ftl->blocks.parity_due, 0));
}

/* --- start -------------------------------------------------------------------------------------------------------- */

void parity_init(struct ftl* ftl, struct arena* arena, uint32_t first_op)
{
    const uint32_t stripes = capacity_stripes(&ftl->geometry);
    ftl->parity = (struct parity){.free = NONE, .first_op = first_op};
    if (stripes == 0)
        return;
    ftl->parity.stripes = arena_array(arena, stripes, sizeof *ftl->parity.stripes, "parity");
    ftl->parity.first = arena_array(arena, ftl->geometry.planes, sizeof *ftl->parity.first, "parity");
    for (uint32_t plane = 0; plane < ftl->geometry.planes; ++plane)
        ftl->parity.first[plane] = NONE;
    for (uint32_t number = stripes; number > 0; --number) {
        ftl->parity.stripes[number - 1].next = ftl->parity.free;
        ftl->parity.free = number - 1;
    }
}
