#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The two resources of a channel with separate command lines (line_use.h): what is taken on CA, and until when DQ is.
// A segment is granted when all that it takes is free, from its first packet to its last: its length does not depend
// on other dies. So the packets that select the next die's data go out while the data of another is still on DQ, early
// enough that its own follows without a gap. Owns no clock.
// While DQ is taken for longer than a lead-in (the time from a segment's first packet to its data), a segment with a
// longer lead-in may start earlier than others, so it is granted before them whatever its priority; there is no ageing.
// Not modelled: data that is sent before data granted earlier; packets that wait inside a segment.

#include "models/base/resource.h"
#include "models/base/time.h"
#include "models/channel/line_use.h"

#include <vector>

namespace strobe::channel {

class SplitBus {
public:
    // The earliest start, not before `from`, of a segment that takes `use`.
    Time earliest(const LineUse& use, Time from) const;
    // A segment starts at `now` that was possible since `possible`. Its wait counts for DQ if it has data, else for CA.
    // REQUIRES: earliest(use, now) == now.
    void take(const LineUse& use, Time possible, Time now, Resource& data);

    const Resource& commands() const { return commands_; } // CA; jobs are segments
    void resetUsage(Time now, Resource& data);             // what is taken counts from now on

private:
    std::vector<LineUse::Span> taken_; // on CA, those not over at the last take()
    std::vector<LineUse::Span> data_;  // on DQ, likewise, in order
    Time dataEnd_{};                   // of the last one granted
    Resource commands_;
};

} // namespace strobe::channel
