/* SPDX-License-Identifier: Apache-2.0
 *
 * How much control memory page mapping allocates (drivers/footprint.h). Bad blocks are not counted: they make the
 * tables smaller. Recovery, which releases its memory, is counted if boot_block.recover is set.
 */
#ifndef STROBE_PAGE_MAP_FOOTPRINT_H
#define STROBE_PAGE_MAP_FOOTPRINT_H

#include "firmware/drivers/footprint.h"
#include "firmware/ftl/page_map/capacity.h"

enum {
    FOOTPRINT_BLOCK = 28,
    FOOTPRINT_PLANE = 112,
    FOOTPRINT_COLLECTOR = 36,
    FOOTPRINT_PLAIN_OP = 16,
    FOOTPRINT_PACE = 12,
    FOOTPRINT_PADDING_OP = 16,
    FOOTPRINT_STRIPE = 16,
    FOOTPRINT_REBUILD_JOB = 36,
    FOOTPRINT_SLOT = 64,
    FOOTPRINT_SLOT_QUEUE = 12,
    FOOTPRINT_REQUEST = 88,
    FOOTPRINT_LINE = 8,
    FOOTPRINT_DUPLICATE = 12,
    FOOTPRINT_AHEAD_STREAM = 20,
    FOOTPRINT_AHEAD_UNIT = 12,
    FOOTPRINT_RECOVERY_OP = 48,
    FOOTPRINT_FIRST_PAGE = 20,
    FOOTPRINT_GROUP_ERASE = 12,
    FOOTPRINT_PLANE_SETS = 6, /* four of collector.c, two of blocks.c */
    FOOTPRINT_UNIT_BYTES = 4096,
    FOOTPRINT_UNIT_ENTRY = 20,
};
#define FOOTPRINT_RECOVERY_DEPTH 2u
#define FOOTPRINT_TABLE_WRITERS 2u
#define FOOTPRINT_DIE_DEPTH 2u
#define FOOTPRINT_STREAMS 17u
#define FOOTPRINT_MOST_SLOTS 524288u

/* Logical units, those of zeros included, of a drive without bad blocks. */
static inline uint64_t footprint_logical_units(const struct boot_block* boot, const struct geometry* g)
{
    const uint64_t high = boot->capacity_hi;
    const uint64_t capacity = high << 32 | boot->capacity_lo;
    const uint64_t data_units = footprint_product(g->blocks, g->data_units_per_block);
    uint64_t units = footprint_product(data_units, 1000 - boot->overprovision_permille) / 1000;
    if (capacity != 0)
        units = (capacity + g->sectors_per_unit - 1) / g->sectors_per_unit;
    return (units < data_units ? units : data_units) + capacity_zero_units(g);
}

static inline uint32_t footprint_plain_ops(const struct geometry* g)
{
    return GC_WINDOW_COPYBACK + g->row_planes * g->width;
}

static inline uint32_t footprint_padding_ops(const struct boot_block* boot, const struct geometry* g)
{
    const uint32_t die_depth = boot->die_depth != 0 ? boot->die_depth : FOOTPRINT_DIE_DEPTH;
    return (g->row_planes - 1) * (g->dies * (die_depth / g->row_planes + 1) + 2 * g->planes);
}

/* parity.h, rebuild.h */
static inline uint32_t footprint_parity_ops(const struct geometry* g)
{
    return capacity_stripes(g) * g->row_planes + (g->has_parity ? REBUILD_JOBS * (g->width - 1) : 0);
}

static inline uint32_t footprint_operations(const struct boot_block* boot, const struct geometry* g, uint32_t slots)
{
    const uint32_t after_slots = g->planes * footprint_plain_ops(g) + FOOTPRINT_TABLE_WRITERS * g->row_planes +
                                 footprint_padding_ops(boot, g) + footprint_parity_ops(g);
    const uint32_t of_recovery = g->dies * FOOTPRINT_RECOVERY_DEPTH;
    return slots + (after_slots > of_recovery ? after_slots : of_recovery);
}

