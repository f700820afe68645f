#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Segment arbiter of one channel: keeps the next segment of each die and chooses which one gets the bus.
// At most one segment of each die waits at a time. Three kinds:
//   request    of an idle die; possible since its operation arrived
//   response   or a further request of a die at work; possible at a time that is known and may lie in the future
//   silent     a response that needs no bus (reset; no status read): served whether the bus is free or not
// Order: priority, then the place that the policy gives (policy.h), then round-robin over the dies, starting after the
// die served last.
// Owns no clock and no bus: the caller calls choose() only while the bus is free or, with separate command lines, with
// those segments blocked whose lines are not.

#include "models/base/time.h"
#include "models/channel/policy.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

namespace strobe::channel {

class SegmentArbiter {
public:
    static constexpr std::uint32_t maxDies = 64;
    static constexpr std::uint32_t none = maxDies; // no die
    using DieSet = std::uint64_t;                  // bit per die

    // REQUIRES: 1 <= dies <= maxDies; a policy.
    SegmentArbiter(std::uint32_t dies, std::unique_ptr<BusPolicy> policy);

    // A segment replaces the one of its die that waited before.
    void addRequest(std::uint32_t die, const WaitingSegment& segment)
    {
        candidates_[die] = {segment.possible(), keyOf(segment)};
        requests_ |= bit(die);
    }
    void addResponse(std::uint32_t die, const WaitingSegment& segment)
    {
        const Candidate candidate{segment.possible(), keyOf(segment)};
        const bool mayDelay = (later_ & bit(die)) != 0 && candidates_[die].possible < candidate.possible;
        candidates_[die] = candidate;
        responses_ |= bit(die);
        silent_ &= ~bit(die);
        later_ |= bit(die);
        nextLater_ = std::min(nextLater_, candidate.possible);
        if (mayDelay)
            findPossible(Time::min());
    }
    void addSilent(std::uint32_t die, const WaitingSegment& segment)
    {
        candidates_[die] = {segment.possible(), keyOf(segment)};
        silent_ |= bit(die);
    }
    // The segment starts, or is no longer needed.
    void withdraw(std::uint32_t die)
    {
        requests_ &= ~bit(die);
        responses_ &= ~bit(die);
        silent_ &= ~bit(die);
    }

    // The die whose segment is to start at `now`; none if none is possible. REQUIRES of choose(): the bus is free for
    // each segment but those of `blocked`.
    std::uint32_t choose(Time now, DieSet blocked = 0)
    {
        if (nextLater_ <= now)
            findPossible(now);
        return best((requests_ | (responses_ & ~later_)) & ~blocked, now);
    }
    static constexpr DieSet bit(std::uint32_t die) { return DieSet{1} << die; }
    // Calls visit(die, possible) for each segment that waits for the bus.
    template <class Visit>
    void forEachWaiting(Visit visit) const
    {
        for (DieSet dies = requests_ | responses_; dies != 0; dies &= dies - 1)
            visit(lowest(dies), candidates_[lowest(dies)].possible);
    }
    Time nextSilent() const // when one is possible; never: there is none
    {
        Time earliest = never;
        for (DieSet dies = silent_; dies != 0; dies &= dies - 1)
            earliest = std::min(earliest, candidates_[lowest(dies)].possible);
        return earliest;
    }
    bool hasSilent() const { return silent_ != 0; }
    std::uint32_t chooseSilent(Time now) const { return silent_ == 0 ? none : best(silent_, now); }
    // The segment of `die` got the bus: among equals the dies after it come first from now on.
    void served(std::uint32_t die) { firstTurn_ = (die + 1) % dies_; }
    // The earliest time, not before `now`, at which one of the two has an answer, as far as is known now; never if
    // there is none.
    Time nextOpportunity(Time now, Time busFreeAt) const;

    bool hasRequest(std::uint32_t die) const { return (requests_ & bit(die)) != 0; }
    bool hasResponse(std::uint32_t die) const { return ((responses_ | silent_) & bit(die)) != 0; }
    Time possible(std::uint32_t die) const { return candidates_[die].possible; } // of its last segment

private:
    struct Candidate {
        Time possible{};
        BusPolicy::Place key = 0; // place, above it one bit for background priority
    };

    static std::uint32_t lowest(DieSet dies) { return static_cast<std::uint32_t>(__builtin_ctzll(dies)); }
    BusPolicy::Place keyOf(const WaitingSegment& segment)
    {
        const bool isForeground = segment.operation().priority == nand::Priority::Foreground;
        return (isForeground ? 0 : BusPolicy::maxPlace + 1) + policy_->place(segment);
    }
    void findPossible(Time now);
    std::uint32_t best(DieSet dies, Time now) const;

    // All hot: the sets of a channel are in one cache line, the candidates in 16 bytes a die.
    std::vector<Candidate> candidates_; // by die; valid for dies in one of the three sets
    DieSet requests_ = 0;
    DieSet responses_ = 0;
    DieSet later_ = 0;            // of responses_: not possible yet at the last findPossible()
    Time nextLater_ = never;      // the earliest of these
    DieSet silent_ = 0;           // responses that need no bus
    std::uint32_t firstTurn_ = 0; // round-robin: the die after the one served last
    std::uint32_t dies_;
    std::unique_ptr<BusPolicy> policy_;
};

} // namespace strobe::channel
