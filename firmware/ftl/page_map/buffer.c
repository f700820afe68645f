/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/page_map/buffer.h"

#include "firmware/drivers/bitmap.h"
#include "firmware/ftl/page_map/policy.h"
#include "firmware/hal/text.h"

_Static_assert(sizeof(struct slot) == 64, "a slot is one line of a cache");

/* --- pool --------------------------------------------------------------------------------------------------------- */

/* REQUIRES: the use is below its limit; then there is a free slot. */
static uint32_t take_free(struct buffer* buffer, enum slot_use use)
{
    if (use != USE_WRITE && buffer->given_back != NONE) {
        const uint32_t number = buffer->given_back;
        buffer->given_back = buffer->slot[number].next;
        return number;
    }
    const uint32_t number = bitmap_next(buffer->free, buffer->slots, buffer->cursor);
    bitmap_remove(buffer->free, number);
    buffer->cursor = number + 1;
    return number;
}

/* One by one: as one assignment it becomes a call of memset(), with three times as many stores on a core without wide
 * stores. */
static void clear(struct slot* slot, enum slot_use use)
{
    slot->logical = slot->physical = slot->valid = slot->filling = 0;
    slot->sequence = slot->epoch = slot->ticket = 0;
    slot->next = slot->prev = slot->hash_next = 0;
    slot->older = slot->newer = NONE;
    slot->sectors = slot->lane = slot->transfers = slot->pins = 0;
    slot->state = SLOT_FREE;
    slot->use = (uint8_t)use;
    slot->stale = slot->trimmed = slot->lost = slot->urgent = slot->held = slot->tried = false;
}

uint32_t buffer_take(struct buffer* buffer, enum slot_use use)
{
    if (buffer->used[use] >= buffer->limit[use])
        return NONE;
    const uint32_t number = take_free(buffer, use);
    ++buffer->used[use];
    clear(&buffer->slot[number], use);
    return number;
}

void buffer_give(struct buffer* buffer, uint32_t number)
{
    struct slot* slot = &buffer->slot[number];
    --buffer->used[slot->use];
    slot->state = SLOT_FREE;
    if (slot->use == USE_WRITE) {
        bitmap_add(buffer->free, number);
    } else {
        slot->next = buffer->given_back;
        buffer->given_back = number;
    }
}

/* --- versions ----------------------------------------------------------------------------------------------------- */

static uint32_t* bucket_of(const struct buffer* buffer, uint32_t logical)
{
    return &buffer->hash[logical * 0x9E3779B1u >> 7 & buffer->hash_mask];
}

/* The link that points to the newest version of the unit, or the end of its chain. */
static uint32_t* link_of(const struct buffer* buffer, uint32_t logical)
{
    uint32_t* link = bucket_of(buffer, logical);
    while (*link != NONE && buffer->slot[*link].logical != logical)
        link = &buffer->slot[*link].hash_next;
    return link;
}

uint32_t buffer_find(const struct buffer* buffer, uint32_t logical)
{
    return *link_of(buffer, logical);
}

void buffer_publish(struct buffer* buffer, uint32_t number)
{
    struct slot* slot = &buffer->slot[number];
    uint32_t* link = link_of(buffer, slot->logical);
    const uint32_t older = *link;
    slot->older = older;
    slot->hash_next = NONE;
    if (older != NONE) {
        buffer->slot[older].newer = number;
        slot->hash_next = buffer->slot[older].hash_next;
    }
    *link = number;
}

static void detach_as_stale(struct buffer* buffer, uint32_t number)
{
    while (number != NONE) {
        struct slot* slot = &buffer->slot[number];
        number = slot->older;
        slot->stale = true;
        slot->older = slot->newer = NONE;
    }
}

void buffer_settle(struct buffer* buffer, uint32_t number)
{
    struct slot* slot = &buffer->slot[number];
    if (slot->newer != NONE) {
        buffer->slot[slot->newer].older = NONE;
    } else {
        uint32_t* link = link_of(buffer, slot->logical);
        if (*link == number)
            *link = slot->hash_next;
    }
    detach_as_stale(buffer, number);
}

void buffer_withdraw(struct buffer* buffer, uint32_t number)
{
    struct slot* slot = &buffer->slot[number];
    if (slot->older != NONE)
        buffer->slot[slot->older].newer = slot->newer;
    if (slot->newer != NONE) {
        buffer->slot[slot->newer].older = slot->older;
    } else if (slot->older != NONE) {
        *link_of(buffer, slot->logical) = slot->older;
        buffer->slot[slot->older].hash_next = slot->hash_next;
    } else {
        *link_of(buffer, slot->logical) = slot->hash_next;
    }
    slot->older = slot->newer = NONE;
    slot->stale = true;
}

