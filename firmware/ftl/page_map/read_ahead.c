/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/page_map/read_ahead.h"

#include "firmware/drivers/statistics.h"

static struct ahead_unit* place_of(const struct read_ahead* ahead, uint32_t stream, uint32_t unit)
{
    return &ahead->held[2 * ahead->window * stream + unit % (2 * ahead->window)];
}

/* The stream that holds the unit, or NONE. */
static uint32_t find(const struct read_ahead* ahead, uint32_t unit)
{
    for (uint32_t stream = 0; stream < ahead->streams; ++stream) {
        const struct ahead_unit* held = place_of(ahead, stream, unit);
        if (held->slot != NONE && held->unit == unit)
            return stream;
    }
    return NONE;
}

static void drop(struct read_ahead* ahead, uint32_t stream, uint32_t unit)
{
    struct ahead_unit* held = place_of(ahead, stream, unit);
    const uint32_t slot = held->slot;
    if (slot == NONE)
        return;
    held->slot = NONE;
    --ahead->stream[stream].held;
    if (held->is_read == 0)
        statistics_count(STATISTIC_AHEAD_WASTED, 1);
    ahead->drop(ahead->context, slot);
}

/* --- streams ------------------------------------------------------------------------------------------------------ */

static bool continues(const struct read_ahead* ahead, const struct ahead_stream* stream, uint32_t begin)
{
    if (stream->matches == READ_AHEAD_MATCHES)
        return begin + ahead->window >= stream->next && begin <= stream->next + ahead->window;
    return stream->age != 0 && begin == stream->next;
}

static uint32_t oldest(const struct read_ahead* ahead)
{
    uint32_t found = 0;
    for (uint32_t stream = 1; stream < ahead->streams; ++stream) {
        if (ahead->stream[stream].age < ahead->stream[found].age)
            found = stream;
    }
    return found;
}

/* Streams of random reads hold nothing: they are replaced at every read, and the window is not searched. */
static void drop_all(struct read_ahead* ahead, uint32_t stream)
{
    for (uint32_t i = 0; ahead->stream[stream].held != 0; ++i)
        drop(ahead, stream, i);
}

bool read_ahead_give_way(struct read_ahead* ahead, uint32_t stream)
{
    for (uint32_t other = 0; other < ahead->streams; ++other) {
        struct ahead_stream* abandoned = &ahead->stream[other];
        if (other == stream || abandoned->age == 0 || ahead->clock - abandoned->age <= READ_AHEAD_PATIENCE)
            continue;
        drop_all(ahead, other);
        *abandoned = (struct ahead_stream){0};
        return true;
    }
    return false;
}

static void begin_stream(struct read_ahead* ahead, uint32_t end)
{
    const uint32_t number = oldest(ahead);
    drop_all(ahead, number);
    ahead->stream[number] = (struct ahead_stream){.next = end, .ahead = end, .age = ahead->clock};
}

uint32_t read_ahead_observe(struct read_ahead* ahead, uint32_t first, uint32_t end, bool is_inside)
{
    const uint32_t begin = first + (is_inside ? 1 : 0);
    ++ahead->clock;
    for (uint32_t number = 0; number < ahead->streams; ++number) {
        struct ahead_stream* stream = &ahead->stream[number];
        if (!continues(ahead, stream, begin))
            continue;
        stream->age = ahead->clock;
        if (stream->next < end)
            stream->next = end;
        if (stream->ahead < stream->next)
            stream->ahead = stream->next;
        if (stream->matches != READ_AHEAD_MATCHES)
            ++stream->matches;
        return stream->matches == READ_AHEAD_MATCHES ? number : NONE;
    }
    begin_stream(ahead, end);
    return NONE;
}

/* --- units -------------------------------------------------------------------------------------------------------- */

/* Whole batches only. */
static uint32_t end_of(const struct read_ahead* ahead, uint32_t stream)
{
    return (ahead->stream[stream].next + ahead->window) / ahead->batch * ahead->batch;
}

uint32_t read_ahead_next(const struct read_ahead* ahead, uint32_t stream, uint32_t units)
{
    const uint32_t unit = ahead->stream[stream].ahead;
    return unit < units && unit < end_of(ahead, stream) ? unit : NONE;
}

void read_ahead_ordered(struct read_ahead* ahead, uint32_t stream, uint32_t slot)
{
    const uint32_t unit = ahead->stream[stream].ahead++;
    drop(ahead, stream, unit);
    *place_of(ahead, stream, unit) = (struct ahead_unit){unit, slot, 0};
    if (slot == NONE)
        return;
    ++ahead->stream[stream].held;
    statistics_count(STATISTIC_AHEAD_READ, 1);
}

uint32_t read_ahead_find(const struct read_ahead* ahead, uint32_t unit)
{
    const uint32_t stream = find(ahead, unit);
    return stream == NONE ? NONE : place_of(ahead, stream, unit)->slot;
}

void read_ahead_used(struct read_ahead* ahead, uint32_t unit, bool all)
{
    const uint32_t stream = find(ahead, unit);
    place_of(ahead, stream, unit)->is_read = 1;
    if (all)
        drop(ahead, stream, unit);
}

void read_ahead_forget(struct read_ahead* ahead, uint32_t unit)
{
    const uint32_t stream = find(ahead, unit);
    if (stream != NONE)
        drop(ahead, stream, unit);
}

/* --- start -------------------------------------------------------------------------------------------------------- */

void read_ahead_init(struct read_ahead* ahead, struct arena* arena, const struct boot_block* boot, uint32_t batch,
                     void (*drop_slot)(void* context, uint32_t slot), void* context)
{
    static const char what[] = "read-ahead";
    *ahead = (struct read_ahead){.streams = boot->read_ahead_streams, .window = boot->read_ahead_window};
    ahead->batch = batch < ahead->window ? batch : ahead->window;
    ahead->drop = drop_slot;
    ahead->context = context;
    if (ahead->streams == 0)
        return;
    const uint32_t units = 2 * ahead->window * ahead->streams;
    ahead->stream = arena_array(arena, ahead->streams, sizeof *ahead->stream, what);
    ahead->held = arena_array(arena, units, sizeof *ahead->held, what);
    for (uint32_t i = 0; i < units; ++i)
        ahead->held[i].slot = NONE;
}
