/* SPDX-License-Identifier: Apache-2.0
 *
 * Write versions between the host and the write queues: a version is made, filled by host transfers, released, settled;
 * trim and flush. The request layer calls the functions named ftl_*, write-out calls version_settle().
 *
 * Owner of: ftl.sequence (numbers of versions), ftl.unsettled (versions that are not in flash yet) and ftl.is_saving
 * (the supply has failed: only work that saves the buffer begins).
 */
#ifndef STROBE_PAGE_MAP_PLACING_H
#define STROBE_PAGE_MAP_PLACING_H

#include "firmware/drivers/host_if.h"

struct ftl;

#define FIRST_SEQUENCE 2u /* number of a version; 1: below all, 0: not known (recovery) */

/* The version that takes sectors `mask` of a logical unit: one that may still be written, or a new one. NONE: no write
 * slot is free. `group`: of the command; with data placement, the lane of its handle. The caller orders a host transfer
 * into it and reports its end with ftl_arrived(). */
uint32_t ftl_place(struct ftl* ftl, uint32_t logical, uint32_t mask, uint32_t group, bool urgent);
/* The same, but a new version stays in the buffer until it is released (queues_release()). */
uint32_t ftl_place_held(struct ftl* ftl, uint32_t logical, uint32_t mask, uint32_t group);
void ftl_arrived(struct ftl* ftl, uint32_t slot, uint32_t mask);
/* The host has taken the data that it reads from a version. */
void ftl_unpin(struct ftl* ftl, uint32_t slot);
void ftl_trim(struct ftl* ftl, uint32_t logical);
/* Writes out everything placed before; returns the ticket for epochs_is_over(). */
uint32_t ftl_flush(struct ftl* ftl);
/* The supply fails, and no host transfer that is in progress will end: writes out what has arrived; returns the
 * ticket. */
uint32_t ftl_supply_fails(struct ftl* ftl);

/* The version has ended: in flash, dropped as stale, or lost. */
void version_settle(struct ftl* ftl, uint32_t slot, enum host_status status);

#endif