void buffer_forget(struct buffer* buffer, uint32_t logical)
{
    uint32_t* link = link_of(buffer, logical);
    const uint32_t newest = *link;
    if (newest != NONE)
        *link = buffer->slot[newest].hash_next;
    detach_as_stale(buffer, newest);
}

/* --- queues ------------------------------------------------------------------------------------------------------- */

void slot_queue_init(struct slot_queue* queue)
{
    queue->head = queue->tail = NONE;
    queue->count = 0;
}

void slot_queue_push(struct buffer* buffer, struct slot_queue* queue, uint32_t number)
{
    buffer->slot[number].next = NONE;
    buffer->slot[number].prev = queue->tail;
    if (queue->tail == NONE)
        queue->head = number;
    else
        buffer->slot[queue->tail].next = number;
    queue->tail = number;
    ++queue->count;
}

void slot_queue_push_front(struct buffer* buffer, struct slot_queue* queue, uint32_t number)
{
    buffer->slot[number].prev = NONE;
    buffer->slot[number].next = queue->head;
    if (queue->head == NONE)
        queue->tail = number;
    else
        buffer->slot[queue->head].prev = number;
    queue->head = number;
    ++queue->count;
}

void slot_queue_remove(struct buffer* buffer, struct slot_queue* queue, uint32_t number)
{
    const struct slot* slot = &buffer->slot[number];
    if (slot->prev == NONE)
        queue->head = slot->next;
    else
        buffer->slot[slot->prev].next = slot->next;
    if (slot->next == NONE)
        queue->tail = slot->prev;
    else
        buffer->slot[slot->next].prev = slot->prev;
    --queue->count;
}

/* --- start -------------------------------------------------------------------------------------------------------- */

static uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static uint32_t greater(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static _Noreturn void too_small(const struct geometry* geometry, uint32_t bytes, uint32_t least)
{
    struct text text;
    text_start(&text, "data buffer too small: ");
    text_number(&text, bytes);
    text_add(&text, " bytes, at least ");
    text_number(&text, least);
    text_add(&text, geometry->units_per_page == 1 ? " pages (" : " mapping units (");
    text_number(&text, (uint64_t)least * geometry->unit_bytes);
    text_add(&text, ") are needed");
    hal_panic(text.chars);
}

/* Moves get their slots per die; writes get their limit; reads get the rest. */
static void share_out(struct buffer* buffer, const struct boot_block* boot, const struct geometry* g)
{
    const uint32_t slots = buffer->slots - 1;
    const uint32_t moves = capacity_move_slots(g, slots);
    const uint32_t most_writes = slots - moves - MIN_READ_SLOTS;
    const uint32_t wanted = boot->write_buffer_pages == 0 ? capacity_usual_writes(g, slots)
                                                          : boot->write_buffer_pages * g->units_per_flash_page;
    const uint32_t least = capacity_least_writes(g, capacity_lanes(boot));
    const uint32_t writes = smaller(greater(wanted, least), most_writes);
    buffer->limit[USE_MOVE] = moves;
    buffer->limit[USE_WRITE] = writes;
    buffer->limit[USE_READ] = slots - moves - writes;
}

void buffer_init(struct buffer* buffer, struct arena* arena, const struct boot_block* boot,
                 const struct geometry* geometry)
{
    const uint32_t least = capacity_least_slots(boot, geometry);
    *buffer = (struct buffer){0};
    buffer->base = boot->buffer_base;
    buffer->unit_bytes = geometry->unit_bytes;
    buffer->slots = smaller(boot->buffer_size / geometry->unit_bytes, BUFFER_MOST_SLOTS);
    if (buffer->slots < least)
        too_small(geometry, boot->buffer_size, least);
    share_out(buffer, boot, geometry);
    const bus_address slots = arena_take(arena, buffer->slots, sizeof *buffer->slot, 64, "buffer slots");
    buffer->slot = hal_memory(slots, buffer->slots * (uint32_t)sizeof *buffer->slot);
    buffer->free = arena_array(arena, bitmap_words(buffer->slots), sizeof(uint32_t), "buffer slots");
    for (uint32_t slot = 1; slot < buffer->slots; ++slot)
        bitmap_add(buffer->free, slot);
    buffer->cursor = 1;
    buffer->given_back = NONE;
    uint32_t buckets = 16;
    while (buckets < 2 * buffer->slots)
        buckets *= 2;
    buffer->hash = arena_array(arena, buckets, sizeof(uint32_t), "buffer slots");
    buffer->hash_mask = buckets - 1;
    for (uint32_t i = 0; i < buckets; ++i)
        buffer->hash[i] = NONE;
}
