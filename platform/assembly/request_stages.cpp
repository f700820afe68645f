// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/request_stages.h"

#include "models/base/check.h"
#include "platform/assembly/stage_sink.h"

#include <algorithm>

namespace strobe::platform {

namespace {

constexpr std::uint32_t noSlot = UINT32_MAX;
constexpr std::size_t deepest = CpuSleep::depths - 1; // jobs that a wait is followed back through

} // namespace

RequestStages::RequestStages(ObservedDrive drive, Done done)
    : done_(std::move(done)), hostSlotOf_(std::move(drive.hostSlotOf)),
      jobs_(drive.dies, drive.units, drive.buses, drive.dataBuffer), sleep_(drive.cores), requests_(drive.slots),
      hostSlots_(drive.slots, noSlot)
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
    if (slot >= hostSlots_.size() || hostSlots_[slot] == noSlot)
        return nullptr;
    Request& request = requests_[hostSlots_[slot]];
    return request.isOpen ? &request : nullptr;
}

void RequestStages::issued(const host::Command& command, std::uint64_t number, Time from, Time at)
{
    if (isStopped_)
        return;
    if (requests_.size() <= command.slot)
        requests_.resize(command.slot + std::size_t{1});
    Request& request = requests_[command.slot];
    request.traced.id = number;
    request.traced.kind = command.kind;
    request.traced.lba = command.lba;
    request.traced.sectors = command.sectors;
    request.traced.die = UINT32_MAX;
    request.from = from;
    request.issued = at;
    request.arrived = request.announced = request.ended = never;
    request.transfers.clear();
    request.moved = 0;
    request.isDirect = false;
    request.isOpen = true;
    if (sink_ != nullptr)
        sink_->opened(request.traced.id, from);
}

void RequestStages::arrived(const host::Command& command, Time at)
{
    if (hostSlots_.size() <= command.slot)
        hostSlots_.resize(command.slot + std::size_t{1}, noSlot);
    const std::uint16_t slot = hostSlotOf_ ? hostSlotOf_(command) : command.slot;
    const bool isKnown = slot < requests_.size() && requests_[slot].isOpen && requests_[slot].arrived == never;
    hostSlots_[command.slot] = isKnown ? slot : noSlot;
    if (isKnown)
        requests_[slot].arrived = at;
}

void RequestStages::announced(std::uint16_t slot, Time at)
{
    if (Request* request = inDrive(slot))
        request->announced = at;
}

void RequestStages::ordered(const host::ObservedTransfer& transfer, Time at)
{
    Request* request = inDrive(transfer.slot);
    if (request == nullptr)
        return;
    Transfer made{transfer.handle, 0, at, never};
    request->isDirect = transfer.isDirect;
    if (transfer.isDirect) {
        jobs_.takeRow(
            {UnitId{static_cast<std::uint16_t>(transfer.token >> 16)}, static_cast<std::uint16_t>(transfer.token)},
            request->traced.id, at, request->direct);
    } else if (!transfer.toHost) {
        jobs_.filled(transfer.buffer, transfer.sectors, request->traced.id);
    } else if (FlashJob* job = jobs_.readerOf(transfer.buffer, transfer.sectors)) {
        made.job = job->id;
        if (job->request == 0) {
            job->request = request->traced.id;
            if (sink_ != nullptr)
                sink_->serves(job->number, request->traced.id);
        }
    }
    request->transfers.push_back(made);
}

void RequestStages::moved(std::uint64_t handle, std::uint16_t slot, Time at)
{
    Request* request = inDrive(slot);
    if (request == nullptr)
        return;
    std::vector<Transfer>& transfers = request->transfers; // mostly they end in order
    for (std::size_t i = request->moved; i < transfers.size(); ++i) {
        if (transfers[i].handle != handle || transfers[i].ended != never)
            continue;
        transfers[i].ended = at;
        while (request->moved < transfers.size() && transfers[request->moved].ended != never)
            ++request->moved;
        return;
    }
}

void RequestStages::ended(std::uint16_t slot, Time at)
{
    if (Request* request = inDrive(slot)) {
        request->ended = at;
        hostSlots_[slot] = noSlot;
    }
}

void RequestStages::completed(std::uint16_t slot, bool isMeasured, Time at)
{
    Request& request = requests_[slot];
    if (!request.isOpen)
        return; // issued before observation began
    request.isOpen = false;
    const bool isDrawn = sink_ != nullptr && request.from < sink_->until();
    const bool isCounted = isMeasured && done_;
    if (isDrawn || isCounted) {
        follow(request, at);
        check(request.traced.path.start() == request.from && request.traced.path.end() == at,
              "the stages of a request do not add up to its latency");
    }
    if (isDrawn)
        sink_->request(request.traced, isMeasured);
    if (isCounted)
        done_(request.traced);
    if (sink_ != nullptr && !done_ && isOver(at)) {
        isStopped_ = true;
        jobs_.stop();
    }
}

// Whatever the sink takes has ended.
bool RequestStages::isOver(Time at) const
{
    const Time until = sink_->until();
    return at >= until && !jobs_.hasOpenBefore(until) &&
           std::none_of(requests_.begin(), requests_.end(),
                        [until](const Request& request) { return request.isOpen && request.from < until; });
}

