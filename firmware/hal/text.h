/* SPDX-License-Identifier: Apache-2.0
 *
 * Formats text with numbers for panics and the console, without stdio. Text that does not fit is cut off.
 */
#ifndef STROBE_TEXT_H
#define STROBE_TEXT_H

#include <stdint.h>

struct text {
    char chars[240];
    uint32_t length;
};

void text_start(struct text* text, const char* words);
void text_add(struct text* text, const char* words);
void text_number(struct text* text, uint64_t number);
void text_hex(struct text* text, uint32_t number); /* 0x and eight digits */

#endif
