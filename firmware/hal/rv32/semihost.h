/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls to the environment of the core (the platform, a debugger, QEMU): the RISC-V semihosting convention, an ebreak
 * between two shifts that do nothing, the operation in a0, its argument in a1, the result in a0. Firmware uses two of
 * the operations, which are Arm's. Without such an environment the ebreak is a breakpoint exception.
 */
#ifndef STROBE_SEMIHOST_H
#define STROBE_SEMIHOST_H

#include <stdint.h>

enum semihost_operation {
    SEMIHOST_WRITE0 = 0x04, /* argument: address of a text that ends with 0 */
    SEMIHOST_EXIT = 0x18    /* argument: one of the reasons below */
};

#define SEMIHOST_EXIT_ERROR 0x20023u /* stopped because of a run-time error; the last text written describes it */
#define SEMIHOST_EXIT_DONE 0x20026u  /* ended regularly */

uint32_t semihost_call(enum semihost_operation operation, uint32_t argument); /* start.S */

#endif
