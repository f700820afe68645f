/* SPDX-License-Identifier: Apache-2.0
 *
 * Buffers of units. A unit is programmed as soon as all of it is in its buffer, with one program for each plane of its
 * die; the buffer is free when they have ended and nothing is read from it any more. A unit of which a program has
 * failed stays in its buffer, and so do the units of its zone that were not being programmed yet.
 */
#ifndef STROBE_ZONED_UNITS_H
#define STROBE_ZONED_UNITS_H

#include "firmware/ftl/zoned/drive.h"

void units_init(struct zoned_drive* d);

/* A buffer for the next unit of the zone; none: there is none free. */
uint32_t units_take(struct zoned_drive* d, uint32_t zone);
/* The same for a unit without data, which is programmed with zeros at once. False: there is none free. */
bool units_pad(struct zoned_drive* d, uint32_t zone);
/* A buffer is free, or will be without another write. False: zones that have failed, and units that wait for more data,
 * have all of them. */
bool units_can_be_taken(const struct zoned_drive* d);
/* The zone becomes read-only; nothing more of it is programmed. */
void units_fail(struct zoned_drive* d, uint32_t zone);
/* The buffer that holds the unit of the zone, or none. */
uint32_t units_find(const struct zoned_drive* d, uint32_t zone, uint32_t number);
bus_address units_page(const struct zoned_drive* d, uint32_t unit, uint32_t slot);

/* The buffer takes what one of that unit held before a power loss. Its first sectors are loaded by the caller. */
uint32_t units_restore(struct zoned_drive* d, uint32_t zone, uint32_t number, uint32_t sectors);

void units_arrived(struct zoned_drive* d, uint32_t unit, uint32_t sectors);
/* Begins all programs of the zone that are possible. `last`: the last unit takes no more data. */
void units_pump(struct zoned_drive* d, uint32_t zone, bool last);
void units_programmed(struct zoned_drive* d, uint32_t unit, uint32_t plane, enum flash_status status);
void units_read_begins(struct zoned_drive* d, uint32_t unit);
void units_read_ends(struct zoned_drive* d, uint32_t unit);
/* The zone is reset: its buffers are free as soon as nothing uses them. */
void units_drop(struct zoned_drive* d, uint32_t zone);

#endif
