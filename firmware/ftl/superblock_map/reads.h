/* SPDX-License-Identifier: Apache-2.0
 *
 * Host reads: each is cut at superblocks, and each piece is one operation of the foreground unit, which routes the data
 * to the host and replaces buffered sectors on the way. Reads end in the order in which they begin, so what a read
 * looks at (a superblock, a sector table, sectors of the buffer) is free for other use once all reads have ended that
 * had begun before it was given up: a fence.
 */
#ifndef STROBE_READS_H
#define STROBE_READS_H

#include "firmware/drivers/units.h"

struct fence {
    uint32_t read, synthesized; /* counts of reads begun, by firmware and by the synthesizer */
};

/* Behind every read that has begun. */
struct fence reads_fence(void);
/* Whether all reads before the fence have ended. */
bool reads_have_passed(const struct fence* fence);

struct reads {
    uint32_t first_slot, slots; /* descriptor slots, used in turn */
    uint32_t begun, ended;      /* operations, free-running */
    uint32_t* command;          /* per slot: host slot */
    bus_address scratch_at;     /* per slot READ_MOST words: its sector table */
    uint32_t* scratch;
    bus_address no_sectors;                      /* a sector table of a whole superblock without any */
    bool synthesizer, awaits_synthesizer, alarm; /* awaits: a fence stands behind reads of the synthesizer */
    uint32_t synthesized;                        /* reads of the synthesizer that are known to have ended */
    uint32_t head, tail;                         /* host slots that have more to begin */
};

/* The end of a read of the synthesizer makes no event: while something waits for one, the timer wakes the firmware. */
void reads_set_alarm(void);
void reads_cancel_alarm(void);

void reads_init(const struct boot_block* boot, struct arena* arena, uint32_t first_slot, uint32_t slots);
void reads_start(uint32_t host_slot); /* a read command */
void reads_done(uint32_t slot, struct units_result result);

#endif
