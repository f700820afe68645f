/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/page_map/ftl.h"

#include "firmware/ftl/page_map/recovery.h"
#include "firmware/ftl/page_map/tables.h"
#include "firmware/hal/text.h"

/* --- ends of flash operations ------------------------------------------------------------------------------------- */

static void slot_done(struct ftl* ftl, uint32_t number, enum flash_status status)
{
    const struct slot* slot = &ftl->buffer.slot[number];
    const bool programmed = slot->state == SLOT_PROGRAMMING;
    if (slot->use == USE_READ)
        ftl->client.page_read(ftl->client.context, number, status == FLASH_OK);
    else if (slot->use == USE_WRITE && programmed)
        writeout_programmed(ftl, number, status);
    else if (slot->use == USE_WRITE)
        version_filled(ftl, number, status);
    else if (programmed)
        collector_moved_program(ftl, number, status);
    else
        collector_moved_read(ftl, number, status);
}

/* A page of the journal is in flash, and its waiters continue; or its program failed. */
static void journal_done(struct ftl* ftl, enum flash_status status)
{
    if (status != FLASH_OK) {
        bad_blocks_program_failed(ftl, ftl->journal.block);
        journal_program_failed(ftl);
        return;
    }
    journal_written(ftl);
    collector_journal_written(ftl);
    queues_journal_written(&ftl->queues);
}

static void operation_done(void* context, uint32_t op, enum flash_status status)
{
    struct ftl* ftl = context;
    const uint32_t die = ftl->flash.descriptors[op].superchip;
    if (ftl->scan.in_progress != 0) {
        bad_blocks_scanned(ftl, op, status);
        return;
    }
    if (ftl->recovery != NULL) {
        recovery_done(ftl, op, status);
        return;
    }
    if (op < ftl->buffer.slots)
        slot_done(ftl, op, status);
    else if (op == tables_op(&ftl->geometry, ftl->buffer.slots, TABLES_JOURNAL))
        journal_done(ftl, status);
    else if (op == tables_op(&ftl->geometry, ftl->buffer.slots, TABLES_CHECKPOINT))
        checkpoint_programmed(ftl, status);
    else
        collector_plain_done(ftl, op, status);
    if (ftl->collection.works_while_idle && flash_die_is_idle(&ftl->flash, die))
        collector_die_idle(ftl, die);
}

/* --- one round ---------------------------------------------------------------------------------------------------- */

static void run_journal(struct ftl* ftl)
{
    if (journal_has_work(&ftl->journal))
        journal_write(ftl);
}

/* Afterwards nothing can be started before the next event: later parts create no work for earlier ones, except records
 * for the journal. A trim without space for its records continues when that page of the journal is in flash, though the
 * other page may have been free before. */
void ftl_run(struct ftl* ftl)
{
    run_journal(ftl);
    checkpoint_run(ftl);
    writeout_run(ftl);
    collector_run(ftl);
    run_journal(ftl);
}

bool ftl_has_work(const struct ftl* ftl)
{
    return checkpoint_has_work(&ftl->checkpoint);
}

bool ftl_idle_work(struct ftl* ftl, bool host_is_idle)
{
    const bool has_partial = ftl->queues.partial.head != NONE;
    if (ftl->collection.idle.count == 0 && !completing_has_idle_work(&ftl->completing, has_partial))
        return false;
    HAL_COST(idle_scan);
    const bool completed = completing_idle(ftl, host_is_idle);
    return collector_run_idle(ftl) || completed;
}

void ftl_read(struct ftl* ftl, uint32_t slot, uint32_t physical, uint32_t column, uint32_t sectors)
{
    flash_read(&ftl->flash, slot, place_of_page(&ftl->geometry, physical, column), sectors,
               buffer_address(&ftl->buffer, slot), FLASH_FOR_HOST);
}

/* --- capacity ----------------------------------------------------------------------------------------------------- */

static _Noreturn void impossible_capacity(uint64_t wanted, uint64_t most)
{
    struct text text;
    text_start(&text, "the capacity of ");
    text_number(&text, wanted);
    text_add(&text, " sectors is not possible: good blocks, less spares and the blocks for garbage collection, hold ");
    text_number(&text, most);
    hal_panic(text.chars);
}

static struct capacity_blocks count_blocks(const struct ftl* ftl)
{
    struct capacity_blocks blocks = {0};
    for (uint32_t plane = 0; plane < ftl->geometry.planes; ++plane)
        capacity_add_plane(&blocks, &ftl->geometry, plane, ftl->blocks.plane[plane].good, ftl->boot->spare_blocks);
    return blocks;
}

static void decide_capacity(struct ftl* ftl)
{
    const uint64_t sectors_per_page = ftl->geometry.sectors_per_page;
    const struct capacity_blocks blocks = count_blocks(ftl);
    const uint64_t most = capacity_most_pages(&blocks, &ftl->geometry);
    const uint64_t wanted = (uint64_t)ftl->boot->capacity_hi << 32 | ftl->boot->capacity_lo;
    uint64_t pages = (wanted + sectors_per_page - 1) / sectors_per_page;
    if (wanted == 0) {
        pages = capacity_share(&blocks, &ftl->geometry, ftl->boot->overprovision_permille);
        if (pages > most) {
            pages = most;
            hal_log("over-provisioning leaves garbage collection too little: capacity reduced");
        }
    }
    if (pages == 0 || pages > most)
        impossible_capacity(pages * sectors_per_page, most * sectors_per_page);
    ftl->exported = (uint32_t)pages;
    ftl->capacity = wanted != 0 ? wanted : pages * sectors_per_page;
}

/* --- start -------------------------------------------------------------------------------------------------------- */

void ftl_init(struct ftl* ftl, const struct boot_block* boot, struct arena* arena, const struct ftl_client* client)
{
    if (boot->superchip_bus > 1 || boot->superchip_chip > 1)
        hal_panic("page mapping: superchips must be 1x1 (boot words SUPERCHIP_BUS and SUPERCHIP_CHIP)");
    *ftl = (struct ftl){0};
    ftl->boot = boot;
    ftl->client = *client;
    ftl->geometry = geometry_of(boot);
    const struct geometry* g = &ftl->geometry;
    ftl->completing.zero_pages = capacity_zero_pages(g);
    buffer_init(&ftl->buffer, arena, g, boot->buffer_base, boot->buffer_size, boot->write_buffer_pages);
    const uint32_t operations = tables_op(g, ftl->buffer.slots, TABLES_OPS);
    if (boot->cores > 1)
        flash_init_on_first_core(&ftl->flash, boot, arena, g->dies, operations, ftl, operation_done);
    else
        flash_init(&ftl->flash, arena, g->dies, boot->units, boot->unit_depth, operations, ftl, operation_done);
    if (boot->die_depth != 0)
        flash_set_limits(&ftl->flash, boot->die_depth, boot->read_units);
    blocks_init(&ftl->blocks, arena, g);
    allocation_init(&ftl->allocation, arena, g, boot->allocation_order,
                    boot->command_placement == COMMAND_PLACEMENT_CHANNEL);
    bad_blocks_find(ftl, arena);
    if (boot->recover == 0)
        bad_blocks_distribute(ftl);
    decide_capacity(ftl);
    map_init(&ftl->map, arena, &ftl->blocks, ftl->exported + ftl->completing.zero_pages);
    collector_init(ftl, arena);
    writeout_init(ftl, arena);
    journal_init(ftl, arena);
    checkpoint_init(ftl, arena);
    if (boot->recover != 0)
        recovery_run(ftl, arena);
}
