/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/drivers/units.h"

#include <string.h>

static struct units_result result_of(uint32_t status)
{
    return (struct units_result){
        (enum flash_status)(status & FLASH_EVENT_STATUS_CODE_MASK),
        (status & FLASH_EVENT_STATUS_CHIP_MASK) >> FLASH_EVENT_STATUS_CHIP_SHIFT,
    };
}

static void end_operation(struct units* units, uint32_t slot, uint32_t status)
{
    ++units->ended;
    units->client.on_done(units->client.context, slot, result_of(status));
}

static void software_done(void* context, const struct flash_descriptor* descriptor, uint32_t status)
{
    end_operation(context, descriptor->cookie, status);
}

static void use_descriptors(struct units* units, bus_address at)
{
    units->descriptors_at = at;
    units->descriptors = hal_memory(at, units->slots * (uint32_t)sizeof(struct flash_descriptor));
}

static bus_address take_descriptors(const struct units* units, struct arena* arena)
{
    return arena_take(arena, units->slots, sizeof(struct flash_descriptor), 64, "flash descriptors");
}

static void init_units(struct units* units, const struct boot_block* boot, struct arena* arena)
{
    if (boot->software_units == BACKGROUND_UNITS_SOFTWARE)
        software_units_init(&units->software, arena, boot, units->slots, software_done, units);
    const uint32_t entries = ring_size(units->slots + units->software.units * units->software.chips);
    const bus_address ring = arena_take(arena, entries, RING_ENTRY_BYTES, 64, "the flash event ring");
    ring_init(&units->ring, hal_memory(ring, entries * RING_ENTRY_BYTES), entries);
    reg_write(FLASH_RING_BASE, ring);
    reg_write(FLASH_RING_ENTRIES, entries);
}

void units_init(struct units* units, struct arena* arena, const struct boot_block* boot, uint32_t slots,
                struct units_client client)
{
    *units = (struct units){.slots = slots, .foreground = boot->foreground_unit, .client = client};
    use_descriptors(units, take_descriptors(units, arena));
    if (boot->cores > 1)
        peer_start(&units->peer, boot, arena, slots, units->descriptors_at);
    else
        init_units(units, boot, arena);
}

void units_init_second_core(struct units* units, const struct boot_block* boot, struct arena* arena, uint32_t slots,
                            bus_address descriptors, struct units_client client)
{
    *units = (struct units){.slots = slots, .foreground = boot->foreground_unit, .client = client};
    use_descriptors(units, descriptors);
    init_units(units, boot, arena);
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

static bus_address slot_at(const struct units* units, uint32_t slot)
{
    return units->descriptors_at + slot * (uint32_t)sizeof(struct flash_descriptor);
}

static void hand_over(struct units* units, uint32_t slot, uint32_t unit)
{
    HAL_COST(peer_submit);
    peer_send(&units->peer, slot, unit, 0);
}

void units_submit(struct units* units, uint32_t slot, uint32_t unit)
{
    if (peer_is_there(&units->peer))
        hand_over(units, slot, unit);
    else if (units->software.units != 0)
        software_units_submit(&units->software, unit, slot_at(units, slot));
    else
        unit_list_start(unit, slot_at(units, slot));
}

void units_submit_foreground(struct units* units, uint32_t slot)
{
    if (peer_is_there(&units->peer))
        hand_over(units, slot, UNITS_FOREGROUND);
    else
        unit_list_start(units->foreground, slot_at(units, slot));
}

static void hardware_done(struct units* units, uint32_t slot, uint32_t status)
{
    const uint32_t code = status & FLASH_EVENT_STATUS_CODE_MASK;
    if (code == FLASH_ILLEGAL || code == FLASH_MALFORMED)
        unit_list_refuse(&units->descriptors[slot], code);
    end_operation(units, slot, status);
}

static uint32_t take_events(struct units* units)
{
    uint32_t events = 0;
    for (const volatile uint32_t* entry; (entry = ring_take(&units->ring)) != NULL; ++events) {
        HAL_COST(unit_event);
        const uint32_t status = entry[0];
        const uint32_t cookie = entry[2];
        if (cookie < units->slots)
            hardware_done(units, cookie, status);
        else
            software_units_event(&units->software, cookie - units->slots, status);
    }
    if (events != 0)
        reg_write(FLASH_RING_CONSUMER, units->ring.taken);
    return events;
}

static uint32_t poll_peer(struct units* units)
{
    uint32_t message[PEER_MESSAGE_WORDS];
    while (peer_take(&units->peer, message)) {
        HAL_COST(peer_event);
        end_operation(units, message[1], message[0]);
    }
    return units->ended;
}

uint32_t units_poll(struct units* units)
{
    units->ended = 0;
    if (peer_is_there(&units->peer))
        return poll_peer(units);
    uint32_t events = take_events(units);
    while (units->ended == 0 && software_units_step(&units->software)) {
        ++events;
        if (units->client.is_urgent != NULL && units->client.is_urgent(units->client.context))
            break;
        events += take_events(units);
    }
    HAL_COST(unit_round);
    return events;
}

void units_sleep(struct units* units)
{
    if (peer_is_there(&units->peer))
        peer_sleep(&units->peer);
    else
        hal_wait_for_interrupt();
}
