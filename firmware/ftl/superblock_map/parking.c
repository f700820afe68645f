/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/superblock_map/parking.h"

#include "firmware/ftl/superblock_map/state.h"

#include <string.h>

_Static_assert(sizeof(struct parking_index) == SECTOR_BYTES, "an index is one sector");

static struct parking* const parking = &sbm.parking;

bool parking_covers(uint32_t stamp)
{
    return parking->members != 0 && (int32_t)(parking->stamp - stamp) >= 0;
}

/* --- superblocks of the area -------------------------------------------------------------------------------------- */

/* Nothing that is parked there is needed any more: all of it is merged, and the log says so. */
static bool is_spent(uint32_t member)
{
    const uint32_t stamp = parking->last_stamp[member];
    for (uint32_t i = 0; i < sbm.buffer.entries; ++i) {
        const struct entry* entry = &sbm.buffer.entry[i];
        if (entry->state != ENTRY_FREE && (int32_t)(entry->stamp - stamp) <= 0)
            return false;
    }
    return !journal_owes(0, NONE, stamp);
}

static bool is_usable(uint32_t member)
{
    return sbm.superblocks.superblock[parking->member[member]].state == SUPERBLOCK_RESERVED && is_spent(member);
}

static uint32_t next_member(void)
{
    const uint32_t last = parking->current == NONE ? parking->members - 1 : parking->current;
    for (uint32_t i = 1; i <= parking->members; ++i) {
        const uint32_t member = (last + i) % parking->members;
        if (is_usable(member))
            return member;
    }
    return NONE;
}

/* --- a batch ------------------------------------------------------------------------------------------------------ */

static bool continues(const struct parked_run* run, const struct entry* entry, uint32_t sector)
{
    return run->logical == entry->logical && run->stamp == entry->stamp && run->sector + run->sectors == sector;
}

/* Collects sectors from `position` on; returns behind which one the batch ends. What was overwritten since the round
 * began is collected too: the newer sector is not part of it. */
static uint32_t collect(void)
{
    struct parking_index* index = parking->index;
    const uint32_t most = sbm.layout.sectors / 4;
    uint32_t number = parking->position;
    memset(index, 0, sizeof *index);
    index->magic = PAGE_INDEX;
    for (; number != parking->until && index->sectors < most; ++number) {
        const uint32_t owner = buffer_owner_before(&sbm.buffer, number, parking->until);
        if (owner == NONE)
            continue;
        const struct entry* entry = &sbm.buffer.entry[owner];
        const uint32_t sector = buffer_sector(&sbm.buffer, number);
        if (index->runs == 0 || !continues(&index->run[index->runs - 1], entry, sector)) {
            if (index->runs == PARKING_RUNS)
                break;
            index->run[index->runs++] = (struct parked_run){entry->logical, sector, 0, entry->stamp};
        }
        ++index->run[index->runs - 1].sectors;
        parking->table[index->sectors++] = buffer_address(&sbm.buffer, number);
    }
    return number;
}

static uint32_t rows_of_batch(void)
{
    return (parking->index->sectors + sbm.layout.row_sectors - 1) / sbm.layout.row_sectors + 1;
}

static void end_round(struct job* job)
{
    parking->parking = false;
    sbm.buffer.holding = false;
    job_end(job);
}

static void next_batch(struct job* job);
static void area_erased(struct job* job, struct units_result result);

static void take_next_member(struct job* job)
{
    parking->current = next_member();
    parking->row = 0;
    if (parking->current == NONE) {
        end_round(job); /* what waits for a flush is merged */
        return;
    }
    job_erase(job, parking->member[parking->current], FLASH_FOR_METADATA, area_erased);
}

/* A superblock of the area has failed: it is not used again, and what was to go there goes to the next. */
static void leave_member(struct job* job)
{
    sbm.superblocks.superblock[parking->member[parking->current]].state = SUPERBLOCK_UNUSABLE;
    take_next_member(job);
}

static void set_spare(struct flash_descriptor* descriptor, enum page_kind kind)
{
    descriptor->control |= FLASH_DESCRIPTOR_CONTROL_COMMON_SPARE_MASK;
    descriptor->spare0 = kind;
    descriptor->spare1 = parking->index->batch;
    descriptor->spare2 = parking->index->sectors;
    descriptor->spare3 = parking->index->check;
}

