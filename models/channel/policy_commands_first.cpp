// SPDX-License-Identifier: Apache-2.0
//
// commands-first: segments without page data (command phases of reads, erases and copy-backs; status reads) go before
// data-in and data-out. Arrays start early, and the status of finished programs is read early, which frees their dies.
#include "models/channel/policy.h"

namespace strobe::channel {

namespace {

class CommandsFirst final : public BusPolicy {
public:
    Place place(const WaitingSegment& segment) override
    {
        const bool hasData =
            segment.kind() == SegmentClass::DataRequest || segment.kind() == SegmentClass::DataResponse;
        return hasData ? 1 : 0;
    }
};

} // namespace

std::unique_ptr<BusPolicy> makeCommandsFirst()
{
    return std::make_unique<CommandsFirst>();
}

} // namespace strobe::channel
