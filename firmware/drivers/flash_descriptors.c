/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/drivers/flash_descriptors.h"

#include "firmware/hal/text.h"

struct flash_descriptor* flash_fill(struct flash_descriptor* descriptors, uint32_t op, enum flash_opcode opcode,
                                    struct flash_place at, uint32_t sectors, enum flash_purpose purpose)
{
    struct flash_descriptor* descriptor = &descriptors[op];
    descriptor->next = 0;
    descriptor->control = (uint32_t)opcode | (uint32_t)purpose << FLASH_DESCRIPTOR_CONTROL_PURPOSE_SHIFT |
                          FLASH_DESCRIPTOR_CONTROL_REPORT_MASK | FLASH_DESCRIPTOR_CONTROL_INLINE_BLOCKS_MASK |
                          FLASH_DESCRIPTOR_CONTROL_INLINE_SPARE_MASK |
                          (at.pslc ? FLASH_DESCRIPTOR_CONTROL_PSLC_MASK : 0);
    descriptor->superchip = at.die;
    descriptor->start_sector = at.sector;
    descriptor->sectors = sectors;
    descriptor->blocks = at.block;
    descriptor->status = FLASH_PENDING;
    descriptor->cookie = op;
    return descriptor;
}

void flash_fill_spare(struct flash_descriptor* descriptor, struct flash_spare spare)
{
    descriptor->spare0 = spare.word[0];
    descriptor->spare1 = spare.word[1];
    descriptor->spare2 = spare.word[2];
    descriptor->spare3 = spare.word[3];
}

void flash_fill_common_spare(struct flash_descriptor* descriptor, struct flash_spare spare)
{
    descriptor->control &= ~(uint32_t)FLASH_DESCRIPTOR_CONTROL_INLINE_SPARE_MASK;
    descriptor->control |= FLASH_DESCRIPTOR_CONTROL_COMMON_SPARE_MASK;
    flash_fill_spare(descriptor, spare);
}

void flash_fill_table(struct flash_descriptor* descriptor, bus_address table)
{
    descriptor->control &= ~(uint32_t)FLASH_DESCRIPTOR_CONTROL_INLINE_SPARE_MASK;
    descriptor->control |= FLASH_DESCRIPTOR_CONTROL_UNIT_TABLE_MASK;
    descriptor->spare_address = table;
}

void flash_fill_parity(struct flash_descriptor* descriptor, uint32_t order)
{
    descriptor->control |= FLASH_DESCRIPTOR_CONTROL_PARITY_MASK;
    descriptor->source_sector = order;
}

bool flash_passes(enum flash_purpose purpose)
{
    return purpose == FLASH_FOR_HOST || purpose == FLASH_FOR_MERGE;
}

bool flash_is_passing_read(const struct flash_descriptor* descriptor)
{
    const uint32_t purpose =
        (descriptor->control & FLASH_DESCRIPTOR_CONTROL_PURPOSE_MASK) >> FLASH_DESCRIPTOR_CONTROL_PURPOSE_SHIFT;
    return flash_is_read(descriptor) && flash_passes((enum flash_purpose)purpose);
}

_Noreturn void flash_refused(const struct flash_descriptor* descriptor, uint32_t status)
{
    struct text text;
    text_start(&text,
               status == FLASH_ILLEGAL ? "the die rejected flash opcode " : "malformed descriptor, flash opcode ");
    text_number(&text, descriptor->control & FLASH_DESCRIPTOR_CONTROL_OPCODE_MASK);
    text_add(&text, " at die ");
    text_number(&text, descriptor->superchip);
    text_add(&text, " block ");
    text_number(&text, descriptor->blocks);
    text_add(&text, " sector ");
    text_number(&text, descriptor->start_sector);
    hal_panic(text.chars);
}
