/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/page_map/recovery.h"

#include "firmware/ftl/page_map/ftl.h"
#include "firmware/ftl/page_map/recovery_steps.h"
#include "firmware/hal/text.h"

/* Logs the result and hands the drive over to normal work. */
static void hand_over(struct ftl* ftl, struct recovery* r)
{
    struct text text;
    ftl->sequence = r->versions.highest < FIRST_SEQUENCE ? FIRST_SEQUENCE : r->versions.highest + 1;
    ftl->blocks.clock = ftl->sequence;
    const uint32_t pages = r->io.pages / ftl->geometry.flash_pages_per_page;
    ftl->checkpoint.since = ftl->sequence - (pages < ftl->sequence ? pages : ftl->sequence);
    text_start(&text, "recovered: ");
    text_number(&text, r->io.pages);
    text_add(&text, r->tables.checkpoint != 0 ? " pages read, from a checkpoint on" : " pages read");
    hal_log(text.chars);
    blocks_all_changed(&ftl->blocks);
}

const struct recovery_step recovery_steps[] = {
    {"recovery (operations)", recovery_prepare_io},
    {"recovery (first pages)", recovery_read_first_pages},
    {"recovery (modes)", recovery_find_modes},
    {"recovery (versions)", recovery_prepare_versions},
    {"recovery (checkpoint)", recovery_load_checkpoint},
    {"recovery (journal)", recovery_replay_journal},
    {"recovery (data pages)", recovery_read_data_pages},
    {"recovery (erase counts)", recovery_find_erase_counts},
    {"recovery (valid pages)", recovery_count_valid_pages},
    {"recovery (empty blocks)", recovery_gain_empty_blocks},
    {"recovery (blocks to erase)", recovery_choose_to_erase},
    {"recovery (reverse map)", recovery_rebuild_reverse_map},
    {"recovery (block states)", recovery_settle_blocks},
    {"recovery (erases)", recovery_erase_blocks},
    {"recovery (hand-over)", hand_over},
    {NULL, NULL},
};

void recovery_run(struct ftl* ftl, struct arena* arena)
{
    struct recovery recovery = {.arena = arena};
    const uint64_t mark = arena_mark(arena);
    ftl->recovery = &recovery;
    for (const struct recovery_step* step = recovery_steps; step->name != NULL; ++step) {
        recovery.step = step->name;
        step->run(ftl, &recovery);
    }
    ftl->recovery = NULL;
    arena_release(arena, mark);
}
