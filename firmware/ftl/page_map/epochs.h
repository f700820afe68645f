/* SPDX-License-Identifier: Apache-2.0
 *
 * Flush epochs: each flush ends one, and is complete when nothing that entered an epoch up to its own is left in it.
 */
#ifndef STROBE_EPOCHS_H
#define STROBE_EPOCHS_H

#include "firmware/ftl/page_map/ftl.h"

/* Something that a later flush has to wait for; returns the epoch that it is to leave. */
uint32_t epoch_enter(struct ftl* ftl);
void epoch_leave(struct ftl* ftl, uint32_t epoch);

#endif
