/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/superblock_map/recovery_tables.h"

#include "firmware/ftl/superblock_map/recovery_read.h"

/* --- what the areas contain --------------------------------------------------------------------------------------- */

static void scan(struct superblock_map* sbm, const struct area* area, enum page_kind kind,
                 struct area_contents* contents)
{
    for (uint32_t i = 0; i < area->members; ++i) {
        const struct flash_spare spare = recovery_page(sbm, area->member[i], 0, sbm->journal.page_at);
        const uint32_t generation = spare.word[0] == (uint32_t)kind ? spare.word[1] : 0;
        contents->generation[i] = generation;
        contents->part[i] = spare.word[2];
        if (generation != 0 && recovery_is_newer(generation, sbm->recovery.scan.newest))
            sbm->recovery.scan.newest = generation;
    }
}

void recovery_scan_areas(struct superblock_map* sbm)
{
    const struct journal* journal = &sbm->journal;
    for (uint32_t copy = 0; copy < journal->copies; ++copy) {
        scan(sbm, &journal->table[copy], PAGE_TABLE, &sbm->recovery.scan.table[copy]);
        scan(sbm, &journal->log[copy], PAGE_LOG, &sbm->recovery.scan.log[copy]);
    }
}

uint32_t recovery_find(const struct area_contents* contents, uint32_t from, uint32_t members, uint32_t generation,
                       uint32_t part)
{
    for (uint32_t i = from; i < members; ++i) {
        if (contents->generation[i] == generation && contents->part[i] == part)
            return i;
    }
    return NONE;
}

/* --- a copy of the tables ----------------------------------------------------------------------------------------- */

static bool spares_match(const struct journal* journal, uint32_t pages, uint32_t generation, uint32_t part)
{
    for (uint32_t i = 0; i < pages; ++i) {
        const uint32_t* word = journal->spares[i].word;
        if (word[0] != PAGE_TABLE || word[1] != generation || word[2] != part)
            return false;
    }
    return true;
}

/* Pages that contain the first `sectors` of a superblock. */
static uint32_t pages_of(const struct layout* l, uint32_t sectors)
{
    const uint32_t rest = sectors % l->row_sectors;
    return sectors / l->row_sectors * l->bus + (rest < l->bus ? rest : l->bus);
}

/* A member that holds the first `sectors` of a part, wholly. */
static bool load_member(struct superblock_map* sbm, uint32_t member, uint32_t generation, uint32_t part,
                        uint32_t sectors)
{
    const struct journal* journal = &sbm->journal;
    return recovery_read(sbm, member, 0, sectors, journal->image_at + part * sbm->layout.sectors * SECTOR_BYTES,
                         journal->spares_at) &&
           spares_match(journal, pages_of(&sbm->layout, sectors), generation, part);
}

/* Several members may hold the part: those whose program has failed hold its first pages. */
static bool load_part(struct superblock_map* sbm, uint32_t copy, uint32_t generation, uint32_t part, uint32_t sectors)
{
    const struct area* area = &sbm->journal.table[copy];
    const struct area_contents* contents = &sbm->recovery.scan.table[copy];
    const uint32_t first = part * sbm->layout.sectors;
    uint32_t here = sectors > first ? sectors - first : 0;
    if (here > sbm->layout.sectors)
        here = sbm->layout.sectors;
    uint32_t at = recovery_find(contents, 0, area->members, generation, part);
    while (at != NONE) {
        if (here == 0 || load_member(sbm, area->member[at], generation, part, here))
            return true;
        at = recovery_find(contents, at + 1, area->members, generation, part);
    }
    return false;
}

static bool fits(const struct superblock_map* sbm, const struct table_header* header)
{
    return header->magic == PAGE_TABLE && header->bytes <= sbm->journal.image_bytes &&
           header->logicals == sbm->logicals && header->superblocks == sbm->layout.superblocks;
}

static bool load(struct superblock_map* sbm, uint32_t copy, uint32_t generation)
{
    const struct journal* journal = &sbm->journal;
    const struct table_header* header = (const struct table_header*)journal->image;
    if (!load_part(sbm, copy, generation, 0, 1) || !fits(sbm, header))
        return false;
    const uint32_t sectors = (header->bytes + SECTOR_BYTES - 1) / SECTOR_BYTES;
    for (uint32_t part = 0; part < journal->table_parts; ++part) {
        if (!load_part(sbm, copy, generation, part, sectors))
            return false;
    }
    HAL_COST_TIMES(table_kibibyte, header->bytes / 1024 + 1);
    return header->check == journal_tables_check(journal, header->bytes / 4 - (uint32_t)sizeof *header / 4);
}

