/* SPDX-License-Identifier: Apache-2.0
 *
 * Polling of the channels, if boot_block.read_polls or write_polls says so and there are several channels. Before a
 * read or write begins in flash, firmware goes through its sectors. For each it reads the status register of one flash
 * unit of every channel, and goes on when all of them have room for another list. Commands are polled in the order in
 * which they came, a few sectors in each round of the main loop, so that events are served in between.
 *
 * It stands for a controller whose channels have a common dispatcher in firmware. The queues of this driver (flash.h)
 * do not need it: they count the lists of each unit.
 */
#ifndef STROBE_PAGE_MAP_CHANNEL_POLLS_H
#define STROBE_PAGE_MAP_CHANNEL_POLLS_H

#include "firmware/ftl/page_map/request_state.h"

#define POLLED_SECTORS 8u /* in a round of the main loop */

/* True: the request needs no polls, and the caller begins it; false: it is in line, and channel_polls_continue() will
 * name it. */
bool channel_polls_start(struct app* app, uint32_t slot);

/* Polls for the first request in line. Returns its slot after its last poll, else NONE. REQUIRES: one is in line. */
uint32_t channel_polls_continue(struct app* app);

#endif
