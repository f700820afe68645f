/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/zoned/save.h"

#include "firmware/ftl/zoned/capacity.h"
#include "firmware/ftl/zoned/image.h"
#include "firmware/ftl/zoned/manage.h"
#include "firmware/ftl/zoned/units.h"

static uint32_t rows_of_block(const struct zoned_drive* d)
{
    return d->boot->pages_per_block / d->shape.program_pages;
}

uint32_t save_rows(const struct zoned_drive* d)
{
    return d->save.blocks * rows_of_block(d);
}

uint32_t save_block(const struct zoned_drive* d, uint32_t set, uint32_t plane, uint32_t row)
{
    return d->save.block[(set * d->blocks.planes + plane) * d->save.blocks + row / rows_of_block(d)];
}

void save_init(struct zoned_drive* d, struct arena* arena)
{
    struct zone_save* save = &d->save;
    const uint32_t planes = d->blocks.planes;
    save->blocks = zoned_save_blocks(d->boot, &d->shape);
    save->record_bytes = d->shape.program_pages * d->boot->page_bytes;
    save->chunks = zoned_image_records(d->boot, &d->shape);
    save->block = arena_array(arena, 2ull * planes * save->blocks, sizeof *save->block, "blocks of saves");
    save->row = arena_array(arena, planes, sizeof *save->row, "blocks of saves");
    save->record = arena_array(arena, planes, sizeof *save->record, "blocks of saves");
    save->failed = arena_array(arena, planes, sizeof *save->failed, "blocks of saves");
    save->unit = arena_array(arena, d->units, sizeof *save->unit, "saved units");
    save->where = arena_array(arena, zoned_records(d->boot, &d->shape), sizeof *save->where, "saved records");
    save->image = arena_take(arena, save->chunks, save->record_bytes, SECTOR_BYTES, "the image of the tables");
    for (uint32_t i = 0; i < 2 * planes * save->blocks; ++i)
        save->block[i] = zone_blocks_take(&d->blocks, i / save->blocks % planes);
    for (uint32_t plane = 0; plane < planes; ++plane)
        save->record[plane] = ZONED_NONE;
}

/* --- writing ------------------------------------------------------------------------------------------------------ */

static bool is_usable(const struct zoned_drive* d, uint32_t plane)
{
    const struct zone_save* save = &d->save;
    return save->record[plane] == ZONED_NONE && save->row[plane] < save_rows(d) &&
           save_block(d, save->set, plane, save->row[plane]) != ZONE_NO_BLOCK;
}

/* Chunks of the image, then for each unit what each plane would have programmed. */
static bus_address data_of(const struct zoned_drive* d, uint32_t record)
{
    const struct zone_save* save = &d->save;
    if (record < save->chunks)
        return save->image + record * save->record_bytes;
    const uint32_t of_units = record - save->chunks;
    const struct saved_unit* unit = &save->unit[of_units / d->shape.planes];
    return units_page(d, unit->buffer, of_units % d->shape.planes * d->shape.program_pages);
}

static void program(struct zoned_drive* d, uint32_t plane, uint32_t record)
{
    struct zone_save* save = &d->save;
    const uint32_t row = save->row[plane]++;
    const uint32_t sectors = d->shape.program_pages * d->shape.page_sectors;
    const struct flash_place to = {plane / d->shape.planes, save_block(d, save->set, plane, row),
                                   row % rows_of_block(d) * sectors, false};
    save->record[plane] = record;
    ++save->in_progress;
    flash_program_pages(&d->flash, op_of_erase(d, plane), to, sectors, data_of(d, record),
                        (struct flash_spare){{SAVE_MAGIC, save->generation, record, save->records}},
                        FLASH_FOR_METADATA);
}

static uint32_t next_record(struct zone_save* save)
{
    if (save->failures != 0)
        return save->failed[--save->failures];
    return save->next < save->records ? save->next++ : ZONED_NONE;
}

static void write_records(struct zoned_drive* d)
{
    for (uint32_t plane = 0; plane < d->blocks.planes; ++plane) {
        if (!is_usable(d, plane))
            continue;
        const uint32_t record = next_record(&d->save);
        if (record == ZONED_NONE)
            return;
        program(d, plane, record);
    }
}

void save_done(struct zoned_drive* d, uint32_t plane, enum flash_status status)
{
    struct zone_save* save = &d->save;
    const uint32_t record = save->record[plane];
    save->record[plane] = ZONED_NONE;
    --save->in_progress;
    if (status == FLASH_OK || save->phase != SAVE_WRITES)
        return;
    save->row[plane] = save_rows(d);
    save->failed[save->failures++] = record;
}

/* --- steps -------------------------------------------------------------------------------------------------------- */

static void ignore_command(uint32_t slot, const struct host_command* command)
{
    (void)slot, (void)command;
}

static void ignore_transfer(uint32_t slot, uint32_t cookie)
{
    (void)slot, (void)cookie;
}

/* The host is gone: what it has sent completely is in the buffer. */
void save_begin(struct zoned_drive* d)
{
    d->save.phase = SAVE_DRAINS;
    d->host.on_command = ignore_command;
    d->host.on_transfer = ignore_transfer;
}

static void begin_writing(struct zoned_drive* d)
{
    struct zone_save* save = &d->save;
    manage_settle(d);
    image_store(d);
    save->phase = SAVE_WRITES;
    save->records = save->chunks + save->units * d->shape.planes;
    save->next = save->failures = 0;
}

bool save_run(struct zoned_drive* d)
{
    struct zone_save* save = &d->save;
    HAL_COST(loop_round);
    if (save->phase == SAVE_DRAINS && flash_is_idle(&d->flash))
        begin_writing(d);
    if (save->phase == SAVE_WRITES) {
        write_records(d);
        if (save->in_progress == 0) {
            if (save->next != save->records || save->failures != 0)
                hal_panic("zoned: the blocks for saves are too bad to save the buffer");
            save->phase = SAVE_ENDED;
            host_if_saved();
        }
    }
    return flash_has_event(&d->flash);
}
