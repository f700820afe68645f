/* SPDX-License-Identifier: Apache-2.0
 *
 * memset and memcpy by words. Those of the C library are optimised for size and work byte by byte; firmware clears
 * tables of many megabytes when it starts.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The compiler would turn these loops into calls of themselves. */
#pragma GCC optimize("no-tree-loop-distribute-patterns")

void* memset(void* destination, int value, size_t bytes)
{
    uint8_t* at = destination;
    uint8_t* const end = at + bytes;
    const uint32_t word = (uint8_t)value * 0x01010101u;
    while (at != end && ((uintptr_t)at & 3u) != 0)
        *at++ = (uint8_t)value;
    uint32_t* words = (uint32_t*)at;
    for (; (size_t)(end - (uint8_t*)words) >= 32; words += 8) {
        words[0] = words[1] = words[2] = words[3] = word;
        words[4] = words[5] = words[6] = words[7] = word;
    }
    for (; (size_t)(end - (uint8_t*)words) >= 4; ++words)
        *words = word;
    for (at = (uint8_t*)words; at != end; ++at)
        *at = (uint8_t)value;
    return destination;
}

void* memcpy(void* restrict destination, const void* restrict source, size_t bytes)
{
    uint8_t* to = destination;
    const uint8_t* from = source;
    if ((((uintptr_t)to ^ (uintptr_t)from) & 3u) == 0) {
        for (; bytes != 0 && ((uintptr_t)to & 3u) != 0; --bytes)
            *to++ = *from++;
        uint32_t* words = (uint32_t*)to;
        const uint32_t* source_words = (const uint32_t*)from;
        for (; bytes >= 4; bytes -= 4)
            *words++ = *source_words++;
        to = (uint8_t*)words;
        from = (const uint8_t*)source_words;
    }
    while (bytes-- != 0)
        *to++ = *from++;
    return destination;
}
