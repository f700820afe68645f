/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/superblock_map/commands.h"

#include "firmware/app/request.h"

void command_take(struct superblock_map* sbm, uint32_t slot)
{
    const struct host_command* record = &sbm->host.commands[slot];
    struct command* command = &sbm->commands.slot[slot];
    if (command->active)
        hal_panic("host interface: a command arrived in a slot whose previous command is still in progress");
    HAL_COST(host_command);
    ++sbm->commands.active;
    *command = (struct command){.lba = request_lba(record), .sectors = record->sectors, .active = true};
    command->kind = record->kind & HOST_COMMAND_KIND_KIND_MASK;
    command->status = request_check(record, sbm->capacity, sbm->read_only);
    command->through =
        sbm->boot->completion == COMPLETION_WRITE_THROUGH || (record->kind & HOST_COMMAND_KIND_FUA_MASK) != 0;
}

void command_end(struct superblock_map* sbm, uint32_t slot)
{
    sbm->commands.slot[slot].active = false;
    --sbm->commands.active;
}

void command_complete(struct superblock_map* sbm, uint32_t slot, enum host_status status)
{
    command_end(sbm, slot);
    host_complete(slot, status);
}

void command_line_join(struct superblock_map* sbm, struct command_line* line, uint32_t slot)
{
    struct command* commands = sbm->commands.slot;
    commands[slot].next = NONE;
    if (line->head == NONE)
        line->head = slot;
    else
        commands[line->tail].next = slot;
    line->tail = slot;
}
