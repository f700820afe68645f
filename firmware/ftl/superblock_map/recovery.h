/* SPDX-License-Identifier: Apache-2.0
 *
 * Power-on: the newest complete copy of the tables, then the log behind it, page by page up to the first that is not
 * whole; then the sectors of optimised flushes that were not merged, which are merged now. A drive on which nothing is
 * found is new. At the end a new generation is written, so nothing of the old areas counts any more.
 *
 * Nothing of a merge that was interrupted is found: its destination is in no map. Recovery may itself be interrupted:
 * it comes to the same again.
 */
#ifndef STROBE_RECOVERY_H
#define STROBE_RECOVERY_H

#include "firmware/drivers/arena.h"

void recovery_init(struct arena* arena);
/* Returns when the drive is as it was, and the journal says so. The feeder must not have been started. */
void recover(void);
/* The sector of zeros in the data buffer, which trimmed sectors share. */
void recovery_make_zeros(void);

#endif
