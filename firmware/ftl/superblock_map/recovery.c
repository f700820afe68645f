/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/superblock_map/recovery.h"

#include "firmware/ftl/superblock_map/recovery_state.h"
#include "firmware/ftl/superblock_map/state.h"

struct recovery recovery;

/* --- reading ------------------------------------------------------------------------------------------------------ */

static bool done;
static enum flash_status status;

static void ended(struct job* job, struct units_result result)
{
    (void)job;
    status = result.status;
    done = true;
}

static bool wait(struct job* job)
{
    done = false;
    job_begin(job, ended);
    while (!done) {
        if (units_poll(&sbm.units) == 0)
            units_sleep(&sbm.units);
    }
    job_end(job);
    return status == FLASH_OK;
}

bool recovery_read(uint32_t superblock, uint32_t first, uint32_t sectors, bus_address to, bus_address spares)
{
    struct job* job = job_take(ended);
    struct flash_descriptor* descriptor =
        job_operation(job, FLASH_READ, superblock, first, sectors, FLASH_FOR_METADATA);
    descriptor->buffer = to;
    descriptor->spare_address = spares;
    return wait(job);
}

struct flash_spare recovery_page(uint32_t superblock, uint32_t first, bus_address to)
{
    static const struct flash_spare none = {{0, 0, 0, 0}};
    return recovery_read(superblock, first, 1, to, sbm.journal.spares_at) ? sbm.journal.spares[0] : none;
}

/* A read of a superblock that is not mapped: all that is not buffered is zeros. */
void recovery_make_zeros(void)
{
    struct job* job = job_take(ended);
    struct flash_descriptor* descriptor = job_operation(job, FLASH_READ, 0, 0, 1, FLASH_FOR_METADATA);
    descriptor->control |= FLASH_DESCRIPTOR_CONTROL_SECTOR_TABLE_MASK;
    descriptor->blocks = 0;
    descriptor->buffer = sbm.buffer.zeros;
    descriptor->spare_address = sbm.reads.no_sectors;
    wait(job);
}

/* --- the tables --------------------------------------------------------------------------------------------------- */

static bool is_newer(uint32_t a, uint32_t b)
{
    return (int32_t)(a - b) > 0;
}

/* What stands in the superblocks of an area, by their first pages. */
static void look_at(const struct area* area, enum page_kind kind, uint32_t* generations, uint32_t* parts)
{
    struct journal* journal = &sbm.journal;
    for (uint32_t i = 0; i < area->members; ++i) {
        const struct flash_spare spare = recovery_page(area->member[i], 0, journal->page_at);
        generations[i] = spare.word[0] == (uint32_t)kind ? spare.word[1] : 0;
        parts[i] = spare.word[2];
        if (generations[i] != 0 && is_newer(generations[i], recovery.newest))
            recovery.newest = generations[i];
    }
}

static uint32_t find(const uint32_t* generations, const uint32_t* parts, uint32_t members, uint32_t generation,
                     uint32_t part)
{
    for (uint32_t i = 0; i < members; ++i) {
        if (generations[i] == generation && parts[i] == part)
            return i;
    }
    return NONE;
}

static bool spares_say(uint32_t pages, uint32_t generation, uint32_t part)
{
    for (uint32_t i = 0; i < pages; ++i) {
        const uint32_t* word = sbm.journal.spares[i].word;
        if (word[0] != PAGE_TABLE || word[1] != generation || word[2] != part)
            return false;
    }
    return true;
}

/* Pages that the first `sectors` of a superblock lie on. */
static uint32_t pages_of(uint32_t sectors)
{
    const struct layout* l = &sbm.layout;
    const uint32_t rest = sectors % l->row_sectors;
    return sectors / l->row_sectors * l->bus + (rest < l->bus ? rest : l->bus);
}

static bool load_part(uint32_t copy, uint32_t generation, uint32_t part, uint32_t sectors)
{
    struct journal* journal = &sbm.journal;
    const struct area* area = &journal->table[copy];
    const uint32_t at =
        find(recovery.table_generation[copy], recovery.table_part[copy], area->members, generation, part);
    const uint32_t first = part * sbm.layout.sectors;
    if (at == NONE)
        return false;
    if (first >= sectors)
        return true;
    uint32_t here = sectors - first;
    if (here > sbm.layout.sectors)
        here = sbm.layout.sectors;
    return recovery_read(area->member[at], 0, here, journal->image_at + first * SECTOR_BYTES, journal->spares_at) &&
           spares_say(pages_of(here), generation, part);
}

