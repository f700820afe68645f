/* SPDX-License-Identifier: Apache-2.0
 *
 * The start after a power loss: finds the newest complete save (save.h), loads the tables and the units that it holds,
 * and erases the blocks for the next save. If there is none, the host had not been served yet: the drive is empty.
 */
#ifndef STROBE_ZONED_RECOVER_H
#define STROBE_ZONED_RECOVER_H

#include "firmware/ftl/zoned/drive.h"

/* REQUIRES: all tables are as in a new drive. */
void recover_run(struct zoned_drive* d);
/* The operation of a plane has ended. */
void recover_done(struct zoned_drive* d, uint32_t plane, enum flash_status status);

#endif
