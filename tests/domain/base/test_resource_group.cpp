// SPDX-License-Identifier: Apache-2.0
#include "models/base/resource_group.h"
#include "tests/support/catch.h"

using namespace strobe;

TEST_CASE("the table of resource groups is in the order of the enumeration")
{
    for (std::size_t i = 0; i < resourceGroupTable.size(); ++i)
        CHECK(static_cast<std::size_t>(resourceGroupTable[i].value) == i);
    CHECK(rowOf(ResourceGroup::SdramPort).name == "sdram-port");
}

TEST_CASE("energy components may have every group whose resources do work of their own")
{
    CHECK(energyGroups() == "link, cpu, fabric, sdram, unit, ecc, command-lines, channel, die");
}