/* The newest generation before `limit` of which there is a table; 0: none. */
static uint32_t newest_before(const struct superblock_map* sbm, uint32_t limit)
{
    uint32_t best = 0;
    for (uint32_t copy = 0; copy < sbm->journal.copies; ++copy) {
        for (uint32_t i = 0; i < sbm->journal.table[copy].members; ++i) {
            const uint32_t generation = sbm->recovery.scan.table[copy].generation[i];
            if (generation != 0 && recovery_is_newer(limit, generation) &&
                (best == 0 || recovery_is_newer(generation, best)))
                best = generation;
        }
    }
    return best;
}

/* The generation that was loaded; 0: there is none. */
static uint32_t load_newest(struct superblock_map* sbm)
{
    for (uint32_t generation = newest_before(sbm, sbm->recovery.scan.newest + 1); generation != 0;
         generation = newest_before(sbm, generation)) {
        for (uint32_t copy = 0; copy < sbm->journal.copies; ++copy) {
            if (load(sbm, copy, generation))
                return generation;
        }
    }
    return 0;
}

static void apply(struct superblock_map* sbm)
{
    const struct table_header* header = (const struct table_header*)sbm->journal.image;
    uint32_t* word = journal_tables(&sbm->journal);
    for (uint32_t i = 0; i < header->logicals; ++i) {
        set_mapped_superblock(sbm, i, *word);
        *word++ = 0; /* recovery_merged() from now on */
    }
    for (uint32_t i = 0; i < header->superblocks; ++i)
        sbm->superblocks.superblock[i].erases = *word++;
    for (uint32_t i = 0; i < header->replacements; ++i, word += 2)
        superblocks_replace_again(&sbm->superblocks, (struct replacement){word[0], word[1]});
    sbm->recovery.tables.stamps = word;
    sbm->buffer.stamp = header->stamp;
}

void recovery_load_tables(struct superblock_map* sbm)
{
    sbm->recovery.tables.generation = load_newest(sbm);
    if (sbm->recovery.tables.generation != 0)
        apply(sbm);
}

/* --- after the log ------------------------------------------------------------------------------------------------ */

void recovery_rebuild_pool(struct superblock_map* sbm)
{
    for (uint32_t logical = 0; logical < sbm->logicals; ++logical) {
        if (sbm->map[logical] != 0)
            superblocks_map(&sbm->superblocks, mapped_superblock(sbm, logical), logical);
    }
    superblocks_rebuild_pool(&sbm->superblocks);
}

static void keep(struct area* area, const struct area_contents* contents, uint32_t loaded, uint32_t present)
{
    for (uint32_t i = 0; i < area->members; ++i)
        area->generation[i] = loaded != 0 && contents->generation[i] == loaded ? present : 0;
}

void recovery_keep_loaded(struct superblock_map* sbm)
{
    struct journal* journal = &sbm->journal;
    const struct recovery* recovery = &sbm->recovery;
    const uint32_t loaded = recovery->tables.generation;
    journal->generation = recovery->scan.newest;
    for (uint32_t copy = 0; copy < journal->copies; ++copy) {
        keep(&journal->table[copy], &recovery->scan.table[copy], loaded, journal->generation);
        keep(&journal->log[copy], &recovery->scan.log[copy], loaded, journal->generation);
    }
}

bool recovery_is_live(const struct superblock_map* sbm, uint32_t logical, uint32_t stamp)
{
    const struct table_header* header = (const struct table_header*)sbm->journal.image;
    const uint32_t merged = recovery_merged(&sbm->journal)[logical];
    if (merged != 0 && !recovery_is_newer(stamp, merged))
        return false;
    if (recovery_is_newer(stamp, header->stamp))
        return true;
    for (uint32_t i = 0; i < header->stamps; ++i) {
        if (sbm->recovery.tables.stamps[i] == stamp)
            return true;
    }
    return false;
}
