/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/page_map/ftl.h"
#include "firmware/ftl/page_map/recovery_steps.h"
#include "firmware/ftl/page_map/spare.h"

#include <string.h>

static void remember_duplicate(struct recovery_versions* v, uint32_t logical, uint32_t physical, uint32_t sequence)
{
    if (v->duplicate_count < v->duplicate_limit)
        v->duplicates[v->duplicate_count++] = (struct duplicate){logical, physical, sequence};
}

static void found_sequence(struct recovery_versions* v, uint32_t sequence)
{
    if (sequence > v->highest)
        v->highest = sequence;
}

bool recovery_consider(struct ftl* ftl, uint32_t physical, const struct flash_spare* spare)
{
    struct recovery_versions* v = &ftl->recovery->versions;
    const uint32_t logical = spare_subject(spare);
    const uint32_t sequence = spare->word[1];
    if (!spare_is_data(spare_kind_of(spare)) || logical >= ftl->map.logical_units)
        return true;
    found_sequence(v, sequence);
    uint32_t* named = &ftl->map.physical[logical];
    if (map_is_mapped(*named) && v->sequence[logical] == 0)
        return false;
#ifdef STROBE_FTL_OLDEST_WINS /* broken on purpose: the test of power losses has to detect it */
    if (v->sequence[logical] != 0 && sequence > v->sequence[logical])
        return true;
#endif
    if (sequence > v->sequence[logical]) {
        *named = physical;
        v->sequence[logical] = sequence;
    } else if (sequence == v->sequence[logical] && map_is_mapped(*named) && *named != physical) {
        remember_duplicate(v, logical, physical, sequence);
    }
    return true;
}

void recovery_forgotten(struct ftl* ftl, uint32_t logical, uint32_t sequence, uint32_t as)
{
    struct recovery_versions* v = &ftl->recovery->versions;
    found_sequence(v, sequence);
    if (logical >= ftl->map.logical_units || sequence <= v->sequence[logical])
        return;
    const bool is_unknown = map_is_mapped(ftl->map.physical[logical]) && v->sequence[logical] == 0;
    if (is_unknown && sequence < v->begun_at)
        return; /* the version that the checkpoint names is newer */
    ftl->map.physical[logical] = as;
    v->sequence[logical] = sequence;
}

void recovery_prepare_versions(struct ftl* ftl, struct recovery* r)
{
    struct recovery_versions* v = &r->versions;
    *v = (struct recovery_versions){.sequence = ftl->map.logical};
    memset(v->sequence, 0, (size_t)ftl->map.logical_units * sizeof *v->sequence);
    v->duplicate_limit = ftl->geometry.planes * ftl->geometry.units_per_block;
    v->duplicates = recovery_array(r, v->duplicate_limit, sizeof *v->duplicates);
}
