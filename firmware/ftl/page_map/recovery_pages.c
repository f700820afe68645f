/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/page_map/recovery.h"

/* A page beyond correction has its record still, which has a code of its own, unless a power loss has spoilt the page:
 * it takes part like any other, and who reads it is told. */

/* --- which version is the newest ---------------------------------------------------------------------------------- */

static void remember_duplicate(struct recovery* r, uint32_t logical, uint32_t physical, uint32_t sequence)
{
    if (r->duplicate_count < r->duplicate_limit)
        r->duplicates[r->duplicate_count++] = (struct duplicate){logical, physical, sequence};
}

static void saw_sequence(struct recovery* r, uint32_t sequence)
{
    if (sequence > r->highest)
        r->highest = sequence;
}

/* A page holds a version of a logical page. False: the number of the version that the map names has to be read first.
 */
static bool consider(struct ftl* ftl, uint32_t physical, const struct flash_spare* spare)
{
    struct recovery* r = ftl->recovery;
    const uint32_t logical = spare_subject(spare);
    const uint32_t sequence = spare->word[1];
    const enum spare_kind kind = spare_kind_of(spare);
    if ((kind != SPARE_HOST && kind != SPARE_MOVED) || logical >= ftl->map.logical_pages)
        return true;
    saw_sequence(r, sequence);
    uint32_t* named = &ftl->map.physical[logical];
    if (map_is_mapped(*named) && r->sequence[logical] == 0)
        return false;
#ifdef STROBE_FTL_OLDEST_WINS /* a broken build on purpose: the test of power losses has to find it */
    if (r->sequence[logical] != 0 && sequence > r->sequence[logical])
        return true;
#endif
    if (sequence > r->sequence[logical]) {
        *named = physical;
        r->sequence[logical] = sequence;
    } else if (sequence == r->sequence[logical] && map_is_mapped(*named) && *named != physical) {
        remember_duplicate(r, logical, physical, sequence);
    }
    return true;
}

void recovery_forgotten(struct ftl* ftl, uint32_t logical, uint32_t sequence, uint32_t as)
{
    struct recovery* r = ftl->recovery;
    saw_sequence(r, sequence);
    if (logical >= ftl->map.logical_pages || sequence <= r->sequence[logical])
        return;
    const bool is_unknown = map_is_mapped(ftl->map.physical[logical]) && r->sequence[logical] == 0;
    if (is_unknown && sequence < r->begun_at)
        return; /* what the checkpoint names came after it */
    ftl->map.physical[logical] = as;
    r->sequence[logical] = sequence;
}

/* --- sweeps --------------------------------------------------------------------------------------------------------
 */

static bool is_good(const struct ftl* ftl, uint32_t block)
{
    return ftl->blocks.block[block].state != BLOCK_BAD;
}

/* The first page of a block that the sweep looks at, and the end. */
static uint32_t first_of(const struct ftl* ftl, uint32_t block)
{
    const struct recovery* r = ftl->recovery;
    if (!is_good(ftl, block))
        return NONE;
    if (r->is_first)
        return 0;
    const bool may_hold_data = r->first[block].kind == FIRST_DATA || r->first[block].kind == FIRST_UNKNOWN;
    return may_hold_data ? ftl->checkpoint.covered[block] : NONE;
}

static uint32_t end_of_blocks(const struct ftl* ftl)
{
    return ftl->recovery->is_first ? 1 : ftl->geometry.pages_per_block;
}

/* The die's next page of the sweep; NONE: it has seen all. */
static uint32_t next_page(struct ftl* ftl, uint32_t die)
{
    struct recovery* r = ftl->recovery;
    for (; r->block[die] < ftl->geometry.blocks_per_die; ++r->block[die], r->page[die] = NONE) {
        const uint32_t block = die * ftl->geometry.blocks_per_die + r->block[die];
        const uint32_t first = first_of(ftl, block);
        if (first == NONE)
            continue;
        if (r->page[die] == NONE)
            r->page[die] = first;
        if (r->page[die] < end_of_blocks(ftl))
            return block * ftl->geometry.pages_per_block + r->page[die]++;
    }
    return NONE;
}

