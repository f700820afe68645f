/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/superblock_map/state.h"

void change_mapped_superblock(struct superblock_map* sbm, uint32_t logical, uint32_t target, uint32_t source)
{
    set_mapped_superblock(sbm, logical, target);
    if (target != NONE)
        superblocks_map(&sbm->superblocks, target, logical);
    if (source != NONE)
        sbm->superblocks.superblock[source].state = SUPERBLOCK_LEAVING;
}

void turn_read_only(struct superblock_map* sbm, const char* why)
{
    if (!sbm->read_only)
        hal_log(why);
    sbm->read_only = true;
}
