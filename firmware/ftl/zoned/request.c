/* SPDX-License-Identifier: Apache-2.0
 *
 * Host commands as they come and go, and the start of the layer.
 */
#include "firmware/app/request.h"

#include "firmware/drivers/statistics.h"
#include "firmware/ftl/zoned/capacity.h"
#include "firmware/ftl/zoned/drive.h"
#include "firmware/ftl/zoned/footprint.h"
#include "firmware/ftl/zoned/manage.h"
#include "firmware/ftl/zoned/reads.h"
#include "firmware/ftl/zoned/recover.h"
#include "firmware/ftl/zoned/save.h"
#include "firmware/ftl/zoned/units.h"
#include "firmware/ftl/zoned/writes.h"

static struct zoned_drive instance; /* the host port's events carry no context */

struct zoned_drive* zoned_instance(void)
{
    return &instance;
}

/* --- events ------------------------------------------------------------------------------------------------------- */

static void plane_done(struct zoned_drive* d, uint32_t plane, enum flash_status status)
{
    if (d->save.phase == SAVE_WRITES)
        save_done(d, plane, status);
    else if (d->save.phase == SAVE_RECOVERS)
        recover_done(d, plane, status);
    else
        manage_erased(d, plane, status);
}

static void operation_done(void* context, uint32_t op, enum flash_status status)
{
    struct zoned_drive* d = context;
    const uint32_t of_units = d->units * d->shape.planes;
    if (op < d->pieces)
        reads_sensed(d, op, status);
    else if (op < d->pieces + of_units)
        units_programmed(d, (op - d->pieces) / d->shape.planes, (op - d->pieces) % d->shape.planes, status);
    else
        plane_done(d, op - d->pieces - of_units, status);
}

static void transfer_done(uint32_t slot, uint32_t cookie)
{
    if ((cookie & 0x80000000u) != 0)
        reads_sent(&instance, cookie & 0x7FFFFFFFu);
    else
        writes_arrived(&instance, slot, cookie);
}

/* Capacitors protect the buffer, so a flush has nothing to do. */
static void command_arrived(uint32_t slot, const struct host_command* received)
{
    struct zoned_drive* d = &instance;
    HAL_COST(host_command);
    const uint32_t kind = received->kind & HOST_COMMAND_KIND_KIND_MASK;
    const uint64_t lba = request_lba(received);
    enum host_status status = HOST_OK;
    if (kind < HOST_READ || kind > HOST_ZONE_RESET || kind == HOST_TRIM)
        status = HOST_NOT_SUPPORTED;
    else if (kind != HOST_FLUSH && (lba > d->capacity || received->sectors > d->capacity - lba))
        status = HOST_OUT_OF_RANGE;
    if (status != HOST_OK || kind == HOST_FLUSH) {
        host_complete(slot, status);
        return;
    }
    struct command* command = &d->command[slot];
    *command = (struct command){.zone = (uint32_t)(lba / d->shape.size),
                                .sector = (uint32_t)(lba % d->shape.size),
                                .sectors = received->sectors,
                                .next = ZONED_NONE};
    if (kind >= HOST_ZONE_OPEN) {
        manage_begin(d, slot, kind);
        return;
    }
    status = kind == HOST_READ ? reads_begin(d, slot) : writes_begin(d, slot, kind == HOST_APPEND);
    if (status != HOST_OK)
        host_complete(slot, status);
}

static void supply_fails(void)
{
    save_begin(&instance);
}

bool request_serve(void)
{
    struct zoned_drive* d = &instance;
    const uint32_t events = host_if_poll(&d->host) + flash_poll(&d->flash);
    if (d->save.phase != SAVE_RESTS)
        return save_run(d);
    if (events == 0 && !d->is_clearing)
        return false;
    HAL_COST(loop_round);
    reads_run(d);
    writes_run(d); /* before zones are padded, which takes buffers, too */
    manage_run(d);
    writes_run(d); /* a reset has given buffers back */
    return true;
}

