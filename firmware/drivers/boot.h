/* SPDX-License-Identifier: Apache-2.0
 *
 * The boot block: what the platform tells firmware before it starts. boot_problem() is the check, a plain function.
 */
#ifndef STROBE_BOOT_H
#define STROBE_BOOT_H

#include "firmware/hal/hal.h"
#include "firmware/regs/strobe_regs.h"

#define BOOT_MAGIC 0x42525453u /* "STRB" */
#define BOOT_VERSION 1u
#define SECTOR_BYTES 512u
#define MAX_SECTORS_PER_PAGE 32u /* a page's sectors are bits of one word */
#define MAX_CHANNEL_SCAN_STEPS 1000u

enum completion { COMPLETE_IN_BUFFER = 0, COMPLETE_IN_FLASH = 1 };

/* Null, or a sentence that says what is wrong and what is allowed. */
const char* boot_problem(const struct boot_block* boot);

/* The boot block in memory; panics if it has a problem. */
const struct boot_block* boot_read(void);

#endif
