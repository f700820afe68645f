// SPDX-License-Identifier: Apache-2.0
//
// What the host reads about the drive: Identify, log pages, status of blocks.
#include "models/host/nvme/nvme_admin.h"

#include "models/host/nvme/nvme_zones.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <utility>

namespace strobe::host::nvme {

NvmeStatus AdminCommands::returnData(const SubmissionEntry& submission, const void* data, std::uint32_t bytes,
                                     std::uint32_t pageBytes, Time now)
{
    const std::uint64_t first = submission.prp1();
    const auto inFirst = static_cast<std::uint32_t>(std::min<std::uint64_t>(bytes, pageBytes - first % pageBytes));
    if (first % 4 != 0 || (bytes > inFirst && submission.prp2() % pageBytes != 0))
        return NvmeStatus::PrpOffsetInvalid;
    const auto* source = static_cast<const std::byte*>(data);
    if (!parts_.memory.write(first, source, inFirst) ||
        (bytes > inFirst && !parts_.memory.write(submission.prp2(), source + inFirst, bytes - inFirst)))
        return NvmeStatus::DataTransferError;
    const PcieConfig& config = parts_.port.config();
    TlpTrain train = writeTrain(config, first, inFirst);
    train.add(writeTrain(config, submission.prp2(), bytes - inFirst));
    parts_.port.link().sendUp(train, now); // ahead of the completion, in the same direction
    return NvmeStatus::Success;
}

NvmeStatus AdminCommands::identify(const SubmissionEntry& submission, std::uint32_t pageBytes, Time now)
{
    enum Structure : std::uint32_t {
        oneNamespace = 0,
        controller = 1,
        activeList = 2,
        descriptors = 3,
        namespaceOfCommandSet = 5,
        controllerOfCommandSet = 6
    };
    const ZoneShape zones = parts_.io.zones();
    const bool isOfZones = zones.sectors != 0 && submission.dword[11] >> 24U == zonedCommandSet;
    const std::uint32_t space = submission.namespaceId();
    const bool isNamespace = parts_.io.hasNamespace(space);
    IdentifyPage page{};
    switch (submission.dword[10] & 0xFFU) {
    case oneNamespace:
        if (!isNamespace) // what all namespaces have in common is for controllers with namespace management
            return NvmeStatus::InvalidNamespace;
        page = identifyNamespace(parts_.io.namespaceAt(space).sectors, hasPlacement(), space);
        break;
    case controller:
        page = identifyController({maxTransferPages, AsyncEvents::requestLimit, std::uint32_t{ErrorLog::size},
                                   of_.hasVolatileCache, isZoned(), hasPlacement(), parts_.io.namespaces(),
                                   parts_.power.states(), temperatures()});
        break;
    case activeList:
        if (space >= 0xFFFF'FFFE)
            return NvmeStatus::InvalidNamespace;
        page = activeNamespaces(space, parts_.io.namespaces());
        break;
    case descriptors:
        if (!isNamespace)
            return NvmeStatus::InvalidNamespace;
        page = namespaceDescriptors(zones.sectors != 0, space);
        break;
    case namespaceOfCommandSet:
        if (!isOfZones)
            return NvmeStatus::InvalidField;
        if (!isNamespace)
            return NvmeStatus::InvalidNamespace;
        page = identifyZonedNamespace(zones);
        break;
    case controllerOfCommandSet:
        if (!isOfZones)
            return NvmeStatus::InvalidField;
        page = identifyZonedController();
        break;
    default: return NvmeStatus::InvalidField;
    }
    return returnData(submission, page.data(), identifyBytes, pageBytes, now);
}

SmartValues AdminCommands::smartValues(Time now) const
{
    const IoCommands::Statistics& io = parts_.io.statistics();
    const auto hours = static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::hours>(now).count());
    return {io.sectorsRead,
            io.sectorsWritten,
            io.reads,
            io.writes,
            io.mediaErrors,
            parts_.completions.errorLog().count(),
            of_.powerLosses + std::uint64_t{1},
            of_.powerLosses,
            hours};
}

NvmeStatus AdminCommands::getLogPage(const SubmissionEntry& submission, std::uint32_t pageBytes, Time now)
{
    constexpr std::uint32_t retainBit = 1U << 15U;
    const std::uint64_t dwords =
        (submission.dword[10] >> 16U) + std::uint64_t{1} + (std::uint64_t{low16(submission.dword[11])} << 16U);
    const std::uint64_t offset = submission.quad(12);
    const std::uint32_t space = submission.namespaceId();
    const bool isRetained = (submission.dword[10] & retainBit) != 0;
    LogPage page;
    std::optional<EventType> ofEvents;
    switch (static_cast<Log>(submission.dword[10] & 0xFFU)) {
    case Log::SupportedPages: page = supportedLogPages(hasPlacement()); break;
    case Log::Errors:
        page = errorLogPage(parts_.completions.errorLog());
        ofEvents = EventType::Error;
        break;
    case Log::Smart:
        if (space != 0 && space != allNamespaces) // of the controller: LPA, bit 0
            return NvmeStatus::InvalidField;
        page = smartLog(smartValues(now), health(), warnings(now), heatFields(parts_.io.heat(), now));
        ofEvents = EventType::Health;
        break;
    case Log::FirmwareSlots: page = firmwareSlotPage(); break;
    case Log::CommandEffects: page = commandEffects(isZoned(), hasPlacement()); break;
    case Log::ExtendedHealth:
        page = extendedHealthLog({parts_.io.statistics().mediaErrors, of_.powerLosses}, health());
        break;
    case Log::EnduranceGroup:
    case Log::PlacementConfigurations:
    case Log::PlacementHandleUsage:
    case Log::PlacementStatistics:
    case Log::PlacementEvents: {
        if (!hasPlacement())
            return NvmeStatus::InvalidLogPage;
        std::optional<LogPage> found = groupLog(submission, now);
        if (!found)
            return NvmeStatus::InvalidField;
        page = std::move(*found);
        break;
    }
    default: return NvmeStatus::InvalidLogPage;
    }
    if (offset % dwordBytes != 0 || offset > page.size())
        return NvmeStatus::InvalidField;
    const auto bytes = static_cast<std::uint32_t>(std::min<std::uint64_t>(dwords * dwordBytes, page.size() - offset));
    const NvmeStatus status = returnData(submission, page.data() + offset, bytes, pageBytes, now);
    if (status == NvmeStatus::Success && ofEvents && !isRetained)
        events_.logRead(*ofEvents);
    return status;
}

NvmeStatus AdminCommands::getLbaStatus(const SubmissionEntry& submission, std::uint32_t pageBytes, Time now)
{
    constexpr std::uint32_t scan = 0x10; // types of action; a scan finds no more than what reads have found
    constexpr std::uint32_t tracked = 0x11;
    const std::uint32_t action = submission.dword[13] >> 24U;
    const std::uint64_t lba = submission.quad(10);
    if (!parts_.io.hasNamespace(submission.namespaceId()))
        return NvmeStatus::InvalidNamespace;
    const SectorPart& space = parts_.io.namespaceAt(submission.namespaceId());
    if (action != scan && action != tracked)
        return NvmeStatus::InvalidField;
    if (lba >= space.sectors)
        return NvmeStatus::LbaOutOfRange;
    const std::uint64_t length = low16(submission.dword[13]);
    const std::uint64_t blocks = length == 0 ? space.sectors - lba : std::min(length, space.sectors - lba);
    const std::uint64_t bytes =
        std::min<std::uint64_t>((submission.dword[12] + std::uint64_t{1}) * dwordBytes, pageBytes); // counts from zero
    const std::vector<std::byte> status =
        parts_.io.unrecoverable().status(space.first + lba, blocks, static_cast<std::size_t>(bytes), space.first);
    return returnData(submission, status.data(), static_cast<std::uint32_t>(status.size()), pageBytes, now);
}

// The log pages of the endurance group. Nothing: a field is not valid.
std::optional<LogPage> AdminCommands::groupLog(const SubmissionEntry& submission, Time now)
{
    constexpr std::uint32_t hostEvents = 1U << 8U; // log specific parameter
    if (submission.dword[11] >> 16U != enduranceGroup)
        return std::nullopt;
    const PlacementShape shape = parts_.io.placement();
    switch (static_cast<Log>(submission.dword[10] & 0xFFU)) {
    case Log::EnduranceGroup: return enduranceGroupLog(smartValues(now), health(), parts_.io.capacitySectors());
    case Log::PlacementConfigurations: return placementConfigurations(shape, parts_.io.namespaces());
    case Log::PlacementHandleUsage: return placementHandleUsage(shape);
    case Log::PlacementStatistics: return placementStatistics(parts_.io.statistics().sectorsWritten, health());
    default: break;
    }
    const bool ofHost = (submission.dword[10] & hostEvents) != 0;
    if (!ofHost && submission.quad(12) == 0) // not between the parts of one log
        parts_.io.notePlacementMoves(now);
    return parts_.io.placementEvents().log(ofHost, [this](Time at) { return timestamp_.read(at); });
}

} // namespace strobe::host::nvme
