/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/superblock_map/sector_buffer.h"

#include "firmware/drivers/statistics.h"

#include <string.h>

#define OWNER_SECTOR_BITS 24u
#define FREED_AT_ONCE 128u /* sectors: so that a superblock that was merged does not delay the events of the host */

/* --- entries ------------------------------------------------------------------------------------------------------ */

/* Updates the synthesizer's table for a superblock. */
static void publish(struct sector_buffer* buffer, uint32_t logical)
{
    if (buffer->buffered == NULL)
        return;
    const uint32_t entry = entry_of(buffer, logical);
    if (entry == NONE)
        buffer->buffered[logical] = 0;
    else
        buffer->buffered[logical] = buffer->entry[entry].older != NONE ? BUFFERED_TWICE : entry_table_at(buffer, entry);
}

static uint32_t take_free(struct sector_buffer* buffer)
{
    for (uint32_t i = 0; i < buffer->entries; ++i) {
        if (buffer->entry[i].state == ENTRY_FREE && read_fence_has_passed(buffer->reads, &buffer->entry[i].fence))
            return i;
    }
    return NONE;
}

uint32_t entry_open(struct sector_buffer* buffer, uint32_t logical)
{
    const uint32_t newest = entry_of(buffer, logical);
    if (newest != NONE && buffer->entry[newest].state == ENTRY_OPEN)
        return newest;
    const uint32_t number = take_free(buffer);
    if (number == NONE)
        return NONE;
    HAL_COST(superblock_open);
    buffer->entry[number] = (struct entry){.logical = logical, .older = newest, .state = ENTRY_OPEN};
    buffer->entry[number].stamp = buffer->stamp + 1;
    buffer->entry[number].first = buffer->placed;
    memset(entry_table(buffer, number), 0, buffer->layout->sectors * sizeof(uint32_t));
    buffer->newest[logical] = (uint8_t)(number + 1);
    ++buffer->open;
    publish(buffer, logical);
    return number;
}

void entry_freeze(struct sector_buffer* buffer, uint32_t number)
{
    buffer->entry[number].state = ENTRY_MERGING;
    --buffer->open;
}

void entry_release(struct sector_buffer* buffer, uint32_t number)
{
    struct entry* entry = &buffer->entry[number];
    const uint32_t newest = entry_of(buffer, entry->logical);
    entry->state = ENTRY_FREE;
    entry->fence = read_fence(buffer->reads);
    if (newest == number)
        buffer->newest[entry->logical] = 0;
    else
        buffer->entry[newest].older = NONE;
    publish(buffer, entry->logical);
}

/* --- sectors ------------------------------------------------------------------------------------------------------ */

void buffer_arrived(struct sector_buffer* buffer, uint32_t number, uint32_t sectors)
{
    const uint32_t end = number + sectors;
    if ((int32_t)(end - buffer->head) <= 0)
        return;
    statistics_slots_taken(end - buffer->head);
    buffer->head = end;
}

static void advance_placed(struct sector_buffer* buffer)
{
    const uint32_t* owner = buffer->owner;
    const uint32_t sectors = buffer->sectors;
    uint32_t placed = buffer->placed;
    while (placed != buffer->head && owner[placed % sectors] != OWNER_NOT_ARRIVED)
        ++placed;
    buffer->placed = placed;
}

void buffer_put(struct sector_buffer* buffer, uint32_t number, uint32_t sector, uint32_t from, uint32_t sectors)
{
    struct entry* entry = &buffer->entry[number];
    uint32_t* word = &entry_table(buffer, number)[sector];
    uint32_t* owners = buffer->owner;
    uint32_t owner = number << OWNER_SECTOR_BITS | sector;
    const uint32_t base = buffer->base;
    const uint32_t ring = buffer->sectors;
    const uint32_t zeros = buffer->zeros;
    uint32_t fresh = 0;
    uint32_t trimmed = 0;
    for (uint32_t i = from; i != from + sectors; ++i, ++word) {
        const uint32_t place = i % ring;
        fresh += *word == 0;
        trimmed += *word == zeros;
        *word = base + place * SECTOR_BYTES;
        owners[place] = owner++;
    }
    entry->sectors += fresh;
    entry->trimmed -= trimmed;
    entry->last = buffer->stamp;
    advance_placed(buffer);
}

