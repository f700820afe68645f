/* SPDX-License-Identifier: Apache-2.0
 *
 * The page-mapping flash translation layer: struct ftl holds the state of its parts; each part is described by one
 * header and owned by one file. Calls only go down this list. Results go up as a return value, as a set that the upper
 * part drains (blocks.h), or through the functions of the client.
 *
 *   ftl.c         start-up, capacity, ends of flash operations, one round of the layer
 *   placement.c   placement handles of the host: their reclaim units, for the host interface
 *   writeout.c    write versions: programming; below it completing.c, placing.c, write_room.c, write_queues.c
 *   page_program.c  the program of a page from slots of the buffer
 *   parity.c      parity of the stripes of a block; rebuild.c: reads that are reconstructed by it
 *   page_fill.c  the program of a page without the buffer, where no time passes
 *   collector.c   garbage collection, static wear levelling, emptying of failed blocks; below it moves.c and
 *                 collect_policy.c (victim.c: which block; pacing.c: how fast, beside host data)
 *   scrub.c       scrub reads and ages for refresh.c, which decides whose data is moved before it is lost
 *   recovery.c    start-up on flash that holds data: a table of steps
 *   checkpoint.c  map and block table in flash, so that recovery is short
 *   bad_blocks.c  finding factory bad blocks, replacing those that go bad
 *   journal.c     what the spare records do not contain; tables.c: blocks that hold tables
 *   epochs.c      what a flush waits for
 *   map.c, victim.c, allocation.c, buffer.c, blocks.c
 */
#ifndef STROBE_PAGE_MAP_FTL_H
#define STROBE_PAGE_MAP_FTL_H

#include "firmware/drivers/arena.h"
#include "firmware/drivers/flash.h"
#include "firmware/drivers/host_if.h"
#include "firmware/ftl/page_map/allocation.h"
#include "firmware/ftl/page_map/bad_blocks.h"
#include "firmware/ftl/page_map/blocks.h"
#include "firmware/ftl/page_map/buffer.h"
#include "firmware/ftl/page_map/checkpoint.h"
#include "firmware/ftl/page_map/collector.h"
#include "firmware/ftl/page_map/completing.h"
#include "firmware/ftl/page_map/epochs.h"
#include "firmware/ftl/page_map/journal.h"
#include "firmware/ftl/page_map/map.h"
#include "firmware/ftl/page_map/pacing.h"
#include "firmware/ftl/page_map/page_fill.h"
#include "firmware/ftl/page_map/page_program.h"
#include "firmware/ftl/page_map/parity.h"
#include "firmware/ftl/page_map/placement.h"
#include "firmware/ftl/page_map/placing.h"
#include "firmware/ftl/page_map/policy.h"
#include "firmware/ftl/page_map/rebuild.h"
#include "firmware/ftl/page_map/refresh.h"
#include "firmware/ftl/page_map/scrub.h"
#include "firmware/ftl/page_map/tables.h"
#include "firmware/ftl/page_map/write_queues.h"
#include "firmware/ftl/page_map/write_room.h"
#include "firmware/ftl/page_map/writeout.h"

/* What the layer reports to the request layer, from inside flash_poll() and ftl_run(). */
struct ftl_client {
    void* context;                                            /* passed to each function */
    void (*unit_read)(void* context, uint32_t slot, bool ok); /* a read slot holds its sectors, or they are lost */
    /* A write version is in flash, dropped or lost. */
    void (*version_settled)(void* context, uint32_t slot, enum host_status status);
    void (*slot_free)(void* context, enum slot_use use);
    void (*flushed)(void* context);   /* a flush may be complete: epochs_is_over() */
    void (*read_only)(void* context); /* no spare block is left */
};

struct ftl {
    const struct boot_block* boot;
    struct ftl_client client;
    struct geometry geometry;
    struct flash flash;
    uint64_t capacity;  /* sectors */
    uint32_t exported;  /* logical units; the hidden units of zeros follow */
    uint32_t sequence;  /* of the next version or record: placing.h */
    uint32_t unsettled; /* versions: placing.h */
    bool read_only;     /* bad_blocks.h */
    bool is_saving;     /* placing.h */

    struct block_table blocks;
    struct page_map map;
    struct allocation allocation;
    struct buffer buffer;
    struct epochs epochs;
    struct journal journal;
    struct checkpoint checkpoint;
    struct bad_block_scan scan;
    struct write_queues queues;
    struct write_room room;
    struct completing completing;
    struct collection collection;
    struct refresh refresh;
    struct scrub scrub;
    struct padding padding;
    struct tables_page tables[TABLES_WRITERS];
    struct recovery* recovery; /* in progress; NULL: the drive works */
    struct pacing pacing;
    struct parity parity;
    struct rebuild rebuild;
    struct placement placement;
};

/* Starts the layer, on an empty drive or on the contents left by an earlier power cycle. Panics when the scenario's
 * geometry, memory or capacity do not fit. */
void ftl_init(struct ftl* ftl, const struct boot_block* boot, struct arena* arena, const struct ftl_client* client);

void ftl_run(struct ftl* ftl);                          /* starts all work that has become possible */
bool ftl_has_work(const struct ftl* ftl);               /* ftl_run() is to be called again at once */
bool ftl_idle_work(struct ftl* ftl, bool host_is_idle); /* background work; true: something was started */

/* Reads sectors [column, column + sectors) of a mapped physical unit into a read slot. */
void ftl_read(struct ftl* ftl, uint32_t slot, uint32_t physical, uint32_t column, uint32_t sectors);
/* Reads neighbouring units of a page into the read slots linked by slot.next, whose slot.logical and
 * slot.physical name them. */
void ftl_read_units(struct ftl* ftl, uint32_t first, uint32_t units);

#endif
