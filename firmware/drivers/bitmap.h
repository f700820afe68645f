/* SPDX-License-Identifier: Apache-2.0
 *
 * Sets of small numbers as bits of words, with "the next member at or after, going round".
 */
#ifndef STROBE_BITMAP_H
#define STROBE_BITMAP_H

#include <stdbool.h>
#include <stdint.h>

#define BITMAP_NONE 0xFFFFFFFFu

static inline uint32_t bitmap_words(uint32_t members)
{
    return (members + 31) / 32;
}

static inline bool bitmap_has(const uint32_t* words, uint32_t member)
{
    return (words[member / 32] >> member % 32 & 1u) != 0;
}

static inline void bitmap_add(uint32_t* words, uint32_t member)
{
    words[member / 32] |= 1u << member % 32;
}

static inline void bitmap_remove(uint32_t* words, uint32_t member)
{
    words[member / 32] &= ~(1u << member % 32);
}

static inline void bitmap_set(uint32_t* words, uint32_t member, bool is_member)
{
    if (is_member)
        bitmap_add(words, member);
    else
        bitmap_remove(words, member);
}

/* The smallest member >= from of a set over [0, size), else the smallest of all, else BITMAP_NONE. */
static inline uint32_t bitmap_next(const uint32_t* words, uint32_t size, uint32_t from)
{
    const uint32_t count = bitmap_words(size);
    if (from >= size)
        from = 0;
    uint32_t word = from / 32;
    uint32_t bits = words[word] & ~0u << from % 32;
    for (uint32_t i = 0; i <= count; ++i) {
        if (bits != 0)
            return word * 32 + (uint32_t)__builtin_ctz(bits);
        word = word + 1 == count ? 0 : word + 1;
        bits = words[word];
    }
    return BITMAP_NONE;
}

#endif
