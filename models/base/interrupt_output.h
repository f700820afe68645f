#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// An interrupt line as the block that drives it sees it: its level, and when it changed. Changes are reported in order
// of time: a change with an earlier time than the previous one happens at that one's time. Not modelled: edges,
// polarity, several drivers of a line.

#include "models/base/time.h"

#include <algorithm>
#include <functional>

namespace strobe {

class InterruptOutput {
public:
    using Listener = std::function<void(bool asserted, Time at)>;

    void onChange(Listener listener) { listener_ = std::move(listener); }
    bool isHigh() const { return isHigh_; }
    Time changedAt() const { return changedAt_; }

    // Nothing happens if the level is the same.
    void set(bool isHigh, Time at)
    {
        if (isHigh == isHigh_)
            return;
        isHigh_ = isHigh;
        changedAt_ = std::max(at, changedAt_);
        if (listener_)
            listener_(isHigh_, changedAt_);
    }

private:
    Listener listener_;
    bool isHigh_ = false;
    Time changedAt_{};
};

} // namespace strobe
