// SPDX-License-Identifier: Apache-2.0
#include "models/host/nvme/nvme_driver.h"

#include "models/base/check.h"
#include "models/host/nvme/nvme_commands.h"
#include "models/host/nvme/nvme_heat.h"
#include "models/host/pcie/pci_config.h"

#include <algorithm>

namespace strobe::host::nvme {

namespace {

constexpr std::uint32_t entriesPerPage = DriverMemory::pageBytes / prpEntryBytes;

CommandStatus commandStatus(NvmeStatus status)
{
    switch (status) {
    case NvmeStatus::Success: return CommandStatus::Ok;
    case NvmeStatus::UnrecoveredReadError: return CommandStatus::Uncorrectable;
    case NvmeStatus::LbaOutOfRange: return CommandStatus::OutOfRange;
    case NvmeStatus::InvalidOpcode: return CommandStatus::NotSupported;
    case NvmeStatus::ZoneBoundaryError: return CommandStatus::ZoneBoundary;
    case NvmeStatus::ZoneIsFull: return CommandStatus::ZoneFull;
    case NvmeStatus::ZoneIsReadOnly: return CommandStatus::ZoneReadOnly;
    case NvmeStatus::ZoneIsOffline: return CommandStatus::ZoneOffline;
    case NvmeStatus::ZoneInvalidWrite: return CommandStatus::ZoneInvalidWrite;
    case NvmeStatus::TooManyActiveZones: return CommandStatus::TooManyActiveZones;
    case NvmeStatus::TooManyOpenZones: return CommandStatus::TooManyOpenZones;
    case NvmeStatus::InvalidZoneStateTransition: return CommandStatus::InvalidZoneTransition;
    default: return CommandStatus::DeviceFault;
    }
}

ZoneSendAction zoneActionOf(RequestKind kind)
{
    switch (kind) {
    case RequestKind::CloseZone: return ZoneSendAction::Close;
    case RequestKind::FinishZone: return ZoneSendAction::Finish;
    case RequestKind::OpenZone: return ZoneSendAction::Open;
    default: return ZoneSendAction::Reset;
    }
}

} // namespace

NvmeDriver::NvmeDriver(const NvmeConfig& config, PciFunction& function, DriverMemory& memory)
    : config_(config), function_(function), memory_(memory), parts_(config.maxTransfer / sectorBytes),
      cpus_(config.queues, config.cpuTime), resets_(config.faults.resetInstants()),
      aborts_(config.faults.abortInstants()), draws_(config.faults.seed, "aborted commands")
{
    pairs_.resize(config.queues + 1);
}

// --- commands --------------------------------------------------------------------------------------------------------

void NvmeDriver::issue(const Command& command, Time now)
{
    check(isAnnounced_ && command.slot < slots_, "a command before the drive was identified, or beyond its slots");
    if (config_.faults.isOn())
        sent_.add(command, step_ == Step::Ready);
    if (step_ == Step::Ready) // else resume() submits it
        submit(command, now);
}

void NvmeDriver::submit(const Command& command, Time now)
{
    const std::uint32_t parts = parts_.begin(command);
    for (std::uint32_t part = 0; part < parts; ++part)
        submitPart(command, part, now);
}

void NvmeDriver::submitPart(const Command& command, std::uint32_t part, Time now)
{
    const Time at = cpus_.work(queueOf(command.slot), now) + config_.submit;
    if (at == now)
        submitCommand(command, part, now);
    else
        events_.push(at, {Event::Kind::Submit, 0, command, starts_, part});
}

void NvmeDriver::submitCommand(const Command& command, std::uint32_t part, Time now)
{
    SubmissionEntry submission;
    submission.dword[0] = (part * slotsOfQueue() + command.slot / config_.queues) << 16U;
    const HostSpaces::Place place = spaces_.placeOf(command.lba, command.sectors);
    submission.dword[1] = place.space;
    IoOpcode opcode = IoOpcode::Flush;
    switch (command.kind) {
    case RequestKind::Flush:
        if (spaces_.areSeveral())
            submission.dword[1] = allNamespaces;
        break;
    case RequestKind::Read:
    case RequestKind::Write:
    case RequestKind::Append:
        opcode = command.kind == RequestKind::Read    ? IoOpcode::Read
                 : command.kind == RequestKind::Write ? IoOpcode::Write
                                                      : IoOpcode::ZoneAppend;
        submission.setQuad(10, place.lba + parts_.first(part));
        submission.dword[12] = (parts_.sectors(command, part) - 1) | (command.fua ? fuaBit : 0U);
        if (command.placement) {
            submission.dword[12] |= placementDirective << directiveTypeShift;
            submission.dword[13] = std::uint32_t{*command.placement} << directiveShift;
        }
        setPages(submission, command, part);
        break;
    case RequestKind::Trim: {
        opcode = IoOpcode::DatasetManagement;
        submission.dword[11] = deallocateBit; // one range
        std::uint64_t& page = ranges_[command.slot];
        if (page == 0)
            page = memory_.allocate(DriverMemory::pageBytes);
        const DatasetRange range{0, command.sectors, place.lba};
        memory_.write(page, &range, sizeof range);
        submission.setQuad(6, page);
        break;
    }
    case RequestKind::OpenZone:
    case RequestKind::CloseZone:
    case RequestKind::FinishZone:
    case RequestKind::ResetZone:
        opcode = IoOpcode::ZoneManagementSend;
        submission.setQuad(10, place.lba);
        submission.dword[13] = static_cast<std::uint32_t>(zoneActionOf(command.kind));
        break;
    case RequestKind::UpdatePlacement: checkFailed("the driver has no such request", __FILE__, __LINE__);
    }
    submission.dword[0] |= static_cast<std::uint32_t>(opcode);
    putCommand(queueOf(command.slot), submission, now);
}

// A queue has an entry for each request, but perhaps not for all of their parts.
void NvmeDriver::putCommand(std::uint32_t queue, const SubmissionEntry& submission, Time now)
{
    Pair& pair = pairs_[queue];
    if (pair.outstanding == slotsOfQueue()) {
        pair.waiting.push_back(submission);
        return;
    }
    ++pair.outstanding;
    put(queue, submission, now);
}

std::uint64_t NvmeDriver::listPage(std::uint32_t slot, std::size_t number)
{
    std::vector<std::uint64_t>& pages = lists_[slot];
    while (pages.size() <= number)
        pages.push_back(memory_.allocate(DriverMemory::pageBytes));
    return pages[number];
}

// Each part has lists of its own.
void NvmeDriver::setPages(SubmissionEntry& submission, const Command& command, std::uint32_t part)
{
    constexpr std::uint32_t perPage = DriverMemory::pageBytes / sectorBytes;
    const std::uint32_t slot = command.slot;
    const std::uint32_t first = parts_.first(part) / perPage;
    const std::uint32_t pages = (parts_.sectors(command, part) + perPage - 1) / perPage;
    submission.setQuad(6, DriverMemory::dataPage(slot, first));
    if (pages == 2)
        submission.setQuad(8, DriverMemory::dataPage(slot, first + 1));
    if (pages <= 2)
        return;
    std::size_t list = std::size_t{part} * (config_.maxTransfer / DriverMemory::pageBytes / (entriesPerPage - 1) + 1);
    submission.setQuad(8, listPage(slot, list));
    for (std::uint32_t page = 1; page < pages;) {
        scratch_.clear();
        const bool continues = pages - page > entriesPerPage;
        const std::uint32_t count = continues ? entriesPerPage - 1 : pages - page;
        for (std::uint32_t i = 0; i < count; ++i)
            scratch_.push_back(DriverMemory::dataPage(slot, first + page + i));
        if (continues)
            scratch_.push_back(listPage(slot, list + 1));
        memory_.write(listPage(slot, list), scratch_.data(),
                      static_cast<std::uint32_t>(scratch_.size() * prpEntryBytes));
        page += count;
        ++list;
    }
}

void NvmeDriver::put(std::uint32_t queue, const SubmissionEntry& submission, Time now)
{
    Pair& pair = pairs_[queue];
    memory_.write(pair.submission(), submission.dword.data(), submissionBytes);
    pair.advanceTail();
    write32(pair.tailDoorbell(stride_), pair.sqTail, now);
}

// --- interrupts ------------------------------------------------------------------------------------------------------

void NvmeDriver::message(std::uint64_t address, std::uint32_t data, Time now)
{
    check(address == messageAddress && data < pairs_.size(), "an MSI-X message that was not configured");
    Pair& pair = pairs_[data];
    if (pair.isHandlerDue)
        return;
    pair.isHandlerDue = true;
    if (config_.interrupt == Time{})
        handle(data, now);
    else
        events_.push(now + config_.interrupt, {Event::Kind::Handler, data, {}});
}

void NvmeDriver::handle(std::uint32_t queue, Time now)
{
    pairs_[queue].isHandlerDue = false;
    bool hasFound = false;
    for (;;) {
        Pair& pair = pairs_[queue];
        CompletionEntry completion;
        memory_.read(pair.completion(), &completion, completionBytes);
        if (!pair.isNew(completion))
            break;
        hasFound = true;
        pair.advanceHead();
        if (queue == 0)
            adminDone(completion, now);
        else
            commandDone(queue, completion, now);
    }
    if (hasFound)
        write32(pairs_[queue].headDoorbell(stride_), pairs_[queue].cqHead, now);
}

void NvmeDriver::commandDone(std::uint32_t queue, const CompletionEntry& completion, Time now)
{
    const std::uint16_t slot = slotOf(queue, completion.commandId);
    Pair& pair = pairs_[queue];
    --pair.outstanding;
    if (!pair.waiting.empty() && step_ == Step::Ready) {
        putCommand(queue, pair.waiting.front(), now);
        pair.waiting.pop_front();
    }
    if (completion.status() == NvmeStatus::AbortRequested) {
        ++faults_.aborted;
        if (step_ != Step::Ready) // resume() submits it
            return;
        ++faults_.sentAgain;
        submitPart(sent_.at(slot), completion.commandId / slotsOfQueue(), now);
        return;
    }
    const Time at = cpus_.work(queue, now);
    if (!parts_.end(slot, completion.status()))
        return;
    sent_.remove(slot);
    if (at == now) {
        host_->completed(slot, commandStatus(parts_.status(slot)), now);
        return;
    }
    Command ended;
    ended.slot = slot;
    events_.push(at, {Event::Kind::Completed, 0, ended, starts_, 0, parts_.status(slot)});
}

// --- planned faults --------------------------------------------------------------------------------------------------

void NvmeDriver::planFaults(Time now)
{
    planReset(now);
    const Time abort = aborts_.next(now);
    if (abort != never)
        events_.push(abort, {Event::Kind::Abort, 0, {}, starts_});
}

void NvmeDriver::planReset(Time now)
{
    const Time at = resets_.next(now);
    if (at != never)
        events_.push(at, {Event::Kind::Reset, 0, {}, starts_});
}

void NvmeDriver::reset(Time now)
{
    ++faults_.resets;
    sent_.noteReset();
    resetSince_ = now;
    isAborting_ = false;
    step_ = Step::Disable; // commands wait from now on
    for (std::uint32_t queue = 1; queue < pairs_.size(); ++queue)
        handle(queue, now);
    enter(Step::Disable, now);
}

void NvmeDriver::resume(Time now)
{
    faults_.longestReset = std::max(faults_.longestReset, now - resetSince_);
    faults_.sentAgain += sent_.sendAll();
    host_->sentAgain(now);
    for (std::size_t i = 0; i < sent_.count(); ++i)
        submit(sent_[i], now);
}

void NvmeDriver::abort(Time now)
{
    const Time next = aborts_.next(now);
    if (next != never)
        events_.push(next, {Event::Kind::Abort, 0, {}, starts_});
    if (isAborting_ || sent_.count() == 0)
        return;
    ++faults_.aborts;
    isAborting_ = true;
    const std::uint16_t slot = sent_[draws_.below(sent_.count())].slot;
    SubmissionEntry submission = abortOf(queueOf(slot), slot / config_.queues);
    submission.dword[0] |= std::uint32_t{abortId} << 16U;
    put(0, submission, now);
}

void NvmeDriver::advance(Time now)
{
    while (events_.isDue(now)) {
        const Event event = events_.pop();
        switch (event.kind) {
        case Event::Kind::StatusRead: statusRead(now); break;
        case Event::Kind::Submit:
            if (event.start == starts_ && step_ == Step::Ready) // else resume() has submitted it
                submitCommand(event.command, event.part, now);
            break;
        case Event::Kind::Completed: host_->completed(event.command.slot, commandStatus(event.status), now); break;
        case Event::Kind::Handler: handle(event.vector, now); break;
        case Event::Kind::Reset:
            if (event.start == starts_ && step_ == Step::Ready)
                sent_.isStarving() ? planReset(now) : reset(now);
            break;
        case Event::Kind::Abort:
            if (event.start == starts_ && step_ == Step::Ready)
                abort(now);
            break;
        }
    }
}

} // namespace strobe::host::nvme
