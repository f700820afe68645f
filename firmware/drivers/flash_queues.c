/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/drivers/flash_queues.h"

void flash_queues_init(struct flash_queues* queues)
{
    queues->reads.head = queues->reads.tail = queues->others.head = queues->others.tail = FLASH_NONE;
    queues->ticket = queues->streak = 0;
}

void flash_queues_add(struct flash_queues* queues, struct flash_wait* wait, uint32_t op, bool is_read_that_passes)
{
    struct flash_queue* queue = is_read_that_passes ? &queues->reads : &queues->others;
    wait[op].next = FLASH_NONE;
    wait[op].ticket = queues->ticket++;
    if (queue->head == FLASH_NONE)
        queue->head = op;
    else
        wait[queue->tail].next = op;
    queue->tail = op;
}

void flash_queues_return(struct flash_queues* queues, struct flash_wait* wait, uint32_t op, bool is_read_that_passes)
{
    struct flash_queue* queue = is_read_that_passes ? &queues->reads : &queues->others;
    wait[op].next = queue->head;
    if (queue->head == FLASH_NONE)
        queue->tail = op;
    queue->head = op;
}

static uint32_t pop(struct flash_queue* queue, const struct flash_wait* wait)
{
    const uint32_t op = queue->head;
    queue->head = wait[op].next;
    return op;
}

static bool is_before(const struct flash_wait* wait, uint32_t read, uint32_t other)
{
    return (int32_t)(wait[read].ticket - wait[other].ticket) < 0;
}

/* Reads for the host first, up to a limit in a row; an erase never passes a read that was queued before it. */
static bool read_is_next(const struct flash_queues* queues, const struct flash_wait* wait,
                         const struct flash_descriptor* descriptors)
{
    const uint32_t read = queues->reads.head;
    const uint32_t other = queues->others.head;
    if (read == FLASH_NONE || other == FLASH_NONE)
        return other == FLASH_NONE;
    if (queues->streak < FLASH_READ_STREAK)
        return true;
    return flash_is_erase(&descriptors[other]) && is_before(wait, read, other);
}

uint32_t flash_queues_take(struct flash_queues* queues, const struct flash_wait* wait,
                           const struct flash_descriptor* descriptors, bool erase_may_go)
{
    if (read_is_next(queues, wait, descriptors)) {
        queues->streak = queues->others.head == FLASH_NONE ? 0 : queues->streak + 1;
        return pop(&queues->reads, wait);
    }
    if (!erase_may_go && flash_is_erase(&descriptors[queues->others.head]))
        return FLASH_NONE;
    queues->streak = 0;
    return pop(&queues->others, wait);
}

uint32_t flash_queues_take_read(struct flash_queues* queues, const struct flash_wait* wait)
{
    return queues->reads.head == FLASH_NONE ? FLASH_NONE : pop(&queues->reads, wait);
}

uint32_t flash_queues_take_other(struct flash_queues* queues, const struct flash_wait* wait,
                                 const struct flash_descriptor* descriptors, bool erase_may_go)
{
    const uint32_t other = queues->others.head;
    if (other == FLASH_NONE)
        return FLASH_NONE;
    if (flash_is_erase(&descriptors[other])) {
        const uint32_t read = queues->reads.head;
        if (!erase_may_go || (read != FLASH_NONE && is_before(wait, read, other)))
            return FLASH_NONE;
    }
    return pop(&queues->others, wait);
}
