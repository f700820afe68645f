/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/superblock_map/journal.h"

#include "firmware/drivers/ring.h"
#include "firmware/ftl/superblock_map/recovery_state.h"
#include "firmware/ftl/superblock_map/state.h"

#include <string.h>

static struct journal* const journal = &sbm.journal;

uint32_t journal_check(uint32_t check, const uint32_t* words, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i)
        check = (check ^ words[i]) * 0x01000193u;
    return check;
}

/* --- records ------------------------------------------------------------------------------------------------------ */

static uint32_t pending(void)
{
    return journal->put - journal->taken;
}

static struct record* record_at(uint32_t number)
{
    return &journal->pending[number & journal->pending_mask];
}

bool journal_has_room(void)
{
    return pending() + 4 * sbm.jobs.units + 4 <= journal->most_pending;
}

static void put(uint32_t kind, uint32_t what, uint32_t becomes, uint32_t stamp, uint32_t leaving)
{
    if (pending() == journal->most_pending)
        hal_panic("more changes wait for the log than there is room for");
    *record_at(journal->put++) = (struct record){{kind << RECORD_KIND_SHIFT | what, becomes, stamp}, leaving};
}

void journal_remap(uint32_t logical, uint32_t target, uint32_t stamp, uint32_t leaving)
{
    put(RECORD_REMAP, logical, target, stamp, leaving);
}

void journal_replacement(struct replacement replacement)
{
    put(RECORD_REPLACE, replacement.superblock, replacement.chip_and_block, 0, NONE);
}

bool journal_owes(uint32_t first, uint32_t last, uint32_t stamp)
{
    for (uint32_t i = journal->taken; i != journal->put; ++i) {
        const struct record* record = record_at(i);
        const uint32_t logical = record->word[0] & ((1u << RECORD_KIND_SHIFT) - 1);
        if (record->word[0] >> RECORD_KIND_SHIFT == RECORD_REMAP && logical >= first && logical <= last &&
            (int32_t)(record->word[2] - stamp) <= 0)
            return true;
    }
    return false;
}

/* Everything that was to be covered is. */
static void settle(void)
{
    for (; journal->covered != 0; --journal->covered) {
        const uint32_t leaving = record_at(journal->taken++)->leaving;
        if (leaving != NONE)
            superblocks_release(&sbm.superblocks, leaving);
    }
    journal->writing = false;
}

/* --- areas -------------------------------------------------------------------------------------------------------- */

/* The next member of an area that neither failed nor belongs to the present generation or the one being made; NONE: the
 * area is worn out. */
static uint32_t next_member(struct area* area)
{
    for (uint32_t i = 1; i <= area->members; ++i) {
        const uint32_t number = (area->last + i) % area->members;
        const uint32_t generation = area->generation[number];
        if (!area->failed[number] && (generation == 0 || (int32_t)(generation - journal->generation) < 0)) {
            area->last = number;
            area->generation[number] = journal->generation + 1;
            return number;
        }
    }
    return NONE;
}

/* --- the log ------------------------------------------------------------------------------------------------------ */

static void program_log(struct job* job);

static void log_written(struct job* job, struct units_result result)
{
    if (result.status != FLASH_OK) {
        sbm.journal.log[job->copy].failed[journal->log_at[job->copy]] = true;
        journal->wants_copy = true; /* which covers what could not be written */
        journal->covered = 0;
        journal->writing = false;
        job_end(job);
        return;
    }
    if (++job->copy < journal->copies) {
        program_log(job);
        return;
    }
    ++journal->page;
    journal->records += journal->covered;
    settle();
    job_end(job);
}

static void set_spare(struct flash_descriptor* descriptor, enum page_kind kind, uint32_t part, uint32_t check)
{
    descriptor->spare0 = kind;
    descriptor->spare1 = journal->generation + (kind == PAGE_TABLE);
    descriptor->spare2 = part;
    descriptor->spare3 = check;
}

static void program_log(struct job* job)
{
    const uint32_t superblock = journal->log[job->copy].member[journal->log_at[job->copy]];
    struct flash_descriptor* descriptor = job_operation(
        job, FLASH_PROGRAM, superblock, sector_of_page(&sbm.layout, journal->page), 1, FLASH_FOR_METADATA);
    descriptor->buffer = journal->page_at;
    descriptor->control |= FLASH_DESCRIPTOR_CONTROL_COMMON_SPARE_MASK;
    set_spare(descriptor, PAGE_LOG, journal->page, journal->log_page[LOG_PAGE_WORDS - 1]);
    job_begin(job, log_written);
}

