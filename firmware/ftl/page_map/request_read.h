/* SPDX-License-Identifier: Apache-2.0
 *
 * Host reads: each sector comes from the newest write version that holds it, else from flash, else it is zero.
 */
#ifndef STROBE_PAGE_MAP_REQUEST_READ_H
#define STROBE_PAGE_MAP_REQUEST_READ_H

#include "firmware/ftl/page_map/request_state.h"

void read_start(struct app* app, uint32_t slot);
void read_begin(struct app* app, uint32_t slot);    /* after the scan of the other channels */
bool read_continue(struct app* app, uint32_t slot); /* false: it waits for a read slot, in line */
void read_transfer_done(struct app* app, uint32_t slot, uint32_t cookie);
/* read_ahead.drop; context: struct app */
void read_ahead_dropped(void* context, uint32_t buffer_slot);
void read_unit_done(void* context, uint32_t buffer_slot, bool ok); /* ftl_client.unit_read; context: struct app */

#endif
