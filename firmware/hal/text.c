/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/hal/text.h"

void text_start(struct text* text, const char* words)
{
    text->length = 0;
    text_add(text, words);
}

void text_add(struct text* text, const char* words)
{
    while (*words != '\0' && text->length < sizeof text->chars - 1)
        text->chars[text->length++] = *words++;
    text->chars[text->length] = '\0';
}

void text_number(struct text* text, uint64_t number)
{
    char digits[21];
    uint32_t at = sizeof digits - 1;
    digits[at] = '\0';
    do {
        digits[--at] = (char)('0' + (char)(number % 10));
        number /= 10;
    } while (number != 0);
    text_add(text, digits + at);
}

void text_hex(struct text* text, uint32_t number)
{
    char digits[] = "0x00000000";
    for (uint32_t at = sizeof digits - 2; at > 1; --at) {
        digits[at] = "0123456789abcdef"[number & 0xFu];
        number >>= 4;
    }
    text_add(text, digits);
}
