/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of the write path share: queues of versions, and what brings a version from one to the next.
 *
 *   write_queues.c   ready, partial        placing.c      a version is made, filled by the host, settled; epochs; trim
 *   completing.c     missing sectors       writeout.c     programming
 */
#ifndef STROBE_WRITE_VERSIONS_H
#define STROBE_WRITE_VERSIONS_H

#include "firmware/ftl/page_map/ftl.h"

static inline struct slot* slot_at(struct ftl* ftl, uint32_t slot)
{
    return &ftl->buffer.slot[slot];
}

/* Into its ready queue, or the held one. */
void make_ready(struct ftl* ftl, uint32_t slot);
void make_ready_first(struct ftl* ftl, uint32_t slot);
void take_ready(struct ftl* ftl, uint32_t slot);
void leave_partial(struct ftl* ftl, uint32_t slot);

/* Those that wait for the journal are looked at again. */
void dropped_again(struct ftl* ftl);

/* The version is done with: in flash, dropped as stale, or lost. */
void version_settle(struct ftl* ftl, uint32_t slot, enum host_status status);

/* Gets missing sectors of a version, or makes it wait for those that have them. */
void version_fill(struct ftl* ftl, uint32_t slot);

#endif
