/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/superblock_map/merge_choice.h"

uint32_t merge_written_last(const struct sector_buffer* buffer)
{
    uint32_t best = NONE;
    for (uint32_t i = 0; i < buffer->entries; ++i) {
        const struct entry* entry = &buffer->entry[i];
        if (entry->state == ENTRY_OPEN && (best == NONE || (int32_t)(entry->last - buffer->entry[best].last) > 0))
            best = i;
    }
    return best;
}

bool merge_drains(const struct merging* merging, const struct sector_buffer* buffer, uint32_t last)
{
    if (buffer->open > merging->limit || buffer_free(buffer) < merging->high_water)
        return true;
    if (buffer->open == 0 || (buffer->open == 1 && last != NONE))
        return false;
    return merging->draining;
}

static bool is_older(const struct sector_buffer* buffer, uint32_t a, uint32_t b)
{
    return b == NONE || (int32_t)(buffer->entry[a].stamp - buffer->entry[b].stamp) < 0;
}

uint32_t merge_choose(const struct merging* merging, const struct sector_buffer* buffer, const struct jobs* jobs,
                      bool idle, uint32_t kept)
{
    const struct layout* layout = buffer->layout;
    const bool draining = merging->draining;
    uint32_t best = NONE;
    for (uint32_t i = 0; i < buffer->entries; ++i) {
        const struct entry* entry = &buffer->entry[i];
        const bool is_due = entry->must || (draining && i != kept);
        if (entry->state != ENTRY_OPEN || entry->sectors == 0 || !is_due || entry->older != NONE || entry->starved ||
            !is_older(buffer, i, best))
            continue;
        if (idle && jobs_have_superchip(jobs, superchip_of_group(layout, entry->logical % layout->groups)))
            continue;
        if (!jobs_have_logical(jobs, entry->logical))
            best = i;
    }
    return best;
}
