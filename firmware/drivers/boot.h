/* SPDX-License-Identifier: Apache-2.0
 *
 * The boot block: parameters that the platform passes to firmware at power-on. boot_problem() checks them.
 */
#ifndef STROBE_BOOT_H
#define STROBE_BOOT_H

#include "firmware/hal/hal.h"
#include "firmware/regs/strobe_regs.h"

#define SECTOR_BYTES 512u

/* Null, or a sentence that says what is wrong and what is allowed. Bounds of single words come from strobe_regs.h. */
const char* boot_problem(const struct boot_block* boot);

/* The boot block in memory; panics if it has a problem. */
const struct boot_block* boot_read(void);

#endif
