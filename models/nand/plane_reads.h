#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The reads that the planes of a die sense independently of each other: for each plane the last one, and when the plane
// is ready. Everything else that the array does concerns the die as a whole (array_state.h). Owns no clock.

#include "models/nand/array_state.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace strobe::nand {

class PlaneReads {
public:
    explicit PlaneReads(std::uint32_t planes) : planes_(planes, ArrayState::Running{Opcode::Read, false, {}, Time{}}) {}

    Time readyAt(std::uint32_t plane) const { return planes_[plane].ready; }
    bool isReady(std::uint32_t plane, Time now) const { return now >= planes_[plane].ready; }
    // Of all planes.
    Time allReadyAt() const { return last_; }
    bool areAllReady(Time now) const { return now >= last_; }
    // The one that senses longest. REQUIRES: !areAllReady() for some time
    const ArrayState::Running& longest() const
    {
        return *std::max_element(planes_.begin(), planes_.end(),
                                 [](const auto& a, const auto& b) { return a.ready < b.ready; });
    }

    // The plane senses for `tR`. Returns by how much longer the die has a plane at work. REQUIRES: isReady(plane, now)
    Time begin(std::uint32_t plane, PageAddress target, Time now, Time tR)
    {
        planes_[plane] = {Opcode::Read, false, target, now + tR};
        const Time before = std::max(last_, now);
        last_ = std::max(last_, now + tR);
        return last_ - before;
    }
    // A reset. Returns what was being read.
    std::vector<PageAddress> stop(Time now)
    {
        std::vector<PageAddress> targets;
        for (ArrayState::Running& plane : planes_) {
            if (plane.ready > now)
                targets.push_back(plane.target);
            plane.ready = std::min(plane.ready, now);
        }
        last_ = std::min(last_, now);
        return targets;
    }
    void powerOff()
    {
        std::fill(planes_.begin(), planes_.end(), ArrayState::Running{Opcode::Read, false, {}, Time{}});
        last_ = Time{};
    }

private:
    Time last_{}; // the latest end
    std::vector<ArrayState::Running> planes_;
};

} // namespace strobe::nand
