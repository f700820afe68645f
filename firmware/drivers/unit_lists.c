/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/drivers/unit_lists.h"

#include "firmware/drivers/flash.h"
#include "firmware/hal/text.h"

void unit_list_start(uint32_t unit, bus_address head)
{
    HAL_COST(unit_submit);
    reg_write(FLASH_UNIT_HEAD + FLASH_UNIT_HEAD_STEP * unit, head);
}

_Noreturn void unit_list_refuse(const struct flash_descriptor* descriptor, uint32_t status)
{
    struct text text;
    text_start(&text, status == FLASH_ILLEGAL ? "a die rejected superchip opcode "
                                              : "malformed descriptor, superchip opcode ");
    text_number(&text, descriptor->control & FLASH_DESCRIPTOR_CONTROL_OPCODE_MASK);
    text_add(&text, " at superchip ");
    text_number(&text, descriptor->superchip);
    text_add(&text, " sector ");
    text_number(&text, descriptor->start_sector);
    text_add(&text, " sectors ");
    text_number(&text, descriptor->sectors);
    hal_panic(text.chars);
}
