/* SPDX-License-Identifier: Apache-2.0
 *
 * Unit tables: one per operation in control memory, with the place in the data buffer and the spare record of each
 * mapping unit of a page. Hardware gathers programs and distributes reads by them (DESCRIPTOR.CONTROL.UNIT_TABLE).
 */
#ifndef STROBE_FLASH_UNIT_TABLES_H
#define STROBE_FLASH_UNIT_TABLES_H

#include "firmware/drivers/flash_descriptors.h"

#define FLASH_UNIT_BYTES 4096u /* of an entry of a unit table: the hardware keeps a spare record for each */

/* The unit table of an operation: the place of each mapping unit in the data buffer, and its spare record. A unit
 * of several FLASH_UNIT_BYTES has as many entries, with the same record. */
struct flash_units {
    uint32_t* data;
    struct flash_spare* spare;
    uint32_t entries; /* of a unit */
};

struct flash_tables {
    bus_address at;
    uint32_t* words;       /* at `at` */
    uint32_t table_words;  /* of each table */
    uint32_t unit_entries; /* of a mapping unit in a table */
};

/* Bytes of a unit table of a whole page. */
static inline uint32_t flash_table_bytes(uint32_t page_bytes)
{
    return page_bytes / FLASH_UNIT_BYTES * (uint32_t)(sizeof(uint32_t) + sizeof(struct flash_spare));
}

/* Memory for the tables of `operations`. */
void flash_tables_init(struct flash_tables* tables, struct arena* arena, uint32_t operations, uint32_t page_bytes,
                       uint32_t unit_bytes);

/* The table of operation `op` on `units` mapping units: the caller sets each unit before a read or a program; the
 * records are those of the flash when a read has ended. */
static inline struct flash_units flash_tables_of(const struct flash_tables* tables, uint32_t op, uint32_t units)
{
    uint32_t* words = tables->words + op * tables->table_words;
    const struct flash_units table = {words, (struct flash_spare*)(words + units * tables->unit_entries),
                                      tables->unit_entries};
    return table;
}
/* `data`: in the data buffer; 0: a read drops the data, a program writes zeros. */
static inline void flash_set_unit(const struct flash_units* table, uint32_t unit, bus_address data,
                                  struct flash_spare spare)
{
    for (uint32_t i = 0; i < table->entries; ++i) {
        table->data[unit * table->entries + i] = data == 0 ? 0 : data + i * FLASH_UNIT_BYTES;
        table->spare[unit * table->entries + i] = spare;
    }
}
static inline struct flash_spare flash_unit_spare(const struct flash_units* table, uint32_t unit)
{
    return table->spare[unit * table->entries];
}
static inline bus_address flash_table_at(const struct flash_tables* tables, uint32_t op)
{
    return tables->at + op * tables->table_words * (uint32_t)sizeof(uint32_t);
}

#endif
