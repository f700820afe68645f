/* SPDX-License-Identifier: Apache-2.0
 *
 * Recovery step for the log: its pages are replayed in order, up to the first page that is incomplete in every copy.
 */
#ifndef STROBE_SUPERBLOCK_MAP_RECOVERY_LOG_H
#define STROBE_SUPERBLOCK_MAP_RECOVERY_LOG_H

#include "firmware/ftl/superblock_map/state.h"

void recovery_replay_log(struct superblock_map* sbm);

/* Applies one record of the log. */
void recovery_replay(struct superblock_map* sbm, const uint32_t* record);
/* Whether the log page in memory is page `number` of that generation, and complete. */
bool recovery_page_is_whole(const uint32_t* page, uint32_t generation, uint32_t number);

#endif
