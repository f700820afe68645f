/* SPDX-License-Identifier: Apache-2.0
 *
 * The lowest layer of the flash unit drivers: starts a descriptor list in a unit of the hardware, and ends the run with
 * a panic for a descriptor that the hardware, or a unit in software, cannot execute. units.c and software_units.c both
 * build on it.
 */
#ifndef STROBE_UNIT_LISTS_H
#define STROBE_UNIT_LISTS_H

#include "firmware/hal/hal.h"
#include "firmware/regs/strobe_regs.h"

#define HOST_BUFFER 0xFFFFFFFFu /* flash_descriptor.buffer: to the host */

/* Gives the list at `head` to a unit of the hardware. */
void unit_list_start(uint32_t unit, bus_address head);

/* Panics and names the descriptor; `status`: FLASH_ILLEGAL or FLASH_MALFORMED. */
_Noreturn void unit_list_refuse(const struct flash_descriptor* descriptor, uint32_t status);

#endif
