/* SPDX-License-Identifier: Apache-2.0
 *
 * Dynamic timing calibration of data out, die by die: finds the fastest clock at which the data of a die can be
 * sampled, and the sample position. For each divider of the fast clock, fastest first, pattern reads search for the
 * data valid window: in strides as long as the shortest acceptable window, then step by step to both ends. The sample
 * position is the middle, at least the margin of the boot block away from both ends; if no divider has such a window,
 * the die keeps the base clock. All dies are calibrated at power-on, before anything else is read, and again when the
 * temperature has changed by the threshold of the boot block: then one pattern read at a time, between other work. A
 * die keeps its old setting until its calibration has ended.
 *
 * Every pattern read is a READ ID of a few bytes, so a single one does not detect a bit error rate below a few percent:
 * the margin keeps the sample position away from the region with such rates.
 */
#ifndef STROBE_CALIBRATION_H
#define STROBE_CALIBRATION_H

#include "firmware/drivers/boot.h"

/* Calibrates all dies and returns when that is done. False: nothing is to be calibrated, or
 * the flash controller has no read capture. */
bool calibration_start(const struct boot_block* boot);

/* From the main loop, after each sleep: continues a calibration in progress, or begins one if the temperature has
 * changed enough. False: there was nothing to do. */
bool calibration_serve(void);

#endif
