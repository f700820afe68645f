/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/page_map/collect_policy.h"

#include "firmware/ftl/page_map/policy.h"
#include "firmware/ftl/page_map/pslc_cache.h"

/* --- foreground --------------------------------------------------------------------------------------------------- */

/* Compared after each block that was erased for another reason, while there is still space for host data. */
static uint32_t wear_victim(const struct collect_policy* policy, const struct block_table* table, uint32_t plane,
                            bool* wear_due)
{
    if (!*wear_due || blocks_free(table, plane) <= GC_RESERVE)
        return NONE;
    *wear_due = false;
    return victim_coldest(table, plane, policy->wear_threshold);
}

static uint32_t space_victim(const struct collect_policy* policy, struct block_table* table, uint32_t plane)
{
    HAL_COST(gc_choose);
    const uint32_t victim = policy->choose_victim(table, plane);
    table->plane[plane].dry = victim == NONE;
    if (victim == NONE && policy->pacing != NULL)
        plane_set_add(&table->room_changed, plane);
    return victim;
}

struct collect_choice collect_choose(const struct collect_policy* policy, struct block_table* table, uint32_t plane,
                                     bool* wear_due)
{
    const uint32_t failed = blocks_take_failed(table, plane);
    if (failed != NONE)
        return (struct collect_choice){failed, COLLECT_FAILED};
    struct collect_choice choice = {wear_victim(policy, table, plane, wear_due), COLLECT_FOR_WEAR};
    if (choice.victim == NONE && collect_needs_space(policy, table, plane))
        choice = (struct collect_choice){space_victim(policy, table, plane), COLLECT_FOR_SPACE};
    if (choice.victim != NONE)
        blocks_collect(table, choice.victim);
    return choice;
}

uint32_t collect_fold_victim(struct block_table* table, uint32_t plane)
{
    const uint32_t victim = pslc_cache_oldest(table, plane);
    if (victim != NONE)
        blocks_collect(table, victim);
    return victim;
}

/* --- background --------------------------------------------------------------------------------------------------- */

static bool has_enough_invalid(const struct block_table* table, uint32_t victim)
{
    const uint32_t units = table->geometry.data_units_per_block;
    return victim != NONE && (units - table->block[victim].valid) * GC_WORTH_PART >= units;
}

/* The block with the fewest valid units determines whether there is a victim, before a policy compares all blocks. */
uint32_t collect_idle_victim(const struct collect_policy* policy, struct block_table* table, uint32_t plane)
{
    HAL_COST(gc_choose);
    if (!has_enough_invalid(table, victim_greedy(table, plane)))
        return NONE;
    const uint32_t victim = policy->choose_victim(table, plane);
    if (!has_enough_invalid(table, victim))
        return NONE;
    blocks_collect(table, victim);
    return victim;
}

/* --- speed -------------------------------------------------------------------------------------------------------- */

uint32_t collect_window(const struct collect_policy* policy, const struct block_table* table, uint32_t plane,
                        enum collect_reason reason)
{
    if ((reason == COLLECT_WHILE_IDLE || reason == COLLECT_DUE) && !collect_needs_space(policy, table, plane))
        return GC_WINDOW_IDLE;
    if (!blocks_have_page(table, plane, STREAM_HOST, GC_RESERVE))
        return GC_WINDOW_BLOCKED;
    return policy->pacing != NULL ? pacing_window(policy->pacing, plane) : GC_WINDOW_NORMAL;
}

struct collect_policy collect_policy_of(const struct boot_block* boot, const struct geometry* geometry)
{
    struct collect_policy policy = {0};
    policy.choose_victim = victim_policy_of(boot->gc_policy);
    policy.low = share_of_plane(geometry, 0, boot->gc_low_blocks);
    policy.idle = share_of_plane(geometry, 0, boot->gc_idle_blocks);
    policy.wear_threshold = boot->wear_threshold;
    if (policy.low < GC_RESERVE + 1)
        policy.low = GC_RESERVE + 1;
    return policy;
}
