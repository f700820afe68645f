/* SPDX-License-Identifier: Apache-2.0
 *
 * Descriptors of flash operations: how an operation is written into one (registers.md has the layout), and the text of
 * a panic when the hardware rejects it. Pure functions over descriptors: no queue, no register.
 */
#ifndef STROBE_FLASH_DESCRIPTORS_H
#define STROBE_FLASH_DESCRIPTORS_H

#include "firmware/drivers/arena.h"
#include "firmware/regs/strobe_regs.h"

struct flash_place {
    uint32_t die;
    uint32_t block;  /* over the whole die */
    uint32_t sector; /* over the block */
    bool pslc;       /* the block is in pSLC mode */
};

struct flash_spare {
    uint32_t word[4];
};

/* One operation from its first sector on; its spare record and page address are inside the descriptor. */
struct flash_descriptor* flash_fill(struct flash_descriptor* descriptors, uint32_t op, enum flash_opcode opcode,
                                    struct flash_place at, uint32_t sectors, enum flash_purpose purpose);
/* Of a program: the record, inside the descriptor, is that of each page. */
void flash_fill_common_spare(struct flash_descriptor* descriptor, struct flash_spare spare);
void flash_fill_spare(struct flash_descriptor* descriptor, struct flash_spare spare);
/* Data addresses and spare records are in the unit table at `table` (flash_unit_tables.h). */
void flash_fill_table(struct flash_descriptor* descriptor, bus_address table);

/* Part of the XOR engine's work (flash_descriptor.SOURCE_SECTOR). `count`: program: 0 adds, 1 writes the sum; read:
 * reads of the set. Accumulators begin at zero with another set. */
#define FLASH_ACCUMULATORS 4096u
static inline uint32_t flash_parity_order(uint32_t accumulator, uint32_t set, uint32_t count)
{
    return accumulator | (set & 0xFFu) << 12 | count << 20;
}
void flash_fill_parity(struct flash_descriptor* descriptor, uint32_t order);

static inline bool flash_is_erase(const struct flash_descriptor* descriptor)
{
    return (descriptor->control & FLASH_DESCRIPTOR_CONTROL_OPCODE_MASK) == FLASH_ERASE;
}
static inline bool flash_is_read(const struct flash_descriptor* descriptor)
{
    return (descriptor->control & FLASH_DESCRIPTOR_CONTROL_OPCODE_MASK) == FLASH_READ;
}
/* Reads for the host or a merge pass other operations. */
bool flash_passes(enum flash_purpose purpose);
bool flash_is_passing_read(const struct flash_descriptor* descriptor);

/* Ends the firmware with a message about a descriptor that the hardware has rejected with `status`. */
_Noreturn void flash_refused(const struct flash_descriptor* descriptor, uint32_t status);

#endif
