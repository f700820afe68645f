// SPDX-License-Identifier: Apache-2.0
#include "models/channel/policy.h"

#include "models/base/check.h"

#include <algorithm>

namespace strobe::channel {

Time WaitingSegment::busTime() const
{
    const auto inForm = [this](nand::Form form) {
        nand::Operation command = op_;
        command.form = form;
        return schedule_.requestTime(command);
    };
    switch (phase_) {
    case Phase::Request: return schedule_.requestTime(op_);
    case Phase::CopyIn: return schedule_.copyInTime(op_);
    case Phase::Suspend: return inForm(nand::Form::Suspend);
    case Phase::Read: return schedule_.requestTime(nand::Operation{}); // the opcode is Read by default
    case Phase::Resume: return inForm(nand::Form::Resume);
    case Phase::CacheEnd: return schedule_.cacheEndTime();
    case Phase::Response: break;
    }
    return schedule_.responseTime(op_);
}

std::unique_ptr<BusPolicy> makeBusPolicy(SegmentOrder order)
{
    const auto* const row = std::find_if(segmentOrderTable.begin(), segmentOrderTable.end(),
                                         [order](const BusPolicyRow& r) { return r.value == order; });
    check(row != segmentOrderTable.end(), "a segment order has no policy");
    return row->make();
}

} // namespace strobe::channel
