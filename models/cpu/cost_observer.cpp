// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/cost_observer.h"

#include "models/cpu/rv32/core.h"

#include <algorithm>

namespace strobe::cpu {

namespace {

// slti x0, rs1, point: nothing but rs1 and the immediate may differ.
constexpr std::uint32_t markBits = 0x00002013;
constexpr std::uint32_t markMask = 0x00007FFF; // opcode, rd, function

constexpr std::uint32_t sourceOf(std::uint32_t bits)
{
    return bits >> 15 & 31;
}

constexpr std::uint32_t pointOf(std::uint32_t bits)
{
    return bits >> 20;
}

} // namespace

CostObserver::CostObserver(const rv32::Core& core)
    : sums_(CostTable::points().size()), point_(static_cast<std::uint32_t>(sums_.size())), begun_(core.worked())
{
}

void CostObserver::retired(const rv32::Core& core, std::uint32_t /*pc*/, std::uint32_t bits, unsigned cycles)
{
    if ((bits & markMask) != markBits || pointOf(bits) >= sums_.size())
        return;
    close(core.worked() - begun_);
    point_ = pointOf(bits);
    times_ = sourceOf(bits) == 0 ? 1 : core.reg(sourceOf(bits));
    begun_ = core.worked() + cycles;
}

void CostObserver::close(std::uint64_t cycles)
{
    if (point_ == sums_.size()) {
        unmarked_ += cycles;
        return;
    }
    Sum& sum = sums_[point_];
    sum.times += times_;
    sum.cycles += cycles;
    const double perTime = static_cast<double>(cycles) / std::max(times_, 1U);
    sum.squares += perTime * perTime * times_;
}

std::vector<CostMeter::Row> CostObserver::rows() const
{
    std::uint64_t all = 0;
    for (const Sum& sum : sums_)
        all += sum.cycles;
    std::vector<CostMeter::Row> rows;
    for (std::size_t i = 0; i < sums_.size(); ++i) {
        const Sum& sum = sums_[i];
        CostMeter::Row row;
        row.name = CostTable::points()[i].name;
        row.help = CostTable::points()[i].help;
        row.times = sum.times;
        row.cycles = sum.cycles;
        row.share = all == 0 ? 0.0 : static_cast<double>(sum.cycles) / static_cast<double>(all);
        row.squares = sum.squares;
        rows.push_back(row);
    }
    return rows;
}

void CostObserver::reset()
{
    std::fill(sums_.begin(), sums_.end(), Sum{});
    unmarked_ = 0;
}

} // namespace strobe::cpu
