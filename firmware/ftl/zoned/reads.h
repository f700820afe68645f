/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads, cut into pieces of at most a page. A piece is read from the flash, from the buffer of its unit, or consists of
 * zeros: sectors that were not written, or whose write is not complete. A read does not cross the border of a zone.
 */
#ifndef STROBE_ZONED_READS_H
#define STROBE_ZONED_READS_H

#include "firmware/ftl/zoned/drive.h"

void reads_init(struct zoned_drive* d);
enum host_status reads_begin(struct zoned_drive* d, uint32_t slot);                 /* HOST_OK: it is accepted */
void reads_run(struct zoned_drive* d);                                              /* as far as there are pieces */
void reads_sensed(struct zoned_drive* d, uint32_t piece, enum flash_status status); /* the flash read has ended */
void reads_sent(struct zoned_drive* d, uint32_t piece);                             /* the transfer has ended */

#endif
