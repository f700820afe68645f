/* SPDX-License-Identifier: Apache-2.0
 *
 * Cores that may run one image (boot_block.cores says how many do). Each has its own interrupt controller and timer:
 * those of core n are n * HAL_CORE_STEP above the addresses of strobe_regs.h. Read by firmware and platform.
 */
#ifndef STROBE_HAL_CORES_H
#define STROBE_HAL_CORES_H

#define HAL_CORES 2u
#define HAL_CORE_STEP 0x00100000u

#endif
