/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads of recovery: one at a time; each call returns when the operation has ended.
 */
#ifndef STROBE_SUPERBLOCK_MAP_RECOVERY_READ_H
#define STROBE_SUPERBLOCK_MAP_RECOVERY_READ_H

#include "firmware/ftl/superblock_map/state.h"

/* Sectors of a superblock, and the spare records of their pages (at `spares`; 0: not read), into memory. */
bool recovery_read(struct superblock_map* sbm, uint32_t superblock, uint32_t first, uint32_t sectors, bus_address to,
                   bus_address spares);
/* One sector; returns the spare record of its page, zeros if it cannot be read. */
struct flash_spare recovery_page(struct superblock_map* sbm, uint32_t superblock, uint32_t first, bus_address to);

/* Fills the sector of zeros in the data buffer, which trimmed sectors share. */
void recovery_write_zeros(struct superblock_map* sbm);

#endif
