/* SPDX-License-Identifier: Apache-2.0
 *
 * The state machine of zones (NVMe Zoned Namespace Command Set): states, write pointers, and the limits of open and
 * active zones. It decides which commands are legal and what they do to the states; it moves no data. The entries are
 * the zone table that the host reads (strobe.rdl).
 *
 * Owner of: struct zone_states. Invariants: `open` lists the open zones, the one that was opened last at the end;
 * `active` counts open and closed zones; neither exceeds its limit; the pointer of an empty zone is 0.
 */
#ifndef STROBE_ZONED_STATES_H
#define STROBE_ZONED_STATES_H

#include "firmware/drivers/arena.h"
#include "firmware/regs/strobe_regs.h"

struct zone_states {
    struct zone_entry* entry;
    uint32_t zones, capacity; /* sectors of a zone */
    uint32_t* open;
    uint32_t open_count, active_count;
    uint32_t open_limit, active_limit;
};

/* All zones are empty. `table`: of `zones` entries. */
void zone_states_init(struct zone_states* states, struct arena* arena, struct zone_entry* table, uint32_t zones,
                      uint32_t capacity, uint32_t open_limit, uint32_t active_limit);

static inline uint32_t zone_state_of(const struct zone_states* states, uint32_t zone)
{
    return states->entry[zone].state;
}

/* A write of sectors [sector, sector + sectors) of the zone; an append begins at the pointer. HOST_OK: the pointer has
 * moved, and the zone is open or full. At the limit of open zones, one that is open implicitly is closed. */
enum host_status zone_states_write(struct zone_states* states, uint32_t zone, uint32_t sector, uint32_t sectors);

/* What the host requests with the command kinds of these names. A closed zone without data becomes empty. */
enum host_status zone_states_open(struct zone_states* states, uint32_t zone);
enum host_status zone_states_close(struct zone_states* states, uint32_t zone);
enum host_status zone_states_finish(struct zone_states* states, uint32_t zone);
bool zone_states_may_reset(const struct zone_states* states, uint32_t zone);
void zone_states_reset(struct zone_states* states, uint32_t zone); /* REQUIRES: it may be */

/* As it was before a power loss. More zones may be active than the limit: a finish that is undone makes its zone active
 * again. REQUIRES: it is empty, and does not become open */
void zone_states_restore(struct zone_states* states, uint32_t zone, enum zone_state state, uint32_t pointer);

/* The zone takes no more data (ZONE_READ_ONLY), or has none (ZONE_OFFLINE). */
void zone_states_fail(struct zone_states* states, uint32_t zone, enum zone_state state);
/* The last sectors that it has accepted will not come. REQUIRES: it is read-only */
void zone_states_refuse(struct zone_states* states, uint32_t zone, uint32_t sectors);

#endif