void request_sleep(void)
{
    flash_sleep(&instance.flash);
}

/* --- start -------------------------------------------------------------------------------------------------------- */

static void divide_buffer(struct zoned_drive* d)
{
    const struct boot_block* boot = d->boot;
    d->units = zoned_write_units(boot, &d->shape);
    d->pieces = zoned_pieces(boot, &d->shape);
    if (d->units <= boot->active_zones || d->pieces == 0)
        hal_panic("zoned: the data buffer must hold a unit more than there may be active zones, and a page for reads");
    d->zeros = boot->buffer_base;
    d->unit_data = d->zeros + d->shape.program_pages * boot->page_bytes;
    d->piece_data = d->unit_data + d->units * d->shape.unit_pages * boot->page_bytes;
}

static void start_zones(struct zoned_drive* d, struct arena* arena)
{
    const struct boot_block* boot = d->boot;
    zone_blocks_init(&d->blocks, arena, boot);
    d->zones = (uint32_t)zoned_zones(boot, &d->shape, zone_blocks_fewest(&d->blocks));
    if (d->zones == 0)
        hal_panic("zoned: there are too few good blocks for a zone");
    save_init(d, arena);
    d->capacity = (uint64_t)d->zones * d->shape.size;
    d->zone = arena_array(arena, d->zones, sizeof *d->zone, "zones");
    d->members = arena_array(arena, (uint64_t)d->zones * d->shape.members, sizeof *d->members, "blocks of zones");
    for (uint32_t zone = 0; zone < d->zones; ++zone)
        d->zone[zone].filling = d->zone[zone].buffers = ZONED_NONE;
    const bus_address table = arena_take(arena, d->zones, sizeof(struct zone_entry), 16, "the zone table");
    zone_states_init(&d->states, arena, hal_memory(table, d->zones * (uint32_t)sizeof(struct zone_entry)), d->zones,
                     d->shape.capacity, boot->open_zones, boot->active_zones);
    host_if_announce_zones(d->shape.size, d->shape.capacity, boot->open_zones, boot->active_zones, table);
}

void request_init(const struct boot_block* boot, struct arena* arena)
{
    struct zoned_drive* d = &instance;
    *d = (struct zoned_drive){.boot = boot, .shape = zone_shape_of(boot)};
    if (boot->zone_rows > boot->pages_per_block / boot->program_pages)
        hal_panic("boot block: ZONE_ROWS is more than a block has");
    d->writes.head = d->reads.head = ZONED_NONE;
    divide_buffer(d);
    const uint32_t dies = d->shape.groups * d->shape.dies;
    const uint32_t operations = op_of_erase(d, dies * d->shape.planes);
    d->unit = arena_array(arena, d->units, sizeof *d->unit, "unit buffers");
    d->piece = arena_array(arena, d->pieces, sizeof *d->piece, "pieces");
    d->command = arena_array(arena, boot->host_slots, sizeof *d->command, "commands");
    d->erased_for = arena_array(arena, (uint64_t)dies * d->shape.planes, sizeof *d->erased_for, "erases");
    statistics_start(boot->statistics, d->units);
    units_init(d);
    reads_init(d);
    manage_init(d);
    if (boot->cores > 1) {
        flash_init_on_first_core(&d->flash, boot, arena, dies, operations, d, operation_done);
    } else {
        flash_init(&d->flash, arena, dies, boot->units, boot->unit_depth, operations, d, operation_done);
        flash_set_limits(&d->flash, boot);
        flash_init_governor(&d->flash, boot);
    }
    host_if_init(&d->host, arena, boot->host_slots, zoned_host_events(boot, &d->shape), command_arrived, transfer_done);
    host_if_watch_supply(&d->host, supply_fails);
    start_zones(d, arena);
    if (boot->recover != 0)
        recover_run(d);
    host_if_enable(d->capacity);
}