static void index_written(struct job* job, struct units_result result)
{
    if (result.status != FLASH_OK) {
        leave_member(job);
        return;
    }
    parking->row += rows_of_batch();
    parking->last_stamp[parking->current] = sbm.buffer.stamp;
    parking->position = job->done;
    next_batch(job);
}

static void sectors_written(struct job* job, struct units_result result)
{
    if (result.status != FLASH_OK) {
        leave_member(job);
        return;
    }
    const uint32_t row = parking->row + rows_of_batch() - 1;
    struct flash_descriptor* descriptor = job_operation(job, FLASH_PROGRAM, parking->member[parking->current],
                                                        row * sbm.layout.row_sectors, 1, FLASH_FOR_METADATA);
    descriptor->buffer = parking->index_at;
    set_spare(descriptor, PAGE_INDEX);
    job_begin(job, index_written);
}

static void write_batch(struct job* job)
{
    if (parking->current == NONE || parking->row + rows_of_batch() > sbm.layout.chip * sbm.layout.pages) {
        take_next_member(job);
        return;
    }
    struct flash_descriptor* descriptor =
        job_operation(job, FLASH_PROGRAM, parking->member[parking->current], parking->row * sbm.layout.row_sectors,
                      parking->index->sectors, FLASH_FOR_METADATA);
    descriptor->control |= FLASH_DESCRIPTOR_CONTROL_SECTOR_TABLE_MASK;
    descriptor->spare_address = parking->table_at;
    set_spare(descriptor, PAGE_PARKED);
    job_begin(job, sectors_written);
}

static void area_erased(struct job* job, struct units_result result)
{
    if (result.status == FLASH_OK)
        write_batch(job);
    else
        leave_member(job);
}

static void next_batch(struct job* job)
{
    job->done = collect();
    if (parking->index->sectors == 0) {
        parking->position = parking->until;
        parking->stamp = parking->until_stamp;
        end_round(job);
        return;
    }
    sbm.buffer.hold = parking->position;
    parking->index->batch = ++parking->batch;
    parking->index->check = journal_check(JOURNAL_CHECK_START, (const uint32_t*)parking->index, SECTOR_BYTES / 4 - 1);
    HAL_COST_TIMES(log_record, parking->index->runs);
    write_batch(job);
}

/* --- rounds ------------------------------------------------------------------------------------------------------- */

bool parking_is_on(void)
{
    return sbm.parking.wanted || sbm.parking.parking;
}

/* Sectors that have arrived but found no entry cannot be parked: then flushes merge, which makes entries free. */
void parking_request(void)
{
    parking->wanted = parking->members != 0 && sbm.buffer.placed == sbm.buffer.head;
}

void parking_run(void)
{
    if (!parking->wanted || parking->parking || sbm.read_only)
        return;
    struct job* job = job_take(index_written);
    if (job == NULL)
        return;
    if ((int32_t)(sbm.buffer.tail - parking->position) > 0)
        parking->position = sbm.buffer.tail;
    parking->wanted = false;
    parking->parking = true;
    parking->until = sbm.buffer.placed;
    parking->until_stamp = sbm.buffer.stamp;
    sbm.buffer.holding = true;
    sbm.buffer.hold = parking->position;
    next_batch(job);
}

/* --- start -------------------------------------------------------------------------------------------------------- */

void parking_init(struct arena* arena, uint32_t superblocks)
{
    *parking = (struct parking){.current = NONE};
    if (superblocks > PARKING_MOST)
        hal_panic("the parking area has at most 32 superblocks");
    for (uint32_t i = 0; i < superblocks; ++i) {
        parking->member[i] = superblocks_reserve(&sbm.superblocks, capacity_home(&sbm.layout, i));
        if (parking->member[i] == NONE)
            hal_panic("too few superblocks for the parking area");
    }
    parking->members = superblocks;
    parking->index_at = arena_take(arena, 1, SECTOR_BYTES, SECTOR_BYTES, "the parking area");
    parking->index = hal_memory(parking->index_at, SECTOR_BYTES);
    parking->table_at = arena_take(arena, sbm.layout.sectors / 4, 4, 64, "the parking area");
    parking->table = hal_memory(parking->table_at, sbm.layout.sectors);
}
