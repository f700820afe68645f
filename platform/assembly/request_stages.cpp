// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/request_stages.h"

#include "platform/assembly/shared_sums.h"
#include "platform/assembly/stage_sink.h"

#include <algorithm>

namespace strobe::platform {

RequestStages::RequestStages(const ObservedDrive& drive, RequestStatistics* statistics)
    : statistics_(statistics), jobs_(drive.dies, drive.units, drive.buses, drive.dataBuffer, drive.planes),
      sleep_(drive.cores), onHost_(drive.slots), inDrive_(std::size_t{UINT16_MAX} + 1)
{
}

void RequestStages::tell(StageSink* sink)
{
    sink_ = sink;
    jobs_.tell(sink);
}

// --- what is observed ------------------------------------------------------------------------------------------------

void RequestStages::issued(const host::Command& command, std::uint64_t number, Time from, Time at)
{
    if (isStopped_)
        return;
    if (onHost_.size() <= command.slot)
        onHost_.resize(command.slot + std::size_t{1});
    if (onHost_[command.slot] == nullptr) {
        if (free_.empty())
            free_.push_back(&requests_.emplace_back());
        onHost_[command.slot] = free_.back();
        free_.pop_back();
    }
    Request& request = *onHost_[command.slot];
    request.facts = {number, command.lba, command.sectors, UINT32_MAX, command.kind};
    request.from = from;
    request.issued = at;
    request.arrived = request.announced = request.firstMoved = request.ended = never;
    request.transfers.clear();
    request.moved = 0;
    request.isDirect = false;
}

void RequestStages::arrived(std::uint16_t slot, std::uint16_t hostSlot, Time at)
{
    Request* const request = hostSlot < onHost_.size() ? onHost_[hostSlot] : nullptr;
    const bool isKnown = request != nullptr && request->arrived == never;
    inDrive_[slot] = isKnown ? request : nullptr;
    if (!isKnown)
        return;
    request->arrived = at;
    request->slot = slot;
}

void RequestStages::announced(std::uint16_t slot, Time at)
{
    if (Request* const request = inDrive_[slot]) {
        request->announced = at;
        request->sleepsAnnounced = marks_.now();
    }
}

RequestStages::Request* RequestStages::ordered(const host::ObservedTransfer& transfer, Time at)
{
    Request* const request = inDrive_[transfer.slot];
    if (request == nullptr)
        return nullptr;
    request->transfers.push_back({transfer.handle, 0, at, never, marks_.now()});
    request->isDirect = transfer.isDirect;
    return request;
}

void RequestStages::join(Request& request, const host::ObservedTransfer& transfer, std::size_t number, Time at)
{
    if (transfer.isDirect) {
        if (request.direct == nullptr)
            request.direct = std::make_unique<FlashJobLog::RowWay>();
        jobs_.takeRow(
            {UnitId{static_cast<std::uint16_t>(transfer.token >> 16)}, static_cast<std::uint16_t>(transfer.token)},
            request.facts.id, at, *request.direct);
    } else if (!transfer.toHost) {
        jobs_.filled(transfer.buffer, transfer.sectors, request.facts.id);
    } else if (FlashJob* job = jobs_.readerOf(transfer.buffer, transfer.sectors)) {
        if (number >= request.transfers.size())
            return; // the request has been issued again
        request.transfers[number].job = job->id;
        if (job->request == 0) {
            job->request = request.facts.id;
            if (sink_ != nullptr)
                sink_->serves(job->number, request.facts.id);
        }
    }
}

void RequestStages::moved(std::uint64_t handle, std::uint16_t slot, Time at)
{
    Request* const request = inDrive_[slot];
    if (request == nullptr)
        return;
    std::vector<Transfer>& transfers = request->transfers; // mostly they end in order
    const auto begin = transfers.begin() + static_cast<std::ptrdiff_t>(request->moved);
    for (auto transfer = begin; transfer != transfers.end(); ++transfer) {
        if (transfer->handle != handle || transfer->ended != never)
            continue;
        transfer->ended = at;
        request->firstMoved = std::min(request->firstMoved, at);
        for (auto next = begin; next != transfers.end() && next->ended != never; ++next)
            ++request->moved;
        return;
    }
}

void RequestStages::ended(std::uint16_t slot, Time at)
{
    if (Request* const request = inDrive_[slot]) {
        request->ended = at;
        request->sleepsEnded = marks_.now();
        inDrive_[slot] = nullptr;
    }
}

RequestStages::Request* RequestStages::completed(std::uint16_t slot)
{
    Request* const request = slot < onHost_.size() ? onHost_[slot] : nullptr;
    if (request == nullptr)
        return nullptr; // issued before observation began
    onHost_[slot] = nullptr;
    if (request->arrived != never && inDrive_[request->slot] == request)
        inDrive_[request->slot] = nullptr; // the drive has not answered it
    return request;
}

// Apart from the flattened handling of events, which would else have too few registers.
[[gnu::noinline, gnu::flatten]] void RequestStages::follow(Request& request, bool isMeasured, Time at)
{
    const bool isTold = sink_ != nullptr && request.from < sink_->until();
    const bool isDrawn = isTold && sink_->wants(at - request.from, isMeasured);
    const bool isCounted = isMeasured && statistics_ != nullptr;
    const bool isKept = isCounted && statistics_->slowest.takes(at - request.from);
    if (isDrawn || isKept) {
        trace(request, at);
    } else if (isCounted) {
        StageTally::Bin& bin = statistics_->tally.add(request.facts.kind, at - request.from);
        SharedSums sums(bin);
        divide(request, sums, at);
        bin.followed(request.facts.die);
    }
    request.announced = never; // nothing is kept for it any more
    free_.push_back(&request);
    if (isDrawn)
        sink_->request(traced_, isMeasured);
    else if (isTold)
        sink_->skipped(request.facts.id);
    if (isCounted && (isDrawn || isKept)) {
        statistics_->tally.add(traced_);
        statistics_->slowest.add(traced_);
    }
    if (sink_ != nullptr && statistics_ == nullptr && isOver(at)) {
        isStopped_ = true;
        jobs_.stop();
    }
}

[[gnu::noinline]] void RequestStages::trace(Request& request, Time at)
{
    divide(request, traced_.path, at);
    static_cast<RequestFacts&>(traced_) = request.facts;
}

// Whatever the sink takes has ended.
bool RequestStages::isOver(Time at) const
{
    const Time until = sink_->until();
    return at >= until && !jobs_.hasOpenBefore(until) &&
           std::none_of(onHost_.begin(), onHost_.end(),
                        [until](const Request* request) { return request != nullptr && request->from < until; });
}

void RequestStages::keepJobs()
{
    Time oldest = never;
    for (const Request& request : requests_)
        oldest = std::min(oldest, request.announced);
    if (jobs_.keepSince(oldest))
        causes_.grow();
}

} // namespace strobe::platform
