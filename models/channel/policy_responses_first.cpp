// SPDX-License-Identifier: Apache-2.0
//
// responses-first: finished dies are emptied before new operations start.
#include "models/channel/policy.h"

namespace strobe::channel {

namespace {

class ResponsesFirst final : public BusPolicy {
public:
    Place place(const WaitingSegment& segment) override
    {
        const bool isRequest =
            segment.kind() == SegmentClass::CommandRequest || segment.kind() == SegmentClass::DataRequest;
        return isRequest ? 1 : 0;
    }
};

} // namespace

std::unique_ptr<BusPolicy> makeResponsesFirst()
{
    return std::make_unique<ResponsesFirst>();
}

} // namespace strobe::channel
