/* SPDX-License-Identifier: Apache-2.0
 *
 * Data refresh: which blocks have to be moved before their data can no longer be corrected. Reads of a block raise the
 * voltages of its other cells (read disturb), and cells lose charge with time (retention). A block is due
 *   - when its reads since its erase reach the limit. Counted for each block of the flash: every read that
 *     has ended, whatever it was for, and its retries and soft senses. Reads of recovery are not counted;
 *   - when the age of its data reaches the limit: the time since a round of scrub.h found its first page taken;
 *   - when a read of it had to be reconstructed by parity (rebuild.h);
 *   - with scrubbing, when a read had to be tried again or failed, or when a codeword had at least the limit of
 * corrected errors. Which of them moves next, and when: refresh_choose(). The collector moves its data like that of a
 * victim, but always through the buffer, so that it is corrected.
 *
 * Owner of: the counts, the ages and block.due. Not kept in flash: after a power loss, counts begin at 0 and ages at
 * the time of power-on; scrub reads find what this misses. Blocks that hold tables are not refreshed.
 */
#ifndef STROBE_PAGE_MAP_REFRESH_H
#define STROBE_PAGE_MAP_REFRESH_H

#include "firmware/drivers/flash.h"
#include "firmware/ftl/page_map/blocks.h"

enum refresh_reason { REFRESH_NOT_DUE, REFRESH_DUE_BY_READS, REFRESH_DUE_BY_AGE, REFRESH_DUE_BY_ERRORS };

struct refresh {
    bool is_on;
    bool checks_errors;
    uint32_t read_limit; /* 0: none */
    uint32_t bits;       /* corrected ones of a codeword; 0: no limit */
    uint64_t age_limit;  /* ns; 0: none */
    uint32_t* reads;     /* by block of the flash; without a limit NULL */
    uint64_t* since;     /* ns, by block: when it was found in use; 0: not yet; without a limit NULL */
    uint8_t* others;     /* by plane: blocks collected for other reasons since the last one that was due, at most 255 */
    struct plane_set waiting; /* planes with a block that is due */
    uint32_t moving, most;    /* planes that move the data of such a block; at most so many at a time */
};

void refresh_init(struct refresh* refresh, struct arena* arena, const struct boot_block* boot,
                  const struct geometry* geometry);
static inline bool refresh_is_wanted(const struct boot_block* boot)
{
    return boot->refresh_reads != 0 || boot->refresh_age != 0 || boot->scrub_interval != 0 ||
           boot->superblock_parity != 0;
}

/* An operation has ended; its descriptor is still its own. */
void refresh_operation_ended(struct refresh* refresh, struct block_table* table,
                             const struct flash_descriptor* descriptor, enum flash_status status);

/* A read of the block was reconstructed. */
void refresh_rebuilt(struct refresh* refresh, struct block_table* table, uint32_t block);

/* Compares the ages of `count` blocks from `first` on. */
void refresh_compare_ages(struct refresh* refresh, struct block_table* table, uint32_t first, uint32_t count,
                          uint64_t now);

/* The plane's next victim that is due, removed from the lists of the block table; an open block is closed first. NONE:
 * there is none, or it has to wait: for a failed block; while host data has no other free block; while the plane needs
 * space, until REFRESH_TURN blocks have been collected for other reasons; or while as many planes as may are moving. */
uint32_t refresh_choose(struct refresh* refresh, struct block_table* table, uint32_t plane, bool needs_space);
/* The victim of refresh_choose() was erased or has failed. */
void refresh_moved(struct refresh* refresh, struct block_table* table);
/* A block was erased for another reason. */
static inline void refresh_collected_other(struct refresh* refresh, uint32_t plane)
{
    if (refresh->others[plane] != 255)
        ++refresh->others[plane];
}
void refresh_erased(struct refresh* refresh, const struct geometry* geometry, uint32_t block);

#endif
