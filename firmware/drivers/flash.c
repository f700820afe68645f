/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/drivers/flash.h"

/* --- units -------------------------------------------------------------------------------------------------------- */

static uint32_t least_loaded_unit(const struct flash* flash)
{
    uint32_t best = 0;
    for (uint32_t unit = 0; unit < flash->unit_count; ++unit) {
        if (flash->unit_lists[unit] == 0)
            return unit;
        if (flash->unit_lists[unit] < flash->unit_lists[best])
            best = unit;
    }
    return best;
}

static void hand_over(struct flash* flash, uint32_t op, uint32_t unit)
{
    ++flash->unit_lists[unit];
    if (flash->is_on_second_core)
        HAL_COST(peer_start);
    else
        HAL_COST(flash_submit);
    reg_write(FLASH_UNIT_HEAD + FLASH_UNIT_HEAD_STEP * unit,
              flash->descriptors_at + op * (uint32_t)sizeof(struct flash_descriptor));
}

static void pump_apart(struct flash* flash, uint32_t number)
{
    struct flash_die* die = &flash->dies[number];
    const uint32_t unit = flash->read_units + number;
    while (die->reads_apart < flash->read_depth && flash->unit_lists[unit] < flash->unit_limit) {
        const uint32_t op = flash_queues_take_read(&die->queues, flash->wait);
        if (op == FLASH_NONE)
            break;
        --die->queued;
        ++die->reads_apart;
        hand_over(flash, op, unit);
    }
    while (die->outstanding < flash->die_depth && flash->unit_lists[die->unit] < flash->unit_limit) {
        const bool erases = die->reads_apart == 0 && (die->outstanding == 0 || !read_retry_is_on(&flash->retry));
        const uint32_t op = flash_queues_take_other(&die->queues, flash->wait, flash->descriptors, erases);
        if (op == FLASH_NONE)
            break;
        --die->queued;
        ++die->outstanding;
        hand_over(flash, op, die->unit);
    }
}

/* Hands operations of a die to its unit while both have space. */
static void pump(struct flash* flash, uint32_t number)
{
    struct flash_die* die = &flash->dies[number];
    if (flash->read_units != 0) {
        pump_apart(flash, number);
        return;
    }
    while (die->queued != 0 && die->outstanding < flash->die_depth) {
        if (die->outstanding == 0 && flash->unit_count < flash->die_count)
            die->unit = least_loaded_unit(flash);
        if (flash->unit_lists[die->unit] >= flash->unit_limit) {
            flash_line_put(&flash->waiting, flash->dies, number);
            return;
        }
        const bool erases = die->outstanding == 0 || !read_retry_is_on(&flash->retry);
        const uint32_t op = flash_queues_take(&die->queues, flash->wait, flash->descriptors, erases);
        if (op == FLASH_NONE)
            return;
        --die->queued;
        ++die->outstanding;
        hand_over(flash, op, die->unit);
    }
}

HAL_RARE static void take_turn(struct flash* flash, uint32_t number)
{
    const bool worked = flash_die_works(&flash->dies[number]);
    pump(flash, number);
    if (!worked && flash_die_works(&flash->dies[number]))
        ++flash->turns.active;
}

HAL_RARE static void pump_special(struct flash* flash, uint32_t number)
{
    if (!flash_turns_exist(&flash->turns))
        pump(flash, number);
    else if (flash_turns_may_go(&flash->turns, flash->dies, number))
        take_turn(flash, number);
}

HAL_RARE static void pump_turns(struct flash* flash)
{
    for (uint32_t die; (die = flash_turns_next(&flash->turns, flash->dies)) != FLASH_NONE;)
        take_turn(flash, die);
}

static void pump_waiting(struct flash* flash)
{
    uint32_t number = flash->waiting.head;
    flash->waiting.head = FLASH_NONE;
    while (number != FLASH_NONE) {
        const uint32_t next = flash->dies[number].next_waiting;
        flash->dies[number].waiting = false;
        if (flash->is_special)
            pump_special(flash, number);
        else
            pump(flash, number);
        number = next;
    }
}

/* --- operations --------------------------------------------------------------------------------------------------- */

static void queue(struct flash* flash, uint32_t op, bool is_read_that_passes)
{
    const uint32_t number = flash->descriptors[op].superchip;
    struct flash_die* die = &flash->dies[number];
    if (read_retry_is_on(&flash->retry))
        read_retry_prepare(&flash->retry, &flash->descriptors[op]);
    flash_queues_add(&die->queues, flash->wait, op, is_read_that_passes);
    ++die->queued;
    if (flash->is_special)
        pump_special(flash, number);
    else if (die->outstanding < flash->die_depth)
        pump(flash, number);
}

