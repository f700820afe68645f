/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/page_map/pacing.h"

#include "firmware/ftl/page_map/policy.h"

#define PACING_FRACTION 64u /* a block has at most 65,535 pages of 256 units, so that all products fit 32 bits */

static uint32_t left_of_open(const struct block_table* table, uint32_t plane, enum stream stream)
{
    const uint32_t block = table->plane[plane].open[stream];
    if (block == NONE)
        return 0;
    return (table->geometry.pages_per_block - table->block[block].taken) * table->geometry.units_per_page;
}

static uint32_t emptied_share(const struct pacing* pacing, uint32_t plane)
{
    const struct pace* pace = &pacing->planes[plane];
    if (pace->victim == NONE)
        return 0;
    if (pace->valid == 0)
        return pacing->blocks->geometry.units_per_block;
    return (pace->valid - pacing->blocks->block[pace->victim].valid) * pace->share / PACING_FRACTION;
}

uint32_t pacing_space(const struct pacing* pacing, uint32_t plane)
{
    const struct block_table* table = pacing->blocks;
    return blocks_free(table, plane) * table->geometry.units_per_block + left_of_open(table, plane, STREAM_HOST) +
           left_of_open(table, plane, STREAM_HOT) + left_of_open(table, plane, STREAM_MOVE) +
           emptied_share(pacing, plane);
}

bool pacing_needs_space(const struct pacing* pacing, uint32_t plane)
{
    return pacing_space(pacing, plane) < pacing->start;
}

bool pacing_holds_host(const struct pacing* pacing, uint32_t plane)
{
    return !pacing->blocks->plane[plane].dry && pacing_space(pacing, plane) < pacing->gate;
}

uint32_t pacing_window(const struct pacing* pacing, uint32_t plane)
{
    const uint32_t space = pacing_space(pacing, plane);
    if (space >= pacing->start)
        return GC_WINDOW_IDLE;
    if (space <= pacing->gate)
        return GC_WINDOW_NORMAL;
    const uint64_t missing = pacing->start - space;
    return GC_WINDOW_IDLE + (uint32_t)(missing * (GC_WINDOW_NORMAL - GC_WINDOW_IDLE) / (pacing->start - pacing->gate));
}

/* --- changes ------------------------------------------------------------------------------------------------------ */

void pacing_set_victim(struct pacing* pacing, uint32_t plane, uint32_t victim)
{
    struct pace* pace = &pacing->planes[plane];
    pace->victim = victim;
    if (victim != NONE) {
        pace->valid = pacing->blocks->block[victim].valid;
        pace->share = pace->valid == 0 ? 0 : pacing->blocks->geometry.units_per_block * PACING_FRACTION / pace->valid;
    }
    plane_set_add(&pacing->blocks->room_changed, plane);
}

void pacing_open_gate(struct pacing* pacing)
{
    if (!pacing_is_on(pacing))
        return;
    pacing->gate = 0;
    for (uint32_t plane = 0; plane < pacing->blocks->geometry.planes; ++plane)
        plane_set_add(&pacing->blocks->room_changed, plane);
}

void pacing_init(struct pacing* pacing, struct arena* arena, const struct boot_block* boot, struct block_table* blocks,
                 uint32_t low)
{
    const struct geometry* g = &blocks->geometry;
    *pacing = (struct pacing){.blocks = blocks};
    if (boot->gc_pacing == GC_PACING_NONE)
        return;
    pacing->planes = arena_array(arena, g->planes, sizeof *pacing->planes, "pacing of collection");
    for (uint32_t plane = 0; plane < g->planes; ++plane)
        pacing->planes[plane].victim = NONE;
    pacing->gate = (GC_RESERVE + GC_HELD_BLOCKS + capacity_host_streams(boot) - 1) * g->units_per_block;
    pacing->start = pacing->gate + (low - GC_RESERVE) * g->units_per_block;
}