static void go_on(struct ftl* ftl, uint32_t index)
{
    struct recovery* r = ftl->recovery;
    struct recovery_op* op = &r->ops[index];
    op->page = next_page(ftl, op->die);
    if (op->page == NONE)
        return;
    op->job = JOB_PAGE;
    ++r->busy;
    ++r->pages;
    flash_read(&ftl->flash, recovery_op_number(ftl, index), place_of_page(&ftl->geometry, op->page, 0), 1,
               buffer_address(&ftl->buffer, 1), FLASH_FOR_METADATA);
}

/* Nothing was programmed behind a blank page: the die's sweep leaves the block. */
static void leave_block(struct ftl* ftl, uint32_t die, uint32_t block)
{
    struct recovery* r = ftl->recovery;
    if (r->block[die] == block - die * ftl->geometry.blocks_per_die)
        r->page[die] = end_of_blocks(ftl);
}

static void first_page_read(struct ftl* ftl, uint32_t block, enum flash_status status, bool blank,
                            const struct flash_spare* spare)
{
    struct first_page* first = &ftl->recovery->first[block];
    first->spare = *spare;
    first->kind = FIRST_UNKNOWN;
    if (status == FLASH_OK && blank) {
        first->kind = FIRST_BLANK;
    } else if (spare_is_record(spare)) {
        const enum spare_kind kind = spare_kind_of(spare);
        first->kind = kind == SPARE_JOURNAL ? FIRST_JOURNAL : kind == SPARE_CHECKPOINT ? FIRST_CHECKPOINT : FIRST_DATA;
    }
}

/* Reads the number of the version that the map names. */
static void verify(struct ftl* ftl, uint32_t index, const struct flash_spare* spare)
{
    struct recovery* r = ftl->recovery;
    struct recovery_op* op = &r->ops[index];
    op->job = JOB_VERIFY;
    op->spare = *spare;
    op->named = ftl->map.physical[spare_subject(spare)];
    ++r->busy;
    ++r->pages;
    flash_read(&ftl->flash, recovery_op_number(ftl, index), place_of_page(&ftl->geometry, op->named, 0), 1,
               buffer_address(&ftl->buffer, 1), FLASH_FOR_METADATA);
}

void recovery_page_read(struct ftl* ftl, uint32_t number, enum flash_status status)
{
    struct recovery* r = ftl->recovery;
    const uint32_t index = number - ftl->buffer.slots;
    const struct recovery_op op = r->ops[index];
    const struct flash_spare spare = flash_spare_of(&ftl->flash, number);
    const bool blank = flash_was_blank(&ftl->flash, number);
    const uint32_t block = block_of_page(&ftl->geometry, op.page);
    HAL_COST(recover_page);
    if (r->is_first)
        first_page_read(ftl, block, status, blank, &spare);
    else if (status == FLASH_OK && blank)
        leave_block(ftl, op.die, block);
    else if (spare_is_record(&spare) && !consider(ftl, op.page, &spare)) {
        verify(ftl, index, &spare);
        return;
    }
    go_on(ftl, index);
}

void recovery_verified(struct ftl* ftl, uint32_t number)
{
    struct recovery* r = ftl->recovery;
    const uint32_t index = number - ftl->buffer.slots;
    const struct recovery_op* op = &r->ops[index];
    const uint32_t logical = spare_subject(&op->spare);
    const struct flash_spare spare = flash_spare_of(&ftl->flash, number);
    HAL_COST(recover_page);
    if (ftl->map.physical[logical] == op->named && r->sequence[logical] == 0)
        r->sequence[logical] = spare_is_record(&spare) ? spare.word[1] : 1;
    consider(ftl, op->page, &op->spare);
    go_on(ftl, index);
}

static void sweep(struct ftl* ftl, bool is_first)
{
    struct recovery* r = ftl->recovery;
    r->is_first = is_first;
    for (uint32_t die = 0; die < ftl->geometry.dies; ++die) {
        r->block[die] = 0;
        r->page[die] = NONE;
    }
    for (uint32_t index = 0; index < ftl->geometry.dies * RECOVERY_DEPTH; ++index) {
        r->ops[index].die = index / RECOVERY_DEPTH;
        go_on(ftl, index);
    }
    recovery_wait(ftl);
}

void recovery_sweep_first(struct ftl* ftl)
{
    sweep(ftl, true);
}

void recovery_sweep_data(struct ftl* ftl)
{
    sweep(ftl, false);
}
