/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/superblock_map/recovery_log.h"

#include "firmware/ftl/superblock_map/recovery_read.h"
#include "firmware/ftl/superblock_map/recovery_tables.h"

void recovery_replay(struct superblock_map* sbm, const uint32_t* record)
{
    const uint32_t subject = record_subject(record);
    if (record_kind_of(record) == RECORD_REPLACE) {
        superblocks_replace_again(&sbm->superblocks, (struct replacement){subject, record[1]});
        return;
    }
    set_mapped_superblock(sbm, subject, record[1]);
    if (record[1] != NONE)
        ++sbm->superblocks.superblock[record[1]].erases;
    if (record[2] != 0)
        recovery_merged(&sbm->journal)[subject] = record[2];
    if (recovery_is_newer(record[2], sbm->buffer.stamp))
        sbm->buffer.stamp = record[2];
}

bool recovery_page_is_whole(const uint32_t* page, uint32_t generation, uint32_t number)
{
    return page[0] == PAGE_LOG && page[1] == generation && page[2] == number && page[3] <= LOG_PAGE_RECORDS &&
           page[LOG_PAGE_WORDS - 1] == check_words(CHECK_START, page, LOG_PAGE_WORDS - 1);
}

/* Reads a page of the log into its place; false: it is incomplete in every copy. */
static bool load_page(struct superblock_map* sbm, uint32_t generation, uint32_t number)
{
    const struct journal* journal = &sbm->journal;
    for (uint32_t copy = 0; copy < journal->copies; ++copy) {
        const struct area* area = &journal->log[copy];
        const uint32_t at = recovery_find(&sbm->recovery.scan.log[copy], 0, area->members, generation, 0);
        if (at == NONE)
            continue;
        const struct flash_spare spare =
            recovery_page(sbm, area->member[at], sector_of_page(&sbm->layout, number), journal->page_at);
        if (spare.word[0] == PAGE_LOG && spare.word[1] == generation && spare.word[2] == number &&
            recovery_page_is_whole(journal->log_page, generation, number))
            return true;
    }
    return false;
}

void recovery_replay_log(struct superblock_map* sbm)
{
#ifdef STROBE_FTL_FORGET_LOG /* a build that is broken on purpose: the test of power losses has to detect it */
    return;
#endif
    const uint32_t* page = sbm->journal.log_page;
    for (uint32_t number = 0; number < pages_of_superblock(&sbm->layout); ++number) {
        if (!load_page(sbm, sbm->recovery.tables.generation, number))
            return;
        HAL_COST_TIMES(log_record, page[3]);
        for (uint32_t i = 0; i < page[3]; ++i)
            recovery_replay(sbm, &page[LOG_HEADER_WORDS + i * LOG_RECORD_WORDS]);
    }
}