static inline void page_map_refresh_footprint(struct footprint* f, const struct boot_block* boot,
                                              const struct geometry* g)
{
    const uint64_t blocks = footprint_product(footprint_product(g->dies, g->planes_per_die), g->blocks_per_plane);
    if (boot->refresh_reads == 0 && boot->refresh_age == 0 && boot->scrub_interval == 0 && boot->superblock_parity == 0)
        return;
    footprint_array(f, g->planes, 1); /* refresh.c */
    footprint_bitmap(f, g->planes);
    if (boot->refresh_reads != 0)
        footprint_array(f, blocks, sizeof(uint32_t));
    if (boot->refresh_age != 0)
        footprint_array(f, g->blocks, sizeof(uint64_t));
}

static inline void page_map_tables_footprint(struct footprint* f, const struct boot_block* boot,
                                             const struct geometry* g)
{
    const uint32_t groups = capacity_allocation_groups(boot);
    const uint32_t lanes = capacity_lanes(boot);
    const uint32_t streams = capacity_host_streams(boot);
    const uint64_t logical = footprint_logical_units(boot, g);
    const struct checkpoint_layout layout = checkpoint_layout_of(g, g->units);
    uint32_t epochs = 4;
    footprint_array(f, g->blocks, FOOTPRINT_BLOCK); /* blocks.c */
    footprint_array(f, g->planes, FOOTPRINT_PLANE);
    footprint_array(f, g->blocks, sizeof(uint32_t));
    footprint_array(f, footprint_product(g->planes, (g->units_per_block + 1)), sizeof(uint32_t));
    if (boot->host_streams == HOST_STREAMS_HOT_COLD)
        footprint_array(f, g->blocks, sizeof(uint32_t)); /* heat.h */
    if (boot->placement_handles != 0)
        footprint_array(f, boot->placement_handles, sizeof(struct placement_entry)); /* placement.c */
    footprint_array(f, g->planes, sizeof(uint32_t));                                 /* allocation.c */
    footprint_array(f, g->planes, sizeof(uint32_t));
    footprint_array(f, footprint_product(lanes, ((g->planes / groups + 31) / 32)), sizeof(uint32_t));
    footprint_array(f, lanes, sizeof(uint32_t));
    footprint_array(f, lanes, sizeof(uint32_t));
    if (g->flash_pages > 1 && !geometry_is_joined(g))
        footprint_array(f, footprint_product(streams, g->dies), sizeof(uint32_t));
    if (boot->bad_block_table == 0)
        footprint_array(f, g->dies, sizeof(uint32_t)); /* bad_blocks.c */
    if (geometry_is_joined(g)) {
        const uint64_t planes = footprint_product(g->dies, g->planes_per_die);
        footprint_array(f, footprint_product(planes, g->blocks_per_plane), sizeof(uint16_t));
        footprint_array(f, planes, sizeof(uint32_t));
    }
    footprint_array(f, logical, sizeof(uint32_t)); /* map.c */
    footprint_array(f, g->units, sizeof(uint32_t));
    footprint_array(f, g->planes, FOOTPRINT_COLLECTOR); /* collector.c */
    for (uint32_t set = 0; set < FOOTPRINT_PLANE_SETS; ++set)
        footprint_bitmap(f, g->planes);
    footprint_array(f, footprint_product(g->planes, footprint_plain_ops(g)), FOOTPRINT_PLAIN_OP);
    if (boot->gc_pacing != GC_PACING_NONE)
        footprint_array(f, g->planes, FOOTPRINT_PACE); /* pacing.c */
    page_map_refresh_footprint(f, boot, g);
    footprint_array(f, lanes, FOOTPRINT_SLOT_QUEUE); /* write_queues.c, write_room.c, epochs.c */
    footprint_array(f, lanes, FOOTPRINT_SLOT_QUEUE);
    footprint_array(f, lanes, sizeof(uint32_t));
    for (uint32_t stream = 0; stream < streams; ++stream)
        footprint_array(f, g->planes, 1);
    footprint_array(f, g->dies, sizeof(uint32_t));
    while (epochs < boot->host_slots + 2)
        epochs *= 2;
    footprint_array(f, epochs, sizeof(uint32_t));
    footprint_take(f, 1, g->page_bytes, FOOTPRINT_SECTOR_BYTES); /* journal.c */
    footprint_take(f, 1, g->page_bytes, FOOTPRINT_SECTOR_BYTES);
    footprint_bitmap(f, g->blocks);
    footprint_bitmap(f, g->blocks);
    footprint_take(f, 1, g->page_bytes, FOOTPRINT_SECTOR_BYTES); /* checkpoint.c */
    footprint_array(f, g->blocks, sizeof(uint16_t));
    footprint_array(f, layout.blocks, sizeof(uint32_t));
    footprint_array(f, layout.blocks, sizeof(uint32_t));
}

