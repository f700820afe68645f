// SPDX-License-Identifier: Apache-2.0
//
// The way of a request that has been completed: from what was observed to its stages.
#include "models/base/check.h"
#include "platform/assembly/request_stages.h"
#include "platform/assembly/seen_segments.h"
#include "platform/assembly/shared_sums.h"

#include <algorithm>
#include <type_traits>

namespace strobe::platform {

namespace {

// From so many links of a chain of causes on, those that are older come from sums that requests share.
constexpr std::size_t sumsSharedFrom = 6;
constexpr std::size_t pathSharedFrom = 32; // the links before them are in order of time

std::uint32_t dieNumber(DieId die)
{
    return die == noDie ? UINT32_MAX : raw(die);
}

// Extends the path by a segment for each stage.
void addTotals(StagePath& path, const StageTotals& totals)
{
    const auto add = [&path](StageId stage, std::uint64_t length, StageId detail = noStage) {
        path.add(stage, path.end() + Time{static_cast<std::int64_t>(length)}, detail);
    };
    for (StageId stage = 0; stage < stageIds; ++stage) {
        std::uint64_t length = totals.stages[stage];
        if (stage == idOf(RequestStage::BufferWait)) {
            for (StageId cause = 0; cause < stageIds; ++cause) {
                add(stage, totals.bufferWaitCauses[cause], cause);
                length -= totals.bufferWaitCauses[cause];
            }
        }
        add(stage, length);
    }
}

} // namespace

template <class Way>
void RequestStages::follow(Request& request, Way& way, Time at)
{
    way.begin(request.from);
    way.add(RequestStage::HostQueue, request.issued);
    longest_ = {};
    request.dies = {};
    if (request.ended != never && request.ended <= at) {
        way.add(RequestStage::HostLink, request.arrived);
        if (request.announced != never) // else it is served without firmware
            way.add(RequestStage::CommandFetch, std::min(request.announced, request.ended));
        const bool isRead = request.facts.kind == host::RequestKind::Read;
        if (isRead)
            followRead(request, way);
        else
            followWrite(request, way);
        addFirmware(request, way, request.ended, Waits::ForFlash,
                    isRead ? request.sleepsEnded : request.sleepsAnnounced, request.sleepsEnded);
        way.add(RequestStage::Completion, at);
    }
    way.add(RequestStage::HostLink, at); // it did not reach the drive
    check(way.start() == request.from && way.end() == at, "the stages of a request do not add up to its latency");
}

const RequestStages::Transfer* RequestStages::lastOf(const Request& request)
{
    const Transfer* last = nullptr;
    for (const Transfer& transfer : request.transfers) {
        if (transfer.ended != never && (last == nullptr || transfer.ended >= last->ended))
            last = &transfer;
    }
    return last;
}

template <class Way>
void RequestStages::followRead(Request& request, Way& way)
{
    const Transfer* last = lastOf(request);
    if (last == nullptr)
        return; // it has failed
    if (request.isDirect) {
        const Time listed = std::min(request.direct.path.start(), last->ordered);
        request.dies = request.direct.dies;
        if (request.announced == never)
            way.add(RequestStage::CommandFetch, listed); // the synthesizer looks it up
        addFirmware(request, way, listed, Waits::ForBuffer, request.sleepsAnnounced, last->sleeps);
        way.addPart(request.direct.path.segments(), last->ordered);
        request.facts.die = dieNumber(request.direct.die);
    } else if (FlashJob* const job = jobs_.job(last->job); job != nullptr && job->visible > way.end()) {
        request.dies = job->dies;
        if (job->listed <= last->ordered)
            addFirmware(request, way, *job);
        else
            addFirmware(request, way, last->ordered, Waits::ForBuffer, request.sleepsAnnounced, job->sleeps);
        addJob(request, way, *job, last->ordered, Waits::ForFlash);
    }
    addFirmware(request, way, last->ordered, Waits::ForBuffer, last->sleeps, last->sleeps);
    way.add(RequestStage::HostLink, last->ended);
}

template <class Way>
void RequestStages::followWrite(Request& request, Way& way)
{
    const Transfer* last = lastOf(request);
    if (last == nullptr)
        return;
    addFirmware(request, way, last->ordered, Waits::ForBuffer, request.sleepsAnnounced, last->sleeps);
    way.add(RequestStage::HostLink, last->ended);
}

// Firmware has the request from the end of the path until it acts.
template <class Way>
void RequestStages::addFirmware(Request& request, Way& way, Time until, Waits waits, const CpuSleep::Mark& since,
                                const CpuSleep::Mark& sleeps)
{
    if (way.end() >= until)
        return;
    const Time asleep = sleep_.firstSleep(way.end(), until, since);
    if (asleep != never) {
        way.add(RequestStage::Firmware, asleep);
        addWait(request, way, causeOf(asleep, until, sleeps, jobs_.lastId()), waits);
    }
    way.add(RequestStage::Firmware, until);
}

// The same until firmware lists the job that brings the data.
template <class Way>
void RequestStages::addFirmware(Request& request, Way& way, FlashJob& job)
{
    if (way.end() >= job.listed)
        return;
    const Time asleep = sleep_.firstSleep(way.end(), job.listed, request.sleepsAnnounced);
    if (asleep != never) {
        way.add(RequestStage::Firmware, asleep);
        addWait(request, way, causeOf(asleep, job), Waits::ForBuffer);
    }
    way.add(RequestStage::Firmware, job.listed);
}

RequestStages::Cause RequestStages::causeOf(Time from, Time until, const CpuSleep::Mark& sleeps,
                                            std::uint32_t near) const
{
    const Time wokeUp = sleep_.lastWakeUp(from, until, sleeps);
    return {wokeUp, wokeUp > from ? jobs_.lastVisible(wokeUp, near) : 0};
}

// Many requests wait for the same jobs, so what has been found is kept.
RequestStages::Cause RequestStages::causeOf(Time from, FlashJob& job) const
{
    if (job.wokeUp == never) {
        const Cause cause = causeOf(from, job.listed, job.sleeps, job.before);
        if (cause.wokeUp <= from)
            return cause;
        job.wokeUp = cause.wokeUp;
        job.cause = cause.job;
    }
    return {job.wokeUp, job.cause};
}

RequestStages::Ended RequestStages::endedAt(const Request& request, const Cause& cause, Time from)
{
    Ended ended{jobs_.job(cause.job), nullptr};
    if (ended.job != nullptr && ended.job->visible <= from)
        ended.job = nullptr;
    if (request.firstMoved > cause.wokeUp)
        return ended;
    for (const Transfer& transfer : request.transfers) {
        if (transfer.ended <= cause.wokeUp && transfer.ended > from &&
            (ended.transfer == nullptr || transfer.ended > ended.transfer->ended))
            ended.transfer = &transfer;
    }
    if (ended.transfer != nullptr && ended.job != nullptr && ended.transfer->ended <= ended.job->visible)
        ended.transfer = nullptr;
    return ended;
}

// All cores sleep from the end of the path until the cause has woken firmware up, except when it has listed the jobs or
// ordered the transfers that the cause came from: these are followed back, and their stages are added in order of time.
template <class Way>
void RequestStages::addWait(Request& request, Way& way, const Cause& cause, Waits waits)
{
    constexpr bool isSum = std::is_same_v<Way, SharedSums>;
    const Time from = way.end();
    const RequestStage otherwise = waits == Waits::ForBuffer && host::takesData(request.facts.kind)
                                       ? RequestStage::BufferWait
                                       : RequestStage::Firmware;
    std::size_t links = 0;
    std::size_t sharedFrom = isSum ? sumsSharedFrom : pathSharedFrom;
    bool isShared = false;
    for (Cause next = cause; next.wokeUp > from;) {
        Link& link = links_[links++];
        link.until = next.wokeUp;
        link.ended = endedAt(request, next, from);
        link.acted = from;
        link.last = nullptr;
        const bool isOwn = link.ended.transfer != nullptr;
        if (!isOwn && link.ended.job == nullptr)
            break;
        if (!isShared && links == sharedFrom) {
            sharedFrom *= 2;
            if (isSum && waitsForOthers(request, cause, waits, from)) { // so all of it is shared
                isShared = true;
                links = 0;
                next = cause;
                continue;
            }
            isShared = waitsForOthers(request, next, waits, from);
        } else if (isSum && links == 1 && !isOwn && isLong(*link.ended.job, from)) {
            isShared = waitsForOthers(request, cause, waits, from);
        }
        link.acted = isOwn ? link.ended.transfer->ordered : link.ended.job->listed;
        if (link.acted <= from)
            break;
        if (isShared && !isOwn) {
            share(link, from);
            if (link.acted <= from)
                break;
        }
        next =
            isOwn ? causeOf(from, link.acted, link.ended.transfer->sleeps, next.job) : causeOf(from, *link.ended.job);
    }
    while (links != 0) {
        const Link& link = links_[--links];
        way.add(RequestStage::Firmware, link.acted);
        if (link.ended.transfer != nullptr)
            way.add(RequestStage::HostLink, link.ended.transfer->ended);
        else if (link.last != nullptr)
            addShared(request, way, link, otherwise, waits);
        else if (link.ended.job != nullptr)
            addJob(request, way, *link.ended.job, link.until, waits);
        way.add(otherwise, link.until);
    }
}

// The chain that ends with the job has sums already, and several jobs that were listed after `from`.
inline bool RequestStages::isLong(const FlashJob& last, Time from) const
{
    const CauseNode* const cause = causes_.tree().at(last.cause);
    const CauseNode* const jump = cause == nullptr ? nullptr : causes_.tree().at(cause->jump);
    return jump != nullptr && jump->listed > from;
}

// From `from` to the wake-up none of the request's transfers has ended, nor, if it waits for the buffer, a job that
// works for it.
bool RequestStages::waitsForOthers(const Request& request, const Cause& cause, Waits waits, Time from)
{
    const auto isWithin = [&](Time time) { return time > from && time <= cause.wokeUp; };
    if (waits == Waits::ForFlash)
        return std::none_of(request.transfers.begin(), request.transfers.end(),
                            [&](const Transfer& transfer) { return isWithin(transfer.ended); });
    return request.firstMoved > cause.wokeUp &&
           std::none_of(request.transfers.begin(), request.transfers.end(), [&](const Transfer& transfer) {
               const FlashJob* job = jobs_.job(transfer.job);
               while (job != nullptr && !isWithin(job->visible)) { // back to the first attempt
                   job = jobs_.job(job->again);
                   if (job != nullptr && job->request != request.facts.id)
                       job = nullptr;
               }
               return job != nullptr;
           });
}

// The link takes in all jobs of its tree that have ended since `from`. Apart
// from the flattened code around it, which seldom gets here.
[[gnu::noinline]] void RequestStages::share(Link& link, Time from)
{
    const auto causeOfJob = [this](FlashJob& job) { return jobs_.job(causeOf(Time{}, job).job); };
    link.last = &causes_.known(*link.ended.job, from, jobs_, causeOfJob);
    link.edge = causes_.tree().edge(*link.last, from);
    if (link.edge.before == nullptr)
        link.edge.before = link.edge.first; // what is older is not in the sums
    link.ended.job = jobs_.job(link.edge.before->id);
    link.acted = link.ended.job == nullptr ? from : link.ended.job->listed; // null: it is not kept
}

// The oldest job, from the end of the path, and the sums of the others.
template <class Way>
[[gnu::noinline]] void RequestStages::addShared(Request& request, Way& way, const Link& link, RequestStage otherwise,
                                                Waits waits)
{
    const CauseNode& oldest = *link.edge.before;
    if (oldest.visible > way.end()) {
        if (link.ended.job != nullptr)
            addJob(request, way, *link.ended.job, oldest.visible, waits);
        way.add(otherwise, oldest.visible);
    }
    ++sharedWaits_;
    if (link.edge.before == link.last)
        return;
    const CauseSums::Wait wait{link.edge, *link.last, way.end(), otherwise};
    const auto divide = [&](StageTotals& totals) {
        if (waits == Waits::ForBuffer)
            causes_.divide(totals, wait, request.dies, jobs_);
        else
            causes_.divideForFlash(totals, wait);
    };
    if constexpr (std::is_same_v<Way, SharedSums>) {
        way.add(RequestStage::BufferWait, link.last->visible);
        divide(way.totals());
    } else {
        StageTotals totals;
        totals.stages[idOf(RequestStage::BufferWait)] =
            static_cast<std::uint64_t>((link.last->visible - way.end()).count());
        divide(totals);
        addTotals(way, totals);
    }
    const CauseNode& longest = causes_.tree().longest(*link.last, oldest.depth);
    if (longest.length() > longest_) {
        longest_ = longest.length();
        request.facts.die = dieNumber(longest.die);
    }
}

template <class Way>
void RequestStages::addJob(Request& request, Way& way, const FlashJob& job, Time until, Waits waits)
{
    const Time from = way.end();
    const Time end = std::min(until, job.visible);
    if (job.readsMap()) {
        way.add(RequestStage::MapWait, end);
    } else if (waits == Waits::ForFlash || job.request == request.facts.id) {
        way.addPart(jobs_.pathOf(job), end);
    } else if (job.dies == request.dies) {
        way.addPart(SeenSegments(jobs_.pathOf(job), job.work()), end);
    } else {
        way.addBehindBuffer(jobs_.pathOf(job), end);
    }
    if (way.end() - from > longest_) {
        longest_ = way.end() - from;
        request.facts.die = dieNumber(job.die);
    }
}

template void RequestStages::follow(Request&, StagePath&, Time);
template void RequestStages::follow(Request&, SharedSums&, Time);

} // namespace strobe::platform