static bool fits(const struct table_header* header)
{
    return header->magic == PAGE_TABLE && header->bytes <= sbm.journal.image_bytes &&
           header->logicals == sbm.logicals && header->superblocks == sbm.layout.superblocks;
}

static bool load(uint32_t copy, uint32_t generation)
{
    const struct table_header* header = (const struct table_header*)sbm.journal.image;
    if (!load_part(copy, generation, 0, 1) || !fits(header))
        return false;
    const uint32_t sectors = (header->bytes + SECTOR_BYTES - 1) / SECTOR_BYTES;
    for (uint32_t part = 0; part < sbm.journal.table_parts; ++part) {
        if (!load_part(copy, generation, part, sectors))
            return false;
    }
    HAL_COST_TIMES(table_kibibyte, header->bytes / 1024 + 1);
    const uint32_t own = journal_check(JOURNAL_CHECK_START, sbm.journal.image, 8);
    const uint32_t words = header->bytes / 4 - (uint32_t)sizeof *header / 4;
    return header->check == journal_check(own, journal_body(), words);
}

/* The newest generation below `limit` of which there is a table; 0: none. */
static uint32_t newest_below(uint32_t limit)
{
    uint32_t best = 0;
    for (uint32_t copy = 0; copy < sbm.journal.copies; ++copy) {
        for (uint32_t i = 0; i < sbm.journal.table[copy].members; ++i) {
            const uint32_t generation = recovery.table_generation[copy][i];
            if (generation != 0 && is_newer(limit, generation) && (best == 0 || is_newer(generation, best)))
                best = generation;
        }
    }
    return best;
}

/* The generation that was loaded; 0: there is none. */
static uint32_t load_newest(void)
{
    for (uint32_t generation = newest_below(recovery.newest + 1); generation != 0;
         generation = newest_below(generation)) {
        for (uint32_t copy = 0; copy < sbm.journal.copies; ++copy) {
            if (load(copy, generation))
                return generation;
        }
    }
    return 0;
}

static void set_map(uint32_t logical, uint32_t superblock)
{
    sbm.map[logical] = superblock == NONE ? 0 : superblock_blocks(&sbm.superblocks, superblock);
}

static void apply_tables(void)
{
    const struct table_header* header = (const struct table_header*)sbm.journal.image;
    uint32_t* word = journal_body();
    for (uint32_t i = 0; i < header->logicals; ++i) {
        set_map(i, *word);
        *word++ = 0; /* from now on: the stamp of the last entry merged, by the log */
    }
    for (uint32_t i = 0; i < header->superblocks; ++i)
        sbm.superblocks.superblock[i].erases = *word++;
    for (uint32_t i = 0; i < header->replacements; ++i, word += 2)
        superblocks_replace_again(&sbm.superblocks, (struct replacement){word[0], word[1]});
    recovery.stamps = word;
    sbm.buffer.stamp = header->stamp;
}

/* --- the log ------------------------------------------------------------------------------------------------------ */

static void replay(const uint32_t* record)
{
    const uint32_t what = record[0] & ((1u << RECORD_KIND_SHIFT) - 1);
    if (record[0] >> RECORD_KIND_SHIFT == RECORD_REPLACE) {
        superblocks_replace_again(&sbm.superblocks, (struct replacement){what, record[1]});
        return;
    }
    set_map(what, record[1]);
    if (record[1] != NONE)
        ++sbm.superblocks.superblock[record[1]].erases;
    if (record[2] != 0)
        recovery_merged()[what] = record[2];
    if (is_newer(record[2], sbm.buffer.stamp))
        sbm.buffer.stamp = record[2];
}

