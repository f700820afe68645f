/* SPDX-License-Identifier: Apache-2.0
 *
 * The interface between the main loop and a flash translation layer, which serves host commands, one per slot of the
 * host port, from arrival to completion. Each layer implements it (request.c in ftl/page_map, ftl/superblock_map,
 * ftl/start_gap); an image contains one layer.
 *
 * Trim, in every layer: whole mapping units inside the range read as zeros; sectors of a unit that the range covers in
 * part keep their data or read as zeros.
 */
#ifndef STROBE_REQUEST_H
#define STROBE_REQUEST_H

#include "firmware/drivers/arena.h"
#include "firmware/drivers/boot.h"
#include "firmware/drivers/host_if.h"

/* Starts the flash translation layer, then the host port. */
void request_init(const struct boot_block* boot, struct arena* arena);

/* The most control memory that request_init() takes, in bytes, including that of the drivers. */
uint64_t request_footprint(const struct boot_block* boot);

/* Serves everything that is ready; false: there is nothing to do before the next interrupt. */
bool request_serve(void);

/* Sleeps until there may be something to serve. */
void request_sleep(void);

/* Shared by the layers: the status of a command before it begins; HOST_OK: a drive of that capacity can serve it. */
enum host_status request_check(const struct host_command* command, uint64_t capacity, bool read_only);

static inline uint64_t request_lba(const struct host_command* command)
{
    return (uint64_t)command->lba_hi << 32 | command->lba_lo;
}

#endif
