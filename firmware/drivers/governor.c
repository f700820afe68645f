/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/drivers/governor.h"

#define DIE 256u            /* units of power_dies */
#define MOST_LIMIT 1000000u /* mW; a greater power limit is taken as this one */
#define MOST_POWER 8u       /* limits; a greater power is taken as this one: products fit into 32 bits */

void governor_init(struct governor* governor, const struct boot_block* boot)
{
    *governor = (struct governor){.is_on = boot->thermal_light != 0};
    if (!governor->is_on)
        return;
    governor->dies = boot->channels * boot->ways * boot->luns;
    governor->level_dies[GOVERNOR_LIGHT] = boot->thermal_light_dies;
    governor->level_dies[GOVERNOR_HEAVY] = boot->thermal_heavy_dies;
    governor->enter[GOVERNOR_LIGHT] = (int32_t)boot->thermal_light;
    governor->enter[GOVERNOR_HEAVY] = (int32_t)boot->thermal_heavy;
    governor->hysteresis = (int32_t)boot->thermal_hysteresis;
    const bus_address enable = INTC_ENABLE + hal_core() * HAL_CORE_STEP;
    reg_write(enable, reg_read(enable) | 1u << HAL_LINE_THERMAL);
    reg_write(THERMAL_CONTROL, THERMAL_CONTROL_ENABLE_MASK);
}

static struct governor_thresholds thresholds_of(const struct governor* governor, enum governor_level level,
                                                int32_t of_host)
{
    const int32_t own = governor->enter[level];
    const int32_t enter = of_host != 0 && of_host < own ? of_host : own;
    return (struct governor_thresholds){enter, enter - governor->hysteresis};
}

enum governor_level governor_decide(const struct governor* governor, int32_t temperature, int32_t host_light,
                                    int32_t host_heavy)
{
    const struct governor_thresholds heavy = thresholds_of(governor, GOVERNOR_HEAVY, host_heavy);
    const struct governor_thresholds light = thresholds_of(governor, GOVERNOR_LIGHT, host_light);
    if (temperature >= heavy.enter || (governor->level == GOVERNOR_HEAVY && temperature >= heavy.leave))
        return GOVERNOR_HEAVY;
    if (temperature >= light.enter || (governor->level != GOVERNOR_NONE && temperature >= light.leave))
        return GOVERNOR_LIGHT;
    return GOVERNOR_NONE;
}

/* Each sample corrects an eighth of what the power is off. */
uint32_t governor_power_dies(const struct governor* governor, uint32_t power, uint32_t limit)
{
    if (limit == 0)
        return 0;
    if (limit > MOST_LIMIT)
        limit = MOST_LIMIT;
    if (power > MOST_POWER * limit)
        power = MOST_POWER * limit;
    const int32_t most = (int32_t)(governor->dies * DIE);
    const int32_t now = governor->power_dies != 0 ? (int32_t)governor->power_dies : most;
    const int32_t more = (int32_t)limit - (int32_t)power;
    const int32_t greater = (int32_t)(power > limit ? power : limit);
    const int32_t share = more * 256 / greater; /* of 256 */
    const int32_t step = now / 256 * share / 8;
    int32_t next = now + (step != 0 ? step : (more > 0) - (more < 0));
    if (next < (int32_t)DIE)
        next = (int32_t)DIE;
    return (uint32_t)(next > most ? most : next);
}

static uint32_t smaller_limit(const struct governor* governor)
{
    const uint32_t of_level = governor->level_dies[governor->level];
    const uint32_t of_power = governor->power_dies / DIE;
    uint32_t limit = of_level;
    if (of_power != 0 && (limit == 0 || of_power < limit))
        limit = of_power;
    return limit < governor->dies ? limit : 0;
}

bool governor_look(struct governor* governor)
{
    HAL_COST(idle_scan);
    const int32_t temperature = (int32_t)reg_read(THERMAL_TEMPERATURE);
    const enum governor_level level =
        governor_decide(governor, temperature, (int32_t)reg_read(THERMAL_LIGHT), (int32_t)reg_read(THERMAL_HEAVY));
    governor->power_dies = governor_power_dies(governor, reg_read(THERMAL_POWER), reg_read(THERMAL_POWER_LIMIT));
    const bool has_new_level = level != governor->level;
    governor->level = level;
    const uint32_t limit = smaller_limit(governor);
    const bool has_new_limit = limit != governor->limit;
    governor->limit = limit;
    if (has_new_level || has_new_limit)
        reg_write(THERMAL_THROTTLE, (uint32_t)level | limit << THERMAL_THROTTLE_DIES_SHIFT);
    return has_new_limit;
}
