// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/cost_table.h"

#include "models/base/config_error.h"

#include <algorithm>
#include <string>

namespace strobe::cpu {

const std::vector<CostPoint>& CostTable::points()
{
    static const std::vector<CostPoint> all{
#define HAL_COST_POINT(name, cycles, text) {#name, cycles, text},
#include "firmware/hal/cost_points.def"
#undef HAL_COST_POINT
    };
    return all;
}

CostTable::CostTable()
{
    for (const CostPoint& point : points())
        cycles_.push_back(point.defaultCycles);
}

void CostTable::override(std::string_view name, std::uint32_t cycles)
{
    const auto& all = points();
    const auto found =
        std::find_if(all.begin(), all.end(), [name](const CostPoint& point) { return point.name == name; });
    if (found == all.end()) {
        std::string allowed;
        for (const CostPoint& point : all)
            allowed += (allowed.empty() ? "" : ", ") + std::string(point.name);
        throw ConfigError("firmware cost point \"" + std::string(name) + "\" does not exist; allowed: " + allowed);
    }
    cycles_[static_cast<std::size_t>(found - all.begin())] = cycles;
}

CostMeter::CostMeter(const CostTable& table)
{
    for (std::uint32_t i = 0; i < table.size(); ++i)
        points_.push_back({table.cycles(i), 0});
}

std::vector<CostMeter::Row> CostMeter::rows() const
{
    const std::uint64_t all = cycles();
    std::vector<Row> rows;
    for (std::size_t i = 0; i < points_.size(); ++i) {
        const CostPoint& point = CostTable::points()[i];
        const std::uint64_t times = points_[i].times;
        const std::uint64_t spent = times * points_[i].cycles;
        const double share = all == 0 ? 0.0 : static_cast<double>(spent) / static_cast<double>(all);
        rows.push_back({point.name, point.help, times, spent, share, 0.0});
    }
    return rows;
}

std::uint64_t CostMeter::cycles() const
{
    std::uint64_t sum = 0;
    for (const Point& point : points_)
        sum += point.times * point.cycles;
    return sum;
}

void CostMeter::reset()
{
    for (Point& point : points_)
        point.times = 0;
}

} // namespace strobe::cpu
