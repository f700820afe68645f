/* SPDX-License-Identifier: Apache-2.0
 *
 * The loop of the superblock-mapping layer and its start. It owns the one drive of an image: the main loop (app/main.c)
 * and the handlers of the host interface have no context parameter.
 */
#include "firmware/ftl/superblock_map/request.h"

#include "firmware/app/request.h"
#include "firmware/drivers/statistics.h"
#include "firmware/ftl/superblock_map/commands.h"
#include "firmware/ftl/superblock_map/durability.h"
#include "firmware/ftl/superblock_map/feed.h"
#include "firmware/ftl/superblock_map/journal.h"
#include "firmware/ftl/superblock_map/merge.h"
#include "firmware/ftl/superblock_map/parking.h"
#include "firmware/ftl/superblock_map/reads.h"
#include "firmware/ftl/superblock_map/recovery.h"
#include "firmware/ftl/superblock_map/rescue.h"
#include "firmware/ftl/superblock_map/trims.h"
#include "firmware/ftl/superblock_map/wear.h"
#include "firmware/ftl/superblock_map/writes.h"

struct superblock_map superblock_drive;

/* --- events of the host interface --------------------------------------------------------------------------------- */

static void command_arrived(uint32_t slot, const struct host_command* record)
{
    (void)record;
    struct superblock_map* sbm = &superblock_drive;
    command_take(sbm, slot);
    const struct command* command = &sbm->commands.slot[slot];
    if (command->status != HOST_OK || (command->sectors == 0 && command->kind != HOST_FLUSH))
        command_complete(sbm, slot, command->status);
    else if (command->kind == HOST_READ)
        reads_start(sbm, slot);
    else if (command->kind == HOST_TRIM)
        command_line_join(sbm, &sbm->trims, slot);
    else if (command->kind == HOST_WRITE)
        feed_start(sbm, slot);
    else if (sbm->boot->flush_handling == FLUSH_HANDLING_IGNORE)
        command_complete(sbm, slot, HOST_OK);
    else
        durability_wait(sbm, slot);
}

static void transfer_done(uint32_t slot, uint32_t cookie)
{
    (void)slot;
    (void)cookie;
    const struct piece piece = feed_done(&superblock_drive.feed);
    writes_fed(&superblock_drive, &piece);
}

static void fed(uint32_t slot, uint32_t number, uint32_t first, uint32_t sectors)
{
    const struct piece piece = {slot, number, first, sectors};
    writes_fed(&superblock_drive, &piece);
}

/* --- events of the flash units ------------------------------------------------------------------------------------ */

static void unit_done(void* context, uint32_t slot, struct units_result result)
{
    struct superblock_map* sbm = context;
    if (slot < sbm->jobs.units)
        jobs_done(&sbm->jobs, slot, result);
    else
        reads_done(sbm, slot, result);
}

static bool has_host_event(void* context)
{
    const struct superblock_map* sbm = context;
    return ring_has_entry(&sbm->host.ring);
}

/* --- the loop ----------------------------------------------------------------------------------------------------- */

static bool is_idle(const struct superblock_map* sbm)
{
    return sbm->commands.active == 0 && sbm->jobs.busy == 0 && sbm->read_progress.begun == sbm->read_progress.ended;
}

/* Whether, since the last round that found nothing to do, software units have only taken steps. */
static bool has_only_stepped(const struct superblock_map* sbm, uint32_t host_events, uint32_t flash_events)
{
    return sbm->at_rest && host_events == 0 && flash_events != 0 && sbm->units.ended == 0 &&
           !software_units_are_ready(&sbm->units.software);
}

/* Whether the round leaves something that no event will announce: a step of a software unit that the round has given
 * work to, or commands that end because the drive has become read-only in the last parts of the round. */
static bool has_left_work(const struct superblock_map* sbm, bool was_read_only)
{
    return software_units_are_ready(&sbm->units.software) || sbm->read_only != was_read_only;
}

static bool serve(struct superblock_map* sbm)
{
    const bool was_read_only = sbm->read_only;
    const uint32_t host_events = host_if_poll(&sbm->host);
    uint32_t events = units_poll(&sbm->units);
    if (has_only_stepped(sbm, host_events, events))
        return false;
    HAL_COST(superblock_round);
    events += host_events;
    read_alarm_cancel(&sbm->read_progress);
    sbm->merging.needs_entry = false;
    writes_place(sbm);
    events += trims_continue(sbm);
    events += buffer_run(&sbm->buffer);
    feed_run(sbm);
    if (sbm->flushes.head != NONE)
        durability_run(sbm);
    journal_run(sbm);
    parking_run(sbm);
    if (merge_run(sbm))
        journal_run(sbm);
    rescue_run(sbm);
    sbm->at_rest = events == 0 && !(is_idle(sbm) && wear_run(sbm)) && !has_left_work(sbm, was_read_only);
    if (sbm->at_rest)
        read_alarm_set(&sbm->read_progress);
    return !sbm->at_rest;
}

bool request_serve(void)
{
    return serve(&superblock_drive);
}

void request_sleep(void)
{
    units_sleep(&superblock_drive.units);
}

/* --- start -------------------------------------------------------------------------------------------------------- */