static void write_log(void)
{
    struct job* job = job_take(log_written);
    if (job == NULL)
        return;
    uint32_t* page = journal->log_page;
    const uint32_t records = pending() < LOG_PAGE_RECORDS ? pending() : LOG_PAGE_RECORDS;
    HAL_COST_TIMES(log_record, records);
    memset(page, 0, SECTOR_BYTES);
    page[0] = PAGE_LOG;
    page[1] = journal->generation;
    page[2] = journal->page;
    page[3] = records;
    for (uint32_t i = 0; i < records; ++i)
        memcpy(&page[LOG_HEADER_WORDS + i * LOG_RECORD_WORDS], record_at(journal->taken + i)->word,
               LOG_RECORD_WORDS * sizeof(uint32_t));
    page[LOG_PAGE_WORDS - 1] = journal_check(JOURNAL_CHECK_START, page, LOG_PAGE_WORDS - 1);
    journal->writing = true;
    journal->covered = records;
    program_log(job);
}

/* --- copies of the tables ----------------------------------------------------------------------------------------- */

uint32_t* journal_body(void)
{
    return journal->image + sizeof(struct table_header) / 4;
}

/* Stamps of what is in the buffer; during recovery, of what is to come into it. */
static uint32_t live_stamps(uint32_t* word)
{
    uint32_t count = 0;
    if (recovery.lives != 0) {
        memcpy(word, recovery.live, recovery.lives * sizeof *word);
        return recovery.lives;
    }
    for (uint32_t i = 0; i < sbm.buffer.entries; ++i) {
        if (sbm.buffer.entry[i].state != ENTRY_FREE)
            word[count++] = sbm.buffer.entry[i].stamp;
    }
    return count;
}

/* The tables as they are now, with everything that is pending. */
static void take_image(void)
{
    struct table_header* header = (struct table_header*)journal->image;
    const struct superblocks* all = &sbm.superblocks;
    uint32_t* word = journal_body();
    HAL_COST_TIMES(table_kibibyte, (sbm.logicals + sbm.layout.superblocks) / 256 + 1);
    for (uint32_t i = 0; i < sbm.logicals; ++i)
        *word++ = sbm.map[i] == 0 ? NONE : superblock_at(all, sbm.map[i]);
    for (uint32_t i = 0; i < sbm.layout.superblocks; ++i)
        *word++ = all->superblock[i].erases;
    memcpy(word, all->replaced, all->replacements * sizeof *all->replaced);
    word += all->replacements * (sizeof *all->replaced / 4);
    *header = (struct table_header){.magic = PAGE_TABLE, .generation = journal->generation + 1};
    header->stamps = live_stamps(word);
    word += header->stamps;
    header->bytes = (uint32_t)(word - journal->image) * 4;
    header->logicals = sbm.logicals;
    header->superblocks = sbm.layout.superblocks;
    header->replacements = all->replacements;
    header->stamp = sbm.buffer.stamp;
    const uint32_t own = journal_check(JOURNAL_CHECK_START, journal->image, 8);
    header->check = journal_check(own, journal_body(), (uint32_t)(word - journal_body()));
}

static void erase_part(struct job* job);
static void erase_log(struct job* job);

/* The member in use has failed: another one. */
static void try_again(struct job* job, struct area* area, void (*again)(struct job* job))
{
    area->failed[area->last] = true;
    again(job);
}

static void give_up(struct job* job)
{
    journal->covered = 0;
    job_end(job);
    turn_read_only("no superblock is left for the journal: the drive is read-only");
}

static void next_copy(struct job* job)
{
    job->done = 0;
    if (++job->copy < journal->copies) {
        erase_part(job);
        return;
    }
    ++journal->generation;
    for (uint32_t copy = 0; copy < journal->copies; ++copy)
        journal->log_at[copy] = journal->log[copy].last;
    journal->page = journal->records = 0;
    journal->copying = journal->wants_copy = false;
    settle();
    job_end(job);
}

static void log_erased(struct job* job, struct units_result result)
{
    if (result.status == FLASH_OK)
        next_copy(job);
    else
        try_again(job, &journal->log[job->copy], erase_log);
}

static void erase_log(struct job* job)
{
    struct area* area = &journal->log[job->copy];
    const uint32_t member = next_member(area);
    if (member == NONE)
        give_up(job);
    else
        job_erase(job, area->member[member], FLASH_FOR_METADATA, log_erased);
}

static void part_written(struct job* job, struct units_result result)
{
    if (result.status != FLASH_OK)
        try_again(job, &journal->table[job->copy], erase_part);
    else if (++job->done < journal->table_parts)
        erase_part(job);
    else
        erase_log(job);
}

/* Part of the image that goes into one superblock; parts behind its end hold a sector, so that all of them are there.
 */
