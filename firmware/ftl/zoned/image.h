/* SPDX-License-Identifier: Apache-2.0
 *
 * The tables of the drive as one run of words, in a fixed order: what a power loss must not lose beside the data.
 */
#ifndef STROBE_ZONED_IMAGE_H
#define STROBE_ZONED_IMAGE_H

#include "firmware/ftl/zoned/drive.h"

/* Fills the image (save.image), and save.unit with the buffers whose data is not in the flash. REQUIRES: no operation
 * is in progress, and nothing arrives any more */
void image_store(struct zoned_drive* d);

/* Sets all tables to the image, as after a power loss: open zones are closed. False: it is not one of this drive. */
bool image_load(struct zoned_drive* d);

#endif
