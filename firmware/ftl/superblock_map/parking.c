/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/superblock_map/parking.h"

#include "firmware/ftl/superblock_map/journal_records.h"

#include <string.h>

_Static_assert(sizeof(struct parking_index) == SECTOR_BYTES, "an index is one sector");

/* --- superblocks of the area -------------------------------------------------------------------------------------- */

bool parking_is_spent(const struct parking* parking, const struct sector_buffer* buffer,
                      const struct journal_records* records, uint32_t member)
{
    const uint32_t stamp = parking->last_stamp[member];
    for (uint32_t i = 0; i < buffer->entries; ++i) {
        const struct entry* entry = &buffer->entry[i];
        if (entry->state != ENTRY_FREE && (int32_t)(entry->stamp - stamp) <= 0)
            return false;
    }
    return !journal_has_unwritten_remap(records, 0, NONE, stamp);
}

static bool is_usable(const struct superblock_map* sbm, uint32_t member)
{
    return sbm->superblocks.superblock[sbm->parking.member[member]].state == SUPERBLOCK_RESERVED &&
           parking_is_spent(&sbm->parking, &sbm->buffer, &sbm->journal.records, member);
}

static uint32_t next_member(const struct superblock_map* sbm)
{
    const struct parking* parking = &sbm->parking;
    const uint32_t last = parking->current == NONE ? parking->members - 1 : parking->current;
    for (uint32_t i = 1; i <= parking->members; ++i) {
        const uint32_t member = (last + i) % parking->members;
        if (is_usable(sbm, member))
            return member;
    }
    return NONE;
}

/* --- a batch ------------------------------------------------------------------------------------------------------ */

static bool continues(const struct parked_run* run, const struct entry* entry, uint32_t sector)
{
    return run->logical == entry->logical && run->stamp == entry->stamp && run->sector + run->sectors == sector;
}

uint32_t parking_collect(struct parking* parking, const struct sector_buffer* buffer)
{
    struct parking_index* index = parking->index;
    const uint32_t most = buffer->layout->sectors / 4;
    uint32_t number = parking->position;
    memset(index, 0, sizeof *index);
    index->magic = PAGE_INDEX;
    for (; number != parking->until && index->sectors < most; ++number) {
        const uint32_t owner = buffer_owner_before(buffer, number, parking->until);
        if (owner == NONE)
            continue;
        const struct entry* entry = &buffer->entry[owner];
        const uint32_t sector = buffer_sector(buffer, number);
        if (index->runs == 0 || !continues(&index->run[index->runs - 1], entry, sector)) {
            if (index->runs == PARKING_RUNS)
                break;
            index->run[index->runs++] = (struct parked_run){entry->logical, sector, 0, entry->stamp};
        }
        ++index->run[index->runs - 1].sectors;
        parking->table[index->sectors++] = buffer_address(buffer, number);
    }
    return number;
}

static uint32_t rows_of_batch(const struct superblock_map* sbm)
{
    return (sbm->parking.index->sectors + sbm->layout.row_sectors - 1) / sbm->layout.row_sectors + 1;
}

static void end_round(struct superblock_map* sbm, struct job* job)
{
    sbm->parking.running = false;
    sbm->buffer.holding = false;
    job_end(&sbm->jobs, job);
}

static void next_batch(struct superblock_map* sbm, struct job* job);
static void area_erased(struct superblock_map* sbm, struct job* job, struct units_result result);

static void take_next_member(struct superblock_map* sbm, struct job* job)
{
    struct parking* parking = &sbm->parking;
    parking->current = next_member(sbm);
    parking->row = 0;
    if (parking->current == NONE) {
        end_round(sbm, job); /* flushes that wait are merged */
        return;
    }
    job_erase(&sbm->jobs, job, parking->member[parking->current], FLASH_FOR_METADATA, area_erased);
}

/* A superblock of the area has failed: it is not used again, and the batch goes to the next one. */
static void leave_member(struct superblock_map* sbm, struct job* job)
{
    sbm->superblocks.superblock[sbm->parking.member[sbm->parking.current]].state = SUPERBLOCK_UNUSABLE;
    take_next_member(sbm, job);
}

static void set_spare(const struct parking* parking, struct flash_descriptor* descriptor, enum page_kind kind)
{
    descriptor->control |= FLASH_DESCRIPTOR_CONTROL_COMMON_SPARE_MASK;
    descriptor->spare0 = kind;
    descriptor->spare1 = parking->index->batch;
    descriptor->spare2 = parking->index->sectors;
    descriptor->spare3 = parking->index->check;
}

