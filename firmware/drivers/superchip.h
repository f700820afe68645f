/* SPDX-License-Identifier: Apache-2.0
 *
 * The numbering of superchips in the hardware (docs/controller.md): b neighbouring channels times c neighbouring dies
 * on each; chip number = row * b + bus.
 */
#ifndef STROBE_SUPERCHIP_H
#define STROBE_SUPERCHIP_H

#include <stdint.h>

struct superchip_degrees {
    uint32_t bus, chip;        /* b, c */
    uint32_t dies_per_channel; /* of the drive */
};

/* The flat number of a chip's die. */
static inline uint32_t superchip_die(const struct superchip_degrees* degrees, uint32_t superchip, uint32_t chip)
{
    const uint32_t per_channel = degrees->dies_per_channel / degrees->chip;
    const uint32_t channel = superchip / per_channel * degrees->bus + chip % degrees->bus;
    const uint32_t position = superchip % per_channel * degrees->chip + chip / degrees->bus;
    return channel * degrees->dies_per_channel + position;
}

#endif
