// SPDX-License-Identifier: Apache-2.0
#include "tests/firmware/support/fake_hal.h"
#include "tests/support/catch.h"

using namespace strobe::test;

namespace {

struct Bench {
    FakeHal hal;
    const statistics& block = *reinterpret_cast<const statistics*>(hal.words(FakeHal::base));

    Bench() { statistics_start(FakeHal::base, 6); }
};

} // namespace

TEST_CASE("statistics begin at zero, except the number of write slots, whatever was in memory")
{
    const Bench bench;
    CHECK(bench.block.write_slots == 6);
    CHECK(bench.block.used == 0);
    CHECK(bench.block.longest_wait == 0);
    CHECK(bench.block.short_hi == 0);
}

TEST_CASE("write slots in use are summed over time")
{
    Bench bench;
    bench.hal.timeNs = 1000;
    statistics_slot_taken();
    bench.hal.timeNs = 1500;
    statistics_slot_taken();
    bench.hal.timeNs = 5'000'001'500; // beyond 32 bits
    statistics_slot_given();
    CHECK(bench.block.used == 1);
    CHECK(bench.block.taken == 2);
    CHECK((std::uint64_t{bench.block.used_at_hi} << 32 | bench.block.used_at_lo) == 5'000'001'500);
    CHECK((std::uint64_t{bench.block.used_sum_hi} << 32 | bench.block.used_sum_lo) == 500 + 2 * 5'000'000'000);
}

TEST_CASE("waits for a write slot have a sum, a maximum and the time during which at least one command waited")
{
    Bench bench;
    bench.hal.timeNs = 100;
    const auto first = statistics_wait_begun();
    bench.hal.timeNs = 300;
    const auto second = statistics_wait_begun();
    CHECK(bench.block.most_waiting == 2);
    bench.hal.timeNs = 600;
    statistics_wait_ended(first);
    bench.hal.timeNs = 1000;
    statistics_wait_ended(second);
    bench.hal.timeNs = 5000;
    statistics_wait_ended(statistics_wait_begun()); // of no length
    CHECK(bench.block.waiting == 0);
    CHECK(bench.block.waiting_sum_lo == 200 + 2 * 300 + 400);
    CHECK(bench.block.short_lo == 900);
    CHECK(bench.block.longest_wait == 700);
    CHECK(bench.block.most_waiting == 2);
}

TEST_CASE("counts are added to their words")
{
    Bench bench;
    statistics_count(STATISTIC_AHEAD_READ, 1);
    statistics_count(STATISTIC_REFRESH_READS, 2);
    statistics_count(STATISTIC_REFRESH_AGE, 3);
    statistics_count(STATISTIC_REFRESH_ERRORS, 4);
    statistics_count(STATISTIC_REFRESH_UNITS, 50);
    statistics_count(STATISTIC_REFRESH_UNITS, 6);
    statistics_count(STATISTIC_SCRUB_READS, 7);
    CHECK(bench.block.ahead_read == 1);
    CHECK(bench.block.refresh_reads == 2);
    CHECK(bench.block.refresh_age == 3);
    CHECK(bench.block.refresh_errors == 4);
    CHECK(bench.block.refresh_units == 56);
    CHECK(bench.block.scrub_reads == 7);
}

TEST_CASE("without an observer the same calls do not change other memory")
{
    Bench bench;
    statistics_start(0, 6);
    const auto before = bench.hal.memory;
    statistics_slot_taken();
    statistics_wait_ended(statistics_wait_begun());
    CHECK((bench.hal.memory == before));
}
