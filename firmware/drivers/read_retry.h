/* SPDX-License-Identifier: Apache-2.0
 *
 * What firmware does when a read cannot be corrected: it reads the page again under the other options of the part's
 * retry table, then once with soft information, before it gives up. The option under which a block was read last is
 * kept, and its later reads begin with it. Plain functions over plain state: the flash driver (flash.c) hands the
 * descriptor over again, and the hardware sends SET FEATURES where a die is set to another option.
 *
 *   first read       the block's option (0 after an erase)
 *   retry 1..n       the options after it, in order of the table, option 0 included
 *   retry n + 1      soft, if there are soft reads: under the block's option; if that is 0, from the middle of
 *                    the table
 */
#ifndef STROBE_READ_RETRY_H
#define STROBE_READ_RETRY_H

#include "firmware/drivers/arena.h"
#include "firmware/regs/strobe_regs.h"

#include <stdbool.h>
#include <stdint.h>

struct read_retry {
    uint32_t options; /* of the table, without option 0 */
    uint32_t senses;  /* of a soft read; 0: none */
    uint32_t blocks;  /* of a die */
    uint8_t* good;    /* by block: its option; NULL: reads are not tried again */
    uint8_t* retries; /* by operation: so far */
};

/* Retries are used if the boot block says so. */
void read_retry_init(struct read_retry* retry, const struct boot_block* boot, struct arena* arena, uint32_t operations);
static inline bool read_retry_is_on(const struct read_retry* retry)
{
    return retry->good != NULL;
}

/* When an operation is queued: a read takes the option of its block. */
HAL_RARE void read_retry_prepare(struct read_retry* retry, struct flash_descriptor* descriptor);

/* An operation has ended. True: it is a read, its descriptor is changed, and it has to be read again. */
HAL_RARE bool read_retry_again(struct read_retry* retry, uint32_t op, struct flash_descriptor* descriptor,
                               bool is_corrected);

#endif
