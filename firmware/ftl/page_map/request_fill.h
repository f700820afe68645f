/* SPDX-License-Identifier: Apache-2.0
 *
 * Host writes where no time passes: while the drive has nothing else to do than to take data, they wait in a line until
 * their units fill pages, which are programmed from there (page_fill.h). All others, and what is left when no more
 * commands come, take the way through the buffer (request_write.h). No other command begins while writes are in the
 * line.
 */
#ifndef STROBE_PAGE_MAP_REQUEST_FILL_H
#define STROBE_PAGE_MAP_REQUEST_FILL_H

#include "firmware/ftl/page_map/request_state.h"

void fill_init(struct app* app);

/* The write joins the line. False: it does not. */
bool fill_takes(struct app* app, uint32_t slot);
/* Another command begins: all writes of the line take the other way. */
void fill_give_way(struct app* app);
/* Programs what can be programmed now; true: there is more. REQUIRES: the line is not empty. */
bool fill_serve(struct app* app);

/* The line is not empty. */
static inline bool fill_is_waiting(const struct app* app)
{
    return HAL_CAN_STORE && app->fills.head != NONE;
}

#endif
