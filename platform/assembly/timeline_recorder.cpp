// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/timeline_recorder.h"

#include "models/base/keep_touching.h"

#include <algorithm>
#include <unordered_set>

namespace strobe::platform {

namespace {

std::string_view nameOf(channel::NandInterface::Phase phase)
{
    switch (phase) {
    case channel::NandInterface::Phase::Request: return "request";
    case channel::NandInterface::Phase::Response: return "response";
    case channel::NandInterface::Phase::CacheEnd: break;
    }
    return "end of cache operations";
}

template <class Items, class Touches>
void keepOnly(Items& items, Touches touches)
{
    keepTouching(
        items, [](const auto& item) { return item.span.start; }, [](const auto& item) { return item.span.end; },
        touches);
}

} // namespace

// `kept`: what counts towards the limit.
bool TimelineRecorder::takes(Time start, Time end, std::size_t kept)
{
    if (bounds_.slowest == 0 && !bounds_.window.touches(start, end))
        return false;
    if (bounds_.slowest != 0 && all() >= forgetAt_)
        forget();
    if (kept < bounds_.limit)
        return true;
    ++dropped_;
    return false;
}

void TimelineRecorder::opened(std::uint64_t request, Time from)
{
    if (bounds_.slowest != 0)
        open_[request] = from;
}

void TimelineRecorder::segment(const nand::Operation& op, channel::NandInterface::Phase phase, Time start, Time end)
{
    if (end > start && takes(start, end))
        records_.segments.push_back({raw(op.die), op.requestStart, op.opcode, nameOf(phase), {start, end}});
}

void TimelineRecorder::operation(const nand::Operation& op, std::uint64_t job)
{
    if (takes(op.requestStart, op.done)) {
        const bool isOfPlane = op.form == nand::Form::PlaneRead;
        records_.operations.push_back({job,
                                       raw(op.die),
                                       op.opcode,
                                       op.purpose,
                                       op.submitted,
                                       {op.requestEnd, std::max(op.ready, op.arrayEnd)},
                                       {op.requestStart, op.done},
                                       isOfPlane ? 1 + op.target.block % records_.planes : 0});
    }
}

void TimelineRecorder::job(const EndedJob& job)
{
    if (takes(job.fetched, job.visible)) {
        records_.jobs.push_back({job.number,
                                 raw(job.unit),
                                 enumName(job.opcode),
                                 enumName(job.purpose),
                                 job.sectors,
                                 job.request,
                                 job.listed,
                                 {job.fetched, job.visible}});
    }
}

void TimelineRecorder::serves(std::uint64_t job, std::uint64_t request)
{
    std::vector<std::uint64_t>& requests = records_.served[job];
    if (std::find(requests.rbegin(), requests.rend(), request) == requests.rend())
        requests.push_back(request);
}

void TimelineRecorder::request(const TracedRequest& request, bool isMeasured)
{
    const TimelineSpan span{request.path.start(), request.path.end()};
    if (bounds_.slowest != 0) {
        open_.erase(request.id);
        if (isMeasured)
            keepSlow(request);
        return;
    }
    if (takes(span.start, span.end))
        records_.requests.push_back(request);
    if (span.start < bounds_.window.start || span.end > bounds_.window.end)
        return;
    if (++counted_ == bounds_.requests) {
        bounds_.window.end = span.end;
        log_.endAt(span.end);
    }
}

void TimelineRecorder::function(const cpu::FunctionCall& call)
{
    // Calls are reported at their ends. One that encloses a call that is kept is kept too, however many there are.
    const bool encloses = !records_.functions.empty() && call.start <= firstCall_ && call.end > firstCall_;
    if (!takes(call.start, call.end, encloses ? 0 : records_.functions.size()))
        return;
    firstCall_ = records_.functions.empty() ? call.start : std::min(firstCall_, call.start);
    auto name = records_.functionNames.find(call.function);
    if (name == records_.functionNames.end())
        name = records_.functionNames.emplace(call.function).first;
    records_.functions.push_back({call.core, call.depth, *name, {call.start, call.end}});
}

std::size_t TimelineRecorder::all() const
{
    return records_.size() + records_.functions.size() + log_.activities().size();
}

void TimelineRecorder::keepSlow(const TracedRequest& request)
{
    const auto isSlower = [](const Slow& a, const Slow& b) { return a.latency > b.latency; };
    if (slow_.size() == bounds_.slowest) {
        if (request.latency() <= slow_.front().latency)
            return;
        std::pop_heap(slow_.begin(), slow_.end(), isSlower);
        slow_.pop_back();
    }
    slow_.push_back({request.latency(), {request.path.start(), request.path.end()}});
    std::push_heap(slow_.begin(), slow_.end(), isSlower);
    records_.requests.push_back(request);
}

std::vector<TimelineSpan> TimelineRecorder::windows() const
{
    if (bounds_.slowest == 0)
        return {bounds_.window};
    std::vector<TimelineSpan> windows;
    for (const Slow& slow : slow_)
        windows.push_back(slow.span);
    return windows;
}

// What touches neither one of the slowest requests nor an outstanding one.
void TimelineRecorder::forget()
{
    std::vector<TimelineSpan> windows = this->windows();
    if (!open_.empty())
        windows.push_back({open_.begin()->second, never});
    const auto touches = [&windows](Time start, Time end) {
        return std::any_of(windows.begin(), windows.end(),
                           [start, end](const TimelineSpan& w) { return w.touches(start, end); });
    };
    keepOnly(records_.jobs, touches);
    keepOnly(records_.operations, touches);
    keepOnly(records_.segments, touches);
    keepOnly(records_.functions, touches);
    const Time least = slow_.empty() ? Time{} : slow_.front().latency;
    records_.requests.erase(std::remove_if(records_.requests.begin(), records_.requests.end(),
                                           [least](const TracedRequest& r) { return r.latency() < least; }),
                            records_.requests.end());
    std::unordered_set<std::uint64_t> jobs;
    for (const TimelineRecords::Job& job : records_.jobs)
        jobs.insert(job.number);
    for (const TimelineRecords::Operation& op : records_.operations)
        jobs.insert(op.job);
    for (auto row = records_.served.begin(); row != records_.served.end();)
        row = jobs.count(row->first) == 0 ? records_.served.erase(row) : std::next(row);
    log_.keepOnly(touches);
    forgetAt_ = std::max<std::size_t>(100'000, 2 * all());
}

} // namespace strobe::platform
