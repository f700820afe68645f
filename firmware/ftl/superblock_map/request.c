/* SPDX-License-Identifier: Apache-2.0
 *
 * Host commands of the superblock-mapping layer, and its loop. Writes come from the inbound feeder, already in the
 * sector buffer: they are complete when their sectors stand in the tables of their superblocks. Reads are begun in
 * reads.c. A trim is a write of zeros that needs no room.
 */
#include "firmware/app/request.h"

#include "firmware/drivers/statistics.h"
#include "firmware/ftl/superblock_map/recovery.h"
#include "firmware/ftl/superblock_map/state.h"

struct superblock_map sbm;

/* --- lines and completion ----------------------------------------------------------------------------------------- */

static void join(uint32_t* head, uint32_t* tail, uint32_t slot)
{
    sbm.commands[slot].next = NONE;
    if (*head == NONE)
        *head = slot;
    else
        sbm.commands[*tail].next = slot;
    *tail = slot;
}

void command_end(uint32_t slot)
{
    sbm.commands[slot].active = false;
    --sbm.active;
}

void command_complete(uint32_t slot, enum host_status status)
{
    command_end(slot);
    host_complete(slot, status);
}

/* --- what has to be in flash -------------------------------------------------------------------------------------- */

static void span(const struct command* command, uint32_t* first, uint32_t* last)
{
    *first = 0;
    *last = NONE;
    if (command->kind == HOST_FLUSH)
        return;
    *first = (uint32_t)(command->lba / sbm.layout.sectors);
    *last = (uint32_t)((command->lba + command->sectors - 1) / sbm.layout.sectors);
}

static bool concerns(const struct entry* entry, uint32_t first, uint32_t last, uint32_t stamp)
{
    return entry->state != ENTRY_FREE && entry->logical >= first && entry->logical <= last &&
           (int32_t)(entry->stamp - stamp) <= 0;
}

/* Whether everything that the command waits for is in flash; what nobody else brings there is to be merged. */
static bool is_durable(const struct command* command)
{
    uint32_t first;
    uint32_t last;
    bool durable = true;
    span(command, &first, &last);
    const bool parked = parking_covers(command->waits_for);
    for (uint32_t i = 0; i < sbm.buffer.entries; ++i) {
        struct entry* entry = &sbm.buffer.entry[i];
        if (!concerns(entry, first, last, command->waits_for) || (parked && !entry->was_trimmed))
            continue;
        durable = false;
        if (parked || !parking_is_on())
            entry->must = true;
    }
    return durable && !journal_owes(first, last, command->waits_for);
}

static void wait_until_durable(uint32_t slot)
{
    sbm.commands[slot].waits_for = sbm.buffer.stamp;
    parking_request();
    join(&sbm.waiting_head, &sbm.waiting_tail, slot);
}

static void serve_waiting(void)
{
    uint32_t slot = sbm.waiting_head;
    sbm.waiting_head = NONE;
    while (slot != NONE) {
        const uint32_t next = sbm.commands[slot].next;
        if (is_durable(&sbm.commands[slot]))
            command_complete(slot, HOST_OK);
        else if (sbm.read_only)
            command_complete(slot, HOST_DEVICE_FAULT);
        else
            join(&sbm.waiting_head, &sbm.waiting_tail, slot);
        slot = next;
    }
}

void turn_read_only(const char* why)
{
    if (!sbm.read_only)
        hal_log(why);
    sbm.read_only = true;
}

/* --- writes ------------------------------------------------------------------------------------------------------- */

static void take_command(uint32_t slot)
{
    const struct host_command* record = &sbm.host.commands[slot];
    struct command* command = &sbm.commands[slot];
    if (command->active)
        hal_panic("a command has arrived in a slot whose command is not completed");
    HAL_COST(host_command);
    ++sbm.active;
    *command = (struct command){.lba = request_lba(record), .sectors = record->sectors, .active = true};
    command->kind = record->kind & HOST_COMMAND_KIND_KIND_MASK;
    command->status = request_check(record, sbm.capacity, sbm.read_only);
    command->through = sbm.boot->completion == 1 || (record->kind & HOST_COMMAND_KIND_FUA_MASK) != 0;
}