static void submit(struct flash* flash, uint32_t op, bool is_read_that_passes)
{
    if (!peer_is_there(&flash->peer)) {
        queue(flash, op, is_read_that_passes);
        return;
    }
    ++flash->dies[flash->descriptors[op].superchip].queued;
    HAL_COST(peer_submit);
    peer_send(&flash->peer, op, 0, 0);
}

void flash_read(struct flash* flash, uint32_t op, struct flash_place from, uint32_t sectors, bus_address buffer,
                enum flash_purpose purpose)
{
    flash_fill(flash->descriptors, op, FLASH_READ, from, sectors, purpose)->buffer = buffer;
    submit(flash, op, flash_passes(purpose));
}

void flash_program_pages(struct flash* flash, uint32_t op, struct flash_place to, uint32_t sectors, bus_address buffer,
                         struct flash_spare spare, enum flash_purpose purpose)
{
    struct flash_descriptor* descriptor = flash_fill(flash->descriptors, op, FLASH_PROGRAM, to, sectors, purpose);
    descriptor->buffer = buffer;
    flash_fill_common_spare(descriptor, spare);
    submit(flash, op, false);
}

void flash_program(struct flash* flash, uint32_t op, struct flash_place to, uint32_t sectors, bus_address buffer,
                   struct flash_spare spare, enum flash_purpose purpose)
{
    struct flash_descriptor* descriptor = flash_fill(flash->descriptors, op, FLASH_PROGRAM, to, sectors, purpose);
    descriptor->buffer = buffer;
    flash_fill_spare(descriptor, spare);
    submit(flash, op, false);
}

void flash_read_units(struct flash* flash, uint32_t op, struct flash_place from, uint32_t sectors,
                      enum flash_purpose purpose)
{
    flash_fill_table(flash_fill(flash->descriptors, op, FLASH_READ, from, sectors, purpose),
                     flash_table_at(&flash->tables, op));
    submit(flash, op, flash_passes(purpose));
}

void flash_program_units(struct flash* flash, uint32_t op, struct flash_place to, uint32_t sectors,
                         enum flash_purpose purpose)
{
    flash_fill_table(flash_fill(flash->descriptors, op, FLASH_PROGRAM, to, sectors, purpose),
                     flash_table_at(&flash->tables, op));
    submit(flash, op, false);
}

void flash_read_parity(struct flash* flash, uint32_t op, struct flash_place from, uint32_t sectors, bus_address buffer,
                       uint32_t order, enum flash_purpose purpose)
{
    struct flash_descriptor* descriptor = flash_fill(flash->descriptors, op, FLASH_READ, from, sectors, purpose);
    descriptor->buffer = buffer;
    flash_fill_parity(descriptor, order);
    submit(flash, op, flash_passes(purpose));
}

void flash_program_parity(struct flash* flash, uint32_t op, struct flash_place to, uint32_t sectors, bus_address buffer,
                          struct flash_spare spare, uint32_t order, enum flash_purpose purpose)
{
    struct flash_descriptor* descriptor = flash_fill(flash->descriptors, op, FLASH_PROGRAM, to, sectors, purpose);
    descriptor->buffer = buffer;
    flash_fill_spare(descriptor, spare);
    flash_fill_parity(descriptor, order);
    submit(flash, op, false);
}

void flash_program_units_parity(struct flash* flash, uint32_t op, struct flash_place to, uint32_t sectors,
                                uint32_t order, enum flash_purpose purpose)
{
    struct flash_descriptor* descriptor = flash_fill(flash->descriptors, op, FLASH_PROGRAM, to, sectors, purpose);
    flash_fill_table(descriptor, flash_table_at(&flash->tables, op));
    flash_fill_parity(descriptor, order);
    submit(flash, op, false);
}

void flash_erase(struct flash* flash, uint32_t op, struct flash_place block, enum flash_purpose purpose)
{
    block.sector = 0;
    flash_fill(flash->descriptors, op, FLASH_ERASE, block, 0, purpose);
    submit(flash, op, false);
}

void flash_copyback(struct flash* flash, uint32_t op, struct flash_place to, uint32_t source_block,
                    uint32_t source_sector, uint32_t sectors, enum flash_purpose purpose)
{
    struct flash_descriptor* descriptor = flash_fill(flash->descriptors, op, FLASH_COPYBACK, to, sectors, purpose);
    descriptor->source_blocks = source_block;
    descriptor->source_sector = source_sector;
    submit(flash, op, false);
}

