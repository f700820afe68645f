/* SPDX-License-Identifier: Apache-2.0
 *
 * Sectors that a write version is missing: they are read from the unit in flash, or from a hidden unit of zeros if
 * there is none. More sectors of a partial unit may follow from the host, so it waits, but at most until the host has
 * been idle for IDLE_NS. Versions that do not fill a page wait in the same way.
 *
 * Owner of: struct completing. Invariant: the timer is set exactly if partial_due is not 0.
 */
#ifndef STROBE_PAGE_MAP_COMPLETING_H
#define STROBE_PAGE_MAP_COMPLETING_H

#include "firmware/drivers/flash.h"

struct ftl;

struct completing {
    uint32_t zero_units, next_zero; /* hidden logical units of zeros, after the exported ones */
    uint64_t partial_due;           /* ns: partial units and pages are completed if the host stays idle; 0: not set */
};

/* Reads missing sectors of a version, or makes it wait for the version or unit that has them. */
void version_fill(struct ftl* ftl, uint32_t slot);
/* End of that read. */
void version_filled(struct ftl* ftl, uint32_t slot, enum flash_status status);

/* `is_wanted`: there are partial units or pages, and the host is idle. True: some were completed. */
bool completing_idle(struct ftl* ftl, bool is_wanted);
static inline bool completing_has_idle_work(const struct completing* completing, bool has_incomplete)
{
    return has_incomplete || completing->partial_due != 0;
}

#endif
