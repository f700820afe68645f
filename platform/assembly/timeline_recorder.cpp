// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/timeline_recorder.h"

#include "models/base/keep_touching.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

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

// Those that were among the slowest only for a time.
void forgetFaster(std::vector<TracedRequest>& requests, Time least)
{
    requests.erase(std::remove_if(requests.begin(), requests.end(),
                                  [least](const TracedRequest& r) { return r.latency() < least; }),
                   requests.end());
}

} // namespace

// `kept`: what counts towards the limit; one more if it takes the record.
bool TimelineRecorder::takes(Time start, Time end, std::size_t& kept)
{
    constexpr unsigned looked = 256;
    if (bounds_.slowest == 0 && !bounds_.window.touches(start, end))
        return false;
    if (bounds_.slowest != 0) {
        present_ = std::max(present_, end);
        if (++taken_ == looked) {
            taken_ = 0;
            if (all() >= forgetAt_)
                forget();
        }
    }
    if (kept < bounds_.limit) {
        ++kept;
        return true;
    }
    ++dropped_;
    return false;
}

void TimelineRecorder::opened(std::uint64_t request, Time from)
{
    if (bounds_.slowest == 0)
        return;
    open_.push_back({request, from, true});
    lag_ = std::max(lag_, newest_ - from);
    late_ = std::max(late_, present_ - from);
    newest_ = std::max(newest_, from);
}

void TimelineRecorder::skipped(std::uint64_t request)
{
    if (open_.empty() || request < open_.front().request)
        return;                                                             // opened before recording began
    auto place = static_cast<std::size_t>(request - open_.front().request); // mostly: none is missing
    if (place >= open_.size() || open_[place].request != request) {
        const auto found =
            std::lower_bound(open_.begin(), open_.end(), request,
                             [](const Open& open, std::uint64_t number) { return open.request < number; });
        place = static_cast<std::size_t>(found - open_.begin());
    }
    if (place < open_.size() && open_[place].request == request)
        open_[place].isOpen = false;
    while (!open_.empty() && !open_.front().isOpen)
        open_.pop_front();
}

void TimelineRecorder::segment(const ObservedOperation& op, channel::NandInterface::Phase phase, Time start, Time end)
{
    if (end > start && takes(start, end))
        records_.segments.push_back({raw(op.die), op.requestStart, op.opcode, nameOf(phase), {start, end}});
}

void TimelineRecorder::operation(const EndedOperation& ended, std::uint64_t job)
{
    const ObservedOperation& op = ended.op;
    if (takes(op.requestStart, ended.done)) {
        const bool isOfPlane = op.form == nand::Form::PlaneRead;
        records_.operations.push_back({job,
                                       raw(op.die),
                                       op.opcode,
                                       op.purpose,
                                       op.submitted,
                                       {ended.requestEnd, ended.arrayEnd},
                                       {op.requestStart, ended.done},
                                       isOfPlane ? 1 + op.block % records_.planes : 0});
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
    records_.served.push_back({job, request});
}

bool TimelineRecorder::wants(Time latency, bool isMeasured) const
{
    if (bounds_.slowest == 0)
        return true;
    return isMeasured && (slow_.size() < bounds_.slowest || latency > slow_.front().latency);
}

void TimelineRecorder::request(const TracedRequest& request, bool isMeasured)
{
    const TimelineSpan span{request.path.start(), request.path.end()};
    if (bounds_.slowest != 0) {
        present_ = std::max(present_, span.end);
        skipped(request.id);
        if (wants(request.latency(), isMeasured))
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
    auto name = names_.find(call.function);
    if (name == names_.end())
        name = names_.emplace(call.function).first;
    const TimelineRecords::Function function{call.core, call.depth, *name, {call.start, call.end}};
    if (!comesLate())
        record(function);
    else if (gathered_.functions.size() < bounds_.limit)
        gathered_.functions.push_back(function);
    else
        ++droppedCalls_;
}

void TimelineRecorder::record(const TimelineRecords::Function& function)
{
    // Calls are reported at their ends. One that encloses a call that is kept is kept too, however many there are.
    const TimelineSpan& span = function.span;
    const bool encloses = !records_.functions.empty() && span.start <= firstCall_ && span.end > firstCall_;
    std::size_t kept = encloses ? 0 : records_.functions.size();
    if (!takes(span.start, span.end, kept))
        return;
    firstCall_ = records_.functions.empty() ? span.start : std::min(firstCall_, span.start);
    records_.functions.push_back(function);
}

void TimelineRecorder::handOver()
{
    Gathered spare;
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!spare_.empty()) {
        spare = std::move(spare_.back());
        spare_.pop_back();
    }
    spare.activities.activities.reserve(log_.activities().size() / 8 * 9); // mostly enough, so that it need not grow
    gathered_.activities = log_.exchange(std::move(spare.activities));
    handedOver_.push_back(std::exchange(gathered_, {{}, std::move(spare.functions)}));
}

void TimelineRecorder::takeOver()
{
    Gathered gathered;
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        gathered = std::move(handedOver_.front());
        handedOver_.pop_front();
    }
    add(gathered);
    const std::lock_guard<std::mutex> lock(mutex_);
    spare_.push_back(std::move(gathered));
}