void buffer_discard(struct sector_buffer* buffer, uint32_t number)
{
    buffer->owner[number % buffer->sectors] = OWNER_NONE;
    advance_placed(buffer);
}

void buffer_trim(struct sector_buffer* buffer, uint32_t number, uint32_t sector)
{
    struct entry* entry = &buffer->entry[number];
    uint32_t* word = &entry_table(buffer, number)[sector];
    entry->sectors += *word == 0;
    entry->trimmed += *word != buffer->zeros;
    entry->last = buffer->stamp;
    entry->was_trimmed = true;
    *word = buffer->zeros;
}

uint32_t buffer_sector(const struct sector_buffer* buffer, uint32_t number)
{
    return buffer->owner[number % buffer->sectors] & ((1u << OWNER_SECTOR_BITS) - 1);
}

/* The entry that the sector was written to, if it still holds sectors; NONE otherwise. */
static uint32_t written_to(const struct sector_buffer* buffer, uint32_t number)
{
    const uint32_t owner = buffer->owner[number % buffer->sectors];
    if (owner == OWNER_NONE || owner == OWNER_NOT_ARRIVED)
        return NONE;
    const struct entry* entry = &buffer->entry[owner >> OWNER_SECTOR_BITS];
    const bool is_current = entry->state != ENTRY_FREE && (int32_t)(number - entry->first) >= 0;
    return is_current ? owner >> OWNER_SECTOR_BITS : NONE;
}

/* The entry's word for that sector now. */
static bus_address word_of(const struct sector_buffer* buffer, uint32_t entry, uint32_t number)
{
    return entry_table(buffer, entry)[buffer_sector(buffer, number)];
}

uint32_t buffer_owner(const struct sector_buffer* buffer, uint32_t number)
{
    const uint32_t entry = written_to(buffer, number);
    return entry != NONE && word_of(buffer, entry, number) == buffer_address(buffer, number) ? entry : NONE;
}

uint32_t buffer_owner_before(const struct sector_buffer* buffer, uint32_t number, uint32_t until)
{
    const uint32_t entry = written_to(buffer, number);
    if (entry == NONE)
        return NONE;
    const bus_address word = word_of(buffer, entry, number);
    if (word == buffer_address(buffer, number) || word == buffer->zeros)
        return entry;
    const uint32_t place = (word - buffer->base) / SECTOR_BYTES;
    const uint32_t further = (place + buffer->sectors - number % buffer->sectors) % buffer->sectors;
    return (int32_t)(number + further - until) >= 0 ? entry : NONE;
}

uint32_t buffer_unneeded(const struct sector_buffer* buffer)
{
    for (uint32_t number = buffer->placed; number != buffer->tail; --number) {
        if (buffer->owner[(number - 1) % buffer->sectors] == OWNER_NONE)
            return number - 1;
    }
    return NONE;
}

void buffer_move(struct sector_buffer* buffer, uint32_t number, uint32_t to)
{
    const uint32_t entry = buffer_owner(buffer, number);
    if (entry == NONE)
        return;
    entry_table(buffer, entry)[buffer_sector(buffer, number)] = buffer_address(buffer, to);
    buffer->owner[to % buffer->sectors] = buffer->owner[number % buffer->sectors];
}

bool buffer_move_out(struct sector_buffer* buffer, uint32_t number, bus_address to)
{
    const uint32_t entry = buffer_owner(buffer, number);
    if (entry == NONE)
        return false;
    entry_table(buffer, entry)[buffer_sector(buffer, number)] = to;
    return true;
}

