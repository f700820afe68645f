/* SPDX-License-Identifier: Apache-2.0
 *
 * Dynamic timing calibration of data out, die by die: finds the fastest clock that a die's data can be sampled with,
 * and where. For each divider of the fast clock, fastest first, pattern reads look for the data valid window: in
 * strides as long as the shortest window that is good enough, then step by step to both ends. The sample goes into the
 * middle, the margin of the boot block away from both ends at least; if no divider has such a window, the die keeps the
 * base clock. All dies at power-on, before anything else is read; again, one pattern read at a time between the other
 * work, when the temperature has left what it was by the threshold of the boot block. Until a die is done it keeps what
 * it had.
 *
 * Every pattern read is a READ ID of a few bytes, so a single one cannot tell a bit error rate below some percent: the
 * margin is what keeps the sample away from there.
 */
#ifndef STROBE_CALIBRATION_H
#define STROBE_CALIBRATION_H

#include "firmware/drivers/boot.h"

/* Calibrates all dies and returns when that is done. False: nothing is to be calibrated, or
 * the flash controller has no read capture. */
bool calibration_start(const struct boot_block* boot);

/* From the loop, after each sleep: goes on with a calibration that is under way, or begins one if the temperature asks
 * for it. False: there was nothing to do. */
bool calibration_serve(void);

#endif
