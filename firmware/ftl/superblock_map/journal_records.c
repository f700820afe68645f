/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/superblock_map/journal_records.h"

#include "firmware/drivers/ring.h"

bool journal_has_room(const struct superblock_map* sbm)
{
    const struct journal_records* records = &sbm->journal.records;
    return journal_pending(records) + 4 * sbm->jobs.units + 4 <= records->most;
}

static void put(struct journal_records* records, uint32_t kind, uint32_t subject, uint32_t value, uint32_t stamp,
                uint32_t leaving)
{
    if (journal_pending(records) == records->most)
        hal_panic("journal: too many records wait to be written");
    *journal_record(records, records->put++) =
        (struct record){{kind << RECORD_KIND_SHIFT | subject, value, stamp}, leaving};
}

void journal_remap(struct journal_records* records, uint32_t logical, uint32_t target, uint32_t stamp, uint32_t leaving)
{
    put(records, RECORD_REMAP, logical, target, stamp, leaving);
}

bool journal_replace_block(struct superblock_map* sbm, uint32_t superblock, uint32_t chip)
{
    const struct superblocks* all = &sbm->superblocks;
    const struct journal_records* records = &sbm->journal.records;
    if (journal_pending(records) + sbm->jobs.units >= records->most) { /* the rest is for the merges in progress */
        turn_read_only(sbm, "more blocks fail than the journal can record: the drive is read-only");
        return false;
    }
    const bool replaced = superblocks_replace(&sbm->superblocks, superblock, chip);
    const struct replacement* last = &all->replaced[all->replacements - 1];
    put(&sbm->journal.records, RECORD_REPLACE, last->superblock, last->chip_and_block, 0, NONE);
    return replaced;
}

bool journal_has_unwritten_remap(const struct journal_records* records, uint32_t first, uint32_t last, uint32_t stamp)
{
    for (uint32_t i = records->taken; i != records->put; ++i) {
        const uint32_t* word = journal_record(records, i)->word;
        const uint32_t logical = record_subject(word);
        if (record_kind_of(word) == RECORD_REMAP && logical >= first && logical <= last &&
            (int32_t)(word[2] - stamp) <= 0)
            return true;
    }
    return false;
}

void journal_records_written(struct superblock_map* sbm)
{
    struct journal_records* records = &sbm->journal.records;
    for (; records->covered != 0; --records->covered) {
        const uint32_t leaving = journal_record(records, records->taken++)->leaving;
        if (leaving != NONE)
            superblocks_release(&sbm->superblocks, leaving);
    }
    sbm->journal.writing = false;
}

void journal_records_init(struct journal_records* records, struct arena* arena, uint32_t most)
{
    *records = (struct journal_records){.most = most, .mask = ring_size(most) - 1};
    records->pending = arena_array(arena, records->mask + 1, sizeof *records->pending, "the journal");
}
