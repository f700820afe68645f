// SPDX-License-Identifier: Apache-2.0
#include "platform/report/timeline.h"

#include "platform/report/perfetto_trace.h"

#include <algorithm>
#include <array>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace strobe::platform {

namespace {

using Track = PerfettoTrace::Track;
using Slice = PerfettoTrace::Slice;

constexpr std::uint32_t hostGroup = 0;
constexpr std::uint32_t firmwareGroup = 1;
constexpr std::uint32_t memoryGroup = 2;
constexpr std::uint32_t unitGroup = 3;
constexpr std::uint32_t firstChannel = 4;
constexpr std::uint32_t firstDieRank = 1'000;          // after the ECC engines
constexpr std::uint32_t firstFunctionRank = 1'000'000; // after the CPUs

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
std::optional<std::uint32_t> groupOf(ResourceGroup group, std::uint32_t channel)
{
    switch (group) {
    case ResourceGroup::Link: return hostGroup;
    case ResourceGroup::Cpu: return firmwareGroup;
    case ResourceGroup::Fabric:
    case ResourceGroup::Sdram:
    case ResourceGroup::SdramPort:
    case ResourceGroup::WriteBuffer: return memoryGroup;
    case ResourceGroup::Ecc: return firstChannel + channel;
    case ResourceGroup::Unit:
    case ResourceGroup::CommandLines:
    case ResourceGroup::Channel:
    case ResourceGroup::Die: break;
    }
    return std::nullopt;
}

enum class Kind : std::uint8_t { Resource, Request, Job, Operation, Segment, Function };

// A record that is to be drawn. Tracks are sorted by group, then rank.
struct Item {
    std::uint32_t group = 0; // firstChannel + c: channel c
    std::uint32_t rank = 0;
    Time start{};
    std::uint32_t index = 0; // of the record
    Kind kind = Kind::Resource;
    std::uint32_t depth = 0; // of what is inside another of the same start
};

// Sorts small items, not slices: a timeline may have millions.
class Painter {
public:
    Painter(const ActivityLog& log, const TimelineRecords& records, const std::vector<TimelineSpan>& windows)
        : log_(log), records_(records), windows_(windows)
    {
        for (std::size_t i = 0; i < stageIds; ++i)
            stageNames_[i] = stageName(static_cast<StageId>(i));
        for (const ActivityLane& lane : log.lanes())
            groupsOfLanes_.push_back(groupOf(lane.group, lane.channel.value_or(0)));
        for (const TimelineRecords::Job& job : records.jobs)
            flowOf_[job.number] = job.request != 0 ? job.request : ownFlow(job.number);
        for (const TimelineRecords::Served& served : records.served) {
            std::vector<std::uint64_t>& requests = served_[served.job];
            if (std::find(requests.rbegin(), requests.rend(), served.request) == requests.rend())
                requests.push_back(served.request);
        }
        for (const auto& [job, requests] : served_) {
            const auto known = flowOf_.find(job);
            const bool isOnly = requests.size() == 1 && (known == flowOf_.end() || known->second == ownFlow(job));
            flowOf_[job] = isOnly ? requests.front() : ownFlow(job);
        }
        for (const TimelineRecords::Operation& op : records_.operations)
            jobs_[{op.die, op.span.start}] = op.job;
    }

