/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/page_map/refresh.h"

#include "firmware/drivers/statistics.h"
#include "firmware/ftl/page_map/policy.h"

#define NS_OF_MS 1000000u

static bool holds_data(const struct block* block)
{
    return block->state == BLOCK_OPEN || block->state == BLOCK_CLOSING || block->state == BLOCK_FULL;
}

static void become_due(struct refresh* refresh, struct block_table* table, uint32_t block, enum refresh_reason reason)
{
    struct block* b = &table->block[block];
    if (b->due != REFRESH_NOT_DUE || b->failed || !holds_data(b))
        return;
    b->due = (uint8_t)reason & 3u;
    plane_set_add(&refresh->waiting, b->plane);
    plane_set_add(&table->to_collect, b->plane);
}

/* --- reads -------------------------------------------------------------------------------------------------------- */

static uint32_t* reads_of(const struct refresh* refresh, const struct geometry* g, uint32_t die, uint32_t block)
{
    return &refresh->reads[die * g->planes_per_die * g->blocks_per_plane + block];
}

/* The tries before the last one, soft senses included. */
static uint32_t further_senses(const struct flash_descriptor* descriptor)
{
    if ((descriptor->control & FLASH_DESCRIPTOR_CONTROL_READ_OPTION_MASK) == 0)
        return 0;
    const uint32_t senses = descriptor->source_blocks >> 8 & 0xFu;
    return (descriptor->source_blocks >> 12 & 0xFFu) + (senses > 1 ? senses - 1 : 0);
}

static bool is_weak(const struct refresh* refresh, const struct flash_descriptor* descriptor, enum flash_status status)
{
    const uint32_t corrected =
        (descriptor->status & FLASH_DESCRIPTOR_STATUS_PAGE_MASK) >> FLASH_DESCRIPTOR_STATUS_PAGE_SHIFT;
    return status != FLASH_OK || further_senses(descriptor) != 0 || (refresh->bits != 0 && corrected >= refresh->bits);
}

void refresh_operation_ended(struct refresh* refresh, struct block_table* table,
                             const struct flash_descriptor* descriptor, enum flash_status status)
{
    const struct geometry* g = &table->geometry;
    if (!flash_is_read(descriptor))
        return;
    enum refresh_reason reason = REFRESH_NOT_DUE;
    if (refresh->checks_errors && is_weak(refresh, descriptor, status))
        reason = REFRESH_DUE_BY_ERRORS;
    if (refresh->read_limit != 0) {
        uint32_t* reads = reads_of(refresh, g, descriptor->superchip, descriptor->blocks);
        *reads += 1 + further_senses(descriptor);
        if (*reads >= refresh->read_limit)
            reason = REFRESH_DUE_BY_READS;
    }
    if (reason != REFRESH_NOT_DUE)
        become_due(refresh, table, geometry_block_at(g, descriptor->superchip, descriptor->blocks), reason);
}

void refresh_rebuilt(struct refresh* refresh, struct block_table* table, uint32_t block)
{
    become_due(refresh, table, block, REFRESH_DUE_BY_ERRORS);
}

/* --- age ---------------------------------------------------------------------------------------------------------- */

void refresh_compare_ages(struct refresh* refresh, struct block_table* table, uint32_t first, uint32_t count,
                          uint64_t now)
{
    for (uint32_t block = first; block < first + count; ++block) {
        if (!holds_data(&table->block[block]))
            continue;
        if (refresh->since[block] == 0)
            refresh->since[block] = now;
        else if (now - refresh->since[block] >= refresh->age_limit)
            become_due(refresh, table, block, REFRESH_DUE_BY_AGE);
    }
}

/* --- moving ------------------------------------------------------------------------------------------------------- */

static void count_block(enum refresh_reason reason, uint32_t units)
{
    static const enum statistic reasons[] = {
        [REFRESH_DUE_BY_READS] = STATISTIC_REFRESH_READS,
        [REFRESH_DUE_BY_AGE] = STATISTIC_REFRESH_AGE,
        [REFRESH_DUE_BY_ERRORS] = STATISTIC_REFRESH_ERRORS,
    };
    statistics_count(reasons[reason], 1);
    statistics_count(STATISTIC_REFRESH_UNITS, units);
}

/* A full block of the plane that is due; open ones are closed. NONE: there is none, or its programs have to end. */
static uint32_t due_block(struct refresh* refresh, struct block_table* table, uint32_t plane)
{
    bool others = false;
    for (uint32_t i = 0; i < table->geometry.blocks_per_plane; ++i) {
        const uint32_t block = block_in_plane(&table->geometry, plane, i);
        struct block* b = &table->block[block];
        if (b->due == REFRESH_NOT_DUE || b->failed || !holds_data(b))
            continue;
        if (b->state == BLOCK_OPEN)
            blocks_close(table, block);
        if (b->state == BLOCK_FULL)
            return block;
        others = true;
    }
    if (!others)
        plane_set_remove(&refresh->waiting, plane);
    return NONE;
}

uint32_t refresh_choose(struct refresh* refresh, struct block_table* table, uint32_t plane, bool needs_space)
{
    const struct plane* p = &table->plane[plane];
    const bool has_to_wait = needs_space && !p->dry && refresh->others[plane] < REFRESH_TURN;
    if (!plane_set_has(&refresh->waiting, plane) || p->failed_list != NONE || blocks_free(table, plane) <= GC_RESERVE ||
        refresh->moving == refresh->most || has_to_wait)
        return NONE;
    const uint32_t victim = due_block(refresh, table, plane);
    if (victim == NONE)
        return NONE;
    const struct block* b = &table->block[victim];
    count_block((enum refresh_reason)b->due, b->valid);
    blocks_collect(table, victim);
    refresh->others[plane] = 0;
    ++refresh->moving;
    return victim;
}

void refresh_moved(struct refresh* refresh, struct block_table* table)
{
    --refresh->moving;
    plane_set_add_all(&table->to_collect, &refresh->waiting);
}

void refresh_erased(struct refresh* refresh, const struct geometry* geometry, uint32_t block)
{
    if (refresh->since != NULL)
        refresh->since[block] = 0;
    for (uint32_t member = 0; member < geometry_members(geometry) && refresh->reads != NULL; ++member) {
        const struct flash_place at = geometry_member(geometry, block, member);
        *reads_of(refresh, geometry, at.die, at.block) = 0;
    }
}

/* --- start -------------------------------------------------------------------------------------------------------- */

void refresh_init(struct refresh* refresh, struct arena* arena, const struct boot_block* boot, const struct geometry* g)
{
    static const char what[] = "data refresh";
    *refresh = (struct refresh){.is_on = refresh_is_wanted(boot), .checks_errors = boot->scrub_interval != 0};
    if (!refresh->is_on)
        return;
    refresh->read_limit = boot->refresh_reads;
    refresh->age_limit = (uint64_t)boot->refresh_age * NS_OF_MS;
    refresh->bits = boot->scrub_bits;
    refresh->most = g->planes < REFRESH_PLANES_PART ? 1 : g->planes / REFRESH_PLANES_PART;
    refresh->others = arena_array(arena, g->planes, sizeof *refresh->others, what);
    plane_set_init(&refresh->waiting, arena, g->planes, what);
    if (refresh->read_limit != 0)
        refresh->reads = arena_array(arena, (uint64_t)g->dies * g->planes_per_die * g->blocks_per_plane,
                                     sizeof *refresh->reads, what);
    if (refresh->age_limit != 0)
        refresh->since = arena_array(arena, g->blocks, sizeof *refresh->since, what);
}
