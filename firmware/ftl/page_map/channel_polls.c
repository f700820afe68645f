/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/page_map/channel_polls.h"

static uint32_t polls_per_sector(const struct app* app, const struct request* request)
{
    return request->kind == HOST_READ ? app->ftl.boot->read_polls : app->ftl.boot->write_polls;
}

bool channel_polls_start(struct app* app, uint32_t slot)
{
    struct request* request = &app->requests[slot];
    if (app->ftl.geometry.channels == 1 || polls_per_sector(app, request) == 0)
        return true;
    request->unpolled = request->sectors;
    line_join(app, &app->polls, slot);
    return false;
}

/* Reads the status of the unit of a way, on every channel. True: all of them have room. */
static bool poll(const struct app* app, uint32_t way)
{
    const struct geometry* g = &app->ftl.geometry;
    const struct boot_block* boot = app->ftl.boot;
    bool has_room = true;
    HAL_COST_TIMES(channel_poll, g->channels);
    for (uint32_t channel = 0; channel < g->channels; ++channel) {
        const uint32_t unit = (channel * g->ways + way) * g->luns % boot->units;
        const uint32_t status = reg_read(FLASH_UNIT_STATUS + FLASH_UNIT_STATUS_STEP * unit);
        has_room &= (status & FLASH_UNIT_STATUS_WAITING_MASK) >> FLASH_UNIT_STATUS_WAITING_SHIFT < boot->unit_depth;
    }
    return has_room;
}

uint32_t channel_polls_continue(struct app* app)
{
    const struct geometry* g = &app->ftl.geometry;
    struct request* request = &app->requests[app->polls.head];
    const uint32_t polls = polls_per_sector(app, request);
    for (uint32_t sector = 0; sector < POLLED_SECTORS && request->unpolled != 0; ++sector) {
        const uint32_t way = request->unpolled / g->sectors_per_flash_page % g->ways;
        for (uint32_t i = 0; i < polls; ++i) {
            if (!poll(app, way))
                return NONE;
        }
        --request->unpolled;
    }
    return request->unpolled == 0 ? line_leave(app, &app->polls) : NONE;
}
