/* SPDX-License-Identifier: Apache-2.0
 *
 * Sweeps over the pages of all groups of dies, RECOVERY_DEPTH reads per die in progress. An uncorrectable page still
 * has its record, which has its own code, unless a power loss has damaged the page: it takes part like any other page,
 * and later reads of it fail.
 */
#include "firmware/ftl/page_map/ftl.h"
#include "firmware/ftl/page_map/recovery_steps.h"
#include "firmware/ftl/page_map/spare.h"

static bool is_good(const struct ftl* ftl, uint32_t block)
{
    return ftl->blocks.block[block].state != BLOCK_BAD;
}

static uint32_t flash_pages_of_page(const struct ftl* ftl, uint32_t block)
{
    return ftl->blocks.block[block].slc ? ftl->geometry.row_planes : ftl->geometry.flash_pages_per_page;
}

/* The first flash page of a block that the sweep reads, and the end of the range: the first sweep reads the first page
 * of each die, as any of them may be the only one that was programmed. NONE: it skips the block. */
static uint32_t first_of(const struct ftl* ftl, uint32_t block)
{
    const struct recovery* r = ftl->recovery;
    if (!is_good(ftl, block))
        return NONE;
    if (r->sweep.is_first)
        return 0;
    const bool may_hold_data = r->first[block].kind == FIRST_DATA || r->first[block].kind == FIRST_UNKNOWN;
    return may_hold_data ? ftl->checkpoint.covered[block] * flash_pages_of_page(ftl, block) : NONE;
}

static uint32_t end_of_block(const struct ftl* ftl, uint32_t block)
{
    if (ftl->recovery->sweep.is_first)
        return ftl->geometry.width * flash_pages_of_page(ftl, block);
    return blocks_pages_of(&ftl->blocks, block) * flash_pages_of_page(ftl, block);
}

/* The first unit of a flash page of a block. */
static uint32_t unit_of_flash_page(const struct ftl* ftl, uint32_t block, uint32_t flash_page)
{
    const struct geometry* g = &ftl->geometry;
    if (!ftl->blocks.block[block].slc)
        return unit_of_page(g, block, 0) + flash_page * g->units_per_flash_page;
    return unit_of_strip(g, unit_of_page(g, block, flash_page / g->row_planes), flash_page % g->row_planes);
}

static uint32_t step_of(const struct ftl* ftl, uint32_t block)
{
    return ftl->recovery->sweep.is_first ? flash_pages_of_page(ftl, block) : 1;
}

/* The first unit of the group's next flash page of the sweep; NONE: there is none. */
static uint32_t next_page(struct ftl* ftl, uint32_t group)
{
    struct recovery_sweep* s = &ftl->recovery->sweep;
    for (; s->block[group] < ftl->geometry.blocks_per_group; ++s->block[group], s->page[group] = NONE) {
        const uint32_t block = group * ftl->geometry.blocks_per_group + s->block[group];
        const uint32_t first = first_of(ftl, block);
        if (first == NONE)
            continue;
        if (s->page[group] == NONE) {
            s->page[group] = first;
            s->blanks[group] = 0;
        }
        if (s->page[group] < end_of_block(ftl, block)) {
            const uint32_t page = s->page[group];
            s->page[group] += step_of(ftl, block);
            return unit_of_flash_page(ftl, block, page);
        }
    }
    return NONE;
}

static void page_read(struct ftl* ftl, uint32_t index, enum flash_status status);

static void read_next(struct ftl* ftl, uint32_t index)
{
    struct recovery_op* op = &ftl->recovery->io.ops[index];
    op->is_slc = false;
    op->at = next_page(ftl, op->group);
    if (op->at == NONE)
        return;
    if (ftl->recovery->sweep.is_first || ftl->geometry.units_per_flash_page == 1)
        recovery_read(ftl, index, op->at, 1, buffer_address(&ftl->buffer, 1), page_read);
    else
        recovery_read_records(ftl, index, op->at, page_read);
}

