/* SPDX-License-Identifier: Apache-2.0
 *
 * How many zones a drive has, from the boot block and the good blocks of its planes: no state, no hardware. The
 * platform calls the same functions before it starts a drive, so this header is C and C++.
 */
#ifndef STROBE_ZONED_CAPACITY_H
#define STROBE_ZONED_CAPACITY_H

#include "firmware/ftl/zoned/shape.h"

/* Units that the data buffer takes; the rest is for the pages of zeros that one program takes, and for pieces of reads.
 * Each active zone may hold a unit that is not full, so there must be one more. */
static inline uint32_t zoned_write_units(const struct boot_block* boot, const struct zone_shape* shape)
{
    return boot->write_buffer_pages / shape->unit_pages;
}
static inline uint32_t zoned_least_write_pages(const struct boot_block* boot, const struct zone_shape* shape)
{
    return (boot->active_zones + 1) * shape->unit_pages;
}

/* What is saved when the supply fails (save.h), in records of what one program takes: an image of the tables, for as
 * many zones as there would be without spare blocks, and the units in the buffer. */
static inline uint32_t zoned_image_records(const struct boot_block* boot, const struct zone_shape* shape)
{
    const uint32_t planes = shape->groups * shape->members;
    const uint32_t zones = shape->groups * boot->blocks_per_plane;
    const uint32_t blocks = planes * boot->blocks_per_plane;
    const uint32_t of_zones = zones * (4 + shape->members);
    const uint32_t of_blocks = 2 * planes + blocks + (blocks + 31) / 32 * 2;
    const uint32_t words = 4 + of_zones + of_blocks + 4 * zoned_write_units(boot, shape);
    const uint32_t record = shape->program_pages * boot->page_bytes / 4;
    return (words + record - 1) / record;
}
static inline uint32_t zoned_records(const struct boot_block* boot, const struct zone_shape* shape)
{
    return zoned_image_records(boot, shape) + zoned_write_units(boot, shape) * shape->planes;
}
/* Blocks of each plane that a save takes. There are two sets of them. */
static inline uint32_t zoned_save_blocks(const struct boot_block* boot, const struct zone_shape* shape)
{
    const uint32_t rows = shape->groups * shape->members * (boot->pages_per_block / boot->program_pages);
    return rows == 0 ? 0 : (zoned_records(boot, shape) + rows - 1) / rows;
}

/* `good`: the good blocks of the plane that has the fewest. 0: too few for a zone. */
static inline uint32_t zoned_most_zones(const struct boot_block* boot, const struct zone_shape* shape, uint32_t good)
{
    const uint32_t spares = (boot->spare_blocks + shape->planes - 1) / shape->planes; /* of a plane */
    const uint32_t taken = spares + 2 * zoned_save_blocks(boot, shape);
    return good > taken ? (good - taken) * shape->groups : 0;
}

/* Zones of a capacity that the boot block asks for; as many as there can be if it does not. */
static inline uint64_t zoned_zones(const struct boot_block* boot, const struct zone_shape* shape, uint32_t good)
{
    const uint64_t high = boot->capacity_hi;
    const uint64_t wanted = (high << 32 | boot->capacity_lo) / shape->size;
    const uint32_t most = zoned_most_zones(boot, shape, good);
    return wanted != 0 && wanted < most ? wanted : most;
}

#define ZONED_MOST_PIECES 512u
static inline uint32_t zoned_pieces(const struct boot_block* boot, const struct zone_shape* shape)
{
    const uint32_t taken = shape->program_pages + zoned_write_units(boot, shape) * shape->unit_pages;
    const uint32_t pages = boot->buffer_size / boot->page_bytes;
    const uint32_t rest = pages > taken ? pages - taken : 0;
    return rest < ZONED_MOST_PIECES ? rest : ZONED_MOST_PIECES;
}

#endif
