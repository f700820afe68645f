// SPDX-License-Identifier: Apache-2.0
#include "models/base/config_error.h"
#include "models/fabric/address_map.h"
#include "tests/support/catch.h"

using namespace strobe;
using strobe::fabric::AddressMap;
using strobe::memory::Region;

namespace {
Region region(std::uint32_t base, std::uint32_t size)
{
    return {BusAddress{base}, size};
}
} // namespace

TEST_CASE("an address belongs to the region that holds it, whatever the order of mapping")
{
    AddressMap map;
    CHECK(map.add("memory", region(0x80000000, 0x80000000)) == 0); // up to the last byte of the bus
    CHECK(map.add("intc", region(0x02000000, 0x1000)) == 1);
    CHECK(map.add("timer", region(0x02001000, 0x1000)) == 2);

    REQUIRE(map.find(0x02000000, 4) != nullptr);
    CHECK(map.find(0x02000000, 4)->target == 1);
    CHECK(map.find(0x02000FFC, 4)->name == "intc");
    CHECK(map.find(0x02001000, 4)->name == "timer");
    CHECK(map.find(0x80000000, 4)->target == 0);
    CHECK(map.find(0xFFFFFFFF, 1)->target == 0);
    CHECK(map.find(0x02001FFC, 4)->target == 2);
}

TEST_CASE("an address between, before and after all regions is not mapped")
{
    AddressMap map;
    CHECK(map.find(0, 1) == nullptr);
    map.add("a", region(0x1000, 0x100));
    map.add("b", region(0x2000, 0x100));
    CHECK(map.find(0x0FFF, 1) == nullptr);
    CHECK(map.find(0x1100, 1) == nullptr);
    CHECK(map.find(0x1FFF, 1) == nullptr);
    CHECK(map.find(0x2100, 1) == nullptr);
    CHECK(map.find(0x1'0000'1000, 1) == nullptr); // beyond 32 bits
}

TEST_CASE("an access that crosses the end of a region is not mapped, even into a neighbour")
{
    AddressMap map;
    map.add("a", region(0x1000, 0x100));
    map.add("b", region(0x1100, 0x100));
    CHECK(map.find(0x10FC, 4) != nullptr);
    CHECK(map.find(0x10FD, 4) == nullptr);
    CHECK(map.find(0x10FC, 4) != nullptr); // and the last hit is still right
    CHECK(map.find(0x11FD, 4) == nullptr);
}

TEST_CASE("overlapping regions are refused with the names and ranges of both")
{
    AddressMap map;
    map.add("intc", region(0x1000, 0x100));
    map.add("timer", region(0x2000, 0x100));
    CHECK_THROWS_WITH(map.add("x", region(0x10FF, 1)),
                      "address map: \"x\" (0x000010ff-0x000010ff) overlaps \"intc\" (0x00001000-0x000010ff)");
    CHECK_THROWS_AS(map.add("x", region(0x0F00, 0x101)), ConfigError);
    CHECK_THROWS_AS(map.add("x", region(0x0, 0x10000)), ConfigError);
    CHECK_THROWS_AS(map.add("x", region(0x2010, 4)), ConfigError);
    CHECK_THROWS_AS(map.add("x", region(0x3000, 0)), ConfigError);
    CHECK_THROWS_AS(map.add("x", region(0xFFFFF000, 0x1001)), ConfigError);
    CHECK(map.mappings().size() == 2);
    CHECK(map.add("fits", region(0x1100, 0xF00)) == 2);
}
