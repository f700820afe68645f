#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// How long one die of a channel was in use: from the start of a request to the end of the response, counted when an
// operation finishes; its wait since its submission. Time that several operations share (joined ones, a suspended one
// and the reads that it waits for, reads of different planes) is counted once. Array time alone is counted by the die.

#include "models/base/resource.h"
#include "models/nand/operation.h"

#include <algorithm>

namespace strobe::channel {

class DieUsage {
public:
    void finished(const nand::Operation& op, Time now)
    {
        const Time start = std::max({op.requestStart, measuredFrom_, accountedTo_});
        usage_.account(std::max(op.submitted, measuredFrom_), start, now - start);
        accountedTo_ = now;
    }
    // The operation has been in progress until now and is not finished.
    void continues(const nand::Operation& op, Time now)
    {
        usage_.extend(std::max({op.requestStart, measuredFrom_, accountedTo_}), now);
        accountedTo_ = now;
    }
    // The die has been suspended since the last call.
    void wasSuspended(Time now)
    {
        usage_.extend(std::max(accountedTo_, measuredFrom_), now);
        accountedTo_ = now;
    }

    // Plane-independent reads. Before their number changes: was one in progress, or an operation suspended?
    void planesChange(bool wasInUse, Time now)
    {
        if (wasInUse)
            usage_.addBusy(now - std::max(accountedTo_, measuredFrom_));
        accountedTo_ = now;
    }
    void planeReadFinished(const nand::Operation& op, Time now)
    {
        usage_.accountOverlapping(std::max(op.submitted, measuredFrom_), std::max(op.requestStart, measuredFrom_), now);
    }

    const Resource& resource() const { return usage_; }
    void reset(Time now) // operations in progress count from now on
    {
        measuredFrom_ = now;
        usage_.resetUsage();
    }

private:
    Time accountedTo_{};
    Time measuredFrom_{};
    Resource usage_;
};

} // namespace strobe::channel
