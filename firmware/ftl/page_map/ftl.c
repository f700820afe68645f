/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/page_map/ftl.h"

#include "firmware/ftl/page_map/heat.h"
#include "firmware/ftl/page_map/moves.h"
#include "firmware/ftl/page_map/recovery.h"
#include "firmware/ftl/page_map/recovery_state.h"
#include "firmware/hal/text.h"

/* --- ends of flash operations ------------------------------------------------------------------------------------- */

/* One unit of an operation that failed, wherever it is now: it may have been moved, and its block erased, meanwhile. */
static void read_again(struct ftl* ftl, uint32_t number)
{
    const uint32_t physical = map_find(&ftl->map, ftl->buffer.slot[number].logical);
    if (map_is_mapped(physical))
        ftl_read(ftl, number, physical, 0, ftl->geometry.sectors_per_unit);
    else
        ftl->client.unit_read(ftl->client.context, number, false);
}

/* The units of one operation, linked by slot.next. What cannot be read together may be readable one by one. */
static void read_done(struct ftl* ftl, uint32_t first, enum flash_status status)
{
    const bool again = status != FLASH_OK && ftl->buffer.slot[first].next != NONE;
    for (uint32_t number = first, next; number != NONE; number = next) {
        next = ftl->buffer.slot[number].next;
        if (again)
            read_again(ftl, number);
        else
            ftl->client.unit_read(ftl->client.context, number, status == FLASH_OK);
    }
}

static void slot_done(struct ftl* ftl, uint32_t number, enum flash_status status)
{
    const struct slot* slot = &ftl->buffer.slot[number];
    const bool programmed = slot->state == SLOT_PROGRAMMING;
    if (slot->use == USE_READ)
        read_done(ftl, number, status);
    else if (slot->use == USE_WRITE && programmed)
        writeout_programmed(ftl, number, status);
    else if (slot->use == USE_WRITE)
        version_filled(ftl, number, status);
    else if (programmed)
        moves_programmed(ftl, number, status);
    else if (slot->state == SLOT_SCRUBBING)
        scrub_read_ended(ftl, number);
    else
        moves_read_done(ftl, number, status);
}

/* --- with parity -----------------------------------------------------------------------------------------------------
 */

static void operation_done(void* context, uint32_t op, enum flash_status status);

/* By the function for all operations, so that slot_done() and what it calls are inlined there. */
HAL_RARE static void failed_read_ended(struct ftl* ftl, uint32_t number, enum flash_status status)
{
    operation_done(ftl, number, status);
}

/* A failed read of a unit, or of a part of it, that is elsewhere by now. */
static void moved_meanwhile(struct ftl* ftl, uint32_t number)
{
    const struct flash_descriptor* read = &ftl->flash.descriptors[number];
    const struct slot* slot = &ftl->buffer.slot[number];
    const uint32_t physical = slot->use == USE_READ ? map_find(&ftl->map, slot->logical) : MAP_UNMAPPED;
    if (map_is_mapped(physical))
        ftl_read(ftl, number, physical, read->start_sector % ftl->geometry.sectors_per_unit, read->sectors);
    else if (slot->use == USE_WRITE && !slot->stale)
        version_fill(ftl, number);
    else
        failed_read_ended(ftl, number, FLASH_UNCORRECTABLE);
}

static void serve_rebuilt(struct ftl* ftl)
{
    uint32_t number;
    while ((number = rebuild_take_ended(ftl, REBUILD_DONE)) != NONE)
        failed_read_ended(ftl, number, FLASH_OK);
    while ((number = rebuild_take_ended(ftl, REBUILD_FAILED)) != NONE)
        failed_read_ended(ftl, number, FLASH_UNCORRECTABLE);
    while ((number = rebuild_take_ended(ftl, REBUILD_MOVED)) != NONE)
        moved_meanwhile(ftl, number);
}

