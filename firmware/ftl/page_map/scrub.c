/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/page_map/scrub.h"

#include "firmware/drivers/statistics.h"
#include "firmware/drivers/timer.h"
#include "firmware/ftl/page_map/ftl.h"
#include "firmware/ftl/page_map/moves.h"

#define NS_OF_US 1000u
#define NS_OF_MS 1000000u
#define NEVER UINT64_MAX
#define SHORTEST_STEP 10000u /* ns */

/* --- ages --------------------------------------------------------------------------------------------------------- */

static void compare_ages(struct ftl* ftl, uint64_t now)
{
    struct scrub* scrub = &ftl->scrub;
    const uint32_t left = ftl->geometry.blocks - scrub->compared;
    const uint32_t count = left < REFRESH_SLICE ? left : REFRESH_SLICE;
    HAL_COST_TIMES(recover_entry, count);
    refresh_compare_ages(&ftl->refresh, &ftl->blocks, scrub->compared, count, now);
    scrub->compared = count == left ? 0 : scrub->compared + count;
    const uint64_t end = hal_time_ns();
    const uint64_t earliest = end + (end - now) * (REFRESH_SHARE - 1);
    scrub->step_due = now + scrub->step > earliest ? now + scrub->step : earliest;
}

/* --- scrub reads -------------------------------------------------------------------------------------------------- */

/* The first flash page with valid units from that of this round on, by its first unit; NONE: there is none. */
static uint32_t page_to_read(const struct ftl* ftl, uint32_t block)
{
    const struct geometry* g = &ftl->geometry;
    const uint32_t units = g->units_per_flash_page;
    const uint32_t pages = g->pages_per_block * g->flash_pages_per_page;
    const uint32_t first = unit_of_page(g, block, 0);
    for (uint32_t i = 0; i < pages; ++i) {
        const uint32_t page = (ftl->scrub.round + i) % pages;
        if (moves_valid_units(&ftl->map.logical[first], page * units, units) != 0)
            return first + page * units;
    }
    return NONE;
}

static bool is_to_be_read(const struct block* block)
{
    return block->valid != 0 && block->due == REFRESH_NOT_DUE && block->state != BLOCK_COLLECTING;
}

/* The page to read next, by its first unit; NONE: the next blocks hold nothing. */
static uint32_t next_page(struct ftl* ftl)
{
    struct scrub* scrub = &ftl->scrub;
    for (uint32_t i = 0; i < REFRESH_SLICE; ++i) {
        const uint32_t block = scrub->block++;
        if (scrub->block == ftl->geometry.blocks) {
            scrub->block = 0;
            ++scrub->round;
        }
        if (is_to_be_read(&ftl->blocks.block[block]))
            return page_to_read(ftl, block);
    }
    return NONE;
}

static void read_page(struct ftl* ftl, uint32_t number, uint32_t unit)
{
    const struct geometry* g = &ftl->geometry;
    const struct flash_place from = blocks_place(&ftl->blocks, unit, 0);
    if (g->units_per_flash_page == 1) {
        flash_read(&ftl->flash, number, from, g->sectors_per_unit, buffer_address(&ftl->buffer, number),
                   FLASH_FOR_REFRESH);
        return;
    }
    const struct flash_spare none = {{0, 0, 0, 0}};
    const struct flash_units table = flash_units_of(&ftl->flash, number, g->units_per_flash_page);
    for (uint32_t i = 0; i < g->units_per_flash_page; ++i)
        flash_set_unit(&table, i, 0, none);
    flash_read_units(&ftl->flash, number, from, g->sectors_per_flash_page, FLASH_FOR_REFRESH);
}

/* Not with the slots that moves need to go on. */
static bool begin_read(struct ftl* ftl, uint64_t now)
{
    ftl->scrub.due = now + ftl->scrub.interval;
    const uint32_t unit = next_page(ftl);
    if (unit == NONE || buffer_left(&ftl->buffer, USE_MOVE) <= ftl->geometry.units_per_page)
        return false;
    const uint32_t number = buffer_take(&ftl->buffer, USE_MOVE);
    buffer_slot(&ftl->buffer, number)->state = SLOT_SCRUBBING;
    buffer_slot(&ftl->buffer, number)->next = NONE;
    ftl->scrub.is_reading = true;
    statistics_count(STATISTIC_SCRUB_READS, 1);
    HAL_COST(gc_page);
    read_page(ftl, number, unit);
    return true;
}

void scrub_read_ended(struct ftl* ftl, uint32_t slot)
{
    ftl->scrub.is_reading = false;
    buffer_give(&ftl->buffer, slot);
}

/* --- when --------------------------------------------------------------------------------------------------------- */

static uint64_t read_due(const struct scrub* scrub, bool host_is_idle)
{
    if (scrub->interval == 0 || scrub->is_reading)
        return NEVER;
    return host_is_idle ? scrub->due : scrub->due + SCRUB_PATIENCE * scrub->interval;
}

static uint64_t ages_due(const struct scrub* scrub)
{
    return scrub->step == 0 ? NEVER : scrub->step_due;
}

/* Partial units that wait have the timer: what is due here then waits for them. */
static void set_alarm(struct ftl* ftl, bool host_is_idle)
{
    struct scrub* scrub = &ftl->scrub;
    const uint64_t read = read_due(scrub, host_is_idle);
    const uint64_t ages = ages_due(scrub);
    const uint64_t next = read < ages ? read : ages;
    if (ftl->completing.partial_due != 0) {
        scrub->alarm = 0;
        return;
    }
    if (next == scrub->alarm || (next == NEVER && scrub->alarm == 0))
        return;
    if (next == NEVER)
        timer_cancel();
    else
        timer_set(next);
    scrub->alarm = next == NEVER ? 0 : next;
}

static void stop(struct ftl* ftl)
{
    if (ftl->scrub.alarm != 0 && ftl->completing.partial_due == 0)
        timer_cancel();
    ftl->scrub.alarm = 0;
}

bool scrub_run(struct ftl* ftl, bool host_is_idle)
{
    struct scrub* scrub = &ftl->scrub;
    const uint64_t now = hal_time_ns();
    bool has_started = false;
    if (ftl->read_only || ftl->is_saving) {
        stop(ftl);
        return false;
    }
    if (now >= ages_due(scrub))
        compare_ages(ftl, now);
    if (now >= read_due(scrub, host_is_idle))
        has_started = begin_read(ftl, now);
    set_alarm(ftl, host_is_idle);
    return has_started || ftl->blocks.to_collect.count != 0;
}

/* --- start -------------------------------------------------------------------------------------------------------- */

void scrub_init(struct scrub* scrub, const struct boot_block* boot, const struct geometry* geometry)
{
    const uint32_t slices = (geometry->blocks + REFRESH_SLICE - 1) / REFRESH_SLICE;
    *scrub = (struct scrub){.is_on = boot->refresh_age != 0 || boot->scrub_interval != 0};
    if (!scrub->is_on)
        return;
    scrub->interval = (uint64_t)boot->scrub_interval * NS_OF_US;
    scrub->due = hal_time_ns() + scrub->interval;
    scrub->step_due = hal_time_ns();
    if (boot->refresh_age != 0)
        scrub->step = (uint64_t)boot->refresh_age * NS_OF_MS / REFRESH_ROUNDS / slices + SHORTEST_STEP;
}