/* Frees a share of the sectors at the tail; whether more may be free. */
static bool advance_tail(struct sector_buffer* buffer)
{
    const uint32_t limit = buffer->holding ? buffer->hold : buffer->placed;
    const uint32_t end = limit - buffer->tail > FREED_AT_ONCE ? buffer->tail + FREED_AT_ONCE : limit;
    while (buffer->tail != end && buffer_owner(buffer, buffer->tail) == NONE) {
        HAL_COST(free_sector);
        buffer->owner[buffer->tail % buffer->sectors] = OWNER_NOT_ARRIVED;
        ++buffer->tail;
    }
    return buffer->tail == end && end != limit;
}

/* The feeder uses the whole ring; sectors beyond `most` are withheld from it after the first round. */
static void release_to_feeder(struct sector_buffer* buffer)
{
    const uint32_t released = buffer->given_back - (buffer->sectors - buffer->most);
    if ((int32_t)(released - buffer->published) <= 0)
        return;
    buffer->published = released;
    reg_write(HOST_FEED_RELEASED, released);
}

/* Gives back the sectors before the tail once their reads have ended; false: not yet. */
static bool give_back(struct sector_buffer* buffer)
{
    if (!buffer->closing) {
        buffer->closing = true;
        buffer->closing_at = buffer->tail;
        buffer->closing_fence = read_fence(buffer->reads);
    }
    if (!read_fence_has_passed(buffer->reads, &buffer->closing_fence))
        return false;
    buffer->closing = false;
    statistics_slots_given(buffer->closing_at - buffer->given_back);
    buffer->given_back = buffer->closing_at;
    release_to_feeder(buffer);
    return true;
}

bool buffer_run(struct sector_buffer* buffer)
{
    const bool has_more = advance_tail(buffer);
    while (buffer->tail != buffer->given_back && give_back(buffer)) {
    }
    return has_more;
}

/* --- start -------------------------------------------------------------------------------------------------------- */

void sector_buffer_reset(struct sector_buffer* buffer)
{
    buffer->head = buffer->placed = buffer->tail = buffer->given_back = 0;
    memset(buffer->owner, 0xFF, buffer->sectors * sizeof *buffer->owner);
}

bool sector_buffer_keep(struct sector_buffer* buffer, bus_address room_at, uint32_t room)
{
    const uint32_t behind = buffer->sectors - buffer->head;
    const uint32_t most = behind > room ? behind : room;
    if (most == 0)
        return false;
    uint32_t sectors = 1;
    while (2 * sectors <= most && 2 * sectors <= buffer->sectors)
        sectors *= 2;
    buffer->base = behind > room ? buffer->base + buffer->head * SECTOR_BYTES : room_at;
    buffer->sectors = buffer->most = sectors;
    sector_buffer_reset(buffer);
    return true;
}

void sector_buffer_init(struct sector_buffer* buffer, const struct layout* layout, struct read_progress* reads,
                        struct arena* arena, const struct sector_buffer_size* size, bool synthesizer)
{
    const uint32_t entries = size->entries;
    *buffer = (struct sector_buffer){.layout = layout, .reads = reads, .base = size->base, .most = size->sectors};
    buffer->entries = entries;
    const uint32_t sectors = buffer->sectors = buffer_ring_sectors(size->sectors);
    buffer->zeros = size->base + sectors * SECTOR_BYTES;
    buffer->owner = arena_array(arena, sectors, sizeof *buffer->owner, "the sector buffer");
    sector_buffer_reset(buffer);
    buffer->entry = arena_array(arena, entries, sizeof *buffer->entry, "superblocks in the buffer");
    const uint64_t words = (uint64_t)entries * layout->sectors;
    buffer->tables_at = arena_take(arena, words, 4, 64, "sector tables");
    buffer->tables = hal_memory(buffer->tables_at, (uint32_t)words * 4);
    buffer->newest = arena_array(arena, size->logicals, 1, "superblocks in the buffer");
    if (synthesizer) {
        const bus_address at = arena_take(arena, size->logicals, 4, 64, "the table of buffered sectors");
        buffer->buffered = hal_memory(at, size->logicals * 4);
        reg_write(FLASH_SYNTH_BUFFERED, at);
    }
}
