/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/zoned/recover.h"

#include "firmware/drivers/bitmap.h"
#include "firmware/ftl/zoned/capacity.h"
#include "firmware/ftl/zoned/image.h"
#include "firmware/ftl/zoned/manage.h"
#include "firmware/ftl/zoned/save.h"
#include "firmware/ftl/zoned/units.h"

/* --- one operation per plane -------------------------------------------------------------------------------------- */

static void wait(struct zoned_drive* d)
{
    while (d->save.in_progress != 0) {
        if (flash_poll(&d->flash) == 0)
            flash_sleep(&d->flash);
    }
}

static struct flash_place place_of(const struct zoned_drive* d, uint32_t set, uint32_t plane, uint32_t row)
{
    const uint32_t rows = save_rows(d) / d->save.blocks; /* of a block */
    const uint32_t sectors = d->shape.program_pages * d->shape.page_sectors;
    return (struct flash_place){plane / d->shape.planes, save_block(d, set, plane, row), row % rows * sectors, false};
}

static void begin(struct zoned_drive* d, uint32_t plane)
{
    d->save.record[plane] = 0;
    ++d->save.in_progress;
}

void recover_done(struct zoned_drive* d, uint32_t plane, enum flash_status status)
{
    d->save.record[plane] = ZONED_NONE;
    d->save.failed[plane] = status != FLASH_OK;
    d->save.has_failed |= status != FLASH_OK;
    --d->save.in_progress;
}

/* --- finding the save --------------------------------------------------------------------------------------------- */

struct found {
    uint32_t generation, records;
    uint32_t count; /* of them */
};

static bool has_row(const struct zoned_drive* d, uint32_t set, uint32_t plane, uint32_t row)
{
    return d->save.row[plane] == row && save_block(d, set, plane, row) != ZONE_NO_BLOCK;
}

/* The next word line of all planes that are not at their end. False: all are. */
static bool read_row(struct zoned_drive* d, uint32_t set, uint32_t row)
{
    bool reads = false;
    for (uint32_t plane = 0; plane < d->blocks.planes; ++plane) {
        if (!has_row(d, set, plane, row))
            continue;
        begin(d, plane);
        reads = true;
        flash_read(&d->flash, op_of_erase(d, plane), place_of(d, set, plane, row), 1, d->unit_data, FLASH_FOR_METADATA);
    }
    wait(d);
    return reads;
}

static void forget(struct zoned_drive* d, struct found* found)
{
    *found = (struct found){0, 0, 0};
    for (uint32_t i = 0; i < zoned_records(d->boot, &d->shape); ++i)
        d->save.where[i] = ZONED_NONE;
}

static void enter(struct zoned_drive* d, struct found* found, uint32_t plane, uint32_t row)
{
    const struct flash_spare spare = flash_spare_of(&d->flash, op_of_erase(d, plane));
    const uint32_t most = zoned_records(d->boot, &d->shape);
    HAL_COST(recover_page);
    if (spare.word[0] != SAVE_MAGIC || spare.word[2] >= most || spare.word[3] > most)
        return;
    if (found->records != 0 && spare.word[1] < found->generation)
        return; /* of a block that could not be erased before the save */
    if (found->records != 0 && spare.word[1] > found->generation)
        forget(d, found);
    found->generation = spare.word[1];
    found->records = spare.word[3];
    if (d->save.where[spare.word[2]] == ZONED_NONE)
        ++found->count;
    d->save.where[spare.word[2]] = plane * save_rows(d) + row;
}

/* The word line that has been read is the end: a plane takes no record after one that failed. */
static bool is_end(const struct zoned_drive* d, uint32_t plane)
{
    return d->save.failed[plane] != 0 || flash_was_blank(&d->flash, op_of_erase(d, plane));
}

static struct found examine(struct zoned_drive* d, uint32_t set)
{
    struct found found;
    forget(d, &found);
    for (uint32_t plane = 0; plane < d->blocks.planes; ++plane)
        d->save.row[plane] = 0;
    for (uint32_t row = 0; row < save_rows(d) && read_row(d, set, row); ++row) {
        for (uint32_t plane = 0; plane < d->blocks.planes; ++plane) {
            if (!has_row(d, set, plane, row) || is_end(d, plane))
                continue;
            enter(d, &found, plane, row);
            ++d->save.row[plane];
        }
    }
    return found;
}

static bool is_complete(const struct found* found)
{
    return found->records != 0 && found->count == found->records;
}

