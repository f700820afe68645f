/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/page_map/page_fill.h"

#include "firmware/ftl/page_map/ftl.h"
#include "firmware/ftl/page_map/host_page.h"
#include "firmware/ftl/page_map/spare.h"

_Static_assert(sizeof(struct flash_spare) == HAL_RECORD_WORDS * sizeof(uint32_t), "a spare record of the HAL");

/* A spare record for each FLASH_UNIT_BYTES, or a single one for a unit that is a page. */
static uint32_t records_per_page(const struct geometry* g)
{
    return g->units_per_strip == 1 ? 1 : g->sectors_per_flash_page * SECTOR_BYTES / FLASH_UNIT_BYTES;
}

bool page_fill_is_possible(const struct ftl* ftl)
{
    const struct geometry* g = &ftl->geometry;
    const struct boot_block* boot = ftl->boot;
    return boot->cores == 1 && allocation_lanes(&ftl->allocation) == 1 && boot->serial_writes == 0 &&
           boot->write_polls == 0 && !ftl->refresh.is_on && ftl->room.cache.most == 0 &&
           (g->units_per_strip != 1 || g->flash_pages == 1) && g->units_per_flash_page != 0 &&
           g->flash_pages_per_page < FILL_PIECES && records_per_page(g) * g->flash_pages <= FILL_RECORDS;
}

bool page_fill_may_begin(const struct ftl* ftl)
{
    return ftl->buffer.used[USE_WRITE] == 0 && !ftl->read_only && !ftl->is_saving && !collector_is_busy(ftl);
}

/* --- a page ------------------------------------------------------------------------------------------------------- */

/* The units of a strip, in order, as runs; returns the number of runs. */
static uint32_t runs_of_strip(const struct geometry* g, const struct fill_run* runs, uint32_t strip,
                              struct fill_run* of_strip)
{
    struct fill_cursor at = {runs, 0};
    uint32_t count = 0;
    for (uint32_t index = 0; index < g->units_per_page;) {
        uint32_t first;
        const uint32_t units = fill_take(&at, units_to_next_strip(g, index), &first);
        if (strip_of_unit(g, index) == strip)
            of_strip[count++] = (struct fill_run){
                {at.run->piece.command, at.run->piece.first + first * g->sectors_per_unit, units * g->sectors_per_unit},
                at.run->logical + first,
                units};
        index += units;
    }
    return count;
}

static void make_records(struct ftl* ftl, const struct fill_run* runs, uint32_t count, uint32_t erases,
                         struct flash_spare* records)
{
    const struct geometry* g = &ftl->geometry;
    const uint32_t entries = records_per_page(g) == 1 ? 1 : g->unit_bytes / FLASH_UNIT_BYTES;
    for (const struct fill_run* run = runs; run < runs + count; ++run) {
        for (uint32_t unit = 0; unit < run->units; ++unit) {
            const struct flash_spare record = spare_record(run->logical + unit, ftl->sequence++, SPARE_HOST, erases);
            for (uint32_t entry = 0; entry < entries; ++entry)
                *records++ = record;
        }
    }
}

/* Returns the strips that have failed. */
static uint32_t store(struct ftl* ftl, const struct fill_run* runs, uint32_t unit, uint32_t erases)
{
    const struct geometry* g = &ftl->geometry;
    struct flash_spare records[FILL_RECORDS];
    struct fill_run of_strip[FILL_PIECES];
    struct hal_piece pieces[FILL_PIECES];
    uint32_t failed = 0;
    for (uint32_t i = 0; i < g->row_planes; ++i) {
        const struct flash_place place = blocks_place(&ftl->blocks, unit_of_strip(g, unit, i), 0);
        const uint32_t count = runs_of_strip(g, runs, i, of_strip);
        for (uint32_t run = 0; run < count; ++run)
            pieces[run] = of_strip[run].piece;
        make_records(ftl, of_strip, count, erases, records);
        const struct hal_strip strip = {place.die, place.block,     place.sector,       g->sectors_per_strip,
                                        pieces,    records[0].word, records_per_page(g)};
        const uint32_t status = hal_store(&strip);
        if (status == FLASH_ILLEGAL || status == FLASH_MALFORMED)
            hal_panic("page mapping: the die rejected a page that was stored without a descriptor");
        failed |= (status != FLASH_OK ? 1u : 0u) << i;
    }
    return failed;
}

#define UNITS_AHEAD 16u /* of a block, for its next pages: by then other planes have had theirs */

static void map(struct ftl* ftl, const struct fill_run* runs, uint32_t page, uint32_t failed)
{
    const struct geometry* g = &ftl->geometry;
    struct fill_cursor at = {runs, 0};
    for (uint32_t index = 0; index < g->units_per_page;) {
        uint32_t first;
        const uint32_t units = fill_take(&at, units_to_next_strip(g, index), &first);
        map_expect(&ftl->map, page + index + UNITS_AHEAD);
        if ((failed >> strip_of_unit(g, index) & 1u) == 0)
            map_write_units(&ftl->map, at.run->logical + first, page + index, units);
        index += units;
    }
}

bool page_fill(struct ftl* ftl, const struct fill_run* runs, uint32_t* failed)
{
    const uint32_t plane = write_room_next(&ftl->room, 0);
    if (plane == NONE)
        return false;
    const uint32_t unit = host_page_take(ftl, 0, plane);
    const uint32_t block = block_of_unit(&ftl->geometry, unit);
    *failed = store(ftl, runs, unit, ftl->blocks.block[block].erases);
    if (*failed != 0)
        bad_blocks_program_failed(ftl, block);
    map(ftl, runs, unit, *failed);
    for (uint32_t strip = 0; strip < ftl->geometry.row_planes; ++strip)
        blocks_program_ended(&ftl->blocks, block);
    return true;
}

void page_fill_end_round(struct ftl* ftl)
{
    for (uint32_t die = 0; die < ftl->geometry.dies; ++die) {
        while (ftl->room.die_programs[die] != 0)
            write_room_program_ended(&ftl->room, die);
    }
}
