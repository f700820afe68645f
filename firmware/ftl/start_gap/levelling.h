/* SPDX-License-Identifier: Apache-2.0
 *
 * Start-Gap wear levelling (Qureshi et al., MICRO 2009) as arithmetic: `lines` logical lines are stored in lines + 1
 * physical lines; the gap is the one without data. Two registers determine the place of every line:
 *   physical(logical) = (logical + start) mod lines, and one more from the gap on
 * A move copies the line below the gap into it; the gap is then where that line was. When it has reached the
 * bottom, it returns to the top and start rises by one, so that over time every line is in every place.
 * Plain functions, no hardware.
 */
#ifndef STROBE_START_GAP_LEVELLING_H
#define STROBE_START_GAP_LEVELLING_H

#include <stdint.h>

struct start_gap {
    uint32_t lines; /* logical; physical ones are one more */
    uint32_t start;
    uint32_t gap;
};

static inline void start_gap_init(struct start_gap* levelling, uint32_t lines)
{
    levelling->lines = lines;
    levelling->start = 0;
    levelling->gap = lines;
}

static inline uint32_t start_gap_physical(const struct start_gap* levelling, uint32_t logical)
{
    uint32_t line = logical + levelling->start;
    if (line >= levelling->lines)
        line -= levelling->lines;
    return line >= levelling->gap ? line + 1 : line;
}

/* The physical line that moves into the gap next, and the logical line that it holds. */
static inline uint32_t start_gap_source(const struct start_gap* levelling)
{
    return levelling->gap != 0 ? levelling->gap - 1 : levelling->lines;
}
static inline uint32_t start_gap_moving(const struct start_gap* levelling)
{
    const uint32_t line = levelling->gap != 0 ? levelling->gap - 1 : levelling->lines - 1;
    return line >= levelling->start ? line - levelling->start : line + levelling->lines - levelling->start;
}

/* The line was copied. */
static inline void start_gap_moved(struct start_gap* levelling)
{
    if (levelling->gap != 0) {
        --levelling->gap;
        return;
    }
    levelling->gap = levelling->lines;
    levelling->start = levelling->start + 1 == levelling->lines ? 0 : levelling->start + 1;
}

#endif
