/* SPDX-License-Identifier: Apache-2.0
 *
 * Host writes: data goes into write versions; completion waits for their programs, or only for the transfers.
 * Serial writes (boot_block.serial_writes) take turns per allocation group: one is written, the others may have their
 * data in the buffer, in held versions.
 */
#ifndef STROBE_PAGE_MAP_REQUEST_WRITE_H
#define STROBE_PAGE_MAP_REQUEST_WRITE_H

#include "firmware/ftl/page_map/request_state.h"

void write_start(struct app* app, uint32_t slot);
void write_begin(struct app* app, uint32_t slot); /* after the scan of the other channels */
/* Whole units of the command from sector `first` on take their way through the buffer. REQUIRES: it has a write slot
 * for each. */
void write_units(struct app* app, uint32_t slot, uint32_t first, uint32_t units);
void write_serve_turns(struct app* app);             /* RAISED_TURN */
bool write_continue(struct app* app, uint32_t slot); /* false: it waits for a write slot, in line */
void write_transfer_done(struct app* app, uint32_t slot, uint32_t cookie);
/* ftl_client.version_settled; context: struct app */
void write_version_settled(void* context, uint32_t buffer_slot, enum host_status status);
void write_fail_all(struct app* app); /* no spare block is left */

#endif