static inline void page_map_recovery_footprint(struct footprint* f, const struct geometry* g)
{
    footprint_array(f, footprint_product(g->dies, FOOTPRINT_RECOVERY_DEPTH), FOOTPRINT_RECOVERY_OP);
    footprint_array(f, g->blocks, FOOTPRINT_FIRST_PAGE);
    footprint_array(f, g->groups, sizeof(uint32_t));
    footprint_array(f, g->groups, sizeof(uint32_t));
    footprint_array(f, g->groups, sizeof(uint32_t));
    footprint_array(f, g->groups, sizeof(uint32_t));
    footprint_array(f, g->groups, FOOTPRINT_GROUP_ERASE);
    footprint_bitmap(f, g->blocks);
    footprint_bitmap(f, g->blocks);
    footprint_array(f, footprint_product(g->planes, g->units_per_block), FOOTPRINT_DUPLICATE);
}

static inline uint64_t page_map_footprint(const struct boot_block* boot)
{
    const struct geometry g = geometry_of(boot);
    struct footprint f = {0};
    uint32_t slots = boot->buffer_size / g.unit_bytes;
    uint32_t buckets = 16;
    if (slots > FOOTPRINT_MOST_SLOTS)
        slots = FOOTPRINT_MOST_SLOTS;
    while (buckets < 2 * slots)
        buckets *= 2;
    footprint_take(&f, slots, FOOTPRINT_SLOT, 64); /* buffer.c */
    footprint_bitmap(&f, slots);
    footprint_array(&f, buckets, sizeof(uint32_t));
    footprint_array(&f, footprint_padding_ops(boot, &g), FOOTPRINT_PADDING_OP); /* page_program.c */
    if (g.has_parity) {
        footprint_array(&f, capacity_stripes(&g), FOOTPRINT_STRIPE);
        footprint_array(&f, g.planes, sizeof(uint32_t));
        footprint_array(&f, REBUILD_JOBS, FOOTPRINT_REBUILD_JOB);
        footprint_bitmap(&f, g.planes); /* blocks.c */
    }
    footprint_flash(&f, boot, footprint_operations(boot, &g, slots));
    if (g.units_per_strip > 1)
        footprint_take(&f, footprint_operations(boot, &g, slots),
                       g.page_bytes / g.row_planes / FOOTPRINT_UNIT_BYTES * FOOTPRINT_UNIT_ENTRY, 16);
    page_map_tables_footprint(&f, boot, &g);
    if (boot->recover != 0)
        page_map_recovery_footprint(&f, &g);
    footprint_array(&f, boot->host_slots, FOOTPRINT_REQUEST); /* request_state.c */
    footprint_array(&f, footprint_product(slots, ((boot->host_slots + 31) / 32)), sizeof(uint32_t));
    if (boot->serial_writes != 0)
        footprint_array(&f, boot->channels, FOOTPRINT_LINE);
    if (boot->read_ahead_streams != 0) { /* read_ahead.c */
        footprint_array(&f, boot->read_ahead_streams, FOOTPRINT_AHEAD_STREAM);
        footprint_array(&f, footprint_product(boot->read_ahead_streams, 2 * boot->read_ahead_window),
                        FOOTPRINT_AHEAD_UNIT);
    }
    footprint_host_if(&f, boot, boot->host_slots * (MAX_PIECES + 1));
    return f.bytes;
}

#endif
