#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Plane-independent reads of one die of a channel (nand::Part::planeIndependentReads). Each plane has a lane of its
// own, and so a segment of its own that waits for the bus. The reads start while no operation of the whole die is in
// progress, or while it is suspended; what the die does as a whole (die_lane.h) starts when no plane has a read in
// progress. Owns no clock.

#include "models/channel/bus_grant.h"
#include "models/channel/channel_counters.h"
#include "models/channel/die_lane.h"
#include "models/channel/lane_segments.h"
#include "models/channel/plane_lanes.h"

#include <cstdint>
#include <vector>

namespace strobe::channel {

class PlaneReader {
public:
    // `segments`: by plane; empty if the part has no such reads, and then nothing here is called. `die` and `counters`
    // must outlive it.
    PlaneReader(DieLane& die, std::vector<LaneSegments> segments, ChannelCounters& counters);

    // The die has no operation as a whole in progress, or it is suspended.
    void dieIsFree(Time since);
    // What may start on the die: a read in each idle plane or, if there is none and no plane is busy, the next
    // operation of the whole die. Segments offered before are replaced, because an arrival or a start may change what
    // comes first.
    void offer();
    // The plane's segment gets the bus: the request of its next read, or the response of the one in progress.
    BusGrant start(std::uint32_t plane, Time now);
    // Which lines it would take if it started now. REQUIRES: it has a segment; separate command lines.
    LineUse upcoming(std::uint32_t plane) const;
    void arrayFinished(std::uint32_t plane, Time ready);
    void finish(std::uint32_t plane, Time now); // the response ends: stamps op.done

private:
    void account(Time now);

    DieLane* die_;
    PlaneLanes planes_;
    std::vector<LaneSegments> segments_;
    ChannelCounters* counters_;
};

} // namespace strobe::channel