static void end_write(uint32_t slot)
{
    const struct command* command = &sbm.commands[slot];
    if (command->status == HOST_OK && command->through)
        wait_until_durable(slot);
    else
        command_complete(slot, command->status);
}

/* As many sectors of the piece as lie in one superblock; false: they find no entry. */
static bool place(struct piece* piece)
{
    const uint64_t at = sbm.commands[piece->slot].lba + piece->first;
    const uint32_t first = (uint32_t)(at % sbm.layout.sectors);
    const uint32_t entry = entry_open(&sbm.buffer, (uint32_t)(at / sbm.layout.sectors));
    if (entry == NONE)
        return false;
    uint32_t sectors = sbm.layout.sectors - first;
    if (sectors > piece->sectors)
        sectors = piece->sectors;
    HAL_COST(place_sectors);
    HAL_COST_TIMES(place_sector, sectors);
    ++sbm.buffer.stamp;
    buffer_put(&sbm.buffer, entry, first, piece->number, sectors);
    piece->first += sectors;
    piece->number += sectors;
    piece->sectors -= sectors;
    sbm.commands[piece->slot].cursor += sectors;
    return true;
}

static void discard(struct piece* piece)
{
    for (uint32_t i = 0; i < piece->sectors; ++i)
        buffer_discard(&sbm.buffer, piece->number + i);
    sbm.commands[piece->slot].cursor += piece->sectors;
    piece->sectors = 0;
}

static void place_pieces(void)
{
    while (sbm.pieces_taken != sbm.pieces_put) {
        struct piece* piece = &sbm.pieces[sbm.pieces_taken & sbm.pieces_mask];
        struct command* command = &sbm.commands[piece->slot];
        while (command->status == HOST_OK && piece->sectors != 0) {
            if (place(piece))
                continue;
            sbm.wants_entry = true;
            if (!sbm.read_only)
                return;
            command->status = HOST_DEVICE_FAULT;
        }
        discard(piece);
        ++sbm.pieces_taken;
        if (command->cursor == command->sectors)
            end_write(piece->slot);
    }
}

static void fed(uint32_t slot, uint32_t number, uint32_t first, uint32_t sectors)
{
    if (!sbm.commands[slot].active)
        take_command(slot);
    buffer_arrived(&sbm.buffer, number, sectors);
    if (sbm.pieces_put - sbm.pieces_taken > sbm.pieces_mask)
        hal_panic("the feeder has brought more pieces than its buffer holds");
    sbm.pieces[sbm.pieces_put++ & sbm.pieces_mask] = (struct piece){slot, number, first, sectors};
    place_pieces();
}

/* --- trims and flushes -------------------------------------------------------------------------------------------- */

/* The whole pages in the range. */
static uint64_t first_whole(const struct command* command)
{
    const uint32_t page = sbm.layout.page_sectors;
    return (command->lba + page - 1) / page * page;
}

static uint64_t end_of_whole(const struct command* command)
{
    const uint32_t page = sbm.layout.page_sectors;
    return (command->lba + command->sectors) / page * page;
}

/* The part of a trim that lies in one superblock; false: it finds no entry. */
static bool trim_next(struct command* command)
{
    const uint64_t at = first_whole(command) + command->cursor;
    const uint32_t logical = (uint32_t)(at / sbm.layout.sectors);
    const uint32_t first = (uint32_t)(at % sbm.layout.sectors);
    uint32_t sectors = sbm.layout.sectors - first;
    if (at + sectors > end_of_whole(command))
        sectors = (uint32_t)(end_of_whole(command) - at);
    HAL_COST(host_trim_page);
    if (sbm.map[logical] != 0 || entry_of(&sbm.buffer, logical) != NONE) {
        const uint32_t entry = entry_open(&sbm.buffer, logical);
        if (entry == NONE) {
            sbm.wants_entry = true;
            return false;
        }
        HAL_COST_TIMES(place_sector, sectors);
        ++sbm.buffer.stamp;
        for (uint32_t i = 0; i < sectors; ++i)
            buffer_trim(&sbm.buffer, entry, first + i);
    }
    command->cursor += sectors;
    return true;
}

