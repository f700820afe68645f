/* SPDX-License-Identifier: Apache-2.0
 *
 * The steps of recovery in the order in which recovery.c runs them, and what they share.
 */
#ifndef STROBE_PAGE_MAP_RECOVERY_STEPS_H
#define STROBE_PAGE_MAP_RECOVERY_STEPS_H

#include "firmware/ftl/page_map/recovery_state.h"

/* The first page of all blocks into first[]. */
void recovery_read_first_pages(struct ftl* ftl, struct recovery* recovery);

/* The mode of blocks without a record in their first pages (recovery_modes.c). */
void recovery_find_modes(struct ftl* ftl, struct recovery* recovery);

/* The number of the version that the map names, by logical unit: unknown for all. Takes the memory of the reverse map,
 * until recovery_rebuild_reverse_map(). */
void recovery_prepare_versions(struct ftl* ftl, struct recovery* recovery);

/* The newest complete checkpoint into the map and the block table, if there is one. */
void recovery_load_checkpoint(struct ftl* ftl, struct recovery* recovery);
/* Trims, lost pages, bad blocks and erase counts since then. */
void recovery_replay_journal(struct ftl* ftl, struct recovery* recovery);

/* The pages of data that no checkpoint covers. */
void recovery_read_data_pages(struct ftl* ftl, struct recovery* recovery);

/* recovery_blocks.c */
void recovery_find_erase_counts(struct ftl* ftl, struct recovery* recovery);
void recovery_count_valid_pages(struct ftl* ftl, struct recovery* recovery);
void recovery_gain_empty_blocks(struct ftl* ftl, struct recovery* recovery);
void recovery_choose_to_erase(struct ftl* ftl, struct recovery* recovery);
void recovery_rebuild_reverse_map(struct ftl* ftl, struct recovery* recovery);
void recovery_settle_blocks(struct ftl* ftl, struct recovery* recovery);
void recovery_erase_blocks(struct ftl* ftl, struct recovery* recovery);

/* recovery_orderly.c: after an orderly power-off, the plane goes on with the blocks that were open, free and spare:
 * first_page.goes_on is set for them. False: it could not collect, or this was another power loss. */
bool recovery_plane_goes_on(struct ftl* ftl, uint32_t plane);
void recovery_block_goes_on(struct ftl* ftl, uint32_t block); /* REQUIRES: such a block */

/* When all blocks are settled: a plane without a free block goes on with the collection that was in progress. */
void recovery_collection_goes_on(struct ftl* ftl);

/* --- shared ------------------------------------------------------------------------------------------------------- */

/* A physical unit holds a version of a logical unit (recovery_versions.c). False: the number of the version that the
 * map names has to be read first. */
bool recovery_consider(struct ftl* ftl, uint32_t physical, const struct flash_spare* spare);
/* A trimmed or lost unit, from the journal; `as` is MAP_UNMAPPED or MAP_LOST. */
void recovery_forgotten(struct ftl* ftl, uint32_t logical, uint32_t sequence, uint32_t as);

/* The block is good and holds nothing valid (recovery_orderly.c). */
bool recovery_is_empty(const struct ftl* ftl, uint32_t block);
/* Spare blocks that the plane has to have (recovery_orderly.c). */
uint32_t recovery_spares(const struct ftl* ftl, uint32_t plane);

/* The block holds a part of the checkpoint or the journal that was read (recovery_tables.c). */
bool recovery_holds_tables(const struct ftl* ftl, uint32_t block);

#endif
