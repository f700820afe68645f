/* SPDX-License-Identifier: Apache-2.0
 *
 * How much control memory the drivers allocate, from the boot block alone: no state, no hardware. The platform calls
 * the same functions before it starts a drive, so this header is C and C++. Each layer adds its own part
 * (ftl/.../footprint.h); firmware checks at start that it did not allocate more (app/main.c).
 *
 * An upper bound: the sizes of elements are those on a 64-bit host, where pointers are longest; footprint.c of each
 * layer compares them with the structures. Up to the alignment of the single allocations the bound is exact.
 */
#ifndef STROBE_FOOTPRINT_H
#define STROBE_FOOTPRINT_H

#include "firmware/drivers/ring_size.h"
#include "firmware/regs/strobe_regs.h"

#include <stdint.h>

#define FOOTPRINT_ARRAY_ALIGNMENT 16u /* arena_array() */
#define FOOTPRINT_SECTOR_BYTES 512u

enum {
    FOOTPRINT_PEER_BLOCK = 40,
    FOOTPRINT_FLASH_WAIT = 8,
    FOOTPRINT_FLASH_DIE = 64,
    FOOTPRINT_SOFTWARE_UNIT = 56,
    FOOTPRINT_SOFTWARE_CHIP = 20,
    FOOTPRINT_SOFTWARE_DIE = 12,
};

struct footprint {
    uint64_t bytes;
};

/* Memory for `count` elements of `size` bytes, at a multiple of `alignment`, wherever the allocation before it ended.
 */
static inline void footprint_take(struct footprint* f, uint64_t count, uint32_t size, uint32_t alignment)
{
    f->bytes += (count * size + alignment - 1) / alignment * alignment;
    if (alignment > FOOTPRINT_ARRAY_ALIGNMENT)
        f->bytes += alignment - FOOTPRINT_ARRAY_ALIGNMENT;
}

/* Of numbers whose product may exceed 32 bits. */
static inline uint64_t footprint_product(uint64_t a, uint64_t b)
{
    return a * b;
}

static inline void footprint_array(struct footprint* f, uint64_t count, uint32_t size)
{
    footprint_take(f, count == 0 ? 1 : count, size, FOOTPRINT_ARRAY_ALIGNMENT);
}

static inline void footprint_bitmap(struct footprint* f, uint32_t members)
{
    footprint_array(f, (members + 31) / 32, sizeof(uint32_t));
}

static inline void footprint_ring(struct footprint* f, uint32_t at_least)
{
    footprint_take(f, ring_size(at_least), RING_ENTRY_BYTES, 64);
}

static inline uint32_t footprint_dies(const struct boot_block* boot)
{
    return boot->channels * boot->ways * boot->luns;
}

/* What two cores share (peer.h): messages in both directions. */
static inline void footprint_peer(struct footprint* f, const struct boot_block* boot, uint32_t messages)
{
    if (boot->cores == 1)
        return;
    footprint_take(f, 1, FOOTPRINT_PEER_BLOCK, 64);
    footprint_ring(f, messages);
    footprint_ring(f, messages);
}

static inline void footprint_host_if(struct footprint* f, const struct boot_block* boot, uint32_t events)
{
    footprint_take(f, boot->host_slots, sizeof(struct host_command), 32);
    footprint_ring(f, events);
}

/* The driver of single chips (flash.h). */
static inline void footprint_flash(struct footprint* f, const struct boot_block* boot, uint32_t operations)
{
    footprint_peer(f, boot, operations);
    footprint_take(f, operations, sizeof(struct flash_descriptor), 64);
    footprint_ring(f, operations);
    footprint_array(f, operations, FOOTPRINT_FLASH_WAIT);
    footprint_array(f, footprint_dies(boot), FOOTPRINT_FLASH_DIE);
    if (boot->cores > 1) /* each core counts the operations of a die */
        footprint_array(f, footprint_dies(boot), FOOTPRINT_FLASH_DIE);
    footprint_array(f, boot->units, sizeof(uint32_t));
    if (boot->retry_options != 0 || boot->soft_senses != 0) { /* read_retry.h */
        footprint_array(f, footprint_product(footprint_dies(boot), boot->planes * boot->blocks_per_plane), 1);
        footprint_array(f, operations, 1);
    }
}

/* The driver of superchips (units.h). */
static inline void footprint_units(struct footprint* f, const struct boot_block* boot, uint32_t slots)
{
    uint32_t chips = 0;
    footprint_peer(f, boot, slots);
    footprint_take(f, slots, sizeof(struct flash_descriptor), 64);
    if (boot->software_units == BACKGROUND_UNITS_SOFTWARE) {
        chips = boot->units * boot->superchip_bus * boot->superchip_chip;
        footprint_take(f, chips, sizeof(struct flash_descriptor), 64);
        footprint_take(f, footprint_product(chips, boot->page_bytes / FOOTPRINT_SECTOR_BYTES), 4, 64);
        footprint_array(f, boot->units, FOOTPRINT_SOFTWARE_UNIT);
        footprint_array(f, chips, FOOTPRINT_SOFTWARE_CHIP);
        footprint_array(f, footprint_dies(boot), FOOTPRINT_SOFTWARE_DIE);
    }
    footprint_ring(f, slots + chips);
}

#endif