/* One step of the first trim in line; true: there was one. */
static bool continue_trim(void)
{
    const uint32_t slot = sbm.trim_head;
    if (slot == NONE)
        return false;
    struct command* command = &sbm.commands[slot];
    if (sbm.read_only)
        command->status = HOST_DEVICE_FAULT;
    else if (first_whole(command) + command->cursor < end_of_whole(command) && !trim_next(command))
        return false;
    if (command->status == HOST_OK && first_whole(command) + command->cursor < end_of_whole(command))
        return true;
    sbm.trim_head = command->next;
    command_complete(slot, command->status);
    return true;
}

static void command_arrived(uint32_t slot, const struct host_command* record)
{
    (void)record;
    take_command(slot);
    struct command* command = &sbm.commands[slot];
    if (command->status != HOST_OK || (command->sectors == 0 && command->kind != HOST_FLUSH))
        command_complete(slot, command->status);
    else if (command->kind == HOST_READ)
        reads_start(slot);
    else if (command->kind == HOST_TRIM)
        join(&sbm.trim_head, &sbm.trim_tail, slot);
    else if (command->kind == HOST_WRITE)
        feed_start(slot);
    else if (sbm.boot->ignore_flush != 0)
        command_complete(slot, HOST_OK);
    else
        wait_until_durable(slot);
}

static void transfer_done(uint32_t slot, uint32_t cookie)
{
    (void)cookie;
    const struct piece piece = feed_done();
    fed(slot, piece.number, piece.first, piece.sectors);
}

/* --- serving ------------------------------------------------------------------------------------------------------ */

static void unit_done(void* context, uint32_t slot, struct units_result result)
{
    (void)context;
    if (slot < sbm.jobs.units)
        jobs_done(slot, result);
    else
        reads_done(slot, result);
}

static bool is_idle(void)
{
    return sbm.active == 0 && sbm.jobs.busy == 0 && sbm.reads.begun == sbm.reads.ended;
}

static bool host_calls(void* context)
{
    (void)context;
    return ring_has_entry(&sbm.host.ring);
}

/* Whether the steps of software units were all there was to do since the last round that found nothing. */
static bool has_only_stepped(uint32_t host_events, uint32_t flash_events)
{
    return sbm.at_rest && host_events == 0 && flash_events != 0 && sbm.units.ended == 0 &&
           !software_units_are_ready(&sbm.units.software);
}

bool request_serve(void)
{
    const uint32_t host_events = host_if_poll(&sbm.host);
    uint32_t events = units_poll(&sbm.units);
    if (has_only_stepped(host_events, events))
        return false;
    HAL_COST(superblock_round);
    events += host_events;
    reads_cancel_alarm();
    sbm.wants_entry = false;
    place_pieces();
    events += continue_trim();
    buffer_run(&sbm.buffer);
    feed_run();
    if (sbm.waiting_head != NONE)
        serve_waiting();
    journal_run();
    parking_run();
    if (merge_run())
        journal_run();
    rescue_run();
    sbm.at_rest = events == 0 && !(is_idle() && wear_run());
    if (sbm.at_rest)
        reads_set_alarm();
    return !sbm.at_rest;
}

void request_sleep(void)
{
    units_sleep(&sbm.units);
}

/* --- start -------------------------------------------------------------------------------------------------------- */

