/* SPDX-License-Identifier: Apache-2.0
 *
 * Host commands: one per slot of the host port, from arrival to completion, and queues of waiting commands.
 */
#ifndef STROBE_SUPERBLOCK_MAP_COMMANDS_H
#define STROBE_SUPERBLOCK_MAP_COMMANDS_H

#include "firmware/ftl/superblock_map/state.h"

/* A command has arrived in the slot. */
void command_take(struct superblock_map* sbm, uint32_t slot);
void command_complete(struct superblock_map* sbm, uint32_t slot, enum host_status status);
/* The slot is free; the hardware completes the command. */
void command_end(struct superblock_map* sbm, uint32_t slot);

void command_line_join(struct superblock_map* sbm, struct command_line* line, uint32_t slot);

#endif
