/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/zoned/reads.h"

#include "firmware/ftl/zoned/units.h"

static void give(struct zoned_drive* d, uint32_t number)
{
    d->piece[number].next = d->free_piece;
    d->free_piece = number;
}

void reads_init(struct zoned_drive* d)
{
    d->free_piece = ZONED_NONE;
    for (uint32_t number = d->pieces; number != 0; --number)
        give(d, number - 1);
}

enum host_status reads_begin(struct zoned_drive* d, uint32_t slot)
{
    const struct command* command = &d->command[slot];
    if (command->sectors > d->shape.size - command->sector)
        return HOST_ZONE_BOUNDARY;
    if (zone_state_of(&d->states, command->zone) == ZONE_OFFLINE)
        return HOST_ZONE_OFFLINE;
    command_list_add(d, &d->reads, slot);
    return HOST_OK;
}

/* A command of one piece is completed by its transfer. */
static bool is_whole(const struct zoned_drive* d, const struct piece* piece)
{
    return piece->sectors == d->command[piece->slot].sectors;
}

static void send(const struct zoned_drive* d, uint32_t number, bus_address page)
{
    const struct piece* piece = &d->piece[number];
    host_transfer(piece->slot, true, piece->first, piece->sectors, page + piece->column * SECTOR_BYTES,
                  0x80000000u | number, is_whole(d, piece));
}

static bus_address page_of(const struct zoned_drive* d, uint32_t piece)
{
    return d->piece_data + piece * d->boot->page_bytes;
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static void sense(struct zoned_drive* d, uint32_t number, uint32_t zone, const struct zone_page* page)
{
    const struct piece* piece = &d->piece[number];
    const struct flash_place from = {zone_die(&d->shape, zone, page->member), *zone_member(d, zone, page->member),
                                     page->sector + piece->column, false};
    flash_read(&d->flash, number, from, piece->sectors, page_of(d, number) + piece->column * SECTOR_BYTES,
               FLASH_FOR_HOST);
}

/* Begins the next piece of the command. REQUIRES: one is free */
static void begin_piece(struct zoned_drive* d, uint32_t slot)
{
    struct command* command = &d->command[slot];
    const struct zone* zone = &d->zone[command->zone];
    const uint32_t number = d->free_piece;
    struct piece* piece = &d->piece[number];
    d->free_piece = piece->next;
    HAL_COST(host_read_page);
    const uint32_t sector = command->sector + command->cursor;
    const struct zone_page page = zone_page_of(&d->shape, sector / d->shape.page_sectors);
    piece->slot = slot;
    piece->first = command->cursor;
    piece->column = sector % d->shape.page_sectors;
    piece->sectors = least(d->shape.page_sectors - piece->column, command->sectors - command->cursor);
    piece->unit = ZONED_NONE;
    const uint32_t unit = sector < zone->assigned ? units_find(d, command->zone, page.unit) : ZONED_NONE;
    uint32_t end = zone->assigned; /* of what can be read */
    if (unit != ZONED_NONE)
        end = page.unit * d->shape.unit_sectors + d->unit[unit].arrived;
    const bool is_data = sector < end;
    if (is_data)
        piece->sectors = least(piece->sectors, end - sector);
    command->cursor += piece->sectors;
    ++command->open;
    if (!is_data) {
        piece->column = 0;
        send(d, number, d->zeros);
    } else if (unit != ZONED_NONE) {
        piece->unit = unit;
        units_read_begins(d, unit);
        send(d, number, units_page(d, unit, page.slot));
    } else {
        sense(d, number, command->zone, &page);
    }
}

void reads_run(struct zoned_drive* d)
{
    while (d->reads.head != ZONED_NONE) {
        const uint32_t slot = d->reads.head;
        const struct command* command = &d->command[slot];
        while (command->cursor < command->sectors) {
            if (d->free_piece == ZONED_NONE)
                return;
            begin_piece(d, slot);
        }
        d->reads.head = command->next;
    }
}

static void end_piece(struct zoned_drive* d, uint32_t number, bool is_completed)
{
    const struct piece* piece = &d->piece[number];
    struct command* command = &d->command[piece->slot];
    --command->open;
    if (!is_completed && command->open == 0 && command->cursor == command->sectors)
        host_complete(piece->slot, command->status);
    give(d, number);
}

void reads_sensed(struct zoned_drive* d, uint32_t number, enum flash_status status)
{
    if (d->save.phase != SAVE_RESTS) /* the host is gone */
        return;
    if (status == FLASH_OK) {
        send(d, number, page_of(d, number));
        return;
    }
    d->command[d->piece[number].slot].status = HOST_UNCORRECTABLE;
    end_piece(d, number, false);
}

void reads_sent(struct zoned_drive* d, uint32_t number)
{
    const struct piece* piece = &d->piece[number];
    const bool is_completed = is_whole(d, piece);
    if (piece->unit != ZONED_NONE)
        units_read_ends(d, piece->unit);
    end_piece(d, number, is_completed);
}
