/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/zoned/states.h"

void zone_states_init(struct zone_states* states, struct arena* arena, struct zone_entry* table, uint32_t zones,
                      uint32_t capacity, uint32_t open_limit, uint32_t active_limit)
{
    *states = (struct zone_states){
        .entry = table, .zones = zones, .capacity = capacity, .open_limit = open_limit, .active_limit = active_limit};
    states->open = arena_array(arena, open_limit, sizeof *states->open, "open zones");
    for (uint32_t zone = 0; zone < zones; ++zone)
        states->entry[zone] = (struct zone_entry){ZONE_EMPTY, 0};
}

static bool is_open(uint32_t state)
{
    return state == ZONE_IMPLICITLY_OPEN || state == ZONE_EXPLICITLY_OPEN;
}

static bool is_active(uint32_t state)
{
    return is_open(state) || state == ZONE_CLOSED;
}

static void leave_open(struct zone_states* states, uint32_t zone)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < states->open_count; ++i) {
        if (states->open[i] != zone)
            states->open[kept++] = states->open[i];
    }
    states->open_count = kept;
}

static void set_state(struct zone_states* states, uint32_t zone, enum zone_state state)
{
    struct zone_entry* entry = &states->entry[zone];
    if (is_open(entry->state))
        leave_open(states, zone);
    if (is_open(state))
        states->open[states->open_count++] = zone;
    states->active_count -= is_active(entry->state) ? 1 : 0;
    states->active_count += is_active(state) ? 1 : 0;
    entry->state = state;
}

static bool close_an_implicit_one(struct zone_states* states)
{
    for (uint32_t i = 0; i < states->open_count; ++i) {
        if (zone_state_of(states, states->open[i]) == ZONE_IMPLICITLY_OPEN) {
            set_state(states, states->open[i], ZONE_CLOSED); /* it has data: a write has opened it */
            return true;
        }
    }
    return false;
}

static enum host_status become_open(struct zone_states* states, uint32_t zone, enum zone_state state)
{
    const uint32_t before = zone_state_of(states, zone);
    if (before == ZONE_EMPTY && states->active_count >= states->active_limit)
        return HOST_ZONE_TOO_MANY_ACTIVE;
    if (!is_open(before) && states->open_count >= states->open_limit && !close_an_implicit_one(states))
        return HOST_ZONE_TOO_MANY_OPEN;
    set_state(states, zone, state);
    return HOST_OK;
}

enum host_status zone_states_write(struct zone_states* states, uint32_t zone, uint32_t sector, uint32_t sectors)
{
    struct zone_entry* entry = &states->entry[zone];
    if (entry->state == ZONE_FULL)
        return HOST_ZONE_FULL;
    if (entry->state == ZONE_READ_ONLY)
        return HOST_ZONE_READ_ONLY;
    if (entry->state == ZONE_OFFLINE)
        return HOST_ZONE_OFFLINE;
    if (sector > states->capacity || sectors > states->capacity - sector)
        return HOST_ZONE_BOUNDARY;
    if (sector != entry->pointer)
        return HOST_ZONE_INVALID_WRITE;
    if (!is_open(entry->state)) {
        const enum host_status status = become_open(states, zone, ZONE_IMPLICITLY_OPEN);
        if (status != HOST_OK)
            return status;
    }
    entry->pointer += sectors;
    if (entry->pointer == states->capacity)
        set_state(states, zone, ZONE_FULL);
    return HOST_OK;
}

enum host_status zone_states_open(struct zone_states* states, uint32_t zone)
{
    const uint32_t state = zone_state_of(states, zone);
    if (state != ZONE_EMPTY && !is_active(state))
        return HOST_ZONE_INVALID_TRANSITION;
    return state == ZONE_EXPLICITLY_OPEN ? HOST_OK : become_open(states, zone, ZONE_EXPLICITLY_OPEN);
}

enum host_status zone_states_close(struct zone_states* states, uint32_t zone)
{
    const struct zone_entry* entry = &states->entry[zone];
    if (!is_active(entry->state))
        return HOST_ZONE_INVALID_TRANSITION;
    if (is_open(entry->state))
        set_state(states, zone, entry->pointer == 0 ? ZONE_EMPTY : ZONE_CLOSED);
    return HOST_OK;
}

enum host_status zone_states_finish(struct zone_states* states, uint32_t zone)
{
    const uint32_t state = zone_state_of(states, zone);
    if (state == ZONE_READ_ONLY || state == ZONE_OFFLINE)
        return HOST_ZONE_INVALID_TRANSITION;
    if (state != ZONE_FULL)
        set_state(states, zone, ZONE_FULL);
    return HOST_OK;
}

bool zone_states_may_reset(const struct zone_states* states, uint32_t zone)
{
    const uint32_t state = zone_state_of(states, zone);
    return state != ZONE_READ_ONLY && state != ZONE_OFFLINE;
}

void zone_states_reset(struct zone_states* states, uint32_t zone)
{
    set_state(states, zone, ZONE_EMPTY);
    states->entry[zone].pointer = 0;
}

void zone_states_restore(struct zone_states* states, uint32_t zone, enum zone_state state, uint32_t pointer)
{
    set_state(states, zone, state);
    states->entry[zone].pointer = pointer;
}

void zone_states_fail(struct zone_states* states, uint32_t zone, enum zone_state state)
{
    set_state(states, zone, state);
}

void zone_states_refuse(struct zone_states* states, uint32_t zone, uint32_t sectors)
{
    states->entry[zone].pointer -= sectors;
}