/* Every group holds as many logical superblocks as the one with the fewest usable physical ones can. */
static void size_drive(struct superblock_map* sbm)
{
    const struct boot_block* boot = sbm->boot;
    uint32_t least = NONE;
    for (uint32_t group = 0; group < sbm->layout.groups; ++group) {
        const uint32_t usable = sbm->superblocks.usable[group];
        const uint32_t logicals = (uint32_t)capacity_logicals(usable, boot->overprovision_permille);
        if (logicals < least)
            least = logicals;
    }
    sbm->logicals = least * sbm->layout.groups;
    sbm->capacity = (uint64_t)sbm->logicals * sbm->layout.sectors;
    const uint64_t required = (uint64_t)boot->capacity_hi << 32 | boot->capacity_lo;
    if (required > sbm->capacity || sbm->capacity == 0)
        hal_panic(
            "superblock mapping: the capacity is not possible: too few superblocks remain beside spares, journal, "
            "parking area and those that merges need");
    if (required != 0)
        sbm->capacity = required;
}

static void init_map(struct superblock_map* sbm, struct arena* arena)
{
    sbm->map_at = arena_take(arena, sbm->logicals, 4, 64, "the block mapping table");
    sbm->map = hal_memory(sbm->map_at, sbm->logicals * 4);
}

static void init_buffer(struct superblock_map* sbm, struct arena* arena)
{
    const struct boot_block* boot = sbm->boot;
    const uint32_t entries = capacity_entries(boot->superblock_limit, boot->units);
    if ((buffer_ring_sectors(boot->sector_buffer) + 1) * SECTOR_BYTES > boot->buffer_size ||
        boot->sector_buffer < FEED_PIECE_MOST)
        hal_panic("superblock mapping: the sector buffer must have at least 64 sectors and fit into the data buffer");
    const struct sector_buffer_size size = {boot->buffer_base, boot->sector_buffer, entries, sbm->logicals};
    sector_buffer_init(&sbm->buffer, &sbm->layout, &sbm->read_progress, arena, &size, boot->synthesizer != 0);
    sbm->merging.high_water = boot->flush_watermark;
    sbm->merging.limit = boot->superblock_limit;
}

static void init_commands(struct superblock_map* sbm, struct arena* arena)
{
    const struct boot_block* boot = sbm->boot;
    const uint32_t pieces = ring_size(boot->sector_buffer / FEED_PIECE_MOST + 2 * boot->host_slots + 2);
    sbm->commands.slot = arena_array(arena, boot->host_slots, sizeof *sbm->commands.slot, "host commands");
    sbm->writes.pieces = arena_array(arena, pieces, sizeof *sbm->writes.pieces, "host commands");
    sbm->feed.flying = arena_array(arena, pieces, sizeof *sbm->feed.flying, "host commands");
    sbm->writes.mask = sbm->feed.mask = pieces - 1;
    sbm->flushes.head = sbm->trims.head = sbm->feed.line.head = NONE;
    /* Events: pieces in the buffer, an arrival per slot. */
    host_if_init(&sbm->host, arena, boot->host_slots, pieces + boot->host_slots, command_arrived, transfer_done);
}

static void start_synthesizer(const struct superblock_map* sbm)
{
    reg_write(FLASH_SYNTH_SUPERBLOCKS, sbm->logicals);
    reg_write(FLASH_SYNTH_MAP, sbm->map_at);
    reg_write(FLASH_SYNTHESIZER, FLASH_SYNTHESIZER_ENABLE_MASK);
}

static void init(struct superblock_map* sbm, const struct boot_block* boot, struct arena* arena)
{
    *sbm = (struct superblock_map){.boot = boot, .layout = layout_of(boot)};
    if (boot->foreground_unit == 0 || boot->bad_block_table == 0)
        hal_panic("superblock mapping: a foreground unit and a table of bad blocks are required");
    const uint32_t reads = boot->unit_depth + 1;
    const struct units_client client = {unit_done, has_host_event, sbm};
    units_init(&sbm->units, arena, boot, boot->units + reads, client);
    jobs_init(&sbm->jobs, arena, boot->units, &sbm->units, &sbm->superblocks, sbm);
    superblocks_init(&sbm->superblocks, &sbm->layout, &sbm->read_progress, boot, arena);
    journal_init(sbm, arena);
    parking_init(sbm, arena, boot->parking_superblocks);
    size_drive(sbm);
    init_map(sbm, arena);
    init_buffer(sbm, arena);
    reads_init(sbm, arena, boot->units, reads);
    init_commands(sbm, arena);
    recovery_init(sbm, arena);
    rescue_init(sbm, arena);
}

void request_init(const struct boot_block* boot, struct arena* arena)
{
    struct superblock_map* sbm = &superblock_drive;
    init(sbm, boot, arena);
    recover(sbm);
    const uint32_t ring = sbm->buffer.sectors;
    host_if_feed(&sbm->host, sbm->buffer.base, ring, ring < FEED_PIECE_MOST ? ring : FEED_PIECE_MOST, fed);
    statistics_start(boot->statistics, boot->sector_buffer);
    if (boot->synthesizer != 0)
        start_synthesizer(sbm);
    host_if_enable(sbm->capacity);
}
