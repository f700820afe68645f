/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/page_map/journal.h"
#include "firmware/ftl/page_map/write_versions.h"
#include "firmware/ftl/page_map/writeout.h"

bool writeout_partial(struct ftl* ftl)
{
    if (ftl->partial.head == NONE)
        return false;
    while (ftl->partial.head != NONE)
        leave_partial(ftl, ftl->partial.head);
    return true;
}

/* The sectors that are missing cannot be had: the page is lost, and this version of it is dropped through the queue. */
static void lose(struct ftl* ftl, uint32_t number)
{
    struct slot* slot = slot_at(ftl, number);
    journal_forget(ftl, RECORD_LOST, slot->logical);
    map_forget(&ftl->map, slot->logical, MAP_LOST);
    slot->stale = slot->lost = true;
    make_ready_first(ftl, number);
}

/* A hidden page of zeros in flash, or MAP_UNMAPPED while the first one is being written (from slot 0). They are made
 * one by one as they are asked for and used in turn, so that no die becomes the one that supplies zeros. */
static uint32_t page_of_zeros(struct ftl* ftl)
{
    const uint32_t logical = ftl->exported + ftl->next_zero;
    struct slot* zeros = slot_at(ftl, 0);
    ftl->next_zero = ftl->next_zero + 1 == ftl->zero_pages ? 0 : ftl->next_zero + 1;
    const uint32_t physical = map_find(&ftl->map, logical);
    if (map_is_mapped(physical))
        return physical;
    if (zeros->state == SLOT_FREE) {
        *zeros = (struct slot){.logical = logical, .valid = ftl->geometry.full_page, .older = NONE, .newer = NONE};
        zeros->use = USE_WRITE;
        zeros->sequence = ftl->sequence++;
        zeros->group = (uint16_t)allocation_group(&ftl->allocation);
        make_ready_first(ftl, 0);
    }
    for (uint32_t i = 0; i < ftl->zero_pages; ++i) {
        const uint32_t other = map_find(&ftl->map, ftl->exported + i);
        if (map_is_mapped(other))
            return other;
    }
    return MAP_UNMAPPED;
}

void version_fill(struct ftl* ftl, uint32_t number)
{
    struct slot* slot = slot_at(ftl, number);
    if (slot->older != NONE) { /* its missing sectors are on their way to flash */
        slot->state = SLOT_WAITING;
        return;
    }
    uint32_t physical = map_find(&ftl->map, slot->logical);
    if (physical == MAP_LOST) {
        lose(ftl, number);
        return;
    }
    if (physical == MAP_UNMAPPED)
        physical = page_of_zeros(ftl);
    if (physical == MAP_UNMAPPED) {
        slot->state = SLOT_ZEROING;
        slot_queue_push(&ftl->buffer, &ftl->zeroing, number);
        return;
    }
    const uint32_t missing = ftl->geometry.full_page & ~slot->valid;
    const uint32_t first = (uint32_t)__builtin_ctz(missing);
    const uint32_t sectors = (uint32_t)__builtin_ctzll(~((uint64_t)missing >> first));
    slot->filling = (uint32_t)((1ull << sectors) - 1) << first;
    slot->state = SLOT_FILLING;
    flash_read(&ftl->flash, number, place_of_page(&ftl->geometry, physical, first), sectors,
               buffer_address(&ftl->buffer, number) + first * SECTOR_BYTES, FLASH_FOR_MERGE);
}

void writeout_filled(struct ftl* ftl, uint32_t number, enum flash_status status)
{
    struct slot* slot = slot_at(ftl, number);
    if (status != FLASH_OK && !slot->stale) {
        lose(ftl, number);
        return;
    }
    slot->valid |= slot->filling;
    slot->filling = 0;
    make_ready_first(ftl, number);
}