static bool is_in_progress(const struct ftl* ftl, uint32_t group, uint32_t block)
{
    return ftl->recovery->sweep.block[group] == block - group * ftl->geometry.blocks_per_group;
}

/* In each plane of a die, no page after a blank one was programmed. The sweep continues with the next block when blank
 * pages of all of them were read, one after the other. Reads of a die end in their order, but a slow die may lag
 * behind: by no more than the reads in progress, each a row of dies further. With parity, a stripe that was ended early
 * has blank pages before those of the next stripe. */
static bool are_all_blank(const struct ftl* ftl, uint32_t blanks)
{
    const struct geometry* g = &ftl->geometry;
    const uint32_t of_stripe = g->has_parity ? g->flash_pages_per_page : 0;
    return !geometry_is_joined(g) || blanks >= (g->flash_pages_per_page + of_stripe + recovery_depth(g)) * g->width;
}

static void blank_page(struct ftl* ftl, uint32_t group, uint32_t unit)
{
    struct recovery_sweep* s = &ftl->recovery->sweep;
    const uint32_t block = block_of_unit(&ftl->geometry, unit);
    ftl->recovery->first[block].has_room = true;
    if (is_in_progress(ftl, group, block) && are_all_blank(ftl, ++s->blanks[group]))
        s->page[group] = end_of_block(ftl, block);
}

static void used_page(struct ftl* ftl, uint32_t group, uint32_t unit)
{
    const uint32_t block = block_of_unit(&ftl->geometry, unit);
    struct first_page* first = &ftl->recovery->first[block];
    const uint32_t page = page_of_unit(&ftl->geometry, unit);
    if (first->taken <= page)
        first->taken = (uint16_t)(page + 1);
    if (is_in_progress(ftl, group, block))
        ftl->recovery->sweep.blanks[group] = 0;
}

static void first_page_read(struct ftl* ftl, uint32_t block, bool blank, const struct flash_spare* spare)
{
    struct first_page* first = &ftl->recovery->first[block];
    enum first_kind found = FIRST_UNKNOWN;
    if (blank) {
        found = FIRST_BLANK;
    } else if (spare_is_record(spare)) {
        const enum spare_kind kind = spare_kind_of(spare);
        found = kind == SPARE_JOURNAL ? FIRST_JOURNAL : kind == SPARE_CHECKPOINT ? FIRST_CHECKPOINT : FIRST_DATA;
    }
    if (found < (enum first_kind)first->kind) /* another die's page has a record, or is not blank */
        return;
    first->spare = *spare;
    first->kind = (uint8_t)found & 0x7Fu;
}

static void consider_units(struct ftl* ftl, uint32_t index);

/* The number of the version that the map names was read: now the unit that was found can be compared with it. */
static void verified(struct ftl* ftl, uint32_t index, enum flash_status status)
{
    uint32_t* sequence = ftl->recovery->versions.sequence;
    struct recovery_op* op = &ftl->recovery->io.ops[index];
    const uint32_t logical = spare_subject(&op->spare);
    const struct flash_spare spare = recovery_spare(ftl, index);
    (void)status;
    HAL_COST(recover_page);
    if (ftl->map.physical[logical] == op->named && sequence[logical] == 0)
        sequence[logical] = spare_is_record(&spare) ? spare.word[1] : FIRST_SEQUENCE - 1;
    recovery_consider(ftl, op->at + op->unit, &op->spare);
    ++op->unit;
    consider_units(ftl, index);
}

static void verify(struct ftl* ftl, uint32_t index, const struct flash_spare* spare)
{
    struct recovery_op* op = &ftl->recovery->io.ops[index];
    op->spare = *spare;
    op->named = ftl->map.physical[spare_subject(spare)];
    recovery_read(ftl, index, op->named, 1, buffer_address(&ftl->buffer, 1), verified);
}

