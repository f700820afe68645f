/* SPDX-License-Identifier: Apache-2.0
 *
 * Which dies may work, while the governor (governor.h) limits how many work at a time: a die that has nothing in the
 * hardware waits in a line for its turn, first come first served. It keeps its turn until all that it has in the
 * hardware has ended, and as long as no other die waits and no more dies work than may. Without a limit there are no
 * turns.
 */
#ifndef STROBE_FLASH_TURNS_H
#define STROBE_FLASH_TURNS_H

#include "firmware/drivers/flash_queues.h"
#include "firmware/drivers/governor.h"

struct flash_die {
    struct flash_queues queues;
    uint32_t queued;      /* in software, or with the other core */
    uint32_t outstanding; /* handed to the hardware, reads apart not counted */
    uint32_t reads_apart; /* handed to the hardware */
    uint32_t unit;
    uint32_t next_waiting; /* dies that wait for room in a unit, or for their turn */
    bool waiting;
    uint32_t unused[4]; /* to a power of two, which makes its address a shift */
};

struct flash_line { /* of dies that wait, linked by next_waiting; a die is in one line at most */
    uint32_t head, tail;
};

static inline void flash_line_init(struct flash_line* line)
{
    line->head = line->tail = FLASH_NONE;
}
/* Unless the die waits already. */
static inline void flash_line_put(struct flash_line* line, struct flash_die* dies, uint32_t number)
{
    struct flash_die* die = &dies[number];
    if (die->waiting)
        return;
    die->waiting = true;
    die->next_waiting = FLASH_NONE;
    if (line->head == FLASH_NONE)
        line->head = number;
    else
        dies[line->tail].next_waiting = number;
    line->tail = number;
}
/* REQUIRES: the line is not empty */
uint32_t flash_line_take(struct flash_line* line, struct flash_die* dies);

struct flash_turns {
    struct governor governor;
    uint32_t active; /* dies that work; only while there is a limit */
    uint32_t rounds; /* of events */
    struct flash_line line;
};

static inline bool flash_die_works(const struct flash_die* die)
{
    return (die->outstanding | die->reads_apart) != 0;
}
static inline bool flash_turns_exist(const struct flash_turns* turns)
{
    return turns->governor.limit != 0;
}

void flash_turns_init(struct flash_turns* turns);
/* Whether the die may hand over operations now; if not, and it has any, it waits for its turn. REQUIRES: turns exist */
bool flash_turns_may_go(struct flash_turns* turns, struct flash_die* dies, uint32_t number);
/* The next die whose turn has come; FLASH_NONE: none. */
uint32_t flash_turns_next(struct flash_turns* turns, struct flash_die* dies);
/* Looks at the sensor, if it has a new sample. True: there is another limit, so turns may have come. */
bool flash_turns_govern(struct flash_turns* turns, const struct flash_die* dies, uint32_t count);
/* The same once in 16 calls, for firmware that always has something to do. */
bool flash_turns_govern_busy(struct flash_turns* turns, const struct flash_die* dies, uint32_t count);

#endif
