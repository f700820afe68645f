// SPDX-License-Identifier: Apache-2.0
#include "platform/report/timeline.h"

#include "platform/report/perfetto_trace.h"

#include <algorithm>
#include <map>
#include <vector>

namespace strobe::platform {

namespace {

// The group of tracks in which the viewer shows a resource, and its place among the groups.
std::pair<std::uint32_t, std::string> folderOf(const ActivityLane& lane)
{
    switch (lane.group) {
    case ResourceGroup::Link: return {0, "host"};
    case ResourceGroup::Cpu: return {1, "firmware"};
    case ResourceGroup::Fabric:
    case ResourceGroup::Sdram:
    case ResourceGroup::SdramPort:
    case ResourceGroup::WriteBuffer: return {2, "memory"};
    case ResourceGroup::Unit: return {3, "flash units"};
    case ResourceGroup::Ecc:
    case ResourceGroup::Channel:
    case ResourceGroup::Die: break;
    }
    return {4 + *lane.channel, "channel " + std::to_string(*lane.channel)};
}

// The tracks of one resource. A job goes to the first one that is free at its start.
class LaneTracks {
public:
    LaneTracks(std::string name, PerfettoTrace::Track parent, std::uint32_t rank)
        : name_(std::move(name)), parent_(parent), rank_(rank)
    {
    }
    const std::string& name() const { return name_; }
    PerfettoTrace::Track place(PerfettoTrace& trace, Time start, Time end)
    {
        auto free = std::find_if(tracks_.begin(), tracks_.end(), [start](const Used& t) { return t.until <= start; });
        if (free == tracks_.end())
            free = tracks_.insert(free, {trace.track(name_, parent_, rank_), Time{}});
        free->until = end;
        return free->track;
    }

private:
    struct Used {
        PerfettoTrace::Track track;
        Time until;
    };
    std::string name_;
    PerfettoTrace::Track parent_;
    std::uint32_t rank_;
    std::vector<Used> tracks_;
};

std::vector<LaneTracks> tracksOf(const ActivityLog& log, PerfettoTrace& trace)
{
    std::map<std::string, PerfettoTrace::Track> folders;
    std::vector<LaneTracks> lanes;
    for (const ActivityLane& lane : log.lanes()) {
        const auto [rank, folder] = folderOf(lane);
        if (folders.count(folder) == 0)
            folders[folder] = trace.track(folder, 0, rank);
        lanes.emplace_back(lane.name, folders[folder], static_cast<std::uint32_t>(lanes.size()));
    }
    return lanes;
}

} // namespace

std::string timelineTrace(const ActivityLog& log)
{
    PerfettoTrace trace;
    std::vector<LaneTracks> lanes = tracksOf(log, trace);
    for (const Activity& job : log.inOrder()) {
        LaneTracks& lane = lanes[job.lane];
        PerfettoTrace::Slice slice;
        slice.track = lane.place(trace, job.start, job.end);
        slice.start = job.start;
        slice.end = job.end;
        slice.name = job.what.empty() ? std::string_view(lane.name()) : job.what;
        slice.arguments = {{"waited_ps", (job.start - job.arrived).count()}};
        trace.slice(slice);
    }
    return trace.bytes();
}

} // namespace strobe::platform
