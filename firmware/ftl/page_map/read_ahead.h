/* SPDX-License-Identifier: Apache-2.0
 *
 * Read-ahead: which host reads continue a sequential stream, which units are read before the host asks for them, and
 * which buffer slots hold them. A read continues a stream if it begins where the stream's last read ended; once a
 * stream is established, reads of other queues may come in a different order: up to a window before or after that
 * place. After READ_AHEAD_MATCHES such reads the units of the next `window` are read ahead, up to the
 * end of a flash page if it was written in order.
 *
 * A unit that is held has had no write or trim since its read was ordered: the request layer calls read_ahead_forget()
 * for each. It is dropped also when its stream has passed it by a window without reading it, and when the stream is
 * replaced by a new one, which takes the place of the stream that was not read for the longest time, or gives way
 * (read_ahead_give_way()).
 *
 * Owner of: struct read_ahead. Calls neither the flash nor the host port: request_read.c moves the data.
 */
#ifndef STROBE_PAGE_MAP_READ_AHEAD_H
#define STROBE_PAGE_MAP_READ_AHEAD_H

#include "firmware/drivers/arena.h"
#include "firmware/ftl/page_map/geometry.h"

#define READ_AHEAD_MATCHES 2u   /* reads that continue a stream before units are read ahead */
#define READ_AHEAD_PATIENCE 64u /* reads of others after which a stream gives its slots to one that needs them */

struct ahead_stream {
    uint32_t next;    /* the unit after the stream's furthest read */
    uint32_t ahead;   /* the next unit to read ahead */
    uint32_t matches; /* reads that continued the stream, up to READ_AHEAD_MATCHES */
    uint32_t age;     /* read_ahead.clock at its last read */
    uint32_t held;    /* units in its part of read_ahead.held */
};

struct ahead_unit {
    uint32_t unit, slot; /* slot NONE: there is none */
    uint32_t is_read;    /* by the host */
};

struct read_ahead {
    uint32_t streams; /* 0: no read-ahead */
    uint32_t window;  /* units */
    uint32_t batch;   /* units are read ahead up to a multiple of this */
    uint32_t clock;
    struct ahead_stream* stream;
    struct ahead_unit* held; /* 2 x window for each stream: a unit is at its number modulo that */
    void (*drop)(void* context, uint32_t slot);
    void* context;
};

/* drop(context, slot): the slot is no longer held. */
void read_ahead_init(struct read_ahead* ahead, struct arena* arena, const struct boot_block* boot, uint32_t batch,
                     void (*drop)(void* context, uint32_t slot), void* context);

/* A host read of units [first, end); `is_inside`: it does not begin at the beginning of its first unit. Returns the
 * established stream that it continues, or NONE. */
uint32_t read_ahead_observe(struct read_ahead* ahead, uint32_t first, uint32_t end, bool is_inside);

/* The next unit to read ahead now, if it is below `units`; NONE: no more. */
uint32_t read_ahead_next(const struct read_ahead* ahead, uint32_t stream, uint32_t units);
/* The next unit of the stream is read into a slot; NONE: it is left out. REQUIRES: no stream holds it yet */
void read_ahead_ordered(struct read_ahead* ahead, uint32_t stream, uint32_t slot);

/* There is no slot for the stream: another one that has not been read for READ_AHEAD_PATIENCE reads ends, and its units
 * are dropped. False: there is none. */
bool read_ahead_give_way(struct read_ahead* ahead, uint32_t stream);

/* The slot that holds a unit, or NONE. */
uint32_t read_ahead_find(const struct read_ahead* ahead, uint32_t unit);
/* The host has read the unit, `all`: up to its end, so it is dropped. REQUIRES: it is held */
void read_ahead_used(struct read_ahead* ahead, uint32_t unit, bool all);
/* New data, a trim, or a failed read of the unit: drops it if it is held. */
void read_ahead_forget(struct read_ahead* ahead, uint32_t unit);

#endif
