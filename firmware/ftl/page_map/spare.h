/* SPDX-License-Identifier: Apache-2.0
 *
 * The spare record of a mapping unit, which describes its contents for recovery:
 *
 *   word 0   data: logical unit + 1; tables: number within their kind + 1. Never 0, which marks a factory bad block
 *   word 1   data: sequence number of the version, which copies keep; tables: number of the journal page, checkpoint
 *   word 2   kind (bits 4:0), placement handle of the block (7:5), layout version (15:8), erase count of the block, low
 *            16 bits (31:16)
 *   word 3   check word
 *
 * A copy-back copies the record of its source, erase count included: the first page of a block is never the target of a
 * copy-back, so that its record has the block's own erase count.
 */
#ifndef STROBE_PAGE_MAP_SPARE_H
#define STROBE_PAGE_MAP_SPARE_H

#include "firmware/drivers/flash.h"

enum spare_kind { SPARE_HOST = 1, SPARE_MOVED = 2, SPARE_JOURNAL = 3, SPARE_CHECKPOINT = 4, SPARE_HOT = 5 };
#define SPARE_VERSION 2u
#define SPARE_HANDLE_SHIFT 5u

static inline uint32_t spare_check(const struct flash_spare* spare)
{
    return (spare->word[0] * 0x9E3779B1u ^ spare->word[1]) * 0x85EBCA6Bu ^ spare->word[2];
}

static inline struct flash_spare spare_record(uint32_t subject, uint32_t number, enum spare_kind kind, uint32_t erases)
{
    struct flash_spare spare;
    spare.word[0] = subject + 1;
    spare.word[1] = number;
    spare.word[2] = (uint32_t)kind | SPARE_VERSION << 8 | erases << 16;
    spare.word[3] = spare_check(&spare);
    return spare;
}

/* The contents of a page that was read without an error are a record of this layout. */
static inline bool spare_is_record(const struct flash_spare* spare)
{
    return spare->word[0] != 0 && (spare->word[2] >> 8 & 0xFFu) == SPARE_VERSION &&
           spare->word[3] == spare_check(spare);
}
static inline uint32_t spare_subject(const struct flash_spare* spare)
{
    return spare->word[0] - 1;
}
static inline enum spare_kind spare_kind_of(const struct flash_spare* spare)
{
    return (enum spare_kind)(spare->word[2] & ((1u << SPARE_HANDLE_SHIFT) - 1));
}
static inline uint32_t spare_handle_of(const struct flash_spare* spare)
{
    return (spare->word[2] & 0xFFu) >> SPARE_HANDLE_SHIFT;
}
/* A kind of data with its handle, for spare_record(). */
static inline enum spare_kind spare_kind_with(enum spare_kind kind, uint32_t handle)
{
    return (enum spare_kind)((uint32_t)kind | handle << SPARE_HANDLE_SHIFT);
}
static inline bool spare_is_data(enum spare_kind kind)
{
    return kind == SPARE_HOST || kind == SPARE_MOVED || kind == SPARE_HOT;
}
static inline uint32_t spare_erases(const struct flash_spare* spare)
{
    return spare->word[2] >> 16;
}

#endif
