/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/page_map/recovery_state.h"

#include "firmware/ftl/page_map/ftl.h"

void* recovery_array(struct recovery* r, uint64_t count, uint32_t size)
{
    return arena_array(r->arena, count, size, r->step);
}

void recovery_prepare_io(struct ftl* ftl, struct recovery* r)
{
    const uint32_t ops = ftl->geometry.dies * RECOVERY_DEPTH;
    r->io = (struct recovery_io){.ops = recovery_array(r, ops, sizeof *r->io.ops)};
}

static uint32_t number_of(const struct ftl* ftl, uint32_t index)
{
    return ftl->buffer.slots + index;
}

void recovery_read(struct ftl* ftl, uint32_t index, uint32_t unit, uint32_t sectors, bus_address to,
                   recovery_handler on_done)
{
    struct recovery_io* io = &ftl->recovery->io;
    io->ops[index].on_done = on_done;
    ++io->in_progress;
    ++io->pages;
    flash_read(&ftl->flash, number_of(ftl, index), place_of_unit(&ftl->geometry, unit, 0), sectors, to,
               FLASH_FOR_METADATA);
}

void recovery_read_records(struct ftl* ftl, uint32_t index, uint32_t unit, recovery_handler on_done)
{
    struct recovery_io* io = &ftl->recovery->io;
    const struct geometry* g = &ftl->geometry;
    const struct flash_spare none = {{0, 0, 0, 0}};
    const struct flash_units table = flash_units_of(&ftl->flash, number_of(ftl, index), g->units_per_flash_page);
    for (uint32_t i = 0; i < g->units_per_flash_page; ++i)
        flash_set_unit(&table, i, 0, none);
    io->ops[index].on_done = on_done;
    ++io->in_progress;
    ++io->pages;
    flash_read_units(&ftl->flash, number_of(ftl, index), place_of_unit(g, unit, 0), g->sectors_per_flash_page,
                     FLASH_FOR_METADATA);
}

void recovery_erase(struct ftl* ftl, uint32_t index, uint32_t block, uint32_t member, recovery_handler on_done)
{
    struct recovery_io* io = &ftl->recovery->io;
    const struct flash_place at = geometry_member(&ftl->geometry, block, member);
    io->ops[index].on_done = on_done;
    io->ops[index].at = block;
    io->ops[index].unit = member;
    ++io->in_progress;
    flash_erase(&ftl->flash, number_of(ftl, index), at.die, at.block, FLASH_FOR_METADATA);
}

struct flash_spare recovery_record(const struct ftl* ftl, uint32_t index, uint32_t i)
{
    const struct flash_units table =
        flash_units_of(&ftl->flash, number_of(ftl, index), ftl->geometry.units_per_flash_page);
    return flash_unit_spare(&table, i);
}

struct flash_spare recovery_spare(const struct ftl* ftl, uint32_t index)
{
    return flash_spare_of(&ftl->flash, number_of(ftl, index));
}

bool recovery_was_blank(const struct ftl* ftl, uint32_t index)
{
    return flash_was_blank(&ftl->flash, number_of(ftl, index));
}

void recovery_wait(struct ftl* ftl)
{
    while (ftl->recovery->io.in_progress != 0) {
        if (flash_poll(&ftl->flash) == 0)
            flash_sleep(&ftl->flash);
    }
}

void recovery_done(struct ftl* ftl, uint32_t op, enum flash_status status)
{
    struct recovery_io* io = &ftl->recovery->io;
    const uint32_t index = op - ftl->buffer.slots;
    --io->in_progress;
    io->ops[index].on_done(ftl, index, status);
}