static void index_written(struct superblock_map* sbm, struct job* job, struct units_result result)
{
    struct parking* parking = &sbm->parking;
    if (result.status != FLASH_OK) {
        leave_member(sbm, job);
        return;
    }
    parking->row += rows_of_batch(sbm);
    parking->last_stamp[parking->current] = sbm->buffer.stamp;
    parking->position = job->done;
    next_batch(sbm, job);
}

static void sectors_written(struct superblock_map* sbm, struct job* job, struct units_result result)
{
    const struct parking* parking = &sbm->parking;
    if (result.status != FLASH_OK) {
        leave_member(sbm, job);
        return;
    }
    const uint32_t row = parking->row + rows_of_batch(sbm) - 1;
    struct flash_descriptor* descriptor =
        job_operation(&sbm->jobs, job, FLASH_PROGRAM, parking->member[parking->current], row * sbm->layout.row_sectors,
                      1, FLASH_FOR_METADATA);
    descriptor->buffer = parking->index_at;
    set_spare(parking, descriptor, PAGE_INDEX);
    job_begin(&sbm->jobs, job, index_written);
}

static void write_batch(struct superblock_map* sbm, struct job* job)
{
    const struct parking* parking = &sbm->parking;
    if (parking->current == NONE || parking->row + rows_of_batch(sbm) > sbm->layout.chip * sbm->layout.pages) {
        take_next_member(sbm, job);
        return;
    }
    struct flash_descriptor* descriptor =
        job_operation(&sbm->jobs, job, FLASH_PROGRAM, parking->member[parking->current],
                      parking->row * sbm->layout.row_sectors, parking->index->sectors, FLASH_FOR_METADATA);
    descriptor->control |= FLASH_DESCRIPTOR_CONTROL_SECTOR_TABLE_MASK;
    descriptor->spare_address = parking->table_at;
    set_spare(parking, descriptor, PAGE_PARKED);
    job_begin(&sbm->jobs, job, sectors_written);
}

static void area_erased(struct superblock_map* sbm, struct job* job, struct units_result result)
{
    if (result.status == FLASH_OK)
        write_batch(sbm, job);
    else
        leave_member(sbm, job);
}

static void next_batch(struct superblock_map* sbm, struct job* job)
{
    struct parking* parking = &sbm->parking;
    job->done = parking_collect(parking, &sbm->buffer);
    if (parking->index->sectors == 0) {
        parking->position = parking->until;
        parking->stamp = parking->until_stamp;
        end_round(sbm, job);
        return;
    }
    sbm->buffer.hold = parking->position;
    parking->index->batch = ++parking->batch;
    parking->index->check = check_index(parking->index);
    HAL_COST_TIMES(log_record, parking->index->runs);
    write_batch(sbm, job);
}

/* --- rounds ------------------------------------------------------------------------------------------------------- */

/* Sectors that have arrived but found no entry cannot be parked: then flushes merge, which frees entries. */
void parking_request(struct superblock_map* sbm)
{
    sbm->parking.requested = sbm->parking.members != 0 && sbm->buffer.placed == sbm->buffer.head;
}

void parking_run(struct superblock_map* sbm)
{
    struct parking* parking = &sbm->parking;
    if (!parking->requested || parking->running || sbm->read_only)
        return;
    struct job* job = job_take(&sbm->jobs, index_written);
    if (job == NULL)
        return;
    if ((int32_t)(sbm->buffer.tail - parking->position) > 0)
        parking->position = sbm->buffer.tail;
    parking->requested = false;
    parking->running = true;
    parking->until = sbm->buffer.placed;
    parking->until_stamp = sbm->buffer.stamp;
    sbm->buffer.holding = true;
    sbm->buffer.hold = parking->position;
    next_batch(sbm, job);
}

/* --- start -------------------------------------------------------------------------------------------------------- */

void parking_init(struct superblock_map* sbm, struct arena* arena, uint32_t superblocks)
{
    struct parking* parking = &sbm->parking;
    *parking = (struct parking){.current = NONE};
    for (uint32_t i = 0; i < superblocks; ++i) {
        parking->member[i] = superblocks_reserve(&sbm->superblocks, capacity_home(&sbm->layout, i));
        if (parking->member[i] == NONE)
            hal_panic("superblock mapping: too few superblocks for the parking area");
    }
    parking->members = superblocks;
    parking->index_at = arena_take(arena, 1, SECTOR_BYTES, SECTOR_BYTES, "the parking area");
    parking->index = hal_memory(parking->index_at, SECTOR_BYTES);
    parking->table_at = arena_take(arena, sbm->layout.sectors / 4, 4, 64, "the parking area");
    parking->table = hal_memory(parking->table_at, sbm->layout.sectors);
}
