// SPDX-License-Identifier: Apache-2.0
#include "models/channel/segment_arbiter.h"

#include "models/base/check.h"

namespace strobe::channel {

SegmentArbiter::SegmentArbiter(std::uint32_t dies, std::unique_ptr<BusPolicy> policy)
    : candidates_(dies), dies_(dies), policy_(std::move(policy))
{
    check(dies > 0 && dies <= maxDies, "a channel serves 1 to 64 dies");
    check(policy_ != nullptr, "a channel needs a bus policy");
}

// Few of the dies whose time is known can start at once; the others are not visited again before the earliest of them
// can start. Without branches, because they would be unpredictable.
void SegmentArbiter::findPossible(Time now)
{
    DieSet later = 0;
    Time earliest = never;
    for (DieSet dies = later_; dies != 0; dies &= dies - 1) {
        const std::uint32_t die = lowest(dies);
        const Time possible = candidates_[die].possible;
        const bool isLater = possible > now;
        later |= DieSet{isLater} << die;
        earliest = std::min(earliest, isLater ? possible : never);
    }
    later_ = later;
    nextLater_ = earliest;
}

// Dies are visited in round-robin order, so that the first of equals stays.
std::uint32_t SegmentArbiter::best(DieSet dies, Time now) const
{
    std::uint32_t chosen = none;
    BusPolicy::Place lowestKey = INT64_MAX;
    const DieSet later = dies & (bit(firstTurn_) - 1);
    for (DieSet turn : {dies & ~later, later}) {
        for (; turn != 0; turn &= turn - 1) {
            const std::uint32_t die = lowest(turn);
            const Candidate& candidate = candidates_[die];
            if (candidate.key < lowestKey && candidate.possible <= now) {
                chosen = die;
                lowestKey = candidate.key;
            }
        }
    }
    return chosen;
}

Time SegmentArbiter::nextOpportunity(Time now, Time busFreeAt) const
{
    const bool isPossible = (requests_ | (responses_ & ~later_)) != 0; // a request is possible since its arrival
    Time earliest = isPossible ? now : nextLater_;
    if (earliest != never)
        earliest = std::max(earliest, busFreeAt);
    return std::max(std::min(earliest, nextSilent()), now);
}

} // namespace strobe::channel
