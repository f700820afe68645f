/* SPDX-License-Identifier: Apache-2.0
 *
 * What the loop asks of a flash translation layer: to serve host commands, one per slot of the host port, from their
 * arrival to their completion. Each layer implements it (ftl/page_map/request.c, ftl/superblock_map/request.c); an
 * image holds one of them.
 *
 * Trim, in every layer: whole pages of the flash inside the range read as zeros afterwards; sectors of a page that the
 * range covers in part keep their data.
 */
#ifndef STROBE_REQUEST_H
#define STROBE_REQUEST_H

#include "firmware/drivers/arena.h"
#include "firmware/drivers/boot.h"
#include "firmware/drivers/host_if.h"

/* Starts the flash translation layer, then the host port. */
void request_init(const struct boot_block* boot, struct arena* arena);

/* Serves everything that is ready; false: there is nothing to do before the next interrupt. */
bool request_serve(void);

/* Until there may be something to serve. */
void request_sleep(void);

/* Shared by the layers: whether a command can be served by a drive of that capacity. */
enum host_status request_check(const struct host_command* command, uint64_t capacity, bool read_only);

static inline uint64_t request_lba(const struct host_command* command)
{
    return (uint64_t)command->lba_hi << 32 | command->lba_lo;
}

#endif
