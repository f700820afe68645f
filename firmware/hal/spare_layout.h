/* SPDX-License-Identifier: Apache-2.0
 *
 * How a translation layer uses the spare records of its pages, described in its image for the debugger: `monitor
 * mapping` and `monitor nand` decode records by it. Firmware itself does not read it. An image without the table is
 * taken to use its records as the project's page mapping does (firmware/ftl/page_map): logical page + 1 in word 0, a
 * sequence number in word 1.
 *
 *   STROBE_SPARE_LAYOUT = {
 *       .version = STROBE_SPARE_LAYOUT_VERSION,
 *       .logical = {.word = 0, .mask = 0x00FFFFFF},
 *       .kind = {.word = 0, .mask = 0xFF000000}, .kind_of_data = 0xA5,
 *       .sequence = {.word = 1, .mask = 0xFFFFFFFF},
 *   };
 *
 * A linker script other than the SDK's link.ld must keep the section: KEEP(*(.rodata.strobe_spare_layout)).
 */
#ifndef STROBE_HAL_SPARE_LAYOUT_H
#define STROBE_HAL_SPARE_LAYOUT_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define STROBE_SPARE_LAYOUT_VERSION 1u

struct strobe_spare_field {
    uint32_t word; /* of the record: 0 to 3 */
    uint32_t mask; /* neighbouring bits of the word; 0: there is no such field */
};

struct strobe_spare_layout {
    uint32_t version;                  /* STROBE_SPARE_LAYOUT_VERSION */
    uint32_t unit_sectors;             /* sectors of a logical page: those of a flash page, or a divisor of them with
                                        * whole spare records; 0: as MAPPING_UNIT of the boot block says */
    struct strobe_spare_field logical; /* number of the logical page + logical_offset; all ones: none. Must be there */
    uint32_t logical_offset;
    struct strobe_spare_field sequence; /* the greater number is newer; it may wrap around */
    struct strobe_spare_field kind;     /* records of other kinds are not of data of the host */
    uint32_t kind_of_data;
};

extern const struct strobe_spare_layout strobe_spare_layout;

#define STROBE_SPARE_LAYOUT                                                                                            \
    __attribute__((used, section(".rodata.strobe_spare_layout"))) const struct strobe_spare_layout strobe_spare_layout

#ifdef __cplusplus
}
#endif

#endif
