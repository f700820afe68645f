/* SPDX-License-Identifier: Apache-2.0
 *
 * The constants of the superblock-mapping layer that no scenario sets, with their units;
 * docs/firmware/superblock_mapping.md lists them.
 */
#ifndef STROBE_SUPERBLOCK_MAP_POLICY_H
#define STROBE_SUPERBLOCK_MAP_POLICY_H

#define LEAST_FREE 4u              /* superblocks of a group beyond its share of data, at least */
#define ENTRIES_MORE 8u            /* superblocks that may have buffered sectors beyond the limit and one per unit */
#define MOST_ENTRIES 254u          /* … and at most */
#define FEED_PIECE_MOST 64u        /* sectors: longest piece of the inbound feeder */
#define READ_MOST 256u             /* sectors of one read operation of a superblock that has buffered sectors */
#define MERGE_TRIES 3u             /* times that a merge is begun when its source cannot be read */
#define SYNTHESIZER_LOOK_NS 20000u /* ns: polling interval for the end of reads of the synthesizer */
#define LEAST_PENDING_RECORDS 128u /* remaps and replacements that may wait for the log, at least */
#define LOG_SUPERBLOCKS 4u         /* ring of the log: one in use, one after it, two that may fail */
#define TABLE_SUPERBLOCKS_MORE 2u  /* ring of the tables: two copies and so many that may fail */
#define AREA_MOST 16u              /* superblocks of either ring, at most */
#define DROPPED_AT_MOST 1024u      /* superblocks that may become unusable for lack of spares */

#endif
