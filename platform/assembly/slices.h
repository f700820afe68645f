#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// How far a run is simulated before progress and stop requests are served: about a twentieth of a second of host time.
// A functional phase begins at the end of a slice, so slices before one double without regard to the host's speed: the
// same scenario must give the same report on a slow or busy machine. Pure.

#include "models/base/time.h"

#include <algorithm>

namespace strobe::platform {

class Slices {
public:
    Time length() const { return length_; } // simulated time
    void restart() { length_ = first; }

    // The slice took `seconds` of the host.
    void ended(double seconds, bool isBeforeFunctionalPhase)
    {
        if (isBeforeFunctionalPhase || seconds < 0.025)
            length_ = std::min(length_ * 2, longest);
        else if (seconds > 0.1)
            length_ = std::max(length_ / 2, shortest);
    }

private:
    static constexpr Time shortest = std::chrono::microseconds(10);
    static constexpr Time longest = std::chrono::seconds(10);
    static constexpr Time first = std::chrono::milliseconds(1);

    Time length_ = first;
};

} // namespace strobe::platform
