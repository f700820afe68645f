/* SPDX-License-Identifier: Apache-2.0
 *
 * The operations of one die that wait in software, and their order. Operations are taken in the order in which they
 * were queued, except that reads for the host or a merge pass the others; after FLASH_READ_STREAK of them in a row
 * another operation follows, unless it is an erase and the read was queued before it.
 */
#ifndef STROBE_FLASH_QUEUES_H
#define STROBE_FLASH_QUEUES_H

#include "firmware/drivers/flash_descriptors.h"

#define FLASH_NONE 0xFFFFFFFFu
#define FLASH_READ_STREAK 4u

struct flash_wait { /* an operation in a queue */
    uint32_t next;
    uint32_t ticket; /* its place in the order of the die */
};

struct flash_queue { /* of operations, linked by their flash_wait */
    uint32_t head, tail;
};

struct flash_queues {
    struct flash_queue reads, others; /* reads that pass, and all other operations */
    uint32_t ticket;                  /* counts operations queued */
    uint32_t streak;                  /* reads taken in a row while others wait */
};

/* All functions: `wait` and `descriptors` are arrays over the operations. */
void flash_queues_init(struct flash_queues* queues);
void flash_queues_add(struct flash_queues* queues, struct flash_wait* wait, uint32_t op, bool is_read_that_passes);
/* A read that was taken comes back, before everything that waits. */
void flash_queues_return(struct flash_queues* queues, struct flash_wait* wait, uint32_t op, bool is_read_that_passes);

/* The operation that is next. FLASH_NONE: it is an erase, and none may go now. REQUIRES: one is queued. */
uint32_t flash_queues_take(struct flash_queues* queues, const struct flash_wait* wait,
                           const struct flash_descriptor* descriptors, bool erase_may_go);

/* Reads apart: they and the other operations are taken separately. FLASH_NONE: none may go. */
uint32_t flash_queues_take_read(struct flash_queues* queues, const struct flash_wait* wait);
/* An erase also goes only when no read was queued before it. */
uint32_t flash_queues_take_other(struct flash_queues* queues, const struct flash_wait* wait,
                                 const struct flash_descriptor* descriptors, bool erase_may_go);

#endif
