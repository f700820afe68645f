/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the sectors of zones are, as arithmetic: no state, no hardware. The dies form groups of `dies` each, and a zone
 * consists of one block of every plane of the dies of one group. What a die programs at a time for a zone, the pages of
 * a word line in all its planes, is a unit. Units go to the dies in turn; the pages of a unit go to the planes in turn.
 * Neighbouring zones are in different groups. The last word lines of the blocks may stay empty (ZONE_ROWS).
 */
#ifndef STROBE_ZONED_SHAPE_H
#define STROBE_ZONED_SHAPE_H

#include "firmware/regs/strobe_regs.h"

#include <stdint.h>

struct zone_shape {
    uint32_t dies;          /* of a zone */
    uint32_t groups;        /* of dies */
    uint32_t planes;        /* of a die */
    uint32_t members;       /* blocks of a zone: dies * planes */
    uint32_t program_pages; /* of a block, written by one program */
    uint32_t page_sectors;
    uint32_t unit_pages;
    uint32_t unit_sectors;
    uint32_t units;    /* of a zone */
    uint32_t capacity; /* sectors of a zone */
    uint32_t size;     /* sectors from a zone to the next one: the power of two that is not smaller than the capacity */
};

static inline struct zone_shape zone_shape_of(const struct boot_block* boot)
{
    struct zone_shape s;
    s.dies = boot->zone_dies;
    s.groups = boot->channels * boot->ways * boot->luns / boot->zone_dies;
    s.planes = boot->planes;
    s.members = s.dies * s.planes;
    s.program_pages = boot->program_pages;
    s.page_sectors = boot->page_bytes / 512;
    s.unit_pages = s.planes * s.program_pages;
    s.unit_sectors = s.unit_pages * s.page_sectors;
    s.units = s.dies * (boot->zone_rows != 0 ? boot->zone_rows : boot->pages_per_block / boot->program_pages);
    s.capacity = s.units * s.unit_sectors;
    s.size = 1;
    while (s.size < s.capacity)
        s.size *= 2;
    return s;
}

/* Dies of a group are `groups` apart: dies of the same group are on as many channels as possible. */
static inline uint32_t zone_die(const struct zone_shape* s, uint32_t zone, uint32_t member)
{
    return zone % s->groups + member / s->planes * s->groups;
}

struct zone_page { /* of a zone */
    uint32_t unit;
    uint32_t member; /* block of the zone: its die (in the group) * planes + its plane */
    uint32_t sector; /* of the block, the first one of the page */
    uint32_t slot;   /* of the page in a buffer of the unit, where the pages of a block are side by side */
};

static inline struct zone_page zone_page_of(const struct zone_shape* s, uint32_t page)
{
    struct zone_page p;
    p.unit = page / s->unit_pages;
    const uint32_t in_unit = page % s->unit_pages;
    const uint32_t plane = in_unit % s->planes;
    const uint32_t of_block = in_unit / s->planes;
    p.member = p.unit % s->dies * s->planes + plane;
    p.sector = (p.unit / s->dies * s->program_pages + of_block) * s->page_sectors;
    p.slot = plane * s->program_pages + of_block;
    return p;
}

#endif
