/* SPDX-License-Identifier: Apache-2.0
 *
 * Power-on, as a table of named steps: the newest complete copy of the tables; the log after it, page by page up to the
 * first incomplete page; then the sectors of optimised flushes that were not merged, which are merged now. If nothing
 * is found, the drive is new. At the end a new generation of the journal is written, so the contents of the old areas
 * are no longer valid.
 *
 * The destination of an interrupted merge is in no map, so recovery finds it free. Recovery may itself be interrupted
 * at any operation: the next one has the same result.
 */
#ifndef STROBE_SUPERBLOCK_MAP_RECOVERY_H
#define STROBE_SUPERBLOCK_MAP_RECOVERY_H

#include "firmware/ftl/superblock_map/state.h"

enum recovery_condition {
    RECOVERY_ALWAYS,
    RECOVERY_OF_USED_DRIVE, /* the boot block says that the drive may have contents */
    RECOVERY_OF_TABLES      /* a copy of the tables was loaded */
};

struct recovery_step {
    const char* name;
    enum recovery_condition condition;
    void (*run)(struct superblock_map* sbm);
};

#define RECOVERY_STEPS 9u
extern const struct recovery_step recovery_steps[RECOVERY_STEPS];

void recovery_init(struct superblock_map* sbm, struct arena* arena);

/* Takes all steps; returns when the state from before the power loss is restored and the journal is written.
 * REQUIRES: the feeder has not been started. */
void recover(struct superblock_map* sbm);

#endif
