/* SPDX-License-Identifier: Apache-2.0
 *
 * What the two files of recovery share: recovery.c reads tables and log, recovery_parked.c brings back what optimised
 * flushes have left.
 */
#ifndef STROBE_RECOVERY_STATE_H
#define STROBE_RECOVERY_STATE_H

#include "firmware/ftl/superblock_map/journal.h"
#include "firmware/ftl/superblock_map/policy.h"

struct batch {
    uint32_t number, superblock, row, sectors;
};

struct recovery {
    uint32_t table_generation[COPIES_MOST][AREA_MOST], table_part[COPIES_MOST][AREA_MOST];
    uint32_t log_generation[COPIES_MOST][AREA_MOST], log_page[COPIES_MOST][AREA_MOST];
    uint32_t newest;        /* generation of which anything was seen */
    const uint32_t* stamps; /* of the entries that the buffer held when the tables were copied */
    struct batch* batch;
    uint32_t batches, most_batches;
    uint32_t* live; /* stamps of parked runs that count */
    uint32_t lives, most_lives;
};

extern struct recovery recovery;

/* Sectors of a superblock, and the spare records of their pages, into memory. */
bool recovery_read(uint32_t superblock, uint32_t first, uint32_t sectors, bus_address to, bus_address spares);
/* One sector; returns the spare record of its page, zeros if it cannot be read. */
struct flash_spare recovery_page(uint32_t superblock, uint32_t first, bus_address to);

/* Per logical superblock: stamp of the last entry that the log says was merged, 0: none. */
uint32_t* recovery_merged(void);
/* Whether what an entry with that stamp held was not in the tables or the log. */
bool recovery_is_live(uint32_t logical, uint32_t stamp);

void recover_parked(void);

#endif
