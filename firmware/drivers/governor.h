/* SPDX-License-Identifier: Apache-2.0
 *
 * How many dies may work at a time, so that the drive gets neither too hot nor takes more power than the host allows.
 * The temperature sensor interrupts at each of its samples; governor_look() reads it then.
 *
 *   temperature  two thresholds, each that of the boot block or that of the host, if it is lower (host controlled
 *                thermal management). From one on, the drive throttles lightly or heavily, until it is colder than
 *                that by more than the hysteresis
 *   power        the dies that may work are an integral controller's output: fewer while the mean power is above the
 *                limit of the power state, more while it is below
 *
 * The smaller number of dies counts. Work that has to wait is only later: none is refused or lost.
 */
#ifndef STROBE_GOVERNOR_H
#define STROBE_GOVERNOR_H

#include "firmware/drivers/boot.h"

enum governor_level { GOVERNOR_NONE, GOVERNOR_LIGHT, GOVERNOR_HEAVY };

struct governor_thresholds { /* of one level, 1/16 of a degree */
    int32_t enter;
    int32_t leave; /* the level ends below this */
};

struct governor {
    bool is_on;
    uint32_t limit; /* dies that may work at a time; 0: any number */
    uint32_t dies;  /* of the drive */
    enum governor_level level;
    uint32_t level_dies[GOVERNOR_HEAVY + 1]; /* that may work, by level; 0: any number */
    int32_t enter[GOVERNOR_HEAVY + 1];       /* of the boot block, 1/16 of a degree */
    int32_t hysteresis;
    uint32_t power_dies; /* what the power limit allows, in 1/256 of a die; 0: there is no limit */
};

/* Enables the sensor's line in the interrupt controller of this core, if the boot block says so. */
void governor_init(struct governor* governor, const struct boot_block* boot);

/* Reads the sensor and decides; true: `limit` has changed. REQUIRES: is_on */
bool governor_look(struct governor* governor);

/* The pure parts of it. Temperatures of the host: 0, it has not set any. */
enum governor_level governor_decide(const struct governor* governor, int32_t temperature, int32_t host_light,
                                    int32_t host_heavy);
/* The next value of power_dies; both powers in mW. */
uint32_t governor_power_dies(const struct governor* governor, uint32_t power, uint32_t limit);

#endif
