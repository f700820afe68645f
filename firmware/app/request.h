/* SPDX-License-Identifier: Apache-2.0
 *
 * Host commands, one per slot of the host port, from their arrival to their completion: split into logical pages, each
 * served from the buffer, from flash, or with zeros.
 *
 * Trim: whole mapping units (logical pages) inside the range read as zeros afterwards; sectors of a page that the range
 * covers in part keep their data.
 */
#ifndef STROBE_REQUEST_H
#define STROBE_REQUEST_H

#include "firmware/drivers/arena.h"
#include "firmware/drivers/boot.h"
#include "firmware/ftl/page_map/ftl.h"

/* Starts the flash translation layer, then the host port. */
void request_init(const struct boot_block* boot, struct arena* arena);

/* Serves everything that is ready; false: there is nothing to do before the next interrupt. */
bool request_serve(void);

/* For tests: the layer below. */
struct ftl* request_ftl(void);

#endif
