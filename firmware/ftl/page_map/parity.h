/* SPDX-License-Identifier: Apache-2.0
 *
 * Parity of stripes (firmware.pageMap.superblock.parity). A stripe is `width` neighbouring pages of a block, one on
 * each die of its group, at the same word line. Its last page, so always that of the group's last die, is the parity
 * (XOR) of the others, with their spare records. blocks.c takes the page; the XOR engine of the controller adds up the
 * data while the others are programmed (one accumulator for each strip of a stripe); this file programs it when the
 * last of their programs has ended, in the order of the stripes of a block. A stripe that is ended before it is
 * full (its block has failed or is due, or a read needs the parity) gets the parity of what it holds; pages of it that
 * stay blank add nothing.
 *
 * Not in a power loss: a stripe whose parity is not in flash then stays without one. Blocks of tables have none.
 *
 * Owner of: the stripes whose parity is not in flash, per plane in the order in which they were begun, and the
 * accumulators 0 .. capacity_stripes() * row_planes - 1. Invariant: plane.behind (blocks.h) counts those whose pages
 * are all taken.
 */
#ifndef STROBE_PAGE_MAP_PARITY_H
#define STROBE_PAGE_MAP_PARITY_H

#include "firmware/drivers/arena.h"
#include "firmware/drivers/flash.h"
#include "firmware/ftl/page_map/blocks.h"
#include "firmware/ftl/page_map/policy.h"

struct ftl;

struct stripe {
    uint32_t next;  /* of the plane, or free */
    uint32_t block; /* of the layer */
    uint32_t page;  /* of the block: the parity */
    uint16_t data;  /* programs of data in progress */
    uint8_t parity; /* programs of parity in progress; 0: not begun */
    uint8_t set;    /* for the XOR engine */
};

struct parity {
    struct stripe* stripes;
    uint32_t* first; /* by plane */
    uint32_t free;
    uint32_t first_op; /* number of the first one as a flash operation */
};

static inline uint32_t parity_ops(const struct geometry* g)
{
    return capacity_stripes(g) * g->row_planes;
}

void parity_init(struct ftl* ftl, struct arena* arena, uint32_t first_op);

/* The programs of a page begin, whose first unit is `unit`; returns its stripe. */
uint32_t parity_begin_page(struct ftl* ftl, uint32_t unit);
/* What the XOR engine does with a strip of its pages. */
static inline uint32_t parity_order(const struct parity* parity, const struct geometry* g, uint32_t stripe,
                                    uint32_t strip, bool is_parity)
{
    return flash_parity_order(stripe * g->row_planes + strip, parity->stripes[stripe].set, is_parity ? 1 : 0);
}
/* The program of a strip of data has ended, of the page that holds `unit`. */
void parity_data_ended(struct ftl* ftl, uint32_t unit);
/* The program of a strip of parity has ended. True: it was the last one of its stripe. */
bool parity_ended(struct ftl* ftl, uint32_t op, enum flash_status status);

/* Programs the parity of stripes that were ended early. */
void parity_run(struct ftl* ftl);

/* The stripe of a page, if its parity is not in flash yet; else NONE. */
uint32_t parity_find(const struct ftl* ftl, uint32_t block, uint32_t page);

#endif
