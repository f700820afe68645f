/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/superblock_map/recovery.h"

#include "firmware/ftl/superblock_map/journal.h"
#include "firmware/ftl/superblock_map/recovery_log.h"
#include "firmware/ftl/superblock_map/recovery_parked.h"
#include "firmware/ftl/superblock_map/recovery_read.h"
#include "firmware/ftl/superblock_map/recovery_tables.h"

const struct recovery_step recovery_steps[RECOVERY_STEPS] = {
    {"scan the areas of the journal", RECOVERY_OF_USED_DRIVE, recovery_scan_areas},
    {"load the newest tables", RECOVERY_OF_USED_DRIVE, recovery_load_tables},
    {"replay the log", RECOVERY_OF_TABLES, recovery_replay_log},
    {"rebuild the pool", RECOVERY_OF_TABLES, recovery_rebuild_pool},
    {"keep what was loaded", RECOVERY_OF_USED_DRIVE, recovery_keep_loaded},
    {"find parked sectors", RECOVERY_OF_TABLES, recovery_find_parked},
    {"merge parked sectors", RECOVERY_OF_TABLES, recovery_merge_parked},
    {"write a new generation", RECOVERY_ALWAYS, journal_copy_now},
    {"write the sector of zeros", RECOVERY_ALWAYS, recovery_write_zeros},
};

static bool applies(const struct superblock_map* sbm, enum recovery_condition condition)
{
    if (condition == RECOVERY_OF_USED_DRIVE)
        return sbm->boot->recover != 0;
    return condition == RECOVERY_ALWAYS || sbm->recovery.tables.generation != 0;
}

void recover(struct superblock_map* sbm)
{
    for (uint32_t i = 0; i < RECOVERY_STEPS; ++i) {
        if (!applies(sbm, recovery_steps[i].condition))
            continue;
        sbm->recovery.step = recovery_steps[i].name;
        recovery_steps[i].run(sbm);
    }
}

void recovery_init(struct superblock_map* sbm, struct arena* arena)
{
    struct recovery* recovery = &sbm->recovery;
    struct journal* journal = &sbm->journal;
    const uint32_t rows = sbm->layout.chip * sbm->layout.pages;
    *recovery = (struct recovery){.parked = {.most_batches = sbm->parking.members * (rows / 2)}};
    recovery->parked.batch =
        arena_array(arena, recovery->parked.most_batches, sizeof *recovery->parked.batch, "recovery");
    journal->most_lives = MOST_ENTRIES + journal->records.most;
    journal->live = arena_array(arena, journal->most_lives, sizeof *journal->live, "recovery");
}
