/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes and appends: the state machine accepts them in the order of their arrival; their data goes to unit buffers,
 * page by page. A write waits for a buffer, and later ones wait behind it. If none will be free for it, its zone fails;
 * what a zone that has failed has accepted and not ordered yet ends with HOST_ZONE_READ_ONLY.
 */
#ifndef STROBE_ZONED_WRITES_H
#define STROBE_ZONED_WRITES_H

#include "firmware/ftl/zoned/drive.h"

/* HOST_OK: it is accepted, and its last transfer completes it. `appends`: where the write pointer is.
 * HOST_DEVICE_FAULT: it needs a buffer, and none will be free. */
enum host_status writes_begin(struct zoned_drive* d, uint32_t slot, bool appends);
void writes_run(struct zoned_drive* d); /* as far as there are buffers */

/* The transfer has ended; `cookie` is that of the transfer. */
void writes_arrived(struct zoned_drive* d, uint32_t slot, uint32_t cookie);

#endif
