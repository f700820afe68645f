/* SPDX-License-Identifier: Apache-2.0
 *
 * One alarm: the timer line is asserted from the time on until the alarm is set again or cancelled.
 */
#ifndef STROBE_TIMER_H
#define STROBE_TIMER_H

#include "firmware/hal/hal.h"
#include "firmware/regs/strobe_regs.h"

static inline void timer_set(uint64_t at_ns)
{
    reg_write(TIMER_COMPARE_LO, (uint32_t)at_ns);
    reg_write(TIMER_COMPARE_HI, (uint32_t)(at_ns >> 32));
    reg_write(TIMER_CONTROL, TIMER_CONTROL_ENABLE_MASK);
}

static inline void timer_cancel(void)
{
    reg_write(TIMER_CONTROL, 0);
}

#endif
