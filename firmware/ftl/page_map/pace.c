/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/page_map/pace.h"

static uint32_t left_of(const struct block_table* table, uint32_t plane, enum stream stream)
{
    const uint32_t open = table->plane[plane].open[stream];
    return open == NONE ? 0 : table->geometry.pages_per_block - table->block[open].taken;
}

static uint32_t pages_of(const struct block_table* table, uint32_t units)
{
    return (units + table->geometry.units_per_page - 1) / table->geometry.units_per_page;
}

/* Pages for host data that the plane has, less those that the units of the victim will take. */
static int32_t room_of(const struct block_table* table, uint32_t plane, uint32_t victim)
{
    const uint32_t free = blocks_free(table, plane);
    const uint32_t blocks = free > GC_RESERVE ? free - GC_RESERVE : 0;
    const uint32_t pages = blocks * table->geometry.pages_per_block + left_of(table, plane, STREAM_HOST) +
                           left_of(table, plane, STREAM_MOVE);
    return (int32_t)pages - (int32_t)pages_of(table, table->block[victim].valid);
}

static bool is_ahead(const struct pace* pace, uint32_t plane, uint32_t taken)
{
    const struct paced_plane* paced = &pace->planes[plane];
    const uint32_t valid = pace->blocks->block[paced->victim].valid;
    return (uint64_t)taken * paced->units > (uint64_t)paced->allowed * (paced->units - valid);
}

bool pace_holds_host(const struct pace* pace, uint32_t plane)
{
    const uint32_t slack = PACE_AHEAD * pace->blocks->geometry.width + pace->planes[plane].spare;
    const uint32_t taken = pace->planes[plane].taken;
    return taken >= slack && is_ahead(pace, plane, taken - slack + 1);
}

bool pace_holds_moves(const struct pace* pace, uint32_t plane)
{
    (void)pace, (void)plane;
    return false;
}

void pace_begin(struct pace* pace, uint32_t plane, uint32_t victim)
{
    if (pace->planes == NULL)
        return;
    struct paced_plane* paced = &pace->planes[plane];
    const int32_t room = room_of(pace->blocks, plane, victim);
    const uint32_t units = pace->blocks->block[victim].valid;
    if (units == 0)
        return;
    const uint32_t gain = pace->blocks->geometry.pages_per_block - pages_of(pace->blocks, units);
    const int32_t need = pace->target * 3 / 4;
    paced->allowed = room <= 0 ? 0 : room >= need ? gain : (uint32_t)((uint64_t)gain * (uint32_t)room / (uint32_t)need);
    paced->spare = room > need ? (uint32_t)(room - need) : 0;
    paced->units = units;
    paced->taken = 0;
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
    if (pace->planes == NULL)
        return;
    for (uint32_t plane = 0; plane < pace->blocks->geometry.planes; ++plane)
        pace_end(pace, plane);
    pace->planes = NULL;
}

void pace_init(struct pace* pace, struct arena* arena, struct block_table* blocks, uint32_t low)
{
    const uint32_t planes = blocks->geometry.planes;
    *pace = (struct pace){.blocks = blocks};
    pace->target = (int32_t)((low - GC_RESERVE) * blocks->geometry.pages_per_block);
    pace->planes = arena_array(arena, planes, sizeof *pace->planes, "pacing");
    for (uint32_t plane = 0; plane < planes; ++plane)
        pace->planes[plane].victim = NONE;
}