/* The set with the newest complete save, examined last; 2: there is none. */
static uint32_t newest(struct zoned_drive* d)
{
    const struct found first = examine(d, 0);
    const struct found second = examine(d, 1);
    const bool is_second = is_complete(&second) && (!is_complete(&first) || second.generation > first.generation);
    if (!is_second && !is_complete(&first))
        return 2;
    if (!is_second)
        examine(d, 0);
    d->save.generation = is_second ? second.generation : first.generation;
    return is_second ? 1 : 0;
}

/* --- loading ------------------------------------------------------------------------------------------------------ */

/* Some sectors of a page of a record. */
static void load(struct zoned_drive* d, uint32_t set, uint32_t record, uint32_t page, uint32_t sectors, bus_address to)
{
    const uint32_t plane = d->save.where[record] / save_rows(d);
    struct flash_place from = place_of(d, set, plane, d->save.where[record] % save_rows(d));
    from.sector += page * d->shape.page_sectors;
    if (d->save.record[plane] != ZONED_NONE)
        wait(d);
    begin(d, plane);
    flash_read(&d->flash, op_of_erase(d, plane), from, sectors, to, FLASH_FOR_METADATA);
}

static void end_loading(struct zoned_drive* d)
{
    wait(d);
    if (d->save.has_failed)
        hal_panic("zoned: what was saved when the power was lost cannot be read");
}

static void load_image(struct zoned_drive* d, uint32_t set)
{
    for (uint32_t chunk = 0; chunk < d->save.chunks; ++chunk) {
        for (uint32_t page = 0; page < d->shape.program_pages; ++page)
            load(d, set, chunk, page, d->shape.page_sectors,
                 d->save.image + chunk * d->save.record_bytes + page * d->boot->page_bytes);
    }
    end_loading(d);
}

static void load_unit(struct zoned_drive* d, uint32_t set, uint32_t index)
{
    const struct saved_unit* saved = &d->save.unit[index];
    const uint32_t buffer = units_restore(d, saved->zone, saved->number, saved->sectors);
    for (uint32_t page = 0; page * d->shape.page_sectors < saved->sectors; ++page) {
        const struct zone_page at = zone_page_of(&d->shape, page);
        const uint32_t rest = saved->sectors - page * d->shape.page_sectors;
        load(d, set, d->save.chunks + index * d->shape.planes + at.slot / d->shape.program_pages,
             at.slot % d->shape.program_pages, rest < d->shape.page_sectors ? rest : d->shape.page_sectors,
             units_page(d, buffer, at.slot));
    }
}

/* --- the start ---------------------------------------------------------------------------------------------------- */

/* A plane with a block that cannot be erased is at its end: the next save does not use it. */
static void erase_set(struct zoned_drive* d, uint32_t set)
{
    const uint32_t rows = save_rows(d) / d->save.blocks;
    for (uint32_t plane = 0; plane < d->blocks.planes; ++plane)
        d->save.row[plane] = 0;
    for (uint32_t block = 0; block < d->save.blocks; ++block) {
        for (uint32_t plane = 0; plane < d->blocks.planes; ++plane) {
            const struct flash_place at = place_of(d, set, plane, block * rows);
            if (at.block == ZONE_NO_BLOCK)
                continue;
            begin(d, plane);
            flash_erase(&d->flash, op_of_erase(d, plane), at, FLASH_FOR_METADATA);
        }
        wait(d);
        for (uint32_t plane = 0; plane < d->blocks.planes; ++plane) {
            if (place_of(d, set, plane, block * rows).block != ZONE_NO_BLOCK && d->save.failed[plane] != 0)
                d->save.row[plane] = save_rows(d);
        }
    }
}

/* Nothing is known of the blocks: each is erased before it is used. */
static void begin_anew(struct zoned_drive* d)
{
    const uint32_t blocks = d->blocks.planes * d->blocks.blocks_per_plane;
    for (uint32_t block = 0; block < blocks; ++block)
        bitmap_add(d->blocks.dirty, block);
    erase_set(d, 1);
    d->save.set = 0;
}

static void load_save(struct zoned_drive* d, uint32_t set)
{
    d->save.has_failed = false;
    load_image(d, set);
    if (!image_load(d))
        hal_panic("zoned: what was saved when the power was lost is of another drive");
#ifdef STROBE_FTL_FORGET_BUFFER /* broken on purpose: the test of power losses has to detect it */
    d->save.units = 0;
#endif
    for (uint32_t index = 0; index < d->save.units; ++index)
        load_unit(d, set, index);
    end_loading(d);
    manage_restore(d);
    d->save.set = 1 - set;
}

void recover_run(struct zoned_drive* d)
{
    d->save.phase = SAVE_RECOVERS;
    const uint32_t set = newest(d);
    if (set == 2)
        begin_anew(d);
    else
        load_save(d, set);
    erase_set(d, d->save.set);
    d->save.phase = SAVE_RESTS;
    ++d->save.generation;
}
