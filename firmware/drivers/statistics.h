/* SPDX-License-Identifier: Apache-2.0
 *
 * The statistics block (strobe.rdl): figures of the data buffer for an observer. Plain stores into memory, no register
 * access. Without an observer, the same stores go to a private block.
 */
#ifndef STROBE_STATISTICS_H
#define STROBE_STATISTICS_H

#include "firmware/hal/hal.h"
#include "firmware/regs/strobe_regs.h"

/* `address` of the block, 0: there is none. `write_slots`: their number. */
void statistics_start(bus_address address, uint32_t write_slots);

void statistics_slots_taken(uint32_t slots);
void statistics_slots_given(uint32_t slots);

static inline void statistics_slot_taken(void)
{
    statistics_slots_taken(1);
}
static inline void statistics_slot_given(void)
{
    statistics_slots_given(1);
}

enum statistic {
    STATISTIC_AHEAD_READ,
    STATISTIC_AHEAD_HIT,
    STATISTIC_AHEAD_MISSED,
    STATISTIC_AHEAD_WASTED,
    STATISTIC_REFRESH_READS,
    STATISTIC_REFRESH_AGE,
    STATISTIC_REFRESH_ERRORS,
    STATISTIC_REFRESH_UNITS,
    STATISTIC_SCRUB_READS,
    STATISTIC_PARITY_STRIPES,
    STATISTIC_PARITY_REBUILT,
    STATISTIC_PARITY_LOST
};
void statistics_count(enum statistic what, uint32_t more);

/* A command begins to wait for a write slot; returns the time, for statistics_wait_ended(). */
uint64_t statistics_wait_begun(void);
void statistics_wait_ended(uint64_t begun);

#endif
