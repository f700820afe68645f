// SPDX-License-Identifier: Apache-2.0
#include "models/base/config_error.h"
#include "models/base/partition.h"
#include "tests/support/catch.h"

#include <vector>

using namespace strobe;

namespace {

constexpr std::uint64_t mebibyte = 2048; // sectors

PartSize share(double value)
{
    return {0, value};
}

PartSize size(std::uint64_t mebibytes)
{
    return {mebibytes * 1024 * 1024, 0};
}

} // namespace

TEST_CASE("a space without sizes is one part")
{
    const auto parts = partition({}, 1000);
    REQUIRE(parts.size() == 1);
    CHECK(parts[0].first == 0);
    CHECK(parts[0].sectors == 1000);
}

TEST_CASE("parts follow each other, shares are rounded down to a mebibyte, and the last part takes the rest")
{
    const std::uint64_t capacity = 10 * mebibyte + 8;
    const auto parts = partition({share(0.25), size(3), {}}, capacity);
    REQUIRE(parts.size() == 3);
    CHECK(parts[0].sectors == 2 * mebibyte);
    CHECK(parts[1].first == 2 * mebibyte);
    CHECK(parts[1].sectors == 3 * mebibyte);
    CHECK(parts[2].first == 5 * mebibyte);
    CHECK(parts[2].end() == capacity);
}

TEST_CASE("the first part that cannot be is named with its reason")
{
    const std::uint64_t capacity = 10 * mebibyte;
    struct Row {
        std::vector<PartSize> sizes;
        std::size_t part;
        const char* message;
    };
    for (const Row& row :
         {Row{{size(4), size(6)}, 1, "the last namespace takes the rest of the drive: must be rest"},
          Row{{{}, {}}, 0, "only the last namespace takes the rest of the drive: must be a size or a percentage"},
          Row{{{1024 * 1024 + 4096, 0}, {}}, 0, "a namespace begins at a multiple of 1MiB: must be a multiple of 1MiB"},
          Row{{size(4), size(7), {}}, 1, "the namespace has 7MiB, but only 6MiB of the drive are left for it"},
          Row{{share(0.05), {}}, 0, "that is less than 1MiB on a drive of 10MiB"},
          Row{{size(10), {}}, 1, "nothing of the drive's 10MiB is left for the last namespace"}}) {
        const auto problem = problemOf(row.sizes, capacity);
        REQUIRE(problem);
        CHECK(problem->part == row.part);
        CHECK(problem->message == row.message);
        CHECK_THROWS_AS(partition(row.sizes, capacity), ConfigError);
    }
}

TEST_CASE("without a capacity only sizes that no drive can have are a problem")
{
    CHECK_FALSE(problemOf({size(1 << 20), {}}, 0));
    CHECK_FALSE(problemOf({}, 0));
    CHECK(problemOf({size(1)}, 0));
}