// --- the way of a request --------------------------------------------------------------------------------------------

void RequestStages::follow(Request& request, Time at)
{
    StagePath& path = request.traced.path;
    path.begin(request.from);
    path.add(RequestStage::HostQueue, request.issued);
    longest_ = {};
    request.dies = {};
    if (request.ended != never && request.ended <= at) {
        path.add(RequestStage::HostLink, request.arrived);
        if (request.announced != never) // else it is served without firmware
            path.add(RequestStage::CommandFetch, std::min(request.announced, request.ended));
        if (request.traced.kind == host::RequestKind::Read)
            followRead(request);
        else
            followWrite(request);
        addFirmware(request, request.ended, Waits::ForFlash);
        path.add(RequestStage::Completion, at);
    }
    path.add(RequestStage::HostLink, at); // it did not reach the drive
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

void RequestStages::followRead(Request& request)
{
    StagePath& path = request.traced.path;
    const Transfer* last = lastOf(request);
    if (last == nullptr)
        return; // it has failed
    if (request.isDirect) {
        const Time listed = std::min(request.direct.path.start(), last->ordered);
        request.dies = request.direct.dies;
        if (request.announced == never)
            path.add(RequestStage::CommandFetch, listed); // the synthesizer looks it up
        addFirmware(request, listed, Waits::ForBuffer);
        path.add(request.direct.path, last->ordered);
        request.traced.die = raw(request.direct.die);
    } else if (const FlashJob* job = jobs_.job(last->job); job != nullptr && job->visible > path.end()) {
        request.dies = job->dies;
        addFirmware(request, std::min(job->listed, last->ordered), Waits::ForBuffer);
        addJob(request, *job, last->ordered, Waits::ForFlash);
    }
    addFirmware(request, last->ordered, Waits::ForBuffer);
    path.add(RequestStage::HostLink, last->ended);
}

void RequestStages::followWrite(Request& request)
{
    const Transfer* last = lastOf(request);
    if (last == nullptr)
        return;
    addFirmware(request, last->ordered, Waits::ForBuffer);
    request.traced.path.add(RequestStage::HostLink, last->ended);
}

// Firmware has the request from the end of the path until it acts.
void RequestStages::addFirmware(Request& request, Time until, Waits waits, std::size_t depth)
{
    StagePath& path = request.traced.path;
    if (path.end() >= until)
        return;
    const Time asleep = sleep_.firstSleep(path.end(), until, depth);
    if (asleep != never) {
        path.add(RequestStage::Firmware, asleep);
        addWait(request, sleep_.lastWakeUp(asleep, until, depth), waits, depth);
    }
    path.add(RequestStage::Firmware, until);
}

// From the end of the path to `until`, when something has woken firmware up.
void RequestStages::addWait(Request& request, Time until, Waits waits, std::size_t depth)
{
    StagePath& path = request.traced.path;
    const Time from = path.end();
    if (from >= until)
        return;
    const FlashJob* job = jobs_.lastVisible(until, depth);
    if (job != nullptr && job->visible <= from)
        job = nullptr;
    const Transfer* own = nullptr; // a transfer of the request
    for (const Transfer& transfer : request.transfers) {
        if (transfer.ended <= until && transfer.ended > from && (own == nullptr || transfer.ended > own->ended))
            own = &transfer;
    }
    if (own != nullptr && (job == nullptr || own->ended > job->visible)) {
        if (depth < deepest)
            addFirmware(request, std::min(own->ordered, until), waits, depth + 1);
        path.add(RequestStage::HostLink, own->ended);
    } else if (job != nullptr) {
        if (depth < deepest)
            addFirmware(request, std::min(job->listed, until), waits, depth + 1);
        addJob(request, *job, until, waits);
    }
    path.add(waits == Waits::ForBuffer && request.traced.kind == host::RequestKind::Write ? RequestStage::BufferWait
                                                                                          : RequestStage::Firmware,
             until);
}

void RequestStages::addJob(Request& request, const FlashJob& job, Time until, Waits waits)
{
    StagePath& path = request.traced.path;
    const Time from = path.end();
    const Time end = std::min(until, job.visible);
    if (job.opcode == controller::SuperchipOpcode::Read && job.purpose == nand::Purpose::Metadata) {
        path.add(RequestStage::MapWait, end);
    } else if (waits == Waits::ForFlash || job.request == request.traced.id) {
        path.add(job.path, end);
    } else if (job.dies == request.dies) {
        for (const StageSegment& segment : job.path.segments()) {
            if (path.end() >= end)
                break;
            const bool isWork =
                segment.stage == idOf(RequestStage::Array) || segment.stage == idOf(RequestStage::Transfer);
            path.add(isWork ? job.work() : segment.stage, std::min(segment.end, end));
        }
    } else {
        for (const StageSegment& segment : job.path.segments()) {
            if (path.end() >= end)
                break;
            path.add(idOf(RequestStage::BufferWait), std::min(segment.end, end), segment.stage);
        }
    }
    if (path.end() - from > longest_) {
        longest_ = path.end() - from;
        request.traced.die = raw(job.die);
    }
}

} // namespace strobe::platform
