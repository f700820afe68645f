// SPDX-License-Identifier: Apache-2.0
#include "models/base/config_error.h"
#include "models/cpu/cost_table.h"
#include "tests/support/catch.h"

using namespace strobe;
using strobe::cpu::CostMeter;
using strobe::cpu::CostTable;

namespace {
// As firmware numbers them (enum hal_cost_point of firmware/hal/hal.h, which is C).
enum : std::uint32_t {
#define HAL_COST_POINT(name, cycles, text) HAL_COST_##name,
#include "firmware/hal/cost_points.def"
#undef HAL_COST_POINT
    HAL_COST_POINTS
};
} // namespace

TEST_CASE("the cost table has firmware's points in firmware's order with their defaults")
{
    const CostTable table;
    REQUIRE(table.size() == HAL_COST_POINTS);
    CHECK(CostTable::points()[HAL_COST_wake_up].name == "wake_up");
    CHECK(CostTable::points()[HAL_COST_gc_choose].name == "gc_choose");
    CHECK(table.cycles(HAL_COST_gc_choose) == CostTable::points()[HAL_COST_gc_choose].defaultCycles);
    CHECK(table.cycles(HAL_COST_read_command_overhead) == 0);
}

TEST_CASE("a cost point is overridden by name, and only that one")
{
    CostTable table;
    const std::uint32_t before = table.cycles(HAL_COST_gc_page);
    table.override("gc_choose", 12'345);
    CHECK(table.cycles(HAL_COST_gc_choose) == 12'345);
    CHECK(table.cycles(HAL_COST_gc_page) == before);
}

TEST_CASE("an unknown cost point is refused with the list of those that exist")
{
    using Catch::Matchers::EndsWith;
    using Catch::Matchers::StartsWith;
    CostTable table;
    CHECK_THROWS_AS(table.override("gc_chose", 1), ConfigError);
    CHECK_THROWS_WITH(table.override("gc_chose", 1),
                      StartsWith("firmware cost point \"gc_chose\" does not exist; allowed: wake_up, loop_round, "));
    CHECK_THROWS_WITH(table.override("gc_chose", 1), EndsWith(", " + std::string(CostTable::points().back().name)));
}

TEST_CASE("the meter attributes cycles to cost points")
{
    CostTable table;
    table.override("wake_up", 10);
    table.override("gc_page", 30);
    CostMeter meter(table);
    CHECK(meter.charge(HAL_COST_wake_up, 1) == 10);
    CHECK(meter.charge(HAL_COST_gc_page, 3) == 90);
    CHECK(meter.cycles() == 100);

    const auto rows = meter.rows();
    CHECK(rows[HAL_COST_gc_page].name == "gc_page");
    CHECK(rows[HAL_COST_gc_page].times == 3);
    CHECK(rows[HAL_COST_gc_page].cycles == 90);
    CHECK(rows[HAL_COST_gc_page].share == 0.9);
    CHECK(rows[HAL_COST_map_update].share == 0.0);

    meter.reset();
    CHECK(meter.cycles() == 0);
    CHECK(meter.rows()[HAL_COST_gc_page].share == 0.0);
    CHECK_FALSE(meter.hasPoint(HAL_COST_POINTS));
}

TEST_CASE("a meter counts beyond 32 bits")
{
    CostTable table;
    table.override("gc_page", 0xFFFFFFFF);
    CostMeter meter(table);
    CHECK(meter.charge(HAL_COST_gc_page, 0xFFFFFFFF) == 0xFFFFFFFFull * 0xFFFFFFFFull);
}
