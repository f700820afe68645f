// SPDX-License-Identifier: Apache-2.0
#include "models/host/nvme/nvme_io.h"

#include "models/base/check.h"

#include <algorithm>
#include <utility>

namespace strobe::host::nvme {

namespace {

NvmeStatus statusOf(CommandStatus status)
{
    switch (status) {
    case CommandStatus::Ok: return NvmeStatus::Success;
    case CommandStatus::Uncorrectable: return NvmeStatus::UnrecoveredReadError;
    case CommandStatus::OutOfRange: return NvmeStatus::LbaOutOfRange;
    case CommandStatus::NotSupported: return NvmeStatus::InvalidOpcode;
    case CommandStatus::DeviceFault: return NvmeStatus::InternalError;
    case CommandStatus::ZoneBoundary: return NvmeStatus::ZoneBoundaryError;
    case CommandStatus::ZoneFull: return NvmeStatus::ZoneIsFull;
    case CommandStatus::ZoneReadOnly: return NvmeStatus::ZoneIsReadOnly;
    case CommandStatus::ZoneOffline: return NvmeStatus::ZoneIsOffline;
    case CommandStatus::ZoneInvalidWrite: return NvmeStatus::ZoneInvalidWrite;
    case CommandStatus::TooManyActiveZones: return NvmeStatus::TooManyActiveZones;
    case CommandStatus::TooManyOpenZones: return NvmeStatus::TooManyOpenZones;
    case CommandStatus::InvalidZoneTransition: return NvmeStatus::InvalidZoneStateTransition;
    }
    checkFailed("unknown command status", __FILE__, __LINE__);
}

} // namespace

IoCommands::IoCommands(DataMode mode, PciePort& port, HostMemory& memory, CompletionPath& completions,
                       std::uint32_t mostWrites)
    : port_(port), memory_(memory), completions_(completions), data_(mode, port, memory), admission_(mostWrites)
{
}

void IoCommands::connect(HostPort& drive)
{
    drive_ = &drive;
    data_.connect(drive);
    contexts_.resize(drive.slots());
    for (std::uint32_t slot = drive.slots(); slot-- > 0;)
        freeSlots_.push_back(static_cast<std::uint16_t>(slot));
}

void IoCommands::reset()
{
    promised_ = 0;
    admission_.reset();
    for (std::size_t slot = 0; slot < contexts_.size(); ++slot) {
        Context& context = contexts_[slot];
        if (context.state == Context::State::Gathering || context.state == Context::State::InLine) {
            context.state = Context::State::Free;
            freeSlots_.push_back(static_cast<std::uint16_t>(slot));
        }
        context.isDropped = context.state == Context::State::InDrive;
    }
}

// --- arrival ---------------------------------------------------------------------------------------------------------

IoCommands::Context& IoCommands::take()
{
    const std::uint16_t slot = freeSlots_.back();
    freeSlots_.pop_back();
    Context& context = contexts_[slot];
    context.state = Context::State::Gathering;
    context.isAborted = context.isDropped = context.isShutdownFlush = context.isFormat = false;
    context.isZeroes = context.hasFailed = context.isWithoutAction = false;
    context.isCompare = context.isDifferent = context.isWrite = false;
    context.number = 0;
    context.space = {};
    context.command = {};
    context.command.slot = slot;
    context.pages.clear();
    context.ranges.clear();
    context.nextRange = 0;
    context.copy.end();
    context.place = 0;
    context.report.reset();
    context.placementStatusBytes.reset();
    context.identifiers.clear();
    return context;
}

IoCommands::Slot IoCommands::execute(std::uint16_t queue, const SubmissionEntry& submission, const Settings& settings,
                                     Time now)
{
    --promised_;
    Context& context = take();
    context.queue = queue;
    context.id = submission.id();
    context.command.origin = std::uint32_t{queue} << 16U | context.id;
    const NvmeStatus status = isFormatting(submission.namespaceId()) ? NvmeStatus::FormatInProgress
                                                                     : prepare(context, submission, settings, now);
    return status == NvmeStatus::Success ? gather(context, now) : release(context, status, now);
}

bool IoCommands::isFormatting(std::uint32_t space) const
{
    return formatting_ != 0 && (formatting_ == allNamespaces || space == allNamespaces || space == formatting_);
}

// False: there is no such namespace.
bool IoCommands::setNamespace(Context& context, std::uint32_t space, bool mayBeAll) const
{
    context.number = space;
    if (hasNamespace(space))
        context.space = namespaceAt(space);
    return hasNamespace(space) || (mayBeAll && space == allNamespaces);
}

// What is on its way from host memory is awaited, and so is the turn of a command in line.
bool IoCommands::abort(std::uint16_t queue, std::uint16_t id)
{
    const auto found = std::find_if(contexts_.begin(), contexts_.end(), [&](const Context& context) {
        const bool isHere = context.state == Context::State::Gathering || context.state == Context::State::InLine;
        return isHere && context.queue == queue && context.id == id;
    });
    if (found == contexts_.end())
        return false;
    found->isAborted = true;
    if (found->state == Context::State::InLine) {
        admission_.withdraw(found->command.slot);
        found->isWrite = false;
    }
    return true;
}

// --- the drive -------------------------------------------------------------------------------------------------------

IoCommands::Slot IoCommands::start(Context& context, Time now)
{
    if (context.isAborted)
        return release(context, NvmeStatus::AbortRequested, now);
    if (context.isWithoutAction)
        return release(context, NvmeStatus::Success, now);
    if (context.report)
        return reportZones(context, now);
    if (context.placementStatusBytes)
        return answer(context, placementStatus(drive_->placementEntries(now), *context.placementStatusBytes), now);
    context.isWrite = takesData(context.command.kind) && !context.copy.isActive();
    if (admission_.admit(context.command.slot, context.isWrite))
        return submit(context, now);
    context.state = Context::State::InLine;
    return Slot::Kept;
}

// Commands in line, until one has to wait again.
void IoCommands::submitWaiting(Time now)
{
    while (const auto slot = admission_.next())
        submit(contexts_[*slot], now);
}

// REQUIRES: it is admitted.
IoCommands::Slot IoCommands::submit(Context& context, Time now)
{
    if (context.isAborted)
        return release(context, NvmeStatus::AbortRequested, now);
    context.state = Context::State::InDrive;
    ++inDrive_;
    if (context.copy.isActive())
        return submitCopy(context, now);
    if (context.command.kind == RequestKind::Trim)
        return submitRange(context, now);
    if (context.command.kind == RequestKind::UpdatePlacement)
        return submitUpdate(context, now);
    if (context.command.kind == RequestKind::Read) {
        ++statistics_.reads;
        statistics_.sectorsRead += context.command.sectors;
    } else if (takesData(context.command.kind)) {
        ++statistics_.writes;
        statistics_.sectorsWritten += context.command.sectors;
    }
    drive_->submit(context.command, now);
    return Slot::Kept;
}

// The next range of a deallocation; empty ranges are skipped.
IoCommands::Slot IoCommands::submitRange(Context& context, Time now)
{
    while (context.nextRange < context.ranges.size() && context.ranges[context.nextRange].blocks == 0)
        ++context.nextRange;
    if (context.nextRange == context.ranges.size() && context.isFormat) {
        context.command.kind = RequestKind::Flush;
        context.command.lba = context.command.sectors = 0;
        drive_->submit(context.command, now);
        return Slot::Kept;
    }
    if (context.nextRange == context.ranges.size())
        return release(context, NvmeStatus::Success, now);
    const DatasetRange& range = context.ranges[context.nextRange++];
    context.command.lba = context.space.first + range.lba;
    context.command.sectors = range.blocks;
    drive_->submit(context.command, now);
    return Slot::Kept;
}

// The next handle that gets a new reclaim unit.
IoCommands::Slot IoCommands::submitUpdate(Context& context, Time now)
{
    if (context.nextRange == context.identifiers.size())
        return release(context, NvmeStatus::Success, now);
    const std::uint16_t handle = context.identifiers[context.nextRange++];
    const std::uint32_t available = drive_->placementEntries(now)[handle].available;
    if (available != 0 && available != placement().unitSectors) // an empty one is kept
        placementEvents_.add({PlacementEventType::UnitNotFull, handle, now, 0, context.number});
    context.command.placement = handle;
    drive_->submit(context.command, now);
    return Slot::Kept;
}

// The next read or write of a copy.
IoCommands::Slot IoCommands::submitCopy(Context& context, Time now)
{
    if (!context.copy.next(context.command, data_.mode()))
        return release(context, NvmeStatus::Success, now);
    drive_->submit(context.command, now);
    return Slot::Kept;
}

// The time in which the zone table is read from the drive's memory is its port's; the answer does not wait for it.
IoCommands::Slot IoCommands::reportZones(Context& context, Time now)
{
    const ZoneShape shape = zones();
    const auto first = static_cast<std::uint32_t>(context.report->lba / shape.sectors);
    const auto count = static_cast<std::uint32_t>(capacitySectors() / shape.sectors) - first;
    const std::vector<std::byte> report =
        zoneReport(*context.report, shape, first, drive_->zoneStates(first, count, now).zones);
    return answer(context, report, now);
}

// A structure for the host; then the command is complete.
IoCommands::Slot IoCommands::answer(Context& context, const std::vector<std::byte>& data, Time now)
{
    bool isReachable = true;
    TlpTrain train;
    context.pages.eachPiece(0, data.size(), [&](std::uint64_t address, std::uint64_t done, std::uint32_t part) {
        isReachable = isReachable && memory_.write(address, data.data() + done, part);
        train.add(writeTrain(port_.config(), address, part));
    });
    port_.link().sendUp(train, now); // ahead of the completion, in the same direction
    return release(context, isReachable ? NvmeStatus::Success : NvmeStatus::DataTransferError, now);
}

void IoCommands::flushForShutdown(Time now)
{
    Context& context = take();
    context.isShutdownFlush = true;
    context.command.kind = RequestKind::Flush;
    start(context, now);
}

void IoCommands::format(std::uint16_t id, std::uint32_t space, Time now)
{
    constexpr std::uint32_t most = 1U << 31U; // blocks of a range
    Context& context = take();
    context.isFormat = true;
    context.space = space == allNamespaces ? SectorPart{0, capacitySectors()} : namespaceAt(space);
    formatting_ = space;
    context.queue = 0;
    context.id = id;
    context.command.kind = RequestKind::Trim;
    for (std::uint64_t lba = 0; lba < context.space.sectors; lba += most)
        context.ranges.push_back(
            {0, static_cast<std::uint32_t>(std::min<std::uint64_t>(most, context.space.sectors - lba)), lba});
    start(context, now);
}

// What a command of the drive has done, for the logs.
void IoCommands::note(const Context& context, CommandStatus status)
{
    const Command& command = context.command;
    if (status == CommandStatus::Uncorrectable) {
        ++statistics_.mediaErrors;
        unrecoverable_.readFailed(command.lba, command.sectors);
    }
    if (status != CommandStatus::Ok)
        return;
    switch (command.kind) {
    case RequestKind::Write:
    case RequestKind::Trim: unrecoverable_.replaced(command.lba, command.sectors); break;
    case RequestKind::Append: unrecoverable_.replaced(context.place, command.sectors); break;
    case RequestKind::ResetZone: // of one zone or of all
        if (command.sectors == 0)
            unrecoverable_.clear();
        else
            unrecoverable_.replaced(command.lba, command.sectors);
        break;
    default: break;
    }
}

IoCommands::Ended IoCommands::complete(std::uint16_t slot, CommandStatus status, Time now)
{
    Context& context = contexts_[slot];
    check(context.state == Context::State::InDrive, "the drive completed a command that it does not have");
    note(context, status);
    if (status == CommandStatus::Ok && context.command.kind == RequestKind::Trim && !context.isDropped)
        return {submitRange(context, now), false};
    if (status == CommandStatus::Ok && context.command.kind == RequestKind::UpdatePlacement && !context.isDropped)
        return {submitUpdate(context, now), false};
    if (status == CommandStatus::Ok && context.copy.isActive() && !context.isDropped)
        return {submitCopy(context, now), false};
    const bool isUnreachable = status == CommandStatus::Ok && context.hasFailed;
    const bool isShutdownFlush = context.isShutdownFlush && !context.isDropped;
    NvmeStatus end = isUnreachable ? NvmeStatus::DataTransferError : statusOf(status);
    if (end == NvmeStatus::Success && context.isDifferent)
        end = NvmeStatus::CompareFailure;
    return {release(context, end, now), isShutdownFlush};
}

IoCommands::Slot IoCommands::release(Context& context, NvmeStatus status, Time now)
{
    inDrive_ -= context.state == Context::State::InDrive ? 1U : 0U;
    formatting_ = context.isFormat ? 0 : formatting_;
    const bool wasWrite = std::exchange(context.isWrite, false);
    context.state = Context::State::Free;
    freeSlots_.push_back(context.command.slot);
    if (!context.isDropped && !context.isShutdownFlush)
        completions_.finish(context.queue, context.id, status, context.place, now);
    if (wasWrite) {
        admission_.writeEnded();
        submitWaiting(now);
    }
    return Slot::Released;
}

// --- data ------------------------------------------------------------------------------------------------------------

void IoCommands::transfer(const TransferOrder& order, Time now)
{
    Context& context = contexts_[order.slot];
    if (context.copy.isActive())
        data_.inside(order, context.copy.data(order.first), now);
    else if (context.isZeroes)
        data_.zeroes(order, now);
    else if (!order.toHost || context.isCompare)
        data_.requestFromHost(context.pages, order, now);
    else if (!data_.toHost(context.pages, order, context.isDropped, now))
        context.hasFailed = true;
}

void IoCommands::dataArrived(const PciePort::Read& read, Time now)
{
    Context& context = contexts_[read.slot];
    if (context.isCompare) {
        const DataMover::Comparison found = data_.compare(context.pages, read, context.isDropped, now);
        context.isDifferent = context.isDifferent || found == DataMover::Comparison::Different;
        context.hasFailed = context.hasFailed || found == DataMover::Comparison::Unreachable;
    } else if (!data_.fromHost(context.pages, read, now))
        context.hasFailed = true;
}

} // namespace strobe::host::nvme
