// SPDX-License-Identifier: Apache-2.0
//
// The log, and when the tables are copied.
#include "tests/firmware/ftl/superblock_map/policy_bench.h"
#include "tests/support/catch.h"

using strobe::test::PolicyBench;

TEST_CASE("journal: a page of the log has as many records as fit, and is whole by its check word")
{
    PolicyBench bench;
    journal& journal = bench.sbm.journal;
    journal.generation = 4;
    journal.page = 2;
    for (std::uint32_t i = 0; i <= LOG_PAGE_RECORDS; ++i)
        journal_remap(&journal.records, i % 8, 2, 100 + i, NONE);
    CHECK(journal_compose_page(&journal) == LOG_PAGE_RECORDS);
    std::uint32_t* page = journal.log_page;
    CHECK(recovery_page_is_whole(page, 4, 2));
    CHECK_FALSE(recovery_page_is_whole(page, 5, 2));
    CHECK_FALSE(recovery_page_is_whole(page, 4, 3));
    const std::uint32_t* second = page + LOG_HEADER_WORDS + LOG_RECORD_WORDS;
    CHECK(record_kind_of(second) == RECORD_REMAP);
    CHECK(record_subject(second) == 1);
    CHECK(second[2] == 101);
    page[LOG_HEADER_WORDS + 5] ^= 4;
    CHECK_FALSE(recovery_page_is_whole(page, 4, 2));
}

TEST_CASE("journal: records are written to the next page of the log; those that come meanwhile wait")
{
    PolicyBench bench;
    journal& journal = bench.sbm.journal;
    journal_run(&bench.sbm);
    CHECK(bench.sbm.jobs.busy == 0); // there are none
    journal_remap(&journal.records, 1, 2, 3, NONE);
    journal_run(&bench.sbm);
    CHECK(bench.opcode(0) == FLASH_PROGRAM);
    CHECK(bench.operation(0).spare0 == PAGE_LOG);
    journal_remap(&journal.records, 2, 3, 4, NONE);
    journal_run(&bench.sbm);
    CHECK(bench.sbm.jobs.busy == 1); // one write at a time
    bench.end(0);
    CHECK(journal.page == 1);
    CHECK(journal.logged == 1);
    CHECK(journal_pending(&journal.records) == 1);
}

TEST_CASE("journal: the tables are copied when the log is full, has enough records, or cannot be written")
{
    PolicyBench bench;
    journal& journal = bench.sbm.journal;
    journal_remap(&journal.records, 1, 2, 3, NONE);
    SECTION("full")
    {
        journal.page = pages_of_superblock(&bench.sbm.layout);
        journal_run(&bench.sbm);
        CHECK(journal.copying);
    }
    SECTION("enough records")
    {
        journal.logged = journal.most_logged;
        journal_run(&bench.sbm);
        CHECK(journal.copying);
    }
    SECTION("a failed page")
    {
        journal_run(&bench.sbm);
        bench.end(0, FLASH_PROGRAM_FAILED);
        CHECK(journal.log[0].failed[journal.log_at[0]]);
        CHECK(journal_pending(&journal.records) == 1);
        journal_run(&bench.sbm);
        CHECK(journal.copying);
        CHECK(journal.records.covered == 1); // the copy contains it
    }
    SECTION("none of these")
    {
        journal_run(&bench.sbm);
        CHECK_FALSE(journal.copying);
        CHECK(journal.writing);
    }
}

TEST_CASE("journal: a read-only drive writes nothing")
{
    PolicyBench bench;
    bench.sbm.read_only = true;
    journal_remap(&bench.sbm.journal.records, 1, 2, 3, NONE);
    journal_run(&bench.sbm);
    CHECK(bench.sbm.jobs.busy == 0);
}

TEST_CASE("journal: the next generation, now, returns when it is complete")
{
    PolicyBench bench;
    bench.completeOperations();
    journal_copy_now(&bench.sbm);
    CHECK(bench.sbm.journal.generation == 1);
    CHECK(bench.sbm.jobs.busy == 0);
}
