/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/zoned/image.h"

#include "firmware/drivers/bitmap.h"

#define IMAGE_MAGIC 0x5A4F4E45u

struct image { /* being copied */
    uint32_t* at;
    bool loads;
};

struct saved_zone {
    uint32_t state, pointer, submitted, flags;
};

enum { HAS_BLOCKS = 1, HAS_FAILED = 2 };

static void copy(struct image* image, uint32_t* words, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i) {
        if (image->loads)
            words[i] = *image->at++;
        else
            *image->at++ = words[i];
    }
}

/* --- zones -------------------------------------------------------------------------------------------------------- */

static bool is_finish_undone(const struct zone* zone)
{
    return zone->job == ZONE_JOB_FINISH && !zone->has_begun;
}

/* Open zones are closed. A finish that has not begun has no effect; the host has not been told that it is complete. */
static uint32_t state_to_save(const struct zoned_drive* d, uint32_t number, uint32_t pointer)
{
    const uint32_t state = zone_state_of(&d->states, number);
    const bool was_full = state == ZONE_FULL && d->states.entry[number].pointer != d->shape.capacity;
    if (state == ZONE_READ_ONLY || state == ZONE_OFFLINE || (was_full && !is_finish_undone(&d->zone[number])))
        return state;
    if (pointer == d->shape.capacity)
        return ZONE_FULL;
    return pointer == 0 ? ZONE_EMPTY : ZONE_CLOSED;
}

/* What has arrived is the beginning of what was accepted. */
static struct saved_zone saved(const struct zoned_drive* d, uint32_t number)
{
    const struct zone* zone = &d->zone[number];
    const uint32_t pointer = d->states.entry[number].pointer - zone->expected;
    return (struct saved_zone){state_to_save(d, number, pointer), pointer, zone->submitted,
                               (zone->has_blocks ? HAS_BLOCKS : 0u) | (zone->has_failed ? HAS_FAILED : 0u)};
}

static void restore(struct zoned_drive* d, uint32_t number, const struct saved_zone* from)
{
    struct zone* zone = &d->zone[number];
    zone_states_restore(&d->states, number, from->state, from->pointer);
    zone->assigned = from->pointer;
    zone->submitted = from->submitted;
    zone->has_blocks = (from->flags & HAS_BLOCKS) != 0;
    zone->has_failed = (from->flags & HAS_FAILED) != 0;
}

static void copy_zones(struct zoned_drive* d, struct image* image)
{
    for (uint32_t number = 0; number < d->zones; ++number) {
        struct saved_zone zone = saved(d, number);
        copy(image, &zone.state, sizeof zone / sizeof(uint32_t));
        if (image->loads)
            restore(d, number, &zone);
    }
    copy(image, d->members, d->zones * d->shape.members);
}

/* --- blocks ------------------------------------------------------------------------------------------------------- */

static void copy_blocks(struct zoned_drive* d, struct image* image)
{
    const uint32_t planes = d->blocks.planes;
    const uint32_t blocks = planes * d->blocks.blocks_per_plane;
    for (uint32_t plane = 0; plane < planes; ++plane) {
        copy(image, &d->blocks.plane[plane].head, 1);
        copy(image, &d->blocks.plane[plane].count, 1);
    }
    copy(image, d->blocks.ring, blocks);
    copy(image, d->blocks.dirty, bitmap_words(blocks));
    copy(image, d->blocks.bad, bitmap_words(blocks));
}

/* --- buffers ------------------------------------------------------------------------------------------------------ */

static uint32_t arrived(const struct zoned_drive* d, const struct unit* unit)
{
    const uint32_t pointer = d->states.entry[unit->zone].pointer - d->zone[unit->zone].expected;
    const uint32_t first = unit->number * d->shape.unit_sectors;
    const uint32_t rest = pointer > first ? pointer - first : 0;
    return rest < d->shape.unit_sectors ? rest : d->shape.unit_sectors;
}

static void find_units(struct zoned_drive* d)
{
    d->save.units = 0;
    for (uint32_t zone = 0; zone < d->zones; ++zone) {
        for (uint32_t number = d->zone[zone].buffers; number != ZONED_NONE; number = d->unit[number].next) {
            const struct unit* unit = &d->unit[number];
            const uint32_t sectors = arrived(d, unit);
            if (sectors != 0 && (!unit->is_submitted || unit->has_failed))
                d->save.unit[d->save.units++] = (struct saved_unit){zone, unit->number, sectors, number};
        }
    }
}

/* --- all ---------------------------------------------------------------------------------------------------------- */

static bool copy_all(struct zoned_drive* d, bool loads)
{
    const uint32_t bytes = d->save.chunks * d->save.record_bytes;
    struct image image = {hal_memory(d->save.image, bytes), loads};
    uint32_t magic = IMAGE_MAGIC;
    uint32_t zones = d->zones;
    HAL_COST_TIMES(table_kibibyte, bytes / 1024);
    copy(&image, &magic, 1);
    copy(&image, &zones, 1);
    if (magic != IMAGE_MAGIC || zones != d->zones)
        return false;
    copy_zones(d, &image);
    copy_blocks(d, &image);
    copy(&image, &d->save.units, 1);
    copy(&image, &d->save.unit[0].zone, d->save.units * (uint32_t)(sizeof(struct saved_unit) / sizeof(uint32_t)));
    return true;
}

void image_store(struct zoned_drive* d)
{
    find_units(d);
    copy_all(d, false);
}

bool image_load(struct zoned_drive* d)
{
    return copy_all(d, true);
}
