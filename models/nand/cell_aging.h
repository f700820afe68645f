#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// What wear does to the operations of one die: draws program times and raw bit errors from the part's wear curve
// (wear.h). A part without a wear curve has none of this. Wear itself is counted by DieCells. Not modelled: see
// wear.h.

#include "models/base/rng.h"
#include "models/nand/operation.h"
#include "models/nand/wear.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace strobe::nand {

class CellAging {
public:
    // `curve` must outlive this object. REQUIRES: !curve.empty()
    CellAging(const WearCurve& curve, const Aging& aging, Rng draws) : curve_(curve), aging_(aging), draws_(draws) {}

    double before() const { return aging_.before; } // normalised wear when the die is made

    // Program time of a page of this wear. For several planes the slowest decides: while more planes follow, the
    // longest time is kept.
    Time programTime(Time fresh, double wear, bool moreFollow)
    {
        const Time time = drawProgramTime(fresh, curve_.at(wear), draws_);
        drawn_ = std::max(time, groupDrawn_);
        groupDrawn_ = moreFollow ? drawn_ : Time{};
        return drawn_;
    }
    Time drawn() const { return drawn_; }                           // what programTime() returned last
    Time takeGroup() { return std::exchange(groupDrawn_, Time{}); } // the longest of the latched planes
    void dropGroup() { groupDrawn_ = {}; }

    // Raw bit errors in the worst codeword of `sectors` sectors of a page of this wear. REQUIRES: sectors > 0.
    std::uint32_t readErrors(std::uint32_t sectors, double wear)
    {
        return drawErrors(curve_.at(wear).bitErrorRate, sectors, aging_.codewordBytes, draws_);
    }

private:
    const WearCurve& curve_;
    Aging aging_;
    Rng draws_;
    Time drawn_{};
    Time groupDrawn_{};
};

} // namespace strobe::nand