    std::string paint()
    {
        collect();
        std::stable_sort(items_.begin(), items_.end(), [](const Item& a, const Item& b) {
            return std::tie(a.group, a.rank, a.start, a.depth) < std::tie(b.group, b.rank, b.start, b.depth);
        });
        for (const Item& item : items_) {
            switch (item.kind) {
            case Kind::Resource: resource(item); break;
            case Kind::Request: request(item); break;
            case Kind::Job: job(item); break;
            case Kind::Operation: operation(item); break;
            case Kind::Segment: segment(item); break;
            case Kind::Function: function(item); break;
            }
        }
        closeUntil(never);
        return trace_.takeBytes();
    }

private:
    bool isWanted(const TimelineSpan& span) const
    {
        return std::any_of(windows_.begin(), windows_.end(),
                           [&](const TimelineSpan& window) { return window.touches(span.start, span.end); });
    }
    template <class Records, class Place>
    void collect(Kind kind, const Records& records, Place place) // place: {group, rank, span}
    {
        for (std::size_t i = 0; i < records.size(); ++i) {
            const auto [group, rank, span] = place(records[i]);
            if (isWanted(span))
                items_.push_back({group, rank, span.start, static_cast<std::uint32_t>(i), kind});
        }
    }
    void collect()
    {
        items_.reserve(log_.activities().size() + records_.size() + records_.functions.size());
        for (std::size_t i = 0; i < log_.activities().size(); ++i) {
            const Activity& job = log_.activities()[i];
            const std::optional<std::uint32_t> group = groupsOfLanes_[job.lane];
            if (group && isWanted({job.start, job.end}))
                items_.push_back({*group, job.lane + 1, job.start, static_cast<std::uint32_t>(i), Kind::Resource});
        }
        collect(Kind::Request, records_.requests, [](const TracedRequest& request) {
            return std::tuple(hostGroup, 0U, TimelineSpan{request.path.start(), request.path.end()});
        });
        collect(Kind::Job, records_.jobs,
                [](const TimelineRecords::Job& job) { return std::tuple(unitGroup, job.unit, job.span); });
        collect(Kind::Operation, records_.operations, [this](const TimelineRecords::Operation& op) {
            return std::tuple(firstChannel + channelOf(op.die),
                              firstDieRank + positionOf(op.die) * (records_.planes + 1) + op.plane, op.span);
        });
        collect(Kind::Segment, records_.segments, [this](const TimelineRecords::Segment& segment) {
            return std::tuple(firstChannel + channelOf(segment.die), 0U, segment.span);
        });
        for (std::size_t i = 0; i < records_.functions.size(); ++i) {
            const TimelineRecords::Function& call = records_.functions[i];
            if (isWanted(call.span))
                items_.push_back({firmwareGroup, firstFunctionRank + call.core, call.span.start,
                                  static_cast<std::uint32_t>(i), Kind::Function, call.depth});
        }
    }

    std::uint32_t channelOf(std::uint32_t die) const { return die / records_.diesPerChannel; }
    std::uint32_t positionOf(std::uint32_t die) const { return die % records_.diesPerChannel; }

    void resource(const Item& item)
    {
        const Activity& job = log_.activities()[item.index];
        const std::string& lane = log_.lanes()[job.lane].name;
        start({job.start, job.end}, job.what == 0 ? std::string_view(lane) : log_.nameOf(job.what));
        slice_.arguments.emplace_back("waited_ps", (job.start - job.arrived).count());
        put(item, [&lane] { return lane; });
    }

    void request(const Item& item)
    {
        const TracedRequest& request = records_.requests[item.index];
        start({request.path.start(), request.path.end()}, enumName(request.kind));
        Time from = request.path.start();
        for (const StageSegment& segment : request.path.segments()) {
            inside_.push_back({0, from, segment.end, stageNames_[segment.stage], {}, {}});
            from = segment.end;
        }
        slice_.flows.push_back(request.id);
        slice_.arguments.emplace_back("request", static_cast<std::int64_t>(request.id));
        slice_.arguments.emplace_back("lba", static_cast<std::int64_t>(request.lba));
        slice_.arguments.emplace_back("sectors", request.sectors);
        put(item, [] { return "requests"; });
    }

    void job(const Item& item)
    {
        const TimelineRecords::Job& job = records_.jobs[item.index];
        name_.assign(job.opcode).append(": ").append(job.purpose);
        start(job.span, name_);
        addFlow(job.number);
        if (slice_.flows.front() == ownFlow(job.number))
            addRequests(job);
        slice_.arguments.emplace_back("waited_ps", (job.span.start - job.listed).count());
        slice_.arguments.emplace_back("sectors", job.sectors);
        put(item, [&job] { return "unit " + std::to_string(job.unit); });
    }

    void operation(const Item& item)
    {
        const TimelineRecords::Operation& op = records_.operations[item.index];
        name_.assign(enumName(op.opcode)).append(": ").append(enumName(op.purpose));
        start(op.span, name_);
        const Time end = std::min(op.array.end, op.span.end);
        if (op.array.start < end)
            inside_.push_back({0, op.array.start, end, "array", {}, {}});
        addFlow(op.job);
        slice_.arguments.emplace_back("waited_ps", (op.span.start - op.submitted).count());
        put(item, [this, &op] {
            const std::string die =
                "die " + std::to_string(channelOf(op.die)) + "." + std::to_string(positionOf(op.die));
            return op.plane == 0 ? die : die + " plane " + std::to_string(op.plane - 1);
        });
    }

    void segment(const Item& item)
    {
        const TimelineRecords::Segment& segment = records_.segments[item.index];
        name_.assign(enumName(segment.opcode)).append(" ").append(segment.phase);
        start(segment.span, name_);
        const auto job = jobs_.find({segment.die, segment.operation});
        if (job != jobs_.end())
            addFlow(job->second);
        slice_.arguments.emplace_back("die", positionOf(segment.die));
        put(item, [this, &segment] { return "bus " + std::to_string(channelOf(segment.die)); });
    }

