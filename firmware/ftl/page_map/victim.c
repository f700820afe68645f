/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/page_map/victim.h"

uint32_t victim_greedy(struct block_table* table, uint32_t plane)
{
    struct plane* p = &table->plane[plane];
    for (; p->fewest <= capacity_most_valid(&table->geometry); ++p->fewest) {
        const uint32_t block = *blocks_list(table, plane, p->fewest);
        if (block != NONE)
            return block;
    }
    return NONE;
}

/* a.invalid / a.valid * a.age > b.invalid / b.valid * b.age, by integers; a block without valid units costs nothing. */
static bool is_better(const struct block_table* table, const struct block* a, const struct block* b)
{
    const uint32_t units = table->geometry.data_units_per_block;
    if (a->valid == 0 || b->valid == 0)
        return b->valid != 0;
    const uint64_t benefit_a = (uint64_t)(units - a->valid) * (table->clock - a->stamp + 1u);
    const uint64_t benefit_b = (uint64_t)(units - b->valid) * (table->clock - b->stamp + 1u);
    return benefit_a * b->valid > benefit_b * a->valid;
}

uint32_t victim_cost_benefit(struct block_table* table, uint32_t plane)
{
    const struct geometry* g = &table->geometry;
    uint32_t best = NONE;
    for (uint32_t i = 0; i < g->blocks_per_plane; ++i) {
        const uint32_t block = block_in_plane(g, plane, i);
        const struct block* b = &table->block[block];
        if (!blocks_is_listed(table, b) || b->valid > capacity_most_valid(g))
            continue;
        if (best == NONE || is_better(table, b, &table->block[best]))
            best = block;
    }
    return best;
}

victim_policy victim_policy_of(uint32_t number)
{
    static const victim_policy policies[] = {
        [GC_POLICY_GREEDY] = victim_greedy, [GC_POLICY_COST_BENEFIT] = victim_cost_benefit};
    return policies[number];
}

uint32_t victim_coldest(const struct block_table* table, uint32_t plane, uint32_t threshold)
{
    const struct geometry* g = &table->geometry;
    uint32_t best = NONE;
    for (uint32_t i = 0; i < g->blocks_per_plane; ++i) {
        const uint32_t block = block_in_plane(g, plane, i);
        const struct block* b = &table->block[block];
        if (blocks_is_listed(table, b) && (best == NONE || b->erases < table->block[best].erases))
            best = block;
    }
    if (best == NONE || table->plane[plane].most_erases - table->block[best].erases <= threshold)
        return NONE;
    return best;
}