/* Operations of the two parts, and reads that cannot be corrected; false: it is another one. */
static bool parity_operation_done(struct ftl* ftl, uint32_t op, enum flash_status status)
{
    if (op >= ftl->rebuild.first_op) {
        rebuild_read_ended(ftl, op, status);
    } else if (op >= ftl->parity.first_op) {
        if (parity_ended(ftl, op, status))
            rebuild_parity_ended(ftl);
    } else if (status != FLASH_UNCORRECTABLE || op >= ftl->buffer.slots || !rebuild_begin(ftl, op)) {
        return false;
    }
    serve_rebuilt(ftl);
    return true;
}

/* --- ends of operations ----------------------------------------------------------------------------------------------
 */

/* A page of the journal is in flash, and its waiters continue; or its program failed. */
static void journal_done(struct ftl* ftl, enum flash_status status)
{
    if (status != FLASH_OK) {
        bad_blocks_program_failed(ftl, ftl->journal.target);
        journal_program_failed(ftl);
        return;
    }
    journal_written(ftl);
    collector_journal_written(ftl);
    queues_journal_written(&ftl->queues);
}

static void tables_done(struct ftl* ftl, uint32_t op, enum flash_status status)
{
    const bool is_journal = op < ftl->tables[TABLES_CHECKPOINT].first_op;
    if (!tables_program_ended(&ftl->tables[is_journal ? TABLES_JOURNAL : TABLES_CHECKPOINT], &status))
        return;
    if (is_journal)
        journal_done(ftl, status);
    else
        checkpoint_programmed(ftl, status);
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
    else if (op < ftl->tables[0].first_op)
        collector_plain_done(ftl, op, status);
    else if (op < ftl->padding.first_op)
        tables_done(ftl, op, status);
    else
        padding_ended(ftl, op, status);
    if (ftl->collection.works_while_idle && flash_die_is_idle(&ftl->flash, die))
        collector_die_idle(ftl, die);
}

/* The program of a strip of data has ended: its stripe may be complete now. Before the slot is given back. */
static void note_in_stripe(struct ftl* ftl, uint32_t op)
{
    if (op < ftl->buffer.slots && ftl->buffer.slot[op].state == SLOT_PROGRAMMING)
        parity_data_ended(ftl, ftl->buffer.slot[op].physical);
    else if (op >= ftl->padding.first_op)
        parity_data_ended(ftl, ftl->padding.ops[op - ftl->padding.first_op].unit);
}

/* With data refresh or parity. */
static void observed_done(void* context, uint32_t op, enum flash_status status)
{
    struct ftl* ftl = context;
    const uint32_t die = ftl->flash.descriptors[op].superchip;
    const bool is_working = ftl->scan.in_progress == 0 && ftl->recovery == NULL;
    if (is_working)
        refresh_operation_ended(&ftl->refresh, &ftl->blocks, &ftl->flash.descriptors[op], status);
    const bool has_parity = is_working && ftl->geometry.has_parity;
    const bool is_done = has_parity && parity_operation_done(ftl, op, status);
    if (has_parity && !is_done)
        note_in_stripe(ftl, op);
    if (!is_done)
        operation_done(context, op, status);
    else if (ftl->collection.works_while_idle && flash_die_is_idle(&ftl->flash, die))
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
    if (ftl->geometry.has_parity)
        parity_run(ftl);
    run_journal(ftl);
}

bool ftl_has_work(const struct ftl* ftl)
{
    return checkpoint_has_work(&ftl->checkpoint);
}

bool ftl_idle_work(struct ftl* ftl, bool host_is_idle)
{
    const bool has_incomplete = queues_have_incomplete(&ftl->queues);
    if (ftl->collection.idle.count == 0 && !completing_has_idle_work(&ftl->completing, has_incomplete))
        return ftl->scrub.is_on && scrub_run(ftl, host_is_idle);
    HAL_COST(idle_scan);
    const bool completed = completing_idle(ftl, host_is_idle && has_incomplete);
    const bool collected = collector_run_idle(ftl, host_is_idle);
    return (ftl->scrub.is_on && scrub_run(ftl, host_is_idle)) || collected || completed;
}

