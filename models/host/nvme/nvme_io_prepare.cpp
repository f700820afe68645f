// SPDX-License-Identifier: Apache-2.0
//
// What a submission entry asks for: its fields are checked, and its structures are fetched from host memory.
#include "models/host/nvme/nvme_io.h"

#include <algorithm>

namespace strobe::host::nvme {

namespace {

std::optional<RequestKind> zoneActionOf(const SubmissionEntry& submission)
{
    switch (static_cast<ZoneSendAction>(submission.dword[13] & 0xFFU)) {
    case ZoneSendAction::Close: return RequestKind::CloseZone;
    case ZoneSendAction::Finish: return RequestKind::FinishZone;
    case ZoneSendAction::Open: return RequestKind::OpenZone;
    case ZoneSendAction::Reset: return RequestKind::ResetZone;
    }
    return std::nullopt;
}

} // namespace

NvmeStatus IoCommands::prepare(Context& context, const SubmissionEntry& submission, const Settings& settings, Time now)
{
    Command& command = context.command;
    const auto opcode = static_cast<IoOpcode>(submission.opcode());
    if ((submission.dword[0] & fusedOrSgl) != 0)
        return NvmeStatus::InvalidField;
    if (!setNamespace(context, submission.namespaceId(), opcode == IoOpcode::Flush))
        return NvmeStatus::InvalidNamespace;
    switch (opcode) {
    case IoOpcode::Flush: command.kind = RequestKind::Flush; return NvmeStatus::Success;
    case IoOpcode::Read:
    case IoOpcode::Compare:
        command.kind = RequestKind::Read;
        context.isCompare = opcode == IoOpcode::Compare;
        break;
    case IoOpcode::Write:
    case IoOpcode::WriteZeroes:
        command.kind = RequestKind::Write;
        command.fua = !settings.isWriteCacheOn || (submission.dword[12] & fuaBit) != 0;
        context.isZeroes = opcode == IoOpcode::WriteZeroes;
        break;
    case IoOpcode::DatasetManagement:
        command.kind = RequestKind::Trim;
        context.isWithoutAction = (submission.dword[11] & deallocateBit) == 0;
        context.ranges.resize((submission.dword[10] & 0xFFU) + 1);
        return context.pages.begin(submission, context.ranges.size() * rangeBytes, settings.pageBytes, dwordBytes);
    case IoOpcode::Copy: {
        const NvmeStatus status = context.copy.begin(submission, context.space,
                                                     !settings.isWriteCacheOn || (submission.dword[12] & fuaBit) != 0);
        return status == NvmeStatus::Success
                   ? context.pages.begin(submission, context.rangeListBytes(), settings.pageBytes, dwordBytes)
                   : status;
    }
    case IoOpcode::IoManagementReceive:
    case IoOpcode::IoManagementSend: return prepareManagement(context, submission, settings);
    case IoOpcode::ZoneManagementSend: return prepareZone(context, submission);
    case IoOpcode::ZoneManagementReceive: return prepareReport(context, submission, settings);
    case IoOpcode::ZoneAppend:
        if (zones().sectors == 0)
            return NvmeStatus::InvalidOpcode;
        if (submission.quad(10) % zones().sectors != 0)
            return NvmeStatus::InvalidField;
        command.kind = RequestKind::Append;
        command.fua = !settings.isWriteCacheOn || (submission.dword[12] & fuaBit) != 0;
        break;
    default: return NvmeStatus::InvalidOpcode;
    }
    NvmeStatus status = prepareBlocks(context, submission);
    if (status == NvmeStatus::Success && takesData(command.kind))
        status = preparePlacement(context, submission, now);
    return status == NvmeStatus::Success && !context.isZeroes ? preparePages(context, submission, settings) : status;
}

// Without a directive, and with a handle that does not exist, handle 0 takes the data.
NvmeStatus IoCommands::preparePlacement(Context& context, const SubmissionEntry& submission, Time now)
{
    const std::uint32_t type = submission.dword[12] >> directiveTypeShift & 0xFU;
    const std::uint32_t handles = drive_->placement().handles;
    if (type == 0)
        return NvmeStatus::Success;
    if (type != placementDirective || handles == 0)
        return NvmeStatus::InvalidField;
    const auto identifier = static_cast<std::uint16_t>(submission.dword[13] >> directiveShift);
    if (identifier < handles)
        context.command.placement = identifier;
    else
        placementEvents_.add({PlacementEventType::InvalidIdentifier, identifier, now, 0, context.number});
    return NvmeStatus::Success;
}

NvmeStatus IoCommands::prepareManagement(Context& context, const SubmissionEntry& submission,
                                         const Settings& settings) const
{
    const std::uint32_t handles = placement().handles;
    const auto operation = static_cast<ManagementOperation>(submission.dword[10] & 0xFFU);
    if (handles == 0)
        return NvmeStatus::InvalidOpcode;
    if (operation == ManagementOperation::None) {
        context.isWithoutAction = true;
        return NvmeStatus::Success;
    }
    if (operation != ManagementOperation::HandleStatusOrUpdate)
        return NvmeStatus::InvalidField;
    if (static_cast<IoOpcode>(submission.opcode()) == IoOpcode::IoManagementReceive) {
        constexpr std::uint32_t mostDwords = 1U << 16U; // more than all handles need
        if (submission.dword[11] >= mostDwords)
            return NvmeStatus::InvalidField;
        context.placementStatusBytes = (submission.dword[11] + 1) * dwordBytes;
        return context.pages.begin(submission, *context.placementStatusBytes, settings.pageBytes, dwordBytes);
    }
    const std::uint32_t identifiers = (submission.dword[10] >> 16U) + 1;
    if (identifiers > handles)
        return NvmeStatus::InvalidField;
    context.command.kind = RequestKind::UpdatePlacement;
    context.identifiers.resize(identifiers);
    return context.pages.begin(submission, context.rangeListBytes(), settings.pageBytes, dwordBytes);
}

NvmeStatus IoCommands::prepareBlocks(Context& context, const SubmissionEntry& submission) const
{
    Command& command = context.command;
    const std::uint64_t lba = submission.quad(10);
    const std::uint64_t blocks = context.space.sectors;
    command.lba = context.space.first + lba;
    command.sectors = (submission.dword[12] & 0xFFFFU) + 1;
    const bool isInRange = lba < blocks && command.sectors <= blocks - lba;
    return isInRange ? NvmeStatus::Success : NvmeStatus::LbaOutOfRange;
}

NvmeStatus IoCommands::prepareZone(Context& context, const SubmissionEntry& submission) const
{
    const std::uint32_t size = zones().sectors;
    if (size == 0)
        return NvmeStatus::InvalidOpcode;
    const std::optional<RequestKind> action = zoneActionOf(submission);
    if (!action)
        return NvmeStatus::InvalidField;
    Command& command = context.command;
    command.kind = *action;
    if ((submission.dword[13] & zoneSelectAll) != 0)
        return NvmeStatus::Success; // no sectors: all zones
    command.lba = submission.quad(10);
    command.sectors = size;
    if (command.lba >= drive_->capacitySectors())
        return NvmeStatus::LbaOutOfRange;
    return command.lba % size == 0 ? NvmeStatus::Success : NvmeStatus::InvalidField;
}

NvmeStatus IoCommands::prepareReport(Context& context, const SubmissionEntry& submission,
                                     const Settings& settings) const
{
    if (zones().sectors == 0)
        return NvmeStatus::InvalidOpcode;
    context.report = zoneReportRequest(submission);
    if (!context.report)
        return NvmeStatus::InvalidField;
    if (context.report->lba >= drive_->capacitySectors())
        return NvmeStatus::LbaOutOfRange;
    return context.pages.begin(submission, context.report->bytes, settings.pageBytes, dwordBytes);
}

// Data may start at any dword, but a tag cannot be split between two pages.
NvmeStatus IoCommands::preparePages(Context& context, const SubmissionEntry& submission, const Settings& settings) const
{
    const std::uint64_t bytes = std::uint64_t{context.command.sectors} * sectorBytes;
    const std::uint32_t alignment = data_.mode() == DataMode::Bytes ? dwordBytes : std::uint32_t{sectorBytes};
    return context.pages.begin(submission, bytes, settings.pageBytes, alignment);
}

// --- structures in host memory ---------------------------------------------------------------------------------------

// Page lists first, then ranges, then the drive.
IoCommands::Slot IoCommands::gather(Context& context, Time now)
{
    if (context.isAborted)
        return release(context, NvmeStatus::AbortRequested, now);
    PciePort::Read read;
    read.slot = context.command.slot;
    if (!context.pages.isComplete()) {
        const PrpPages::List list = context.pages.nextList();
        read.purpose = PciePort::Read::Purpose::PageList;
        read.address = list.address;
        port_.read(read, list.entries * std::uint32_t{sizeof(std::uint64_t)}, now);
        return Slot::Kept;
    }
    if (const std::uint32_t bytes = context.rangeListBytes(); bytes != 0) {
        read.purpose = PciePort::Read::Purpose::Ranges;
        read.address = context.pages.first();
        port_.read(read, bytes, now);
        return Slot::Kept;
    }
    return start(context, now);
}

IoCommands::Slot IoCommands::pageListArrived(std::uint16_t slot, Time now)
{
    Context& context = contexts_[slot];
    const NvmeStatus status = context.pages.readList(memory_);
    return status == NvmeStatus::Success ? gather(context, now) : release(context, status, now);
}

IoCommands::Slot IoCommands::rangesArrived(std::uint16_t slot, Time now)
{
    Context& context = contexts_[slot];
    if (!readRanges(context))
        return release(context, NvmeStatus::DataTransferError, now);
    const NvmeStatus status = checkRanges(context);
    return status == NvmeStatus::Success ? start(context, now) : release(context, status, now);
}

NvmeStatus IoCommands::checkRanges(const Context& context) const
{
    const std::uint64_t blocks = context.space.sectors;
    if (context.copy.isActive())
        return context.copy.check();
    if (!context.identifiers.empty()) {
        const bool exist = std::all_of(context.identifiers.begin(), context.identifiers.end(),
                                       [this](std::uint16_t identifier) { return identifier < placement().handles; });
        return exist ? NvmeStatus::Success : NvmeStatus::InvalidField;
    }
    const bool isInRange =
        std::all_of(context.ranges.begin(), context.ranges.end(), [blocks](const DatasetRange& range) {
            return range.lba <= blocks && range.blocks <= blocks - range.lba;
        });
    return isInRange ? NvmeStatus::Success : NvmeStatus::LbaOutOfRange;
}

bool IoCommands::readRanges(Context& context)
{
    bool isReachable = true;
    std::byte* const target = context.rangeList();
    context.pages.eachPiece(0, context.rangeListBytes(),
                            [&](std::uint64_t address, std::uint64_t done, std::uint32_t part) {
                                isReachable = isReachable && memory_.read(address, target + done, part);
                            });
    return isReachable;
}

} // namespace strobe::host::nvme
