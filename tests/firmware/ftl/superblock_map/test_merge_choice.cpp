// SPDX-License-Identifier: Apache-2.0
//
// Which entry is merged next, and when.
#include "tests/firmware/ftl/superblock_map/policy_bench.h"
#include "tests/support/catch.h"

using strobe::test::PolicyBench;

namespace {

std::uint32_t choose(const PolicyBench& bench, bool idle = false, std::uint32_t kept = NONE)
{
    return merge_choose(&bench.sbm.merging, &bench.sbm.buffer, &bench.sbm.jobs, idle, kept);
}

} // namespace

TEST_CASE("merge choice: nothing is due unless a command waits or the drive drains")
{
    PolicyBench bench;
    const std::uint32_t first = bench.write(1, 0, 1);
    const std::uint32_t second = bench.write(2, 0, 1);
    CHECK(choose(bench) == NONE);
    bench.sbm.buffer.entry[second].must = true;
    CHECK(choose(bench) == second);
    bench.sbm.merging.draining = true;
    CHECK(choose(bench) == first); // the oldest
    CHECK(choose(bench, false, first) == second);
}

TEST_CASE("merge choice: draining keeps the entry written last, unless a command waits for it")
{
    PolicyBench bench;
    const std::uint32_t entry = bench.write(1, 0, 1);
    bench.sbm.merging.draining = true;
    CHECK(choose(bench, false, entry) == NONE);
    bench.sbm.buffer.entry[entry].must = true;
    CHECK(choose(bench, false, entry) == entry);
}

TEST_CASE("merge choice: entries that cannot be merged now are skipped")
{
    PolicyBench bench;
    sector_buffer& buffer = bench.sbm.buffer;
    const std::uint32_t first = bench.write(1, 0, 1);
    const std::uint32_t second = bench.write(2, 0, 1);
    bench.sbm.merging.draining = true;
    buffer.entry[first].starved = true;
    CHECK(choose(bench) == second);
    buffer.entry[first].starved = false;
    bench.jobOf(0).logical = 1; // it is being moved
    CHECK(choose(bench) == second);
    bench.jobOf(0).logical = NONE;
    entry_freeze(&buffer, first);
    const std::uint32_t newer = bench.write(1, 0, 1);
    buffer.entry[newer].stamp = 0; // even if it were the oldest: the entry before it is not merged yet
    CHECK(choose(bench) == second);
    entry_release(&buffer, first);
    CHECK(choose(bench) == newer);
    const std::uint32_t empty = entry_open(&buffer, 4);
    buffer.entry[empty].stamp = 0;
    CHECK(choose(bench) == newer);
}

TEST_CASE("merge choice: superchips without a job come first")
{
    PolicyBench bench;
    bench.write(1, 0, 1); // superchip 1
    const std::uint32_t other = bench.write(2, 0, 1);
    bench.sbm.merging.draining = true;
    bench.jobOf(0).logical = 3; // superchip 1
    CHECK(choose(bench, true) == other);
    bench.jobOf(1).logical = 4;
    CHECK(choose(bench, true) == NONE);
    CHECK(choose(bench, false) != NONE);
}

TEST_CASE("merge choice: the entry written last is that with the last write, not the youngest")
{
    PolicyBench bench;
    CHECK(merge_written_last(&bench.sbm.buffer) == NONE);
    const std::uint32_t first = bench.write(1, 0, 1);
    bench.write(2, 0, 1);
    bench.write(1, 1, 1);
    CHECK(merge_written_last(&bench.sbm.buffer) == first);
}

TEST_CASE("merge choice: draining begins above the limit or below the watermark, and ends with one open entry")
{
    PolicyBench bench;
    merging& merging = bench.sbm.merging;
    const sector_buffer& buffer = bench.sbm.buffer;
    merging.limit = 1;
    std::uint32_t last = bench.write(1, 0, 1);
    CHECK_FALSE(merge_drains(&merging, &buffer, last));
    last = bench.write(2, 0, 1);
    CHECK(merge_drains(&merging, &buffer, last));
    merging.limit = 2;
    CHECK_FALSE(merge_drains(&merging, &buffer, last));
    merging.draining = true;
    CHECK(merge_drains(&merging, &buffer, last)); // goes on
    entry_freeze(&bench.sbm.buffer, 0);
    CHECK_FALSE(merge_drains(&merging, &buffer, last));
    merging.high_water = buffer_free(&buffer);
    CHECK_FALSE(merge_drains(&merging, &buffer, last));
    merging.high_water = buffer_free(&buffer) + 1;
    CHECK(merge_drains(&merging, &buffer, last));
}

TEST_CASE("merge choice: the host is stuck without an entry, or without space for a piece")
{
    PolicyBench bench;
    merging& merging = bench.sbm.merging;
    CHECK_FALSE(merge_host_is_stuck(&merging, &bench.sbm.buffer));
    merging.needs_entry = true;
    CHECK(merge_host_is_stuck(&merging, &bench.sbm.buffer));
    merging.needs_entry = false;
    bench.sbm.buffer.head = PolicyBench::ringSectors - FEED_PIECE_MOST;
    CHECK_FALSE(merge_host_is_stuck(&merging, &bench.sbm.buffer));
    ++bench.sbm.buffer.head;
    CHECK(merge_host_is_stuck(&merging, &bench.sbm.buffer));
}
