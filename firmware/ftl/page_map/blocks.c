/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/page_map/blocks.h"

/* --- the heap of free blocks: least worn on top, at equal wear the lowest number --------------------------------- */

static uint32_t* heap_of(const struct block_table* table, uint32_t plane)
{
    return &table->heap[plane * table->geometry.blocks_per_plane];
}

static bool less_worn(const struct block_table* table, uint32_t a, uint32_t b)
{
    const uint32_t wear_a = table->block[a].erases;
    const uint32_t wear_b = table->block[b].erases;
    return wear_a != wear_b ? wear_a < wear_b : a < b;
}

static void sift_up(const struct block_table* table, uint32_t* heap, uint32_t at)
{
    const uint32_t block = heap[at];
    while (at > 0 && less_worn(table, block, heap[(at - 1) / 2])) {
        heap[at] = heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    heap[at] = block;
}

static void sift_down(const struct block_table* table, uint32_t* heap, uint32_t size, uint32_t at)
{
    const uint32_t block = heap[at];
    for (;;) {
        uint32_t child = 2 * at + 1;
        if (child >= size)
            break;
        if (child + 1 < size && less_worn(table, heap[child + 1], heap[child]))
            ++child;
        if (!less_worn(table, heap[child], block))
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = block;
}

static uint32_t heap_remove(struct block_table* table, uint32_t plane, uint32_t at)
{
    uint32_t* heap = heap_of(table, plane);
    const uint32_t block = heap[at];
    const uint32_t size = --table->plane[plane].free;
    if (at != size) {
        heap[at] = heap[size];
        sift_down(table, heap, size, at);
        sift_up(table, heap, at);
    }
    return block;
}

static uint32_t most_worn(const struct block_table* table, uint32_t plane)
{
    const uint32_t* heap = heap_of(table, plane);
    uint32_t best = 0;
    for (uint32_t i = 1; i < table->plane[plane].free; ++i) {
        if (table->block[heap[i]].erases > table->block[heap[best]].erases)
            best = i;
    }
    return best;
}

static void leave_slc(struct block_table* table, uint32_t block)
{
    struct block* b = &table->block[block];
    if (!b->slc)
        return;
    b->slc = false;
    --table->plane[b->plane].slc;
    plane_set_add(&table->room_changed, b->plane); /* reserved blocks are free for others, or not */
}

void blocks_enter_slc(struct block_table* table, uint32_t block)
{
    struct block* b = &table->block[block];
    b->slc = true;
    ++table->plane[b->plane].slc;
    plane_set_add(&table->room_changed, b->plane);
}

void blocks_add_free(struct block_table* table, uint32_t block)
{
    struct block* b = &table->block[block];
    b->state = BLOCK_FREE;
    b->taken = 0;
    b->valid = 0;
    b->due = 0;
    b->moved = false;
    leave_slc(table, block);
    struct plane* plane = &table->plane[b->plane];
    heap_of(table, b->plane)[plane->free] = block;
    sift_up(table, heap_of(table, b->plane), plane->free++);
    plane_set_add(&table->room_changed, b->plane);
}

uint32_t blocks_take_free(struct block_table* table, uint32_t plane, enum stream stream)
{
    if (table->plane[plane].free == 0)
        return NONE;
    plane_set_add(&table->room_changed, plane);
    return heap_remove(table, plane, !stream_is_moved(stream) ? 0 : most_worn(table, plane));
}

/* --- lists -------------------------------------------------------------------------------------------------------- */

static void list_add(struct block_table* table, uint32_t* head, uint32_t block)
{
    struct block* b = &table->block[block];
    b->prev = NONE;
    b->next = *head;
    if (*head != NONE)
        table->block[*head].prev = block;
    *head = block;
}

static void list_remove(struct block_table* table, uint32_t* head, uint32_t block)
{
    const struct block* b = &table->block[block];
    if (b->prev == NONE)
        *head = b->next;
    else
        table->block[b->prev].next = b->next;
    if (b->next != NONE)
        table->block[b->next].prev = b->prev;
}

static uint32_t list_take(struct block_table* table, uint32_t* head)
{
    const uint32_t block = *head;
    if (block != NONE)
        list_remove(table, head, block);
    return block;
}

static void refill(struct block_table* table, uint32_t plane)
{
    table->plane[plane].dry = false;
    plane_set_add(&table->to_collect, plane);
}

/* All pages of the block are taken and no program of it is in progress. */
static void become_full(struct block_table* table, uint32_t block)
{
    struct block* b = &table->block[block];
    struct plane* plane = &table->plane[b->plane];
    b->state = BLOCK_FULL;
    if (b->failed) {
        list_add(table, &plane->failed_list, block);
        refill(table, b->plane);
        return;
    }
    if (b->due != 0)
        plane_set_add(&table->to_collect, b->plane);
    if (!blocks_is_listed(table, b))
        return;
    list_add(table, blocks_list(table, b->plane, b->valid), block);
    ++plane->full;
    if (b->valid < plane->fewest)
        plane->fewest = b->valid;
    if (plane->dry && b->valid <= capacity_most_valid(&table->geometry))
        refill(table, b->plane);
}

void blocks_add_full(struct block_table* table, uint32_t block)
{
    table->block[block].taken = (uint16_t)blocks_pages_of(table, block);
    become_full(table, block);
    plane_set_add(&table->to_collect, table->block[block].plane);
}

void blocks_open_again(struct block_table* table, uint32_t block, enum stream stream, uint16_t taken)
{
    struct block* b = &table->block[block];
    b->state = BLOCK_OPEN;
    b->taken = taken;
    b->moved = stream_is_moved(stream);
    b->handle = stream_handle(stream) & 7u;
    table->plane[b->plane].open[stream] = block;
}

uint32_t blocks_take_for_tables(struct block_table* table, uint32_t plane)
{
    const uint32_t block = blocks_take_free(table, plane, STREAM_HOST);
    table->block[block].state = BLOCK_TABLES;
    plane_set_add(&table->to_collect, plane);
    return block;
}

static void close_block(struct block_table* table, uint32_t block)
{
    struct block* b = &table->block[block];
    b->state = BLOCK_CLOSING;
    if (b->flying == 0)
        become_full(table, block);
}

/* --- pages -------------------------------------------------------------------------------------------------------- */

/* The block takes its next parity page, whatever is left of the stripe before it. */
static void take_parity(struct block_table* table, uint32_t block)
{
    struct block* b = &table->block[block];
    struct plane* plane = &table->plane[b->plane];
    b->taken = (uint16_t)(parity_page_of(&table->geometry, b->taken) + 1u);
    b->flying = (uint16_t)(b->flying + table->geometry.row_planes);
    ++plane->behind;
    plane_set_add(&table->room_changed, b->plane);
}

void blocks_parity_ended(struct block_table* table, uint32_t block)
{
    const uint32_t plane = table->block[block].plane;
    --table->plane[plane].behind;
    plane_set_add(&table->room_changed, plane);
    plane_set_add(&table->to_collect, plane);
}

uint32_t blocks_take_page(struct block_table* table, uint32_t plane, enum stream stream, uint32_t keep)
{
    uint32_t* open = &table->plane[plane].open[stream];
    if (*open == NONE) {
        if (!blocks_have_page(table, plane, stream, keep))
            return NONE;
        *open = blocks_take_free(table, plane, stream);
        table->block[*open].state = BLOCK_OPEN;
        table->block[*open].moved = stream_is_moved(stream);
        table->block[*open].handle = stream_handle(stream) & 7u;
        if (table->opened != NULL)
            table->opened[*open] = table->clock;
        if (stream == STREAM_SLC)
            blocks_enter_slc(table, *open);
        if (!stream_is_moved(stream))
            plane_set_add(&table->to_collect, plane);
    }
    const uint32_t block = *open;
    struct block* b = &table->block[block];
    const uint32_t unit = unit_of_page(&table->geometry, block, b->taken);
    ++b->taken;
    b->flying = (uint16_t)(b->flying + table->geometry.row_planes);
    b->stamp = ++table->clock;
    if (is_parity_page(&table->geometry, b->taken))
        take_parity(table, block);
    if (b->taken == blocks_pages_of(table, block)) {
        *open = NONE;
        b->state = BLOCK_CLOSING;
        plane_set_add(&table->room_changed, plane);
    }
    if (table->geometry.width != 1 && !stream_is_moved(stream)) /* the next page is on another die */
        plane_set_add(&table->room_changed, plane);
    return unit;
}

void blocks_program_ended(struct block_table* table, uint32_t block)
{
    struct block* b = &table->block[block];
    --b->flying;
    if (b->flying == 0 && b->state == BLOCK_CLOSING)
        become_full(table, block);
}

static void end_stripe(struct block_table* table, uint32_t block)
{
    if (!table->geometry.has_parity || table->block[block].taken % table->geometry.width == 0)
        return;
    take_parity(table, block);
    plane_set_add(&table->parity_due, table->block[block].plane);
}

void blocks_end_stripe(struct block_table* table, uint32_t block)
{
    end_stripe(table, block);
    if (table->block[block].taken == blocks_pages_of(table, block))
        blocks_close(table, block);
}

void blocks_close(struct block_table* table, uint32_t block)
{
    struct plane* plane = &table->plane[table->block[block].plane];
    for (uint32_t stream = 0; stream < STREAMS; ++stream) {
        if (plane->open[stream] == block) {
            plane->open[stream] = NONE;
            end_stripe(table, block);
            plane_set_add(&table->room_changed, table->block[block].plane);
            close_block(table, block);
        }
    }
}

bool blocks_fail(struct block_table* table, uint32_t block)
{
    struct block* b = &table->block[block];
    if (b->failed)
        return false;
    b->failed = true;
    blocks_close(table, block);
    plane_set_add(&table->to_collect, b->plane);
    return true;
}

void blocks_unit_valid(struct block_table* table, uint32_t block)
{
    ++table->block[block].valid;
}

void blocks_units_valid(struct block_table* table, uint32_t block, uint32_t units)
{
    table->block[block].valid += units;
}

void blocks_unit_invalid(struct block_table* table, uint32_t block)
{
    struct block* b = &table->block[block];
    const bool listed = blocks_is_listed(table, b);
    if (listed)
        list_remove(table, blocks_list(table, b->plane, b->valid), block);
    --b->valid;
    b->stamp = table->clock;
    if (listed) {
        struct plane* plane = &table->plane[b->plane];
        list_add(table, blocks_list(table, b->plane, b->valid), block);
        if (b->valid < plane->fewest)
            plane->fewest = b->valid;
        if (plane->dry && b->valid <= capacity_most_valid(&table->geometry))
            refill(table, b->plane);
    }
}

/* --- collection and retirement ------------------------------------------------------------------------------------ */

void blocks_collect(struct block_table* table, uint32_t block)
{
    struct block* b = &table->block[block];
    if (blocks_is_listed(table, b)) {
        list_remove(table, blocks_list(table, b->plane, b->valid), block);
        --table->plane[b->plane].full;
    }
    b->state = BLOCK_COLLECTING;
}

uint32_t blocks_take_failed(struct block_table* table, uint32_t plane)
{
    const uint32_t block = list_take(table, &table->plane[plane].failed_list);
    if (block != NONE)
        table->block[block].state = BLOCK_COLLECTING;
    return block;
}

void blocks_erased(struct block_table* table, uint32_t block)
{
    struct block* b = &table->block[block];
    ++b->erases;
    if (b->erases > table->plane[b->plane].most_erases)
        table->plane[b->plane].most_erases = b->erases;
    blocks_add_free(table, block);
    plane_set_add(&table->to_collect, b->plane);
}

void blocks_retire(struct block_table* table, uint32_t block)
{
    leave_slc(table, block);
    table->block[block].state = BLOCK_BAD;
    table->block[block].due = 0;
}

void blocks_add_spare(struct block_table* table, uint32_t block)
{
    struct block* b = &table->block[block];
    leave_slc(table, block);
    b->state = BLOCK_SPARE;
    list_add(table, &table->plane[b->plane].spare_list, block);
    ++table->plane[b->plane].spares;
}

uint32_t blocks_take_spare(struct block_table* table, uint32_t plane)
{
    const uint32_t block = list_take(table, &table->plane[plane].spare_list);
    if (block != NONE)
        --table->plane[plane].spares;
    return block;
}

/* --- start -------------------------------------------------------------------------------------------------------- */

void blocks_collect_all(struct block_table* table)
{
    for (uint32_t plane = 0; plane < table->geometry.planes; ++plane)
        plane_set_add(&table->to_collect, plane);
}

void blocks_all_changed(struct block_table* table)
{
    for (uint32_t plane = 0; plane < table->geometry.planes; ++plane) {
        plane_set_add(&table->to_collect, plane);
        plane_set_add(&table->room_changed, plane);
    }
}

void blocks_init(struct block_table* table, struct arena* arena, const struct geometry* geometry)
{
    const uint32_t heads = geometry->planes * (geometry->units_per_block + 1);
    table->geometry = *geometry;
    table->block = arena_array(arena, geometry->blocks, sizeof *table->block, "the block table");
    table->plane = arena_array(arena, geometry->planes, sizeof *table->plane, "the plane table");
    table->heap = arena_array(arena, geometry->blocks, sizeof *table->heap, "the free blocks");
    table->lists = arena_array(arena, heads, sizeof *table->lists, "the full blocks");
    table->clock = 0;
    plane_set_init(&table->to_collect, arena, geometry->planes, "the plane table");
    plane_set_init(&table->room_changed, arena, geometry->planes, "the plane table");
    if (geometry->has_parity)
        plane_set_init(&table->parity_due, arena, geometry->planes, "the plane table");
    for (uint32_t i = 0; i < heads; ++i)
        table->lists[i] = NONE;
    for (uint32_t plane = 0; plane < geometry->planes; ++plane) {
        struct plane* p = &table->plane[plane];
        p->spare_list = p->failed_list = NONE;
        for (uint32_t stream = 0; stream < STREAMS; ++stream)
            p->open[stream] = NONE;
        p->fewest = geometry->units_per_block;
    }
    for (uint32_t block = 0; block < geometry->blocks; ++block) {
        table->block[block].plane = (uint16_t)plane_of_block(geometry, block);
        table->block[block].prev = table->block[block].next = NONE;
        table->block[block].state = BLOCK_BAD; /* until found good */
    }
}