static void part_erased(struct job* job, struct units_result result)
{
    if (result.status != FLASH_OK) {
        try_again(job, &journal->table[job->copy], erase_part);
        return;
    }
    const struct table_header* header = (const struct table_header*)journal->image;
    const struct area* area = &journal->table[job->copy];
    const uint32_t all = (header->bytes + SECTOR_BYTES - 1) / SECTOR_BYTES;
    const uint32_t first = job->done * sbm.layout.sectors;
    uint32_t sectors = all > first ? all - first : 1;
    if (sectors > sbm.layout.sectors)
        sectors = sbm.layout.sectors;
    struct flash_descriptor* descriptor =
        job_operation(job, FLASH_PROGRAM, area->member[area->last], 0, sectors, FLASH_FOR_METADATA);
    descriptor->buffer = journal->image_at + (all > first ? first : 0) * SECTOR_BYTES;
    descriptor->control |= FLASH_DESCRIPTOR_CONTROL_COMMON_SPARE_MASK;
    set_spare(descriptor, PAGE_TABLE, job->done, header->check);
    job_begin(job, part_written);
}

static void erase_part(struct job* job)
{
    struct area* area = &journal->table[job->copy];
    const uint32_t member = next_member(area);
    if (member == NONE)
        give_up(job);
    else
        job_erase(job, area->member[member], FLASH_FOR_METADATA, part_erased);
}

static void copy_tables(void)
{
    struct job* job = job_take(part_written);
    if (job == NULL)
        return;
    take_image();
    journal->copying = true;
    journal->writing = true;
    journal->covered = pending();
    erase_part(job);
}

/* --- running ------------------------------------------------------------------------------------------------------ */

void journal_run(void)
{
    if (journal->writing || sbm.read_only)
        return;
    const bool is_full = journal->page == pages_of_superblock(&sbm.layout) || journal->records >= journal->most_records;
    if (journal->wants_copy || (is_full && pending() != 0))
        copy_tables();
    else if (pending() != 0)
        write_log();
}

void journal_copy_now(void)
{
    const uint32_t generation = journal->generation;
    journal->wants_copy = true;
    while (journal->generation == generation && !sbm.read_only) {
        journal_run();
        if (units_poll(&sbm.units) == 0)
            units_sleep(&sbm.units);
    }
}

/* --- start -------------------------------------------------------------------------------------------------------- */

static void reserve(struct area* area, uint32_t superchip, uint32_t members)
{
    if (members > AREA_MOST)
        hal_panic("the tables are too large for the superblocks of their area");
    for (uint32_t i = 0; i < members; ++i) {
        area->member[i] = superblocks_reserve(&sbm.superblocks, superchip);
        if (area->member[i] == NONE)
            hal_panic("too few superblocks for the journal");
    }
    area->members = members;
}

void journal_init(const struct boot_block* boot, struct arena* arena)
{
    _Static_assert(sizeof(struct table_header) == JOURNAL_HEADER_BYTES && SECTOR_BYTES == JOURNAL_SECTOR_BYTES,
                   "capacity.h counts with them");
    const uint32_t sectors = (uint32_t)capacity_table_sectors(&sbm.layout, boot->units);
    *journal = (struct journal){.copies = boot->replicate_tables != 0 ? 2 : 1,
                                .most_records = boot->checkpoint_records,
                                .image_bytes = sectors * SECTOR_BYTES};
    journal->table_parts = (uint32_t)capacity_table_parts(&sbm.layout, boot->units);
    journal->most_pending = capacity_pending(boot->units);
    journal->pending_mask = ring_size(journal->most_pending) - 1;
    journal->pending = arena_array(arena, journal->pending_mask + 1, sizeof *journal->pending, "the journal");
    for (uint32_t copy = 0; copy < journal->copies; ++copy) {
        const uint32_t superchip = capacity_home(&sbm.layout, copy);
        reserve(&journal->log[copy], superchip, LOG_SUPERBLOCKS);
        reserve(&journal->table[copy], superchip, (uint32_t)capacity_table_area(&sbm.layout, boot->units));
    }
    journal->page_at = arena_take(arena, 1, SECTOR_BYTES, SECTOR_BYTES, "the journal");
    journal->log_page = hal_memory(journal->page_at, SECTOR_BYTES);
    journal->image_at = arena_take(arena, sectors, SECTOR_BYTES, SECTOR_BYTES, "the journal");
    journal->image = hal_memory(journal->image_at, sectors * SECTOR_BYTES);
    const uint32_t pages = pages_of_superblock(&sbm.layout);
    journal->spares_at = arena_take(arena, pages, sizeof(struct flash_spare), 64, "the journal");
    journal->spares = hal_memory(journal->spares_at, pages * (uint32_t)sizeof(struct flash_spare));
}
