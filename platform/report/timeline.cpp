// SPDX-License-Identifier: Apache-2.0
#include "platform/report/timeline.h"

#include "platform/report/perfetto_trace.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

namespace strobe::platform {

namespace {

using Track = PerfettoTrace::Track;
using Slice = PerfettoTrace::Slice;

// What a track is called, and where it stands. Tracks are sorted by group, then rank.
struct TrackPlace {
    std::uint32_t group = 0; // 4 + c: channel c
    std::uint32_t rank = 0;
    std::string name;
};

constexpr std::uint32_t hostGroup = 0;
constexpr std::uint32_t firmwareGroup = 1;
constexpr std::uint32_t memoryGroup = 2;
constexpr std::uint32_t unitGroup = 3;
constexpr std::uint32_t firstChannel = 4;

std::string groupName(std::uint32_t group)
{
    switch (group) {
    case hostGroup: return "host";
    case firmwareGroup: return "firmware";
    case memoryGroup: return "memory";
    case unitGroup: return "flash units";
    default: return "channel " + std::to_string(group - firstChannel);
    }
}

// The place of a resource's jobs; nothing for those whose work is drawn in more detail.
std::optional<std::uint32_t> groupOf(const ActivityLane& lane)
{
    switch (lane.group) {
    case ResourceGroup::Link: return hostGroup;
    case ResourceGroup::Cpu: return firmwareGroup;
    case ResourceGroup::Fabric:
    case ResourceGroup::Sdram:
    case ResourceGroup::SdramPort:
    case ResourceGroup::WriteBuffer: return memoryGroup;
    case ResourceGroup::Ecc: return firstChannel + lane.channel.value_or(0);
    case ResourceGroup::Unit:
    case ResourceGroup::Channel:
    case ResourceGroup::Die: break;
    }
    return std::nullopt;
}

// A slice that waits for its track, with those inside it.
struct Drawn {
    TrackPlace place;
    Slice slice;
    std::vector<Slice> inside;
};

class Painter {
public:
    Painter(const ActivityLog& log, const TimelineRecords& records, const std::vector<TimelineSpan>& windows)
        : log_(log), records_(records), windows_(windows)
    {
        for (const TimelineRecords::Job& job : records.jobs)
            requests_[job.number] = job.request;
        for (const auto& [job, request] : records.served)
            requests_[job] = request;
    }

    std::string paint()
    {
        resources();
        requests();
        jobs();
        operations();
        segments();
        std::stable_sort(drawn_.begin(), drawn_.end(), [](const Drawn& a, const Drawn& b) {
            return std::tie(a.place.group, a.place.rank, a.slice.start) <
                   std::tie(b.place.group, b.place.rank, b.slice.start);
        });
        for (const Drawn& drawn : drawn_)
            put(drawn);
        return trace_.bytes();
    }

private:
    bool isWanted(Time start, Time end) const
    {
        return std::any_of(windows_.begin(), windows_.end(),
                           [&](const TimelineSpan& window) { return window.touches(start, end); });
    }
    void draw(TrackPlace place, Slice slice, std::vector<Slice> inside = {})
    {
        if (isWanted(slice.start, slice.end))
            drawn_.push_back({std::move(place), std::move(slice), std::move(inside)});
    }
    std::vector<std::uint64_t> flowOf(std::uint64_t job) const
    {
        const auto found = requests_.find(job);
        if (found == requests_.end() || found->second == 0)
            return {};
        return {found->second};
    }

    void resources()
    {
        for (const Activity& job : log_.activities()) {
            const ActivityLane& lane = log_.lanes()[job.lane];
            const std::optional<std::uint32_t> group = groupOf(lane);
            if (group)
                draw({*group, job.lane + 1, lane.name}, {0,
                                                         job.start,
                                                         job.end,
                                                         job.what.empty() ? lane.name : std::string(job.what),
                                                         {},
                                                         {{"waited_ps", (job.start - job.arrived).count()}}});
        }
    }

