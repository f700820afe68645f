// SPDX-License-Identifier: Apache-2.0
//
// Copies of the tables.
#include "tests/firmware/ftl/superblock_map/policy_bench.h"
#include "tests/support/catch.h"

using strobe::test::PolicyBench;

namespace {

const table_header& header(const PolicyBench& bench)
{
    return *reinterpret_cast<const table_header*>(bench.sbm.journal.image);
}

// Ends operations until no job is left.
void finish(PolicyBench& bench)
{
    while (bench.jobOf(0).busy)
        bench.end(0);
}

} // namespace

TEST_CASE("journal tables: a copy has the map, erase counts, replaced blocks, stamps and a check word")
{
    PolicyBench bench;
    superblock_map& sbm = bench.sbm;
    const std::uint32_t number = bench.map(1);
    sbm.superblocks.superblock[number].erases = 5;
    journal_replace_block(&sbm, number, 1);
    const std::uint32_t entry = bench.write(2, 0, 1);
    journal_copy_tables(&sbm);
    const std::uint32_t* word = journal_tables(&sbm.journal);
    CHECK(word[0] == NONE);
    CHECK(word[1] == number);
    CHECK(word[sbm.logicals + number] == 5);
    word += sbm.logicals + sbm.layout.superblocks;
    CHECK(word[0] == number);
    CHECK(word[1] == (1U << 24U | 26U));
    CHECK(word[2] == sbm.buffer.entry[entry].stamp);
    CHECK(header(bench).replacements == 1);
    CHECK(header(bench).stamps == 1);
    CHECK(header(bench).stamp == sbm.buffer.stamp);
    const std::uint32_t words = header(bench).bytes / 4 - JOURNAL_HEADER_BYTES / 4;
    CHECK(header(bench).check == journal_tables_check(&sbm.journal, words));
    sbm.journal.image[JOURNAL_HEADER_BYTES / 4] ^= 1;
    CHECK(header(bench).check != journal_tables_check(&sbm.journal, words));
}

TEST_CASE("journal tables: during recovery a copy names the stamps of parked runs in place of those in the buffer")
{
    PolicyBench bench;
    bench.write(2, 0, 1);
    bench.sbm.journal.live[0] = 40;
    bench.sbm.journal.live[1] = 41;
    bench.sbm.journal.lives = 2;
    journal_copy_tables(&bench.sbm);
    const std::uint32_t* stamps =
        journal_tables(&bench.sbm.journal) + bench.sbm.logicals + bench.sbm.layout.superblocks;
    CHECK(header(bench).stamps == 2);
    CHECK(stamps[0] == 40);
    CHECK(stamps[1] == 41);
}

TEST_CASE(
    "journal tables: a generation begins when all parts are written and the log is erased; then records are written")
{
    PolicyBench bench;
    journal& journal = bench.sbm.journal;
    journal_remap(&journal.records, 1, 2, 3, NONE);
    journal.page = 2;
    journal_copy_tables(&bench.sbm);
    for (std::uint32_t part = 0; part < journal.table_parts; ++part) {
        CHECK(bench.opcode(0) == FLASH_ERASE);
        bench.end(0);
        CHECK(bench.operation(0).spare0 == PAGE_TABLE);
        CHECK(bench.operation(0).spare1 == 1);
        CHECK(bench.operation(0).spare2 == part);
        bench.end(0);
    }
    CHECK(journal.generation == 0);
    CHECK(bench.opcode(0) == FLASH_ERASE); // of the log
    bench.end(0);
    CHECK(journal.generation == 1);
    CHECK(journal.page == 0);
    CHECK(journal_pending(&journal.records) == 0);
    CHECK_FALSE(bench.jobOf(0).busy);
}

TEST_CASE("journal tables: with replication both superchips get a copy")
{
    PolicyBench bench([](boot_block& boot) { boot.replicate_tables = 1; });
    journal_copy_tables(&bench.sbm);
    CHECK(bench.operation(0).superchip == 0);
    std::uint32_t others = 0;
    for (; bench.jobOf(0).busy; bench.end(0))
        others += bench.operation(0).superchip;
    CHECK(others == 2 * bench.sbm.journal.table_parts + 1);
    CHECK(bench.sbm.journal.generation == 1);
}

TEST_CASE("journal tables: a failed superblock is passed over; without another one the drive turns read-only")
{
    PolicyBench bench;
    area& table = bench.sbm.journal.table[0];
    journal_copy_tables(&bench.sbm);
    const std::uint32_t first = table.last;
    bench.end(0, FLASH_ERASE_FAILED);
    CHECK(table.failed[first]);
    CHECK(table.last != first);
    finish(bench);
    CHECK(bench.sbm.journal.generation == 1);
    journal_copy_tables(&bench.sbm);
    while (bench.jobOf(0).busy)
        bench.end(0, FLASH_ERASE_FAILED);
    CHECK(bench.sbm.read_only);
    REQUIRE(bench.console.size() == 1);
    CHECK(bench.console[0] == "no superblock is left for the journal: the drive is read-only");
}