void ftl_read(struct ftl* ftl, uint32_t slot, uint32_t physical, uint32_t column, uint32_t sectors)
{
    ftl->buffer.slot[slot].next = NONE;
    flash_read(&ftl->flash, slot, blocks_place(&ftl->blocks, physical, column), sectors,
               buffer_address(&ftl->buffer, slot), FLASH_FOR_HOST);
}

void ftl_read_units(struct ftl* ftl, uint32_t first, uint32_t units)
{
    const struct flash_spare none = {{0, 0, 0, 0}};
    const struct flash_units table = flash_units_of(&ftl->flash, first, units);
    for (uint32_t i = 0, number = first; i < units; ++i, number = ftl->buffer.slot[number].next) {
        flash_set_unit(&table, i, buffer_address(&ftl->buffer, number), none);
        HAL_COST(table_unit);
    }
    flash_read_units(&ftl->flash, first, blocks_place(&ftl->blocks, ftl->buffer.slot[first].physical, 0),
                     units * ftl->geometry.sectors_per_unit, FLASH_FOR_HOST);
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
        capacity_add_plane(&blocks, &ftl->geometry, ftl->boot, plane, ftl->blocks.plane[plane].good);
    return blocks;
}

static void decide_capacity(struct ftl* ftl)
{
    const uint64_t sectors_per_unit = ftl->geometry.sectors_per_unit;
    const struct capacity_blocks blocks = count_blocks(ftl);
    const uint64_t most = capacity_most_units(&blocks, &ftl->geometry);
    const uint64_t wanted = (uint64_t)ftl->boot->capacity_hi << 32 | ftl->boot->capacity_lo;
    uint64_t units = (wanted + sectors_per_unit - 1) / sectors_per_unit;
    if (wanted == 0) {
        units = capacity_share(&blocks, &ftl->geometry, ftl->boot->overprovision_permille);
        if (units > most) {
            units = most;
            hal_log("over-provisioning leaves garbage collection too little: capacity reduced");
        }
    }
    if (units == 0 || units > most)
        impossible_capacity(units * sectors_per_unit, most * sectors_per_unit);
    ftl->exported = (uint32_t)units;
    ftl->capacity = wanted != 0 ? wanted : units * sectors_per_unit;
}

/* --- start -------------------------------------------------------------------------------------------------------- */

/* Flash operations: buffer slots, then operations without a slot (collector.h), tables, padding,
 * parity, reconstruction. Returns how many. */
static uint32_t number_operations(struct ftl* ftl, struct arena* arena)
{
    const struct geometry* g = &ftl->geometry;
    const uint32_t die_depth = ftl->boot->die_depth != 0 ? ftl->boot->die_depth : FLASH_DIE_DEPTH;
    uint32_t next = ftl->buffer.slots + g->planes * plain_ops(g);
    for (uint32_t writer = 0; writer < TABLES_WRITERS; ++writer, next += g->row_planes)
        ftl->tables[writer].first_op = next;
    padding_init(ftl, arena, next, die_depth);
    next += padding_ops(g, die_depth);
    parity_init(ftl, arena, next);
    next += parity_ops(g);
    rebuild_init(ftl, arena, next);
    next += rebuild_ops(g);
    const uint32_t recovery = ftl->buffer.slots + g->dies * RECOVERY_DEPTH; /* its operations use the same numbers */
    return next > recovery ? next : recovery;
}

