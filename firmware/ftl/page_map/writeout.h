/* SPDX-License-Identifier: Apache-2.0
 *
 * Write-out: brings ready versions to flash, group by group in the order of their queues, until every group is empty or
 * waits. Where a page has several units, complete versions are gathered until they fill a page, unless something waits
 * for one of them. The choice of the plane: write_room.h and allocation.h. The next step of a version:
 * writeout_next_step().
 */
#ifndef STROBE_PAGE_MAP_WRITEOUT_H
#define STROBE_PAGE_MAP_WRITEOUT_H

#include "firmware/drivers/flash.h"
#include "firmware/ftl/page_map/buffer.h"
#include "firmware/ftl/page_map/journal.h"

enum version_step {
    STEP_RECEIVE,          /* host transfers have not ended */
    STEP_WAIT_FOR_JOURNAL, /* trimmed, and its command waits for the record of the trim */
    STEP_DROP,             /* stale: it ends without a program */
    STEP_FILL,             /* sectors are missing */
    STEP_PROGRAM           /* complete */
};

/* A stale version that a command or a flush waits for and that a trim has superseded: now the trim has to be durable.
 */
static inline bool writeout_waits_for_journal(const struct slot* slot, uint32_t epoch, const struct journal* journal)
{
    return slot->trimmed && (slot->urgent || slot->epoch != epoch) && !journal_is_written(journal, slot->ticket);
}

/* `epoch`: the current one. Depends only on the slot and the journal. */
static inline enum version_step writeout_next_step(const struct slot* slot, uint32_t full_unit, uint32_t epoch,
                                                   const struct journal* journal)
{
    if (slot->transfers != 0)
        return STEP_RECEIVE;
    if (slot->stale)
        return writeout_waits_for_journal(slot, epoch, journal) ? STEP_WAIT_FOR_JOURNAL : STEP_DROP;
    return slot->valid != full_unit ? STEP_FILL : STEP_PROGRAM;
}

void writeout_init(struct ftl* ftl, struct arena* arena);
void writeout_run(struct ftl* ftl);

/* End of the program of a strip of a page, whose first slot is `slot`. */
void writeout_programmed(struct ftl* ftl, uint32_t slot, enum flash_status status);

#endif
