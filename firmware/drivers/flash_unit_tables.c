/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/drivers/flash_unit_tables.h"

void flash_tables_init(struct flash_tables* tables, struct arena* arena, uint32_t operations, uint32_t page_bytes,
                       uint32_t unit_bytes)
{
    tables->unit_entries = unit_bytes / FLASH_UNIT_BYTES;
    tables->table_words = flash_table_bytes(page_bytes) / (uint32_t)sizeof(uint32_t);
    tables->at = arena_take(arena, operations, flash_table_bytes(page_bytes), 16, "unit tables");
    tables->words = hal_memory(tables->at, operations * flash_table_bytes(page_bytes));
}
