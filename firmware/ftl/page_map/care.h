/* SPDX-License-Identifier: Apache-2.0
 *
 * Data care: which blocks have to be moved before their data can no longer be corrected. Reads of a block raise the
 * voltages of its other cells (read disturb), and cells lose charge with time (retention). A block is due
 *   - when its reads since its erase reach the limit. Counted for each block of the flash: every read that
 *     has ended, whatever it was for, and its retries and soft senses. Reads of recovery are not counted;
 *   - when the age of its data reaches the limit: the time since a round of scrub.h found its first page taken;
 *   - when a read had to be tried again or failed, or when a codeword had at least the limit of corrected errors.
 * Which of them moves next, and when: care_choose(). The collector moves its data like that of a victim, but always
 * through the buffer, so that it is corrected.
 *
 * Owner of: the counts, the ages and block.due. Not kept in flash: after a power loss, counts begin at 0 and ages at
 * the time of power-on; scrub reads find what this misses. Not cared for: blocks that hold tables.
 */
#ifndef STROBE_PAGE_MAP_CARE_H
#define STROBE_PAGE_MAP_CARE_H

#include "firmware/drivers/flash.h"
#include "firmware/ftl/page_map/blocks.h"

enum care_reason { CARE_NOT_DUE, CARE_DUE_BY_READS, CARE_DUE_BY_AGE, CARE_DUE_BY_ERRORS };

struct care {
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

void care_init(struct care* care, struct arena* arena, const struct boot_block* boot, const struct geometry* geometry);
static inline bool care_is_wanted(const struct boot_block* boot)
{
    return boot->care_reads != 0 || boot->care_age != 0 || boot->scrub_interval != 0;
}

/* An operation has ended; its descriptor is still its own. */
void care_operation_ended(struct care* care, struct block_table* table, const struct flash_descriptor* descriptor,
                          enum flash_status status);

/* Compares the ages of `count` blocks from `first` on. */
void care_compare_ages(struct care* care, struct block_table* table, uint32_t first, uint32_t count, uint64_t now);

/* The plane's next victim that is due, removed from the lists of the block table; an open block is closed first. NONE:
 * there is none, or it has to wait: for a failed block; while host data has no other free block; while the plane needs
 * space, until CARE_TURN blocks have been collected for other reasons; or while as many planes as may are moving. */
uint32_t care_choose(struct care* care, struct block_table* table, uint32_t plane, bool needs_space);
/* The victim of care_choose() was erased or has failed. */
void care_moved(struct care* care, struct block_table* table);
/* A block was erased for another reason. */
static inline void care_collected_other(struct care* care, uint32_t plane)
{
    if (care->others[plane] != 255)
        ++care->others[plane];
}
void care_erased(struct care* care, const struct geometry* geometry, uint32_t block);

#endif