struct flash_spare flash_spare_of(const struct flash* flash, uint32_t op)
{
    const struct flash_descriptor* descriptor = &flash->descriptors[op];
    return (struct flash_spare){{descriptor->spare0, descriptor->spare1, descriptor->spare2, descriptor->spare3}};
}

bool flash_was_blank(const struct flash* flash, uint32_t op)
{
    return (flash->descriptors[op].status & FLASH_DESCRIPTOR_STATUS_BLANK_MASK) != 0;
}

/* --- events ------------------------------------------------------------------------------------------------------- */

void flash_accept(struct flash* flash, uint32_t op)
{
    queue(flash, op, flash_is_passing_read(&flash->descriptors[op]));
}

/* The read is tried again, before everything that waits. */
HAL_RARE static bool is_tried_again(struct flash* flash, uint32_t op, uint32_t status)
{
    struct flash_descriptor* descriptor = &flash->descriptors[op];
    struct flash_die* die = &flash->dies[descriptor->superchip];
    if (!read_retry_again(&flash->retry, op, descriptor, status == FLASH_OK))
        return false;
    flash_queues_return(&die->queues, flash->wait, op, flash_is_passing_read(descriptor));
    ++die->queued;
    if (flash_turns_exist(&flash->turns))
        take_turn(flash, descriptor->superchip); /* its operation has not ended: it does not wait again */
    return true;
}

static void leave_unit(struct flash* flash, uint32_t die)
{
    --flash->dies[die].outstanding;
    --flash->unit_lists[flash->dies[die].unit];
}

static void leave_special(struct flash* flash, const struct flash_descriptor* descriptor)
{
    const uint32_t die = descriptor->superchip;
    if (flash->read_units != 0 && flash_is_passing_read(descriptor)) {
        --flash->dies[die].reads_apart;
        --flash->unit_lists[flash->read_units + die];
    } else {
        leave_unit(flash, die);
    }
    if (flash_turns_exist(&flash->turns) && !flash_die_works(&flash->dies[die]))
        --flash->turns.active;
}

static void end_operation(struct flash* flash, uint32_t op, uint32_t status)
{
    const struct flash_descriptor* descriptor = &flash->descriptors[op];
    if (status == FLASH_ILLEGAL || status == FLASH_MALFORMED)
        flash_refused(descriptor, status);
    const uint32_t die = descriptor->superchip;
    if (flash->is_special)
        leave_special(flash, descriptor);
    else
        leave_unit(flash, die);
    const bool is_over = !read_retry_is_on(&flash->retry) || !is_tried_again(flash, op, status);
    if (flash->dies[die].queued != 0) {
        if (flash->is_special)
            pump_special(flash, die);
        else
            pump(flash, die);
    }
    if (flash->waiting.head != FLASH_NONE)
        pump_waiting(flash);
    if (is_over)
        flash->on_done(flash->context, op, (enum flash_status)status);
}

static uint32_t poll_peer(struct flash* flash)
{
    uint32_t events = 0;
    uint32_t message[PEER_MESSAGE_WORDS];
    while (peer_take(&flash->peer, message)) {
        const uint32_t op = message[1];
        ++events;
        HAL_COST(peer_event);
        --flash->dies[flash->descriptors[op].superchip].queued;
        flash->on_done(flash->context, op, (enum flash_status)(message[0] & FLASH_EVENT_STATUS_CODE_MASK));
    }
    return events;
}

/* After events: dies have ended what they had, so the turn of others may have come. */
HAL_RARE static void serve_turns(struct flash* flash)
{
    flash_turns_govern_busy(&flash->turns, flash->dies, flash->die_count);
    pump_turns(flash);
}

uint32_t flash_serve(struct flash* flash)
{
    if (peer_is_there(&flash->peer))
        return poll_peer(flash);
    uint32_t events = 0;
    for (const volatile uint32_t* entry; (entry = ring_take(&flash->ring)) != NULL; ++events) {
        HAL_COST(flash_event);
        end_operation(flash, entry[2], entry[0] & FLASH_EVENT_STATUS_CODE_MASK);
    }
    if (events != 0) {
        reg_write(FLASH_RING_CONSUMER, flash->ring.taken);
        if (flash->turns.governor.is_on)
            serve_turns(flash);
    }
    return events;
}

HAL_RARE void flash_govern(struct flash* flash)
{
    if (flash_turns_govern(&flash->turns, flash->dies, flash->die_count))
        pump_turns(flash);
}

