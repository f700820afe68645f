/* SPDX-License-Identifier: Apache-2.0
 *
 * Sets of small numbers as bits of words, with a cyclic search for the next member.
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

/* The number of the lowest bit set in a word that is not 0: a de Bruijn sequence times that bit has the number in its
 * five highest bits. RV32IMAC has no instruction for it, and the compiler's library function takes three times as many
 * instructions. */
static inline uint32_t bitmap_lowest(uint32_t word)
{
    static const uint8_t numbers[32] = {0,  1,  28, 2,  29, 14, 24, 3, 30, 22, 20, 15, 25, 17, 4,  8,
                                        31, 27, 13, 23, 21, 19, 16, 7, 26, 12, 18, 6,  11, 5,  10, 9};
    return numbers[(word & (0u - word)) * 0x077CB531u >> 27];
}

/* The smallest member >= from of a set over [0, size), else the smallest of all, else BITMAP_NONE. */
static inline uint32_t bitmap_next(const uint32_t* words, uint32_t size, uint32_t from)
{
    if (from >= size)
        from = 0;
    uint32_t word = from / 32;
    uint32_t bits = words[word] & ~0u << from % 32;
    for (uint32_t left = bitmap_words(size); bits == 0; --left) {
        if (left == 0)
            return BITMAP_NONE;
        word = word + 1 < bitmap_words(size) ? word + 1 : 0;
        bits = words[word];
    }
    return word * 32 + bitmap_lowest(bits);
}

#endif