/* The units of the page that was read, from op.unit on; then the die's next page. */
static void consider_units(struct ftl* ftl, uint32_t index)
{
    struct recovery_op* op = &ftl->recovery->io.ops[index];
    const uint32_t units = ftl->geometry.units_per_flash_page;
    for (; op->unit < units; ++op->unit) {
        const struct flash_spare spare =
            units == 1 ? recovery_spare(ftl, index) : recovery_record(ftl, index, op->unit);
        HAL_COST(recover_page);
        if (spare_is_record(&spare) && !recovery_consider(ftl, op->at + op->unit, &spare)) {
            verify(ftl, index, &spare);
            return;
        }
    }
    read_next(ftl, index);
}

/* A block's mode is not known yet: what has no record may have one in pSLC mode. True: the page is read again. */
static bool read_in_other_mode(struct ftl* ftl, uint32_t index, bool blank, const struct flash_spare* spare)
{
    struct recovery_op* op = &ftl->recovery->io.ops[index];
    const uint32_t block = block_of_unit(&ftl->geometry, op->at);
    const bool is_record = !blank && spare_is_record(spare);
    if (ftl->geometry.slc_pages == 0 || blank || (is_record && !op->is_slc))
        return false;
    if (op->is_slc) {
        if (is_record && !ftl->blocks.block[block].slc)
            blocks_enter_slc(&ftl->blocks, block);
        return false;
    }
    op->is_slc = true;
    recovery_read(ftl, index, op->at, 1, buffer_address(&ftl->buffer, 1), page_read);
    return true;
}

static void page_read(struct ftl* ftl, uint32_t index, enum flash_status status)
{
    struct recovery_op* op = &ftl->recovery->io.ops[index];
    const struct flash_spare spare = recovery_spare(ftl, index);
    const bool blank = status == FLASH_OK && recovery_was_blank(ftl, index);
    const bool is_parity = is_parity_page(&ftl->geometry, page_of_unit(&ftl->geometry, op->at));
    op->unit = is_parity ? ftl->geometry.units_per_flash_page : 0; /* parity has no units */
    if (!ftl->recovery->sweep.is_first && !blank) {
        used_page(ftl, op->group, op->at);
        consider_units(ftl, index);
        return;
    }
    HAL_COST(recover_page);
    if (ftl->recovery->sweep.is_first && is_parity) { /* its records are sums */
        first_page_read(ftl, block_of_unit(&ftl->geometry, op->at), blank, &(struct flash_spare){{0, 0, 0, 0}});
        read_next(ftl, index);
        return;
    }
    if (ftl->recovery->sweep.is_first && read_in_other_mode(ftl, index, blank, &spare))
        return;
    if (ftl->recovery->sweep.is_first)
        first_page_read(ftl, block_of_unit(&ftl->geometry, op->at), blank, &spare);
    else
        blank_page(ftl, op->group, op->at);
    read_next(ftl, index);
}

/* --- steps -------------------------------------------------------------------------------------------------------- */

static void sweep(struct ftl* ftl, bool is_first)
{
    struct recovery_sweep* s = &ftl->recovery->sweep;
    s->is_first = is_first;
    for (uint32_t group = 0; group < ftl->geometry.groups; ++group) {
        s->block[group] = 0;
        s->page[group] = NONE;
    }
    for (uint32_t index = 0; index < ftl->geometry.dies * RECOVERY_DEPTH; ++index) {
        ftl->recovery->io.ops[index].group = index / recovery_depth(&ftl->geometry);
        read_next(ftl, index);
    }
    recovery_wait(ftl);
}

void recovery_read_first_pages(struct ftl* ftl, struct recovery* r)
{
    r->first = recovery_array(r, ftl->geometry.blocks, sizeof *r->first);
    r->sweep.block = recovery_array(r, ftl->geometry.groups, sizeof *r->sweep.block);
    r->sweep.page = recovery_array(r, ftl->geometry.groups, sizeof *r->sweep.page);
    r->sweep.blanks = recovery_array(r, ftl->geometry.groups, sizeof *r->sweep.blanks);
    sweep(ftl, true);
}

void recovery_read_data_pages(struct ftl* ftl, struct recovery* r)
{
    (void)r;
    sweep(ftl, false);
}
