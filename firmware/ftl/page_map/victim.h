/* SPDX-License-Identifier: Apache-2.0
 *
 * Which full block of a plane is emptied next, from the block table alone. To add a policy: one function, one row of
 * the table in victim.c, one test.
 */
#ifndef STROBE_PAGE_MAP_VICTIM_H
#define STROBE_PAGE_MAP_VICTIM_H

#include "firmware/ftl/page_map/blocks.h"

/* A full block with a page of invalid units (capacity_most_valid()), or NONE. */
typedef uint32_t (*victim_policy)(struct block_table* table, uint32_t plane);

/* Fewest valid pages; found through the lists by valid count. */
uint32_t victim_greedy(struct block_table* table, uint32_t plane);

/* Largest (1 - u) / 2u * age: u is the share of valid pages, age the page writes since the block last changed. Compares
 * all blocks of the plane, once per victim. */
uint32_t victim_cost_benefit(struct block_table* table, uint32_t plane);

/* By boot_block.gc_policy. */
victim_policy victim_policy_of(uint32_t number);

/* Static wear levelling: the least worn full block, if the most worn block of the plane was erased more than
 * `threshold` times more often, else NONE. Its data is cold: it was not rewritten while others were erased. */
uint32_t victim_coldest(const struct block_table* table, uint32_t plane, uint32_t threshold);

#endif