void TimelineRecorder::add(Gathered& gathered)
{
    std::vector<Activity>& jobs = gathered.activities.activities;
    if (all() + jobs.size() >= forgetAt_)
        forget();
    const std::size_t taken = std::min(bounds_.limit - activities_.size(), jobs.size());
    dropped_ += jobs.size() - taken;
    jobs.resize(taken);
    if (taken != 0)
        activities_.add(std::exchange(gathered.activities, spareBatch()));
    else
        gathered.activities = {std::move(jobs)};
    for (const TimelineRecords::Function& function : gathered.functions)
        record(function);
    gathered.functions.clear();
}

ActivityBatch TimelineRecorder::spareBatch()
{
    if (spareBatches_.empty())
        return {};
    ActivityBatch spare = std::move(spareBatches_.back());
    spareBatches_.pop_back();
    return spare;
}

void TimelineRecorder::finish()
{
    if (!comesLate())
        return;
    handOver();
    for (Gathered& gathered : handedOver_)
        add(gathered);
    handedOver_.clear();
    if (!slow_.empty())
        forgetFaster(records_.requests, slow_.front().latency);
    log_.exchange(activities_.takeAll());
}

std::size_t TimelineRecorder::all() const
{
    return recorded_ + records_.functions.size() + activities_.size();
}

void TimelineRecorder::keepSlow(const TracedRequest& request)
{
    const auto isSlower = [](const Slow& a, const Slow& b) { return a.latency > b.latency; };
    if (slow_.size() == bounds_.slowest) {
        std::pop_heap(slow_.begin(), slow_.end(), isSlower);
        slow_.pop_back();
    }
    slow_.push_back({request.latency(), {request.path.start(), request.path.end()}});
    std::push_heap(slow_.begin(), slow_.end(), isSlower);
    records_.requests.push_back(request);
    ++recorded_;
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

// What touches neither one of the slowest requests nor an outstanding one. A request that waits on the host is opened
// late: it may have begun before others that are open, and if none is, while the one before it was served.
void TimelineRecorder::forget()
{
    std::vector<TimelineSpan> windows;
    windows.push_back({open_.empty() ? present_ - 2 * late_ : open_.front().from - 2 * lag_, never});
    for (const Slow& slow : slow_)
        windows.push_back(slow.span);
    const auto touches = [&windows](Time start, Time end) {
        return std::any_of(windows.begin(), windows.end(),
                           [start, end](const TimelineSpan& w) { return w.touches(start, end); });
    };
    keepOnly(records_.jobs, touches);
    keepOnly(records_.operations, touches);
    keepOnly(records_.segments, touches);
    keepOnly(records_.functions, touches);
    const Time least = slow_.empty() ? Time{} : slow_.front().latency;
    forgetFaster(records_.requests, least);
    std::unordered_set<std::uint64_t> jobs;
    for (const TimelineRecords::Job& job : records_.jobs)
        jobs.insert(job.number);
    for (const TimelineRecords::Operation& op : records_.operations)
        jobs.insert(op.job);
    records_.served.erase(std::remove_if(records_.served.begin(), records_.served.end(),
                                         [&](const TimelineRecords::Served& s) { return jobs.count(s.job) == 0; }),
                          records_.served.end());
    for (ActivityBatch& empty : activities_.keepTouching(windows))
        spareBatches_.push_back(std::move(empty));
    recorded_ = records_.size();
    // Seldom: each record that stays is looked at again. But before the limit is reached, if that is possible.
    forgetAt_ = std::max({leastForgotten, 2 * all(), std::min(4 * all(), bounds_.limit)});
}

} // namespace strobe::platform
