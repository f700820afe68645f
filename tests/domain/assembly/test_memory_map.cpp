// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/memory_map.h"
#include "tests/support/catch.h"

#include <set>

using namespace strobe;
using namespace strobe::platform;

namespace {

std::vector<BusMapping> mapOf(std::uint32_t cores)
{
    Scenario scenario;
    scenario.nand.part.geometry.planes = 1;
    scenario.nand.part.geometry.blocksPerPlane = 1;
    scenario.nand.part.geometry.pagesPerBlock = 1;
    scenario.nand.part.geometry.pageBytes = 512;
    scenario.memory.size = 1U << 20U;
    scenario.memory.bufferSize = 1U << 16U;
    scenario.sram.size = 1U << 16U;
    return memoryMap(layOutMemory(scenario), cores);
}

} // namespace

TEST_CASE("targets on the bus have names of their own and do not overlap, in ascending order")
{
    for (const std::uint32_t cores : {1U, 2U}) {
        std::set<std::string> names;
        std::uint64_t end = 0;
        for (const BusMapping& mapping : mapOf(cores)) {
            INFO(mapping.name);
            CHECK(names.insert(mapping.name).second);
            CHECK(mapping.core < cores);
            CHECK(raw(mapping.region.base) >= end);
            CHECK(mapping.region.size != 0);
            CHECK((mapping.registers == nullptr) == (mapping.registerCount == 0));
            end = std::uint64_t{raw(mapping.region.base)} + mapping.region.size;
        }
    }
}

TEST_CASE("a second core has an interrupt controller and a timer of its own")
{
    const auto count = [](std::uint32_t cores, BusTarget target) {
        std::size_t found = 0;
        for (const BusMapping& mapping : mapOf(cores))
            found += mapping.target == target ? 1 : 0;
        return found;
    };
    for (const BusTarget target : {BusTarget::InterruptController, BusTarget::Timer}) {
        CHECK(count(1, target) == 1);
        CHECK(count(2, target) == 2);
    }
    CHECK(count(2, BusTarget::Sdram) == 1);
}
