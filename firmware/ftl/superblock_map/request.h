/* SPDX-License-Identifier: Apache-2.0
 *
 * The one drive of an image with superblock mapping. It is owned by request.c, the top of the layer, which gives it to
 * the layers below as a parameter; tests inspect it.
 */
#ifndef STROBE_SUPERBLOCK_MAP_REQUEST_H
#define STROBE_SUPERBLOCK_MAP_REQUEST_H

#include "firmware/ftl/superblock_map/state.h"

extern struct superblock_map superblock_drive;

#endif
