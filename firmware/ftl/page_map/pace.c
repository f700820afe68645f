/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/page_map/pace.h"

/* Pages of the plane for host data, before only the reserve is left. */
static uint32_t pages_for_host(const struct block_table* table, uint32_t plane)
{
    const uint32_t open = table->plane[plane].open[STREAM_HOST];
    const uint32_t free = blocks_free(table, plane);
    const uint32_t pages = table->geometry.pages_per_block;
    return (free > GC_RESERVE ? free - GC_RESERVE : 0) * pages + (open != NONE ? pages - table->block[open].taken : 0);
}

/* Host data is held back while its share is less than that of the victim: compared without a division. */
static bool is_short(const struct pace* pace, uint32_t plane, uint32_t pages)
{
    const struct paced_plane* paced = &pace->planes[plane];
    return (uint64_t)pages * paced->units < (uint64_t)pace->blocks->block[paced->victim].valid * paced->pages;
}

bool pace_holds_host(const struct pace* pace, uint32_t plane)
{
    return is_short(pace, plane, pages_for_host(pace->blocks, plane));
}

bool pace_holds_moves(const struct pace* pace, uint32_t plane)
{
    const uint32_t pages = pages_for_host(pace->blocks, plane);
    const uint32_t ahead = PACE_AHEAD * pace->blocks->geometry.width;
    return blocks_free(pace->blocks, plane) > GC_RESERVE && pages > ahead && !is_short(pace, plane, pages - ahead);
}

void pace_begin(struct pace* pace, uint32_t plane, uint32_t victim)
{
    if (pace->planes == NULL)
        return;
    struct paced_plane* paced = &pace->planes[plane];
    paced->pages = pages_for_host(pace->blocks, plane);
    paced->units = pace->blocks->block[victim].valid;
    if (paced->pages == 0 || paced->units == 0)
        return;
    paced->victim = victim;
    pace->blocks->block[victim].paced = true;
    plane_set_add(&pace->blocks->room_changed, plane);
}

void pace_end(struct pace* pace, uint32_t plane)
{
    if (!pace_is_paced(pace, plane))
        return;
    pace->has_released |= pace_holds_host(pace, plane);
    pace->blocks->block[pace->planes[plane].victim].paced = false;
    pace->planes[plane].victim = NONE;
    plane_set_add(&pace->blocks->room_changed, plane);
}

void pace_stop(struct pace* pace)
{
    for (uint32_t plane = 0; plane < pace->blocks->geometry.planes; ++plane)
        pace_end(pace, plane);
    pace->planes = NULL;
}

void pace_init(struct pace* pace, struct arena* arena, struct block_table* blocks, enum gc_pacing pacing)
{
    const uint32_t planes = blocks->geometry.planes;
    *pace = (struct pace){.blocks = blocks};
    if (pacing == GC_PACING_NONE)
        return;
    pace->planes = arena_array(arena, planes, sizeof *pace->planes, "pacing");
    for (uint32_t plane = 0; plane < planes; ++plane)
        pace->planes[plane].victim = NONE;
}
