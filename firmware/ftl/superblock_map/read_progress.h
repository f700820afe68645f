/* SPDX-License-Identifier: Apache-2.0
 *
 * Progress of host reads. Reads end in the order in which they begin, so memory that reads use (a superblock, a sector
 * table, sectors of the buffer) is free for other use as soon as all reads that began before its release have ended. A
 * fence records that point.
 *
 * Two kinds of reads are counted: operations that firmware gives to the foreground unit (reads.c counts them), and
 * reads that the request synthesizer of the hardware makes, which the hardware counts.
 */
#ifndef STROBE_SUPERBLOCK_MAP_READ_PROGRESS_H
#define STROBE_SUPERBLOCK_MAP_READ_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct fence {
    uint32_t read, synthesized; /* reads begun, by firmware and by the synthesizer */
};

struct read_progress {
    uint32_t begun, ended;   /* operations of firmware, free-running */
    bool synthesizer;        /* there is one */
    uint32_t synthesized;    /* reads of the synthesizer that have ended, as last read from the hardware */
    bool awaits_synthesizer; /* since the last read_alarm_cancel() a fence has waited for one of its reads */
    bool alarm;              /* the timer is set */
};

/* A fence after all reads that have begun. */
struct fence read_fence(const struct read_progress* progress);
/* Whether all reads before the fence have ended. */
bool read_fence_has_passed(struct read_progress* progress, const struct fence* fence);

/* A read of the synthesizer causes no event when it ends: while a fence waits for one, the timer wakes the firmware. */
void read_alarm_set(struct read_progress* progress);
void read_alarm_cancel(struct read_progress* progress);

#endif
