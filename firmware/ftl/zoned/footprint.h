/* SPDX-License-Identifier: Apache-2.0
 *
 * How much control memory the layer of zones allocates (drivers/footprint.h).
 */
#ifndef STROBE_ZONED_FOOTPRINT_H
#define STROBE_ZONED_FOOTPRINT_H

#include "firmware/drivers/footprint.h"
#include "firmware/ftl/zoned/capacity.h"

enum {
    FOOTPRINT_ZONE = 52,
    FOOTPRINT_ZONE_UNIT = 32,
    FOOTPRINT_ZONE_PIECE = 24,
    FOOTPRINT_ZONE_COMMAND = 28,
    FOOTPRINT_ZONE_PLANE = 8,
    FOOTPRINT_ZONE_SAVED_UNIT = 16,
};

/* A transfer of each page of the buffer may have ended; more wait in the hardware. */
static inline uint32_t zoned_host_events(const struct boot_block* boot, const struct zone_shape* shape)
{
    return boot->host_slots + zoned_write_units(boot, shape) * shape->unit_pages + zoned_pieces(boot, shape);
}

static inline uint64_t zoned_footprint(const struct boot_block* boot)
{
    const struct zone_shape shape = zone_shape_of(boot);
    const uint32_t planes = shape.groups * shape.members;
    const uint64_t zones = zoned_zones(boot, &shape, boot->blocks_per_plane);
    const uint32_t units = zoned_write_units(boot, &shape);
    const uint32_t pieces = zoned_pieces(boot, &shape);
    struct footprint f = {0};
    footprint_array(&f, units, FOOTPRINT_ZONE_UNIT);
    footprint_array(&f, pieces, FOOTPRINT_ZONE_PIECE);
    footprint_array(&f, boot->host_slots, FOOTPRINT_ZONE_COMMAND);
    footprint_array(&f, planes, sizeof(uint32_t));
    footprint_flash(&f, boot, pieces + (units + shape.groups * shape.dies) * shape.planes);
    footprint_host_if(&f, boot, zoned_host_events(boot, &shape));
    footprint_array(&f, planes, FOOTPRINT_ZONE_PLANE);
    footprint_array(&f, footprint_product(planes, boot->blocks_per_plane), sizeof(uint32_t));
    footprint_bitmap(&f, planes * boot->blocks_per_plane);
    footprint_bitmap(&f, planes * boot->blocks_per_plane);
    footprint_array(&f, zones, FOOTPRINT_ZONE);
    footprint_array(&f, footprint_product(zones, shape.members), sizeof(uint32_t));
    footprint_array(&f, zones, sizeof(struct zone_entry));
    footprint_array(&f, boot->open_zones, sizeof(uint32_t));
    footprint_array(&f, footprint_product(planes, 2 * zoned_save_blocks(boot, &shape)), sizeof(uint32_t));
    for (uint32_t array = 0; array < 3; ++array)
        footprint_array(&f, planes, sizeof(uint32_t));
    footprint_array(&f, units, FOOTPRINT_ZONE_SAVED_UNIT);
    footprint_array(&f, zoned_records(boot, &shape), sizeof(uint32_t));
    footprint_take(&f, zoned_image_records(boot, &shape), shape.program_pages * boot->page_bytes,
                   FOOTPRINT_SECTOR_BYTES);
    return f.bytes;
}

#endif
