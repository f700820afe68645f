/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/page_map/care.h"

#include "firmware/drivers/statistics.h"
#include "firmware/ftl/page_map/policy.h"

#define NS_OF_MS 1000000u

static bool holds_data(const struct block* block)
{
    return block->state == BLOCK_OPEN || block->state == BLOCK_CLOSING || block->state == BLOCK_FULL;
}

static void become_due(struct care* care, struct block_table* table, uint32_t block, enum care_reason reason)
{
    struct block* b = &table->block[block];
    if (b->due != CARE_NOT_DUE || b->failed || !holds_data(b))
        return;
    b->due = (uint8_t)reason & 3u;
    plane_set_add(&care->waiting, b->plane);
    plane_set_add(&table->to_collect, b->plane);
}

/* --- reads -------------------------------------------------------------------------------------------------------- */

static uint32_t* reads_of(const struct care* care, const struct geometry* g, uint32_t die, uint32_t block)
{
    return &care->reads[die * g->planes_per_die * g->blocks_per_plane + block];
}

/* The tries before the last one, soft senses included. */
static uint32_t further_senses(const struct flash_descriptor* descriptor)
{
    if ((descriptor->control & FLASH_DESCRIPTOR_CONTROL_READ_OPTION_MASK) == 0)
        return 0;
    const uint32_t senses = descriptor->source_blocks >> 8 & 0xFu;
    return (descriptor->source_blocks >> 12 & 0xFFu) + (senses > 1 ? senses - 1 : 0);
}

static bool is_weak(const struct care* care, const struct flash_descriptor* descriptor, enum flash_status status)
{
    const uint32_t corrected =
        (descriptor->status & FLASH_DESCRIPTOR_STATUS_PAGE_MASK) >> FLASH_DESCRIPTOR_STATUS_PAGE_SHIFT;
    return status != FLASH_OK || further_senses(descriptor) != 0 || (care->bits != 0 && corrected >= care->bits);
}

void care_operation_ended(struct care* care, struct block_table* table, const struct flash_descriptor* descriptor,
                          enum flash_status status)
{
    const struct geometry* g = &table->geometry;
    if (!flash_is_read(descriptor))
        return;
    enum care_reason reason = CARE_NOT_DUE;
    if (care->checks_errors && is_weak(care, descriptor, status))
        reason = CARE_DUE_BY_ERRORS;
    if (care->read_limit != 0) {
        uint32_t* reads = reads_of(care, g, descriptor->superchip, descriptor->blocks);
        *reads += 1 + further_senses(descriptor);
        if (*reads >= care->read_limit)
            reason = CARE_DUE_BY_READS;
    }
    if (reason != CARE_NOT_DUE)
        become_due(care, table, geometry_block_at(g, descriptor->superchip, descriptor->blocks), reason);
}

/* --- age ---------------------------------------------------------------------------------------------------------- */

void care_compare_ages(struct care* care, struct block_table* table, uint32_t first, uint32_t count, uint64_t now)
{
    for (uint32_t block = first; block < first + count; ++block) {
        if (!holds_data(&table->block[block]))
            continue;
        if (care->since[block] == 0)
            care->since[block] = now;
        else if (now - care->since[block] >= care->age_limit)
            become_due(care, table, block, CARE_DUE_BY_AGE);
    }
}

/* --- moving ------------------------------------------------------------------------------------------------------- */

static void count_block(enum care_reason reason, uint32_t units)
{
    static const enum statistic reasons[] = {
        [CARE_DUE_BY_READS] = STATISTIC_CARE_READS,
        [CARE_DUE_BY_AGE] = STATISTIC_CARE_AGE,
        [CARE_DUE_BY_ERRORS] = STATISTIC_CARE_ERRORS,
    };
    statistics_count(reasons[reason], 1);
    statistics_count(STATISTIC_CARE_UNITS, units);
}

/* A full block of the plane that is due; open ones are closed. NONE: there is none, or its programs have to end. */
static uint32_t due_block(struct care* care, struct block_table* table, uint32_t plane)
{
    bool others = false;
    for (uint32_t i = 0; i < table->geometry.blocks_per_plane; ++i) {
        const uint32_t block = block_in_plane(&table->geometry, plane, i);
        struct block* b = &table->block[block];
        if (b->due == CARE_NOT_DUE || b->failed || !holds_data(b))
            continue;
        if (b->state == BLOCK_OPEN)
            blocks_close(table, block);
        if (b->state == BLOCK_FULL)
            return block;
        others = true;
    }
    if (!others)
        plane_set_remove(&care->waiting, plane);
    return NONE;
}

uint32_t care_choose(struct care* care, struct block_table* table, uint32_t plane, bool needs_space)
{
    const struct plane* p = &table->plane[plane];
    const bool has_to_wait = needs_space && !p->dry && care->others[plane] < CARE_TURN;
    if (!plane_set_has(&care->waiting, plane) || p->failed_list != NONE || blocks_free(table, plane) <= GC_RESERVE ||
        care->moving == care->most || has_to_wait)
        return NONE;
    const uint32_t victim = due_block(care, table, plane);
    if (victim == NONE)
        return NONE;
    const struct block* b = &table->block[victim];
    count_block((enum care_reason)b->due, b->valid);
    blocks_collect(table, victim);
    care->others[plane] = 0;
    ++care->moving;
    return victim;
}

void care_moved(struct care* care, struct block_table* table)
{
    --care->moving;
    plane_set_add_all(&table->to_collect, &care->waiting);
}

void care_erased(struct care* care, const struct geometry* geometry, uint32_t block)
{
    if (care->since != NULL)
        care->since[block] = 0;
    for (uint32_t member = 0; member < geometry_members(geometry) && care->reads != NULL; ++member) {
        const struct flash_place at = geometry_member(geometry, block, member);
        *reads_of(care, geometry, at.die, at.block) = 0;
    }
}

/* --- start -------------------------------------------------------------------------------------------------------- */

void care_init(struct care* care, struct arena* arena, const struct boot_block* boot, const struct geometry* g)
{
    static const char what[] = "data care";
    *care = (struct care){.is_on = care_is_wanted(boot), .checks_errors = boot->scrub_interval != 0};
    if (!care->is_on)
        return;
    care->read_limit = boot->care_reads;
    care->age_limit = (uint64_t)boot->care_age * NS_OF_MS;
    care->bits = boot->scrub_bits;
    care->most = g->planes < CARE_PLANES_PART ? 1 : g->planes / CARE_PLANES_PART;
    care->others = arena_array(arena, g->planes, sizeof *care->others, what);
    plane_set_init(&care->waiting, arena, g->planes, what);
    if (care->read_limit != 0)
        care->reads =
            arena_array(arena, (uint64_t)g->dies * g->planes_per_die * g->blocks_per_plane, sizeof *care->reads, what);
    if (care->age_limit != 0)
        care->since = arena_array(arena, g->blocks, sizeof *care->since, what);
}