    void requests()
    {
        for (const TracedRequest& request : records_.requests) {
            std::vector<Slice> stages;
            Time from = request.path.start();
            for (const StageSegment& segment : request.path.segments()) {
                stages.push_back({0, from, segment.end, stageName(segment.stage), {}, {}});
                from = segment.end;
            }
            draw({hostGroup, 0, "requests"},
                 {0,
                  request.path.start(),
                  request.path.end(),
                  std::string(enumName(request.kind)),
                  {request.id},
                  {{"request", static_cast<std::int64_t>(request.id)},
                   {"lba", static_cast<std::int64_t>(request.lba)},
                   {"sectors", request.sectors}}},
                 std::move(stages));
        }
    }

    void jobs()
    {
        for (const TimelineRecords::Job& job : records_.jobs) {
            draw({unitGroup, job.unit, "unit " + std::to_string(job.unit)},
                 {0,
                  job.span.start,
                  job.span.end,
                  std::string(job.opcode) + ": " + std::string(job.purpose),
                  flowOf(job.number),
                  {{"waited_ps", (job.span.start - job.listed).count()}, {"sectors", job.sectors}}});
        }
    }

    std::uint32_t channelOf(std::uint32_t die) const { return die / records_.diesPerChannel; }

    void operations()
    {
        for (const TimelineRecords::Operation& op : records_.operations) {
            const std::uint32_t channel = channelOf(op.die);
            const std::uint32_t position = op.die % records_.diesPerChannel;
            std::vector<Slice> array;
            const Time end = std::min(op.array.end, op.span.end);
            if (op.array.start < end)
                array.push_back({0, op.array.start, end, "array", {}, {}});
            draw({firstChannel + channel, firstDieRank + position,
                  "die " + std::to_string(channel) + "." + std::to_string(position)},
                 {0,
                  op.span.start,
                  op.span.end,
                  std::string(enumName(op.opcode)) + ": " + std::string(enumName(op.purpose)),
                  flowOf(op.job),
                  {{"waited_ps", (op.span.start - op.submitted).count()}}},
                 std::move(array));
        }
    }

    void segments()
    {
        std::map<std::pair<std::uint32_t, Time>, std::uint64_t> jobs;
        for (const TimelineRecords::Operation& op : records_.operations)
            jobs[{op.die, op.span.start}] = op.job;
        for (const TimelineRecords::Segment& segment : records_.segments) {
            const std::uint32_t channel = channelOf(segment.die);
            const auto job = jobs.find({segment.die, segment.operation});
            draw({firstChannel + channel, 0, "bus " + std::to_string(channel)},
                 {0,
                  segment.span.start,
                  segment.span.end,
                  std::string(enumName(segment.opcode)) + " " + std::string(segment.phase),
                  job == jobs.end() ? std::vector<std::uint64_t>{} : flowOf(job->second),
                  {{"die", segment.die % records_.diesPerChannel}}});
        }
    }

    // To the first track of its name that is free at its start.
    void put(const Drawn& drawn)
    {
        if (groups_.count(drawn.place.group) == 0)
            groups_[drawn.place.group] = trace_.track(groupName(drawn.place.group), 0, drawn.place.group);
        std::vector<Used>& tracks = tracks_[{drawn.place.group, drawn.place.rank}];
        auto free = std::find_if(tracks.begin(), tracks.end(),
                                 [&drawn](const Used& track) { return track.until <= drawn.slice.start; });
        if (free == tracks.end()) {
            const Track track = trace_.track(drawn.place.name, groups_[drawn.place.group], drawn.place.rank);
            free = tracks.insert(free, {track, Time{}});
        }
        free->until = drawn.slice.end;
        Slice slice = drawn.slice;
        slice.track = free->track;
        trace_.slice(slice, drawn.inside);
    }

    static constexpr std::uint32_t firstDieRank = 1'000; // after the ECC engines

    struct Used {
        Track track;
        Time until;
    };
    const ActivityLog& log_;
    const TimelineRecords& records_;
    const std::vector<TimelineSpan>& windows_;
    std::unordered_map<std::uint64_t, std::uint64_t> requests_; // by number of the job
    std::vector<Drawn> drawn_;
    PerfettoTrace trace_;
    std::map<std::uint32_t, Track> groups_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Used>> tracks_;
};

} // namespace

std::string timelineTrace(const ActivityLog& log, const TimelineRecords& records,
                          const std::vector<TimelineSpan>& windows)
{
    return Painter(log, records, windows).paint();
}

} // namespace strobe::platform