/* Every group holds as many logical superblocks as the one with the fewest usable physical ones can. */
static void size_drive(const struct boot_block* boot)
{
    uint32_t least = NONE;
    for (uint32_t group = 0; group < sbm.layout.groups; ++group) {
        const uint32_t usable = sbm.superblocks.usable[group];
        const uint32_t logicals = (uint32_t)capacity_logicals(usable, boot->overprovision_permille);
        if (logicals < least)
            least = logicals;
    }
    sbm.logicals = least * sbm.layout.groups;
    sbm.capacity = (uint64_t)sbm.logicals * sbm.layout.sectors;
    const uint64_t wanted = (uint64_t)boot->capacity_hi << 32 | boot->capacity_lo;
    if (wanted > sbm.capacity || sbm.capacity == 0)
        hal_panic("the capacity does not fit: too few superblocks are left beside spares, journal, parking area and "
                  "those that merges need");
    if (wanted != 0)
        sbm.capacity = wanted;
}

static void init_map(struct arena* arena)
{
    sbm.map_at = arena_take(arena, sbm.logicals, 4, 64, "the block mapping table");
    sbm.map = hal_memory(sbm.map_at, sbm.logicals * 4);
}

static void init_commands(const struct boot_block* boot, struct arena* arena)
{
    const uint32_t pieces = ring_size(boot->sector_buffer / FEED_PIECE_MOST + 2 * boot->host_slots + 2);
    sbm.commands = arena_array(arena, boot->host_slots, sizeof *sbm.commands, "host commands");
    sbm.pieces = arena_array(arena, pieces, sizeof *sbm.pieces, "host commands");
    sbm.flying = arena_array(arena, pieces, sizeof *sbm.flying, "host commands");
    sbm.pieces_mask = pieces - 1;
    sbm.waiting_head = sbm.trim_head = sbm.feed.head = NONE;
    /* Events: pieces in the buffer, an arrival per slot. */
    host_if_init(&sbm.host, arena, boot->host_slots, pieces + boot->host_slots, command_arrived, transfer_done);
}

static void init_buffer(const struct boot_block* boot, struct arena* arena)
{
    uint32_t entries = boot->superblock_limit + boot->units + ENTRIES_MORE;
    if (entries > MOST_ENTRIES)
        entries = MOST_ENTRIES;
    if ((buffer_circle(boot->sector_buffer) + 1) * SECTOR_BYTES > boot->buffer_size ||
        boot->sector_buffer < FEED_PIECE_MOST)
        hal_panic("the sector buffer does not fit into the data buffer, or is smaller than 64 sectors");
    sector_buffer_init(&sbm.buffer, &sbm.layout, arena, boot->buffer_base, boot->sector_buffer, entries, sbm.logicals,
                       boot->synthesizer != 0);
    sbm.high_water = boot->flush_watermark;
    sbm.limit = boot->superblock_limit;
}

static void start_synthesizer(void)
{
    reg_write(FLASH_SYNTH_SUPERBLOCKS, sbm.logicals);
    reg_write(FLASH_SYNTH_MAP, sbm.map_at);
    reg_write(FLASH_SYNTHESIZER, FLASH_SYNTHESIZER_ENABLE_MASK);
}

void request_init(const struct boot_block* boot, struct arena* arena)
{
    sbm = (struct superblock_map){.boot = boot, .layout = layout_of(boot)};
    if (boot->foreground_unit == 0 || boot->bad_block_table == 0)
        hal_panic("superblock mapping needs a foreground unit and the table of bad blocks");
    const uint32_t reads = boot->unit_depth + 1;
    units_init(&sbm.units, arena, boot, boot->units + reads, (struct units_client){unit_done, host_calls, NULL});
    jobs_init(arena, boot->units);
    superblocks_init(&sbm.superblocks, &sbm.layout, boot, arena);
    journal_init(boot, arena);
    parking_init(arena, boot->parking_superblocks);
    size_drive(boot);
    init_map(arena);
    init_buffer(boot, arena);
    reads_init(boot, arena, boot->units, reads);
    init_commands(boot, arena);
    recovery_init(arena);
    recover();
    recovery_make_zeros();
    host_if_feed(&sbm.host, boot->buffer_base, sbm.buffer.sectors, FEED_PIECE_MOST, fed);
    statistics_start(boot->statistics, boot->sector_buffer);
    if (boot->synthesizer != 0)
        start_synthesizer();
    host_if_enable(sbm.capacity);
}
