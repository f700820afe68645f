/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/superblock_map/recovery_parked.h"

#include "firmware/ftl/superblock_map/journal.h"
#include "firmware/ftl/superblock_map/merge.h"
#include "firmware/ftl/superblock_map/recovery_read.h"
#include "firmware/ftl/superblock_map/recovery_tables.h"

/* --- finding batches ---------------------------------------------------------------------------------------------- */

static uint32_t index_row(const struct superblock_map* sbm, const struct batch* batch)
{
    return batch->row + (batch->sectors + sbm->layout.row_sectors - 1) / sbm->layout.row_sectors;
}

static bool read_index(struct superblock_map* sbm, const struct batch* batch)
{
    const struct parking_index* index = sbm->parking.index;
    const uint32_t sector = index_row(sbm, batch) * sbm->layout.row_sectors;
    const struct flash_spare spare = recovery_page(sbm, batch->superblock, sector, sbm->parking.index_at);
    return spare.word[0] == PAGE_INDEX && index->magic == PAGE_INDEX && index->batch == batch->number &&
           index->runs <= PARKING_RUNS && index->check == check_index(index);
}

static bool is_kept(const struct journal* journal, uint32_t stamp)
{
    for (uint32_t i = 0; i < journal->lives; ++i) {
        if (journal->live[i] == stamp)
            return true;
    }
    return false;
}

static void keep(struct journal* journal, uint32_t stamp)
{
    if (is_kept(journal, stamp))
        return;
    if (journal->lives == journal->most_lives)
        hal_panic("recovery: the parking area lists more superblocks than the sector buffer can hold");
    journal->live[journal->lives++] = stamp;
}

static void keep_runs(struct superblock_map* sbm, const struct parking_index* index)
{
    for (uint32_t i = 0; i < index->runs; ++i) {
        const struct parked_run* run = &index->run[i];
        if (recovery_is_newer(run->stamp, sbm->buffer.stamp))
            sbm->buffer.stamp = run->stamp;
        if (recovery_is_live(sbm, run->logical, run->stamp))
            keep(&sbm->journal, run->stamp);
    }
}

/* The batches of a superblock, up to the first that is not complete. */
static void find_batches(struct superblock_map* sbm, uint32_t superblock)
{
    struct recovery* recovery = &sbm->recovery;
    const uint32_t rows = sbm->layout.chip * sbm->layout.pages;
    struct batch batch = {0, superblock, 0, 0};
    while (batch.row + 1 < rows && recovery->parked.batches < recovery->parked.most_batches) {
        const struct flash_spare spare =
            recovery_page(sbm, superblock, batch.row * sbm->layout.row_sectors, sbm->parking.index_at);
        batch.number = spare.word[1];
        batch.sectors = spare.word[2];
        if (spare.word[0] != PAGE_PARKED || batch.sectors > sbm->layout.sectors || index_row(sbm, &batch) >= rows ||
            !read_index(sbm, &batch))
            return;
        keep_runs(sbm, sbm->parking.index);
        if (recovery_is_newer(batch.number, sbm->parking.batch))
            sbm->parking.batch = batch.number;
        recovery->parked.batch[recovery->parked.batches++] = batch;
        batch.row = index_row(sbm, &batch) + 1;
    }
}

static void sort_batches(struct batch* batches, uint32_t count)
{
    for (uint32_t i = 1; i < count; ++i) { /* nearly sorted: superblocks are written one after the other */
        const struct batch batch = batches[i];
        uint32_t at = i;
        for (; at > 0 && recovery_is_newer(batches[at - 1].number, batch.number); --at)
            batches[at] = batches[at - 1];
        batches[at] = batch;
    }
}

void recovery_find_parked(struct superblock_map* sbm)
{
    for (uint32_t i = 0; i < sbm->parking.members; ++i)
        find_batches(sbm, sbm->parking.member[i]);
    sort_batches(sbm->recovery.parked.batch, sbm->recovery.parked.batches);
}

/* --- merging their sectors ---------------------------------------------------------------------------------------- */

/* Merges everything in the buffer; copies the tables when free superblocks or space in the journal run out. False: the
 * drive has become read-only, and what is not merged stays in the buffer. */
static bool drain(struct superblock_map* sbm)
{
    struct sector_buffer* buffer = &sbm->buffer;
    for (uint32_t i = 0; i < buffer->entries; ++i)
        buffer->entry[i].must = true;
    while ((buffer->open != 0 && !sbm->read_only) || sbm->jobs.busy != 0) {
        merge_run(sbm);
        if (sbm->jobs.busy == 0 && buffer->open != 0)
            journal_copy_now(sbm);
        else if (units_poll(&sbm->units) == 0)
            units_sleep(&sbm->units);
    }
    if (sbm->read_only)
        return false;
    sector_buffer_reset(buffer);
    return true;
}

static void make_room(struct superblock_map* sbm)
{
    if (!drain(sbm))
        hal_panic("recovery: parked sectors can neither be merged nor stay in the buffer");
}

static void bring_back(struct superblock_map* sbm, const struct batch* batch, const struct parked_run* run,
                       uint32_t offset)
{
    struct sector_buffer* buffer = &sbm->buffer;
    if (buffer->sectors - buffer->head < run->sectors)
        make_room(sbm);
    uint32_t entry = entry_open(buffer, run->logical);
    if (entry == NONE) {
        make_room(sbm);
        entry = entry_open(buffer, run->logical);
    }
    ++buffer->stamp;
    const uint32_t number = buffer->head;
    if (!recovery_read(sbm, batch->superblock, batch->row * sbm->layout.row_sectors + offset, run->sectors,
                       buffer_address(buffer, number), 0))
        hal_panic("recovery: parked sectors cannot be read");
    buffer_arrived(buffer, number, run->sectors);
    buffer_put(buffer, entry, run->sector, number, run->sectors);
}

void recovery_merge_parked(struct superblock_map* sbm)
{
    struct journal* journal = &sbm->journal;
    for (uint32_t i = 0; i < sbm->recovery.parked.batches && journal->lives != 0; ++i) {
        const struct batch* batch = &sbm->recovery.parked.batch[i];
        if (!read_index(sbm, batch))
            hal_panic("recovery: an index page of the parking area can no longer be read");
        const struct parking_index index = *sbm->parking.index;
        uint32_t offset = 0;
        for (uint32_t run = 0; run < index.runs; ++run) {
            if (is_kept(journal, index.run[run].stamp))
                bring_back(sbm, batch, &index.run[run], offset);
            offset += index.run[run].sectors;
        }
    }
    if (!drain(sbm) && !sector_buffer_keep(&sbm->buffer, sbm->rescue.room_at, sbm->rescue.room))
        hal_panic("recovery: parked sectors leave no place for writes of the host, which have to be refused");
    journal->lives = 0;
}
