#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// CPU cycles of natively compiled firmware: a number per cost point (firmware/hal/cost_points.def), which a scenario
// may override by name, and a meter that counts the cycles of each point.

#include <cstdint>
#include <string_view>
#include <vector>

namespace strobe::cpu {

struct CostPoint {
    std::string_view name;
    std::uint32_t defaultCycles;
    std::string_view help;
};

class CostTable {
public:
    CostTable(); // the defaults

    static const std::vector<CostPoint>& points(); // in the order of enum hal_cost_point

    // Throws ConfigError with all allowed names if there is no such point.
    void override(std::string_view name, std::uint32_t cycles);

    std::uint32_t size() const { return static_cast<std::uint32_t>(cycles_.size()); }
    std::uint32_t cycles(std::uint32_t point) const { return cycles_[point]; } // REQUIRES: point < size()

private:
    std::vector<std::uint32_t> cycles_;
};

class CostMeter {
public:
    struct Row {
        std::string_view name;
        std::string_view help;
        std::uint64_t times = 0;
        std::uint64_t cycles = 0;
        double share = 0;   // of the cycles of all points, 0 .. 1
        double squares = 0; // sum of the squared cycles of a charge, where they are measured and not looked up
    };

    explicit CostMeter(const CostTable& table);

    // Counts and returns the cycles to spend. REQUIRES: hasPoint(point).
    std::uint64_t charge(std::uint32_t point, std::uint32_t times)
    {
        points_[point].times += times;
        return points_[point].cycles * times;
    }
    bool hasPoint(std::uint32_t point) const { return point < points_.size(); }

    std::vector<Row> rows() const; // one per point, in table order
    std::uint64_t cycles() const;  // of all points
    void reset();

private:
    struct Point {
        std::uint64_t cycles = 0; // each time
        std::uint64_t times = 0;
    };
    std::vector<Point> points_;
};

} // namespace strobe::cpu
