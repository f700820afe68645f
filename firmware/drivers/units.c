/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/drivers/units.h"

#include "firmware/hal/text.h"

#include <string.h>

void units_init(struct units* units, struct arena* arena, uint32_t slots, units_handler on_done)
{
    const uint32_t entries = ring_size(slots);
    const uint32_t bytes = slots * (uint32_t)sizeof(struct flash_descriptor);
    units->descriptors_at = arena_take(arena, slots, sizeof(struct flash_descriptor), 64, "flash descriptors");
    units->descriptors = hal_memory(units->descriptors_at, bytes);
    const bus_address ring = arena_take(arena, entries, RING_ENTRY_BYTES, 64, "the flash event ring");
    ring_init(&units->ring, hal_memory(ring, entries * RING_ENTRY_BYTES), entries);
    units->on_done = on_done;
    reg_write(FLASH_RING_BASE, ring);
    reg_write(FLASH_RING_ENTRIES, entries);
}

struct flash_descriptor* units_prepare(struct units* units, uint32_t slot, enum flash_opcode opcode, uint32_t superchip,
                                       enum flash_purpose purpose)
{
    struct flash_descriptor* descriptor = &units->descriptors[slot];
    memset(descriptor, 0, sizeof *descriptor);
    descriptor->control = (uint32_t)opcode | (uint32_t)purpose << FLASH_DESCRIPTOR_CONTROL_PURPOSE_SHIFT |
                          FLASH_DESCRIPTOR_CONTROL_REPORT_MASK;
    descriptor->superchip = superchip;
    descriptor->cookie = slot;
    return descriptor;
}

void units_submit(struct units* units, uint32_t slot, uint32_t unit)
{
    HAL_COST(flash_submit);
    reg_write(FLASH_UNIT_HEAD + FLASH_UNIT_HEAD_STEP * unit,
              units->descriptors_at + slot * (uint32_t)sizeof(struct flash_descriptor));
}

static _Noreturn void refused(const struct flash_descriptor* descriptor, uint32_t status)
{
    struct text text;
    text_start(&text,
               status == FLASH_ILLEGAL ? "a die refused superchip opcode " : "malformed descriptor, superchip opcode ");
    text_number(&text, descriptor->control & FLASH_DESCRIPTOR_CONTROL_OPCODE_MASK);
    text_add(&text, " at superchip ");
    text_number(&text, descriptor->superchip);
    text_add(&text, " sector ");
    text_number(&text, descriptor->start_sector);
    text_add(&text, " sectors ");
    text_number(&text, descriptor->sectors);
    hal_panic(text.chars);
}

uint32_t units_poll(struct units* units)
{
    uint32_t events = 0;
    uint32_t entry[4];
    while (ring_take(&units->ring, entry)) {
        ++events;
        HAL_COST(flash_event);
        const uint32_t slot = entry[2];
        const uint32_t status = entry[0] & FLASH_EVENT_STATUS_CODE_MASK;
        if (status == FLASH_ILLEGAL || status == FLASH_MALFORMED)
            refused(&units->descriptors[slot], status);
        const struct units_result result = {(enum flash_status)status,
                                            (entry[0] & FLASH_EVENT_STATUS_CHIP_MASK) >> FLASH_EVENT_STATUS_CHIP_SHIFT};
        units->on_done(slot, result);
    }
    if (events != 0)
        reg_write(FLASH_RING_CONSUMER, units->ring.taken);
    return events;
}
