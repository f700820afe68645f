/* SPDX-License-Identifier: Apache-2.0
 *
 * The constants of firmware's policies that no scenario sets, with their units; docs/firmware/page_mapping.md lists
 * them. Values that a scenario sets are in the boot block. Two more belong to the flash driver (FLASH_DIE_DEPTH,
 * FLASH_READ_STREAK).
 */
#ifndef STROBE_PAGE_MAP_POLICY_H
#define STROBE_PAGE_MAP_POLICY_H

/* --- write-out --- */
#define IDLE_NS 1000000u /* ns: partial units and pages are completed when the host has been idle for this long */
#define ZERO_UNITS 8u    /* units: at most so many hidden logical units full of zeros */

/* --- data buffer --- */
#define MOVE_SLOTS_PER_DIE 8u /* pages of slots for moves: the limit in progress of a plane that blocks the host … */
#define MOVE_SLOTS_PART 4u    /* … but at most one of so many slots of the buffer */
#define MIN_READ_SLOTS 2u
#define MIN_MOVE_SLOTS 2u

/* --- streams of host data --- */
#define HOT_AGE_PART 1u /* hot: overwritten before one of so many parts of the drive's pages was written */

/* --- garbage collection --- */
#define GC_RESERVE 1u     /* free blocks of a plane that host data never takes: collection can always move */
#define PLANE_OVERHEAD 3u /* blocks of a plane beyond its share of data: reserve, open block for moves, one to gain */
#define PACED_OVERHEAD 1u /* the same, more with pacing: collection starts a block earlier */
#define GC_HELD_BLOCKS                                                                                                 \
    2u /* blocks of space beyond the reserve that host data leaves to collection with pacing: they                     \
          may be in the open block for moves and in the victim, where host data finds no page */
#define GC_WINDOW_BLOCKED 8u  /* pages in progress per plane while it has no space for host data */
#define GC_WINDOW_NORMAL 4u   /* pages in progress per plane while it has */
#define GC_WINDOW_IDLE 1u     /* pages in progress per plane in the background */
#define GC_WINDOW_COPYBACK 2u /* copy-backs in progress per plane */
#define GC_WORTH_PART 8u      /* a background victim has at least one of so many units invalid */

/* --- data refresh --- */
#define REFRESH_TURN 4u /* blocks of a plane without space that are collected between two that are due */
#define REFRESH_PLANES_PART                                                                                            \
    8u                     /* at most one of so many planes moves the data of a block that is due; at least one does   \
                            */
#define REFRESH_SHARE 8u   /* comparing ages takes at most 1 / REFRESH_SHARE of the CPU's time */
#define REFRESH_SLICE 64u  /* blocks whose ages are compared, or that are looked at for a scrub read, at a time */
#define REFRESH_ROUNDS 64u /* comparisons of each age during the limit */
#define SCRUB_PATIENCE 8u  /* intervals that a scrub read may be late because the host is busy */

/* --- journal and checkpoints --- */
#define JOURNAL_BLOCKS 2u    /* that may fill before a checkpoint is due, whatever the interval */
#define CHECKPOINT_SLICE 64u /* map entries composed before other work is served */
#define JOURNAL_RESERVE 8u   /* records of a page reserved by trims for lost pages */

/* --- parity --- */
#define PARITY_BEHIND 12u /* stripes of a plane whose parity is not in flash, before the plane takes no more pages */
#define REBUILD_JOBS 8u   /* reads that are reconstructed at a time */

/* --- host commands --- */
#define TRIM_BATCH 64u  /* logical units unmapped before other work is served */
#define MAX_PIECES 64u  /* units of a command in progress at a time; bounds the host event ring */
#define RUN_SECTORS 16u /* sectors: neighbouring units of a write are one transfer up to 8 KiB, a SATA data frame */

#endif
