// SPDX-License-Identifier: Apache-2.0
//
// fifo: segments go in the order in which they become possible.
#include "models/channel/policy.h"

#include <algorithm>

namespace strobe::channel {

namespace {

class Fifo final : public BusPolicy {
public:
    Place place(const WaitingSegment& segment) override
    {
        return std::clamp<Place>(segment.possible().count(), 0, maxPlace);
    }
};

} // namespace

std::unique_ptr<BusPolicy> makeFifo()
{
    return std::make_unique<Fifo>();
}

} // namespace strobe::channel