static void refuse_shapes(const struct boot_block* boot)
{
    if (boot->superchip_bus > 1 || boot->superchip_chip > 1)
        hal_panic("page mapping: superchips must be 1x1 (boot words SUPERCHIP_BUS and SUPERCHIP_CHIP)");
    if (boot->row_planes != 1 && boot->row_planes != boot->planes)
        hal_panic("page mapping: a page spans one plane or all planes of a die (boot word ROW_PLANES)");
    if (boot->channels * boot->ways * boot->luns % boot->superblock_dies != 0)
        hal_panic("page mapping: the dies of a block must divide the number of dies (boot word SUPERBLOCK_DIES)");
    if (boot->pages_per_block / boot->program_pages * boot->superblock_dies > 0xFFFFu)
        hal_panic("page mapping: a block has at most 65535 pages (boot words PAGES_PER_BLOCK and SUPERBLOCK_DIES)");
    if (boot->host_streams != HOST_STREAMS_ONE && boot->pslc_cache != PSLC_CACHE_MODE_NONE)
        hal_panic("page mapping: a pSLC cache takes all new data (boot words HOST_STREAMS and PSLC_CACHE)");
    if (boot->superblock_parity != 0 && boot->superblock_dies < 2)
        hal_panic("page mapping: parity needs blocks of at least two dies (boot words SUPERBLOCK_PARITY and "
                  "SUPERBLOCK_DIES)");
    if (boot->superblock_dies != 1 && boot->command_placement == COMMAND_PLACEMENT_CHANNEL)
        hal_panic("page mapping: commands placed by channel need blocks of one die (boot word SUPERBLOCK_DIES)");
}

static void refuse_placement(const struct boot_block* boot)
{
    const struct geometry g = geometry_of(boot);
    if (boot->placement_handles == 0)
        return;
    if (g.planes != 1)
        hal_panic("page mapping: with data placement a block spans all dies and planes (boot words SUPERBLOCK_DIES and "
                  "ROW_PLANES)");
    if (boot->host_streams != HOST_STREAMS_ONE || boot->pslc_cache != PSLC_CACHE_MODE_NONE ||
        boot->gc_pacing != GC_PACING_NONE || boot->serial_writes != 0)
        hal_panic("page mapping: data placement excludes streams of hot data, a pSLC cache, pacing and serial writes "
                  "(boot words HOST_STREAMS, PSLC_CACHE, GC_PACING and SERIAL_WRITES)");
}

void ftl_init(struct ftl* ftl, const struct boot_block* boot, struct arena* arena, const struct ftl_client* client)
{
    refuse_shapes(boot);
    refuse_placement(boot);
    *ftl = (struct ftl){0};
    ftl->boot = boot;
    ftl->client = *client;
    ftl->geometry = geometry_of(boot);
    const struct geometry* g = &ftl->geometry;
    ftl->completing.zero_units = capacity_zero_units(g);
    buffer_init(&ftl->buffer, arena, boot, g);
    const uint32_t operations = number_operations(ftl, arena);
    const flash_handler on_done = refresh_is_wanted(boot) ? observed_done : operation_done;
    if (boot->cores > 1)
        flash_init_on_first_core(&ftl->flash, boot, arena, g->dies, operations, ftl, on_done);
    else
        flash_init(&ftl->flash, arena, g->dies, boot->units, boot->unit_depth, operations, ftl, on_done);
    if (boot->cores == 1)
        flash_init_retry(&ftl->flash, boot, arena, operations);
    if (g->units_per_strip != 1)
        flash_init_units(&ftl->flash, arena, operations, g->page_bytes / g->row_planes, g->unit_bytes);
    flash_set_limits(&ftl->flash, boot);
    flash_init_governor(&ftl->flash, boot);
    blocks_init(&ftl->blocks, arena, g);
    heat_init(&ftl->blocks, arena, boot);
    allocation_init(&ftl->allocation, arena, g, boot->allocation_order,
                    boot->command_placement == COMMAND_PLACEMENT_CHANNEL, capacity_host_streams(boot));
    bad_blocks_find(ftl, arena);
    ftl->blocks.geometry.members = ftl->geometry.members;
    if (boot->recover == 0)
        bad_blocks_distribute(ftl);
    decide_capacity(ftl);
    map_init(&ftl->map, arena, &ftl->blocks, ftl->exported + ftl->completing.zero_units);
    collector_init(ftl, arena);
    refresh_init(&ftl->refresh, arena, boot, g);
    scrub_init(&ftl->scrub, boot, g);
    ftl->blocks.slc_reserved = capacity_reserved_slc_blocks(boot, g, 0);
    writeout_init(ftl, arena);
    placement_init(ftl, arena);
    journal_init(ftl, arena);
    checkpoint_init(ftl, arena);
    if (boot->recover != 0)
        recovery_run(ftl, arena);
    placement_start(ftl);
}
