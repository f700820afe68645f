// SPDX-License-Identifier: Apache-2.0
#include "platform/serve/allocation_map.h"
#include "tests/support/catch.h"

#include <string>

using strobe::platform::serve::AllocationMap;

namespace {

std::string textOf(const AllocationMap& map, std::uint64_t lba, std::uint64_t sectors, std::size_t most = 100)
{
    std::string text;
    for (const AllocationMap::Extent& extent : map.extents(lba, sectors, most))
        text += std::to_string(extent.sectors) + (extent.isHole ? " hole " : " data ");
    return text;
}

} // namespace

TEST_CASE("a unit that was written in part holds data, one that was trimmed as a whole is a hole")
{
    AllocationMap map(64, 8, false);
    CHECK(textOf(map, 0, 64) == "64 hole ");
    map.written(15, 2);
    CHECK(textOf(map, 0, 64) == "8 hole 16 data 40 hole ");
    CHECK(textOf(map, 9, 20) == "15 data 5 hole ");
    map.trimmed(9, 15);
    CHECK(textOf(map, 0, 64) == "8 hole 8 data 48 hole ");
}

TEST_CASE("an answer has no more extents than asked for, and a drive with contents has no holes")
{
    AllocationMap map(64, 8, true);
    CHECK(textOf(map, 3, 61) == "61 data ");
    map.trimmed(0, 8);
    CHECK(textOf(map, 0, 64, 1) == "8 hole ");
}
