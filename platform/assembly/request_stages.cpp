// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/request_stages.h"

#include "platform/assembly/shared_sums.h"
#include "platform/assembly/stage_sink.h"

#include <algorithm>

namespace strobe::platform {

namespace {

constexpr std::uint32_t noSlot = UINT32_MAX;

} // namespace

RequestStages::RequestStages(const ObservedDrive& drive, RequestStatistics* statistics)
    : statistics_(statistics), jobs_(drive.dies, drive.units, drive.buses, drive.dataBuffer, drive.planes),
      sleep_(drive.cores), requests_(drive.slots), hostSlots_(std::size_t{UINT16_MAX} + 1, noSlot)
{
}

void RequestStages::tell(StageSink* sink)
{
    sink_ = sink;
    jobs_.tell(sink);
}

// --- what is observed ------------------------------------------------------------------------------------------------

RequestStages::Request* RequestStages::inDrive(std::uint16_t slot)
{
    const std::uint32_t hostSlot = hostSlots_[slot];
    if (hostSlot == noSlot)
        return nullptr;
    Request& request = requests_[hostSlot];
    return request.isOpen ? &request : nullptr;
}

void RequestStages::issued(const host::Command& command, std::uint64_t number, Time from, Time at)
{
    if (isStopped_)
        return;
    if (requests_.size() <= command.slot)
        requests_.resize(command.slot + std::size_t{1});
    Request& request = requests_[command.slot];
    request.facts = {number, command.lba, command.sectors, UINT32_MAX, command.kind};
    request.from = from;
    request.issued = at;
    request.arrived = request.announced = request.firstMoved = request.ended = never;
    request.transfers.clear();
    request.moved = 0;
    request.isDirect = false;
    request.isOpen = true;
}

void RequestStages::arrived(std::uint16_t slot, std::uint16_t hostSlot, Time at)
{
    const bool isKnown =
        hostSlot < requests_.size() && requests_[hostSlot].isOpen && requests_[hostSlot].arrived == never;
    hostSlots_[slot] = isKnown ? hostSlot : noSlot;
    if (isKnown)
        requests_[hostSlot].arrived = at;
}

void RequestStages::announced(std::uint16_t slot, Time at)
{
    if (Request* request = inDrive(slot)) {
        request->announced = at;
        request->sleepsAnnounced = sleep_.mark();
    }
}

void RequestStages::ordered(const host::ObservedTransfer& transfer, Time at)
{
    Request* request = inDrive(transfer.slot);
    if (request == nullptr)
        return;
    Transfer& made = request->transfers.emplace_back();
    made.handle = transfer.handle;
    made.ordered = at;
    made.sleeps = sleep_.mark();
    request->isDirect = transfer.isDirect;
    if (transfer.isDirect) {
        jobs_.takeRow(
            {UnitId{static_cast<std::uint16_t>(transfer.token >> 16)}, static_cast<std::uint16_t>(transfer.token)},
            request->facts.id, at, request->direct);
    } else if (!transfer.toHost) {
        jobs_.filled(transfer.buffer, transfer.sectors, request->facts.id);
    } else if (FlashJob* job = jobs_.readerOf(transfer.buffer, transfer.sectors)) {
        made.job = job->id;
        if (job->request == 0)
            serve(*request, *job);
    }
}

// The read, and those before it that firmware has tried again: they read the same dies into the same place one after
// the other, and nothing has been transferred from there.
void RequestStages::serve(const Request& request, FlashJob& last)
{
    const auto isAttempt = [&](const FlashJob& before, const FlashJob& next) {
        return before.request == 0 && before.opcode == next.opcode && before.purpose == next.purpose &&
               before.dies == next.dies && before.visible <= next.listed && before.listed >= request.announced;
    };
    for (FlashJob* job = &last; job != nullptr;) {
        job->request = request.facts.id;
        if (sink_ != nullptr)
            sink_->serves(job->number, request.facts.id);
        FlashJob* const before = jobs_.job(job->again);
        job = before != nullptr && isAttempt(*before, *job) ? before : nullptr;
    }
}

void RequestStages::moved(std::uint64_t handle, std::uint16_t slot, Time at)
{
    Request* request = inDrive(slot);
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
    if (Request* request = inDrive(slot)) {
        request->ended = at;
        request->sleepsEnded = sleep_.mark();
        hostSlots_[slot] = noSlot;
    }
}

// Apart from the flattened handling of events, which would else have too few registers.
[[gnu::noinline, gnu::flatten]] void RequestStages::completed(std::uint16_t slot, bool isMeasured, Time at)
{
    Request& request = requests_[slot];
    if (!request.isOpen)
        return; // issued before observation began
    request.isOpen = false;
    const bool isTold = sink_ != nullptr && request.from < sink_->until();
    const bool isDrawn = isTold && sink_->wants(at - request.from, isMeasured);
    const bool isCounted = isMeasured && statistics_ != nullptr;
    const bool isKept = isCounted && statistics_->slowest.takes(at - request.from);
    if (isDrawn || isKept) {
        trace(request, at);
    } else if (isCounted) {
        StageTally::Bin& bin = statistics_->tally.add(request.facts.kind, at - request.from);
        SharedSums sums(bin);
        follow(request, sums, at);
        bin.followed(request.facts.die);
    }
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
    follow(request, traced_.path, at);
    static_cast<RequestFacts&>(traced_) = request.facts;
}

// Whatever the sink takes has ended.
bool RequestStages::isOver(Time at) const
{
    const Time until = sink_->until();
    return at >= until && !jobs_.hasOpenBefore(until) &&
           std::none_of(requests_.begin(), requests_.end(),
                        [until](const Request& request) { return request.isOpen && request.from < until; });
}

void RequestStages::keepJobs()
{
    Time oldest = never;
    for (const Request& request : requests_) {
        if (request.isOpen)
            oldest = std::min(oldest, request.announced);
    }
    if (jobs_.keepSince(oldest))
        causes_.grow();
}

} // namespace strobe::platform