    // A slice inside those which are open, all on one track.
    void function(const Item& item)
    {
        const TimelineRecords::Function& call = records_.functions[item.index];
        openTracks(item);
        if (tracks_.empty())
            tracks_.push_back({trace_.track(call.core == 0 ? "functions" : "functions " + std::to_string(call.core),
                                            parent_, item.rank),
                               Time{}});
        closeUntil(call.span.start);
        start(call.span, call.name);
        trace_.begin(slice_, tracks_.front().track);
        openEnds_.push_back(call.span.end);
    }
    void closeUntil(Time time)
    {
        for (; !openEnds_.empty() && openEnds_.back() <= time; openEnds_.pop_back())
            trace_.end(openEnds_.back(), tracks_.front().track);
    }

    void start(const TimelineSpan& span, std::string_view name)
    {
        slice_.start = span.start;
        slice_.end = span.end;
        slice_.name = name;
        slice_.flows.clear();
        slice_.arguments.clear();
        inside_.clear();
    }
    static std::uint64_t ownFlow(std::uint64_t job) { return job | std::uint64_t{1} << 63; } // requests count from 1
    void addFlow(std::uint64_t job)
    {
        const auto found = flowOf_.find(job);
        if (found != flowOf_.end())
            slice_.flows.push_back(found->second);
    }
    void addRequests(const TimelineRecords::Job& job)
    {
        if (job.request != 0)
            slice_.flows.push_back(job.request);
        const auto further = served_.find(job.number);
        if (further != served_.end())
            slice_.flows.insert(slice_.flows.end(), further->second.begin(), further->second.end());
    }

    void openTracks(const Item& item)
    {
        if (!tracks_.empty() && group_ == item.group && rank_ == item.rank)
            return;
        closeUntil(never);
        if (tracks_.empty() || group_ != item.group)
            parent_ = trace_.track(groupName(item.group), 0, item.group);
        group_ = item.group;
        rank_ = item.rank;
        tracks_.clear();
    }

    // To the first track of its name that is free at its start. All of a name come one after the other.
    // nameOfTrack(): for a new track.
    template <class Name>
    void put(const Item& item, Name nameOfTrack)
    {
        openTracks(item);
        auto free = std::find_if(tracks_.begin(), tracks_.end(),
                                 [this](const Used& used) { return used.until <= slice_.start; });
        if (free == tracks_.end())
            free = tracks_.insert(free, {trace_.track(nameOfTrack(), parent_, item.rank), Time{}});
        free->until = slice_.end;
        slice_.track = free->track;
        trace_.slice(slice_, inside_);
    }

    struct Used {
        Track track;
        Time until;
    };
    struct DieHash {
        std::size_t operator()(const std::pair<std::uint32_t, Time>& key) const
        {
            return std::hash<std::int64_t>()(key.second.count() * 0x10001 + key.first);
        }
    };
    const ActivityLog& log_;
    const TimelineRecords& records_;
    const std::vector<TimelineSpan>& windows_;
    std::unordered_map<std::uint64_t, std::vector<std::uint64_t>> served_; // by number of a job: further requests
    std::array<std::string, stageIds> stageNames_;
    std::vector<std::optional<std::uint32_t>> groupsOfLanes_;
    std::unordered_map<std::uint64_t, std::uint64_t> flowOf_;                         // by number of the job
    std::unordered_map<std::pair<std::uint32_t, Time>, std::uint64_t, DieHash> jobs_; // by start of the operation
    std::vector<Item> items_;
    PerfettoTrace trace_;
    Slice slice_; // the next one, and what is in it
    std::vector<Slice> inside_;
    std::string name_;
    std::uint32_t group_ = 0; // of the tracks
    std::uint32_t rank_ = 0;
    Track parent_ = 0;
    std::vector<Used> tracks_;
    std::vector<Time> openEnds_; // of functions, on the track
};

} // namespace

std::vector<ResourceGroup> undrawnGroups()
{
    std::vector<ResourceGroup> undrawn;
    for (const ResourceGroupRow& row : resourceGroupTable) {
        if (!groupOf(row.value, 0))
            undrawn.push_back(row.value);
    }
    return undrawn;
}

std::string timelineTrace(const ActivityLog& log, const TimelineRecords& records,
                          const std::vector<TimelineSpan>& windows)
{
    std::string trace = Painter(log, records, windows).paint();
    if (!trace.empty())
        return trace;
    PerfettoTrace nothing; // a file without a packet is none that a viewer opens
    nothing.track("nothing happened in this window", 0, 0);
    return nothing.bytes();
}

} // namespace strobe::platform