/* A page of the log into its place; false: in no copy is it whole. */
static bool load_log_page(uint32_t generation, uint32_t number)
{
    struct journal* journal = &sbm.journal;
    for (uint32_t copy = 0; copy < journal->copies; ++copy) {
        const struct area* area = &journal->log[copy];
        const uint32_t at = find(recovery.log_generation[copy], recovery.log_page[copy], area->members, generation, 0);
        if (at == NONE)
            continue;
        const struct flash_spare spare =
            recovery_page(area->member[at], sector_of_page(&sbm.layout, number), journal->page_at);
        const uint32_t* page = journal->log_page;
        if (spare.word[0] == PAGE_LOG && spare.word[1] == generation && spare.word[2] == number &&
            page[0] == PAGE_LOG && page[1] == generation && page[2] == number && page[3] <= LOG_PAGE_RECORDS &&
            page[LOG_PAGE_WORDS - 1] == journal_check(JOURNAL_CHECK_START, page, LOG_PAGE_WORDS - 1))
            return true;
    }
    return false;
}

static void replay_log(uint32_t generation)
{
#ifdef STROBE_FTL_FORGET_LOG /* a broken build on purpose: the test of power losses has to find it */
    return;
#endif
    const uint32_t* page = sbm.journal.log_page;
    for (uint32_t number = 0; number < pages_of_superblock(&sbm.layout); ++number) {
        if (!load_log_page(generation, number))
            return;
        HAL_COST_TIMES(log_record, page[3]);
        for (uint32_t i = 0; i < page[3]; ++i)
            replay(&page[LOG_HEADER_WORDS + i * LOG_RECORD_WORDS]);
    }
}

/* --- all of it ---------------------------------------------------------------------------------------------------- */

static void mark_mapped(void)
{
    for (uint32_t logical = 0; logical < sbm.logicals; ++logical) {
        if (sbm.map[logical] != 0)
            superblocks_map(&sbm.superblocks, superblock_at(&sbm.superblocks, sbm.map[logical]), logical);
    }
    superblocks_rebuild_pool(&sbm.superblocks);
}

/* What was loaded is not erased before the next generation is complete. */
static void keep(struct area* area, const uint32_t* generations, uint32_t generation)
{
    for (uint32_t i = 0; i < area->members; ++i)
        area->generation[i] = generation != 0 && generations[i] == generation ? sbm.journal.generation : 0;
}

uint32_t* recovery_merged(void)
{
    return journal_body();
}

bool recovery_is_live(uint32_t logical, uint32_t stamp)
{
    const struct table_header* header = (const struct table_header*)sbm.journal.image;
    const uint32_t merged = recovery_merged()[logical];
    if (merged != 0 && !is_newer(stamp, merged))
        return false;
    if (is_newer(stamp, header->stamp))
        return true;
    for (uint32_t i = 0; i < header->stamps; ++i) {
        if (recovery.stamps[i] == stamp)
            return true;
    }
    return false;
}

void recover(void)
{
    struct journal* journal = &sbm.journal;
    if (sbm.boot->recover == 0) {
        journal_copy_now();
        return;
    }
    for (uint32_t copy = 0; copy < journal->copies; ++copy) {
        look_at(&journal->table[copy], PAGE_TABLE, recovery.table_generation[copy], recovery.table_part[copy]);
        look_at(&journal->log[copy], PAGE_LOG, recovery.log_generation[copy], recovery.log_page[copy]);
    }
    const uint32_t generation = load_newest();
    if (generation != 0) {
        apply_tables();
        replay_log(generation);
        mark_mapped();
    }
    journal->generation = recovery.newest;
    for (uint32_t copy = 0; copy < journal->copies; ++copy) {
        keep(&journal->table[copy], recovery.table_generation[copy], generation);
        keep(&journal->log[copy], recovery.log_generation[copy], generation);
    }
    if (generation != 0)
        recover_parked();
    journal_copy_now();
}

void recovery_init(struct arena* arena)
{
    const uint32_t rows = sbm.layout.chip * sbm.layout.pages;
    recovery = (struct recovery){.most_batches = sbm.parking.members * (rows / 2)};
    recovery.batch = arena_array(arena, recovery.most_batches, sizeof *recovery.batch, "recovery");
    recovery.most_lives = MOST_ENTRIES + sbm.journal.most_pending;
    recovery.live = arena_array(arena, recovery.most_lives, sizeof *recovery.live, "recovery");
}
