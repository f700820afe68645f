/* SPDX-License-Identifier: Apache-2.0
 *
 * What optimised flushes have left: batches are read in the order in which they were written, so that of a sector
 * parked twice the later one counts, brought into the sector buffer and merged from there. A table that has to be
 * copied in the meantime still names the stamps of all parked runs that count, so a recovery that is interrupted begins
 * again with them.
 */
#include "firmware/ftl/superblock_map/recovery_state.h"
#include "firmware/ftl/superblock_map/state.h"

static bool index_is_whole(const struct batch* batch)
{
    const struct parking_index* index = sbm.parking.index;
    return index->magic == PAGE_INDEX && index->batch == batch->number && index->runs <= PARKING_RUNS &&
           index->check == journal_check(JOURNAL_CHECK_START, (const uint32_t*)index, SECTOR_BYTES / 4 - 1);
}

static uint32_t index_row(const struct batch* batch)
{
    return batch->row + (batch->sectors + sbm.layout.row_sectors - 1) / sbm.layout.row_sectors;
}

static bool read_index(const struct batch* batch)
{
    const struct flash_spare spare =
        recovery_page(batch->superblock, index_row(batch) * sbm.layout.row_sectors, sbm.parking.index_at);
    return spare.word[0] == PAGE_INDEX && index_is_whole(batch);
}

static bool is_kept(uint32_t stamp)
{
    for (uint32_t i = 0; i < recovery.lives; ++i) {
        if (recovery.live[i] == stamp)
            return true;
    }
    return false;
}

static void keep(uint32_t stamp)
{
    if (is_kept(stamp))
        return;
    if (recovery.lives == recovery.most_lives)
        hal_panic("recovery: more superblocks are parked than the buffer can have held");
    recovery.live[recovery.lives++] = stamp;
}

/* The batches of a superblock, up to the first that is not whole. */
static void find_batches(uint32_t superblock)
{
    const uint32_t rows = sbm.layout.chip * sbm.layout.pages;
    struct batch batch = {0, superblock, 0, 0};
    while (batch.row + 1 < rows && recovery.batches < recovery.most_batches) {
        const struct flash_spare spare =
            recovery_page(superblock, batch.row * sbm.layout.row_sectors, sbm.parking.index_at);
        batch.number = spare.word[1];
        batch.sectors = spare.word[2];
        if (spare.word[0] != PAGE_PARKED || batch.sectors > sbm.layout.sectors || index_row(&batch) >= rows ||
            !read_index(&batch))
            return;
        const struct parking_index* index = sbm.parking.index;
        for (uint32_t i = 0; i < index->runs; ++i) {
            const struct parked_run* run = &index->run[i];
            if ((int32_t)(run->stamp - sbm.buffer.stamp) > 0)
                sbm.buffer.stamp = run->stamp;
            if (recovery_is_live(run->logical, run->stamp))
                keep(run->stamp);
        }
        if ((int32_t)(batch.number - sbm.parking.batch) > 0)
            sbm.parking.batch = batch.number;
        recovery.batch[recovery.batches++] = batch;
        batch.row = index_row(&batch) + 1;
    }
}

static void sort_batches(void)
{
    for (uint32_t i = 1; i < recovery.batches; ++i) { /* nearly sorted: superblocks are written one after the other */
        const struct batch batch = recovery.batch[i];
        uint32_t at = i;
        for (; at > 0 && (int32_t)(recovery.batch[at - 1].number - batch.number) > 0; --at)
            recovery.batch[at] = recovery.batch[at - 1];
        recovery.batch[at] = batch;
    }
}

/* Merges everything that is in the buffer; a table is copied when superblocks or room in the journal run out. */
static void drain(void)
{
    for (uint32_t i = 0; i < sbm.buffer.entries; ++i)
        sbm.buffer.entry[i].must = true;
    while (sbm.buffer.open != 0 || sbm.jobs.busy != 0) {
        if (sbm.read_only)
            hal_panic("recovery: what was parked cannot be merged, for no superblock is left");
        merge_run();
        if (sbm.jobs.busy == 0 && sbm.buffer.open != 0)
            journal_copy_now();
        else if (units_poll(&sbm.units) == 0)
            units_sleep(&sbm.units);
    }
    sector_buffer_reset(&sbm.buffer);
}

static void bring_back(const struct batch* batch, const struct parked_run* run, uint32_t offset)
{
    struct sector_buffer* buffer = &sbm.buffer;
    if (buffer->sectors - buffer->head < run->sectors)
        drain();
    uint32_t entry = entry_open(buffer, run->logical);
    if (entry == NONE) {
        drain();
        entry = entry_open(buffer, run->logical);
    }
    ++buffer->stamp;
    const uint32_t number = buffer->head;
    if (!recovery_read(batch->superblock, batch->row * sbm.layout.row_sectors + offset, run->sectors,
                       buffer_address(buffer, number), 0))
        hal_panic("recovery: sectors that were parked cannot be read");
    buffer_arrived(buffer, number, run->sectors);
    buffer_put(buffer, entry, run->sector, number, run->sectors);
}

void recover_parked(void)
{
    for (uint32_t i = 0; i < sbm.parking.members; ++i)
        find_batches(sbm.parking.member[i]);
    sort_batches();
    for (uint32_t i = 0; i < recovery.batches && recovery.lives != 0; ++i) {
        if (!read_index(&recovery.batch[i]))
            hal_panic("recovery: an index page that could be read before cannot be read");
        const struct parking_index index = *sbm.parking.index;
        uint32_t offset = 0;
        for (uint32_t run = 0; run < index.runs; ++run) {
            if (is_kept(index.run[run].stamp))
                bring_back(&recovery.batch[i], &index.run[run], offset);
            offset += index.run[run].sectors;
        }
    }
    drain();
    recovery.lives = 0;
}