void flash_sleep(struct flash* flash)
{
    if (peer_is_there(&flash->peer))
        peer_sleep(&flash->peer);
    else
        hal_wait_for_interrupt();
    if (flash->turns.governor.is_on)
        flash_govern(flash);
}

/* --- start -------------------------------------------------------------------------------------------------------- */

void flash_set_limits(struct flash* flash, const struct boot_block* boot)
{
    if (boot->die_depth == 0)
        return;
    flash->die_depth = boot->die_depth;
    flash->read_units = boot->read_units;
    flash->read_depth = boot->read_depth != 0 ? boot->read_depth : boot->die_depth;
    flash->is_special |= flash->read_units != 0;
}

void flash_init_retry(struct flash* flash, const struct boot_block* boot, struct arena* arena, uint32_t operations)
{
    read_retry_init(&flash->retry, boot, arena, operations);
}

void flash_init_governor(struct flash* flash, const struct boot_block* boot)
{
    if (peer_is_there(&flash->peer))
        return;
    governor_init(&flash->turns.governor, boot);
    flash->is_special |= flash->turns.governor.is_on;
}

static void use_descriptors(struct flash* flash, bus_address at, uint32_t operations)
{
    flash->descriptors_at = at;
    flash->descriptors = hal_memory(at, operations * (uint32_t)sizeof(struct flash_descriptor));
}

static bus_address take_descriptors(struct arena* arena, uint32_t operations)
{
    return arena_take(arena, operations, sizeof(struct flash_descriptor), 64, "flash descriptors");
}

static void init_units(struct flash* flash, struct arena* arena, uint32_t dies, uint32_t units, uint32_t unit_depth,
                       uint32_t operations)
{
    const uint32_t entries = ring_size(operations);
    const bus_address ring = arena_take(arena, entries, RING_ENTRY_BYTES, 64, "the flash event ring");
    ring_init(&flash->ring, hal_memory(ring, entries * RING_ENTRY_BYTES), entries);
    flash->wait = arena_array(arena, operations, sizeof *flash->wait, "flash queues");
    flash->dies = arena_array(arena, dies, sizeof *flash->dies, "flash queues");
    flash->unit_lists = arena_array(arena, units, sizeof *flash->unit_lists, "flash units");
    flash->die_count = dies;
    flash->unit_count = units;
    flash->unit_limit = unit_depth + 1;
    flash->die_depth = flash->read_depth = FLASH_DIE_DEPTH;
    flash->read_units = 0;
    flash->is_special = false;
    flash->retry = (struct read_retry){0};
    flash_line_init(&flash->waiting);
    flash_turns_init(&flash->turns);
    for (uint32_t die = 0; die < dies; ++die) {
        struct flash_die* d = &flash->dies[die];
        flash_queues_init(&d->queues);
        d->unit = die % units;
    }
    reg_write(FLASH_RING_BASE, ring);
    reg_write(FLASH_RING_ENTRIES, entries);
}

void flash_init(struct flash* flash, struct arena* arena, uint32_t dies, uint32_t units, uint32_t unit_depth,
                uint32_t operations, void* context, flash_handler on_done)
{
    flash->peer.block = NULL;
    flash->is_on_second_core = false;
    flash->context = context;
    flash->on_done = on_done;
    use_descriptors(flash, take_descriptors(arena, operations), operations);
    init_units(flash, arena, dies, units, unit_depth, operations);
}

void flash_init_on_first_core(struct flash* flash, const struct boot_block* boot, struct arena* arena, uint32_t dies,
                              uint32_t operations, void* context, flash_handler on_done)
{
    flash->context = context;
    flash->on_done = on_done;
    use_descriptors(flash, take_descriptors(arena, operations), operations);
    flash->dies = arena_array(arena, dies, sizeof *flash->dies, "flash queues");
    flash->die_count = dies;
    peer_start(&flash->peer, boot, arena, operations, flash->descriptors_at);
}

void flash_init_on_second_core(struct flash* flash, const struct boot_block* boot, struct arena* arena,
                               uint32_t operations, bus_address descriptors, void* context, flash_handler on_done)
{
    flash->is_on_second_core = true;
    flash->context = context;
    flash->on_done = on_done;
    use_descriptors(flash, descriptors, operations);
    init_units(flash, arena, boot->channels * boot->ways * boot->luns, boot->units, boot->unit_depth, operations);
    flash_init_retry(flash, boot, arena, operations);
    flash_set_limits(flash, boot);
    flash_init_governor(flash, boot);
}
