// SPDX-License-Identifier: Apache-2.0
#include "models/host/nvme/nvme_admin.h"

#include "models/base/check.h"
#include "models/host/nvme/nvme_zones.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <utility>

namespace strobe::host::nvme {

namespace {

std::uint32_t featureOf(const SubmissionEntry& submission)
{
    return submission.dword[10] & 0xFFU;
}

bool isFeature(const SubmissionEntry& submission, Feature feature)
{
    return featureOf(submission) == static_cast<std::uint32_t>(feature);
}

} // namespace

void AdminCommands::reset(Time now)
{
    features_.reset();
    events_.reset();
    reportedWarnings_ = 0;
    timestamp_.reset(now);
    if (management_.value() != 0)
        management_.set(0, *parts_.io.heat(), now);
    limitPower();
    incoming_.clear();
}

void AdminCommands::driveConnected()
{
    const DriveHeat* const heat = parts_.io.heat();
    features_.warnFrom(temperatures().warning, heat != nullptr ? heat->sensors() : 0);
    limitPower();
}

void AdminCommands::execute(const SubmissionEntry& submission, std::uint32_t pageBytes, Time now)
{
    const auto answered = answer(submission, pageBytes, now);
    if (answered)
        parts_.completions.finish(0, submission.id(), answered->status, answered->result, now);
    checkHealth(now); // a request may find an event, and reading a log allows the next
}

std::optional<AdminCommands::Answer> AdminCommands::answer(const SubmissionEntry& submission, std::uint32_t pageBytes,
                                                           Time now)
{
    QueueManager& queues = parts_.queues;
    if ((submission.dword[0] & fusedOrSgl) != 0)
        return Answer{NvmeStatus::InvalidField};
    switch (static_cast<AdminOpcode>(submission.opcode())) {
    case AdminOpcode::Identify: return Answer{identify(submission, pageBytes, now)};
    case AdminOpcode::GetLogPage: return Answer{getLogPage(submission, pageBytes, now)};
    case AdminOpcode::CreateCq: return Answer{queues.createCq(submission, pageBytes)};
    case AdminOpcode::CreateSq: return Answer{queues.createSq(submission, pageBytes)};
    case AdminOpcode::DeleteCq: return Answer{queues.deleteCq(submission)};
    case AdminOpcode::DeleteSq: {
        const NvmeStatus status = queues.deleteSq(submission);
        if (status == NvmeStatus::Success && queues.hasSq(low16(submission.dword[10])))
            return std::nullopt; // when the last command of the queue is complete
        return Answer{status};
    }
    case AdminOpcode::SetFeatures: return setFeature(submission, pageBytes, now);
    case AdminOpcode::GetFeatures: return getFeature(submission, pageBytes, now);
    case AdminOpcode::FormatNvm: return format(submission, now);
    case AdminOpcode::GetLbaStatus: return Answer{getLbaStatus(submission, pageBytes, now)};
    case AdminOpcode::Abort: {
        const std::uint32_t of = submission.dword[10];
        const bool isAborted =
            parts_.io.abort(static_cast<std::uint16_t>(low16(of)), static_cast<std::uint16_t>(of >> 16U));
        return Answer{NvmeStatus::Success, isAborted ? 0U : 1U};
    }
    case AdminOpcode::AsyncEventRequest:
        if (events_.request(submission.id()))
            return std::nullopt; // when there is an event
        return Answer{NvmeStatus::AsyncEventLimitExceeded};
    }
    return Answer{NvmeStatus::InvalidOpcode};
}

// --- features --------------------------------------------------------------------------------------------------------

std::optional<AdminCommands::Answer> AdminCommands::setFeature(const SubmissionEntry& submission,
                                                               std::uint32_t pageBytes, Time now)
{
    constexpr std::uint32_t saveBit = 1U << 31U;
    const bool isSaved = (submission.dword[10] & saveBit) != 0;
    if (isFeature(submission, Feature::Timestamp) && !isSaved) {
        if (const NvmeStatus scope = Features::checkScope(submission, parts_.io.namespaces());
            scope != NvmeStatus::Success)
            return Answer{scope};
        return fetch(submission, Timestamp::bytes, pageBytes, now);
    }
    if (isFeature(submission, Feature::PowerManagement) && !isSaved)
        return Answer{selectPowerState(submission, now)};
    if (isThermallyManaged() && isFeature(submission, Feature::HostThermalManagement) && !isSaved)
        return Answer{setThermalManagement(submission, now)};
    if (hasTransitions() && isFeature(submission, Feature::AutonomousTransitions) && !isSaved) {
        if (const NvmeStatus scope = Features::checkScope(submission, parts_.io.namespaces());
            scope != NvmeStatus::Success)
            return Answer{scope};
        return fetch(submission, PowerStates::tableBytes, pageBytes, now);
    }
    if (hasPlacement() && isFeature(submission, Feature::DataPlacement) && !isSaved)
        return Answer{NvmeStatus::CommandSequenceError}; // the namespace of the group exists
    if (hasPlacement() && isFeature(submission, Feature::DataPlacementEvents) && !isSaved)
        return setPlacementEvents(submission, pageBytes, now);
    Answer answer;
    answer.status = features_.set(submission, answer.result, parts_.io.namespaces());
    return answer;
}

AdminCommands::Answer AdminCommands::getFeature(const SubmissionEntry& submission, std::uint32_t pageBytes, Time now)
{
    if (isFeature(submission, Feature::Timestamp))
        return getTimestamp(submission, pageBytes, now);
    if (isFeature(submission, Feature::PowerManagement))
        return getPowerState(submission, now);
    if (isThermallyManaged() && isFeature(submission, Feature::HostThermalManagement))
        return getThermalManagement(submission);
    if (hasTransitions() && isFeature(submission, Feature::AutonomousTransitions))
        return getTransitions(submission, pageBytes, now);
    if (hasPlacement() && isFeature(submission, Feature::DataPlacement))
        return getPlacement(submission);
    if (hasPlacement() && isFeature(submission, Feature::DataPlacementEvents))
        return getPlacementEvents(submission, pageBytes, now);
    Answer answer;
    answer.status = features_.get(submission, answer.result, parts_.io.namespaces());
    return answer;
}

// The command ends when its data has arrived.
std::optional<AdminCommands::Answer> AdminCommands::fetch(const SubmissionEntry& submission, std::uint32_t bytes,
                                                          std::uint32_t pageBytes, Time now)
{
    Incoming incoming{submission, bytes, {}};
    const NvmeStatus status = incoming.pages.begin(submission, bytes, pageBytes, dwordBytes);
    if (status != NvmeStatus::Success)
        return Answer{status};
    PciePort::Read read;
    read.purpose = PciePort::Read::Purpose::AdminData;
    read.slot = submission.id();
    read.address = incoming.pages.first();
    incoming_.push_back(std::move(incoming));
    parts_.port.read(read, bytes, now);
    return std::nullopt;
}

void AdminCommands::dataArrived(std::uint16_t id, Time now)
{
    const auto incoming = std::find_if(incoming_.begin(), incoming_.end(),
                                       [id](const Incoming& candidate) { return candidate.submission.id() == id; });
    check(incoming != incoming_.end(), "data has arrived for an admin command that did not ask for any");
    const SubmissionEntry submission = incoming->submission;
    std::vector<std::uint8_t> value(incoming->bytes);
    bool isReachable = true;
    incoming->pages.eachPiece(0, value.size(), [&](std::uint64_t address, std::uint64_t done, std::uint32_t part) {
        isReachable =
            isReachable && parts_.memory.read(address, reinterpret_cast<std::byte*>(value.data()) + done, part);
    });
    incoming_.erase(incoming);
    const NvmeStatus status = isReachable ? setValue(submission, value, now) : NvmeStatus::DataTransferError;
    parts_.completions.finish(0, id, status, 0, now);
}

NvmeStatus AdminCommands::setValue(const SubmissionEntry& submission, const std::vector<std::uint8_t>& value, Time now)
{
    if (isFeature(submission, Feature::Timestamp)) {
        std::uint64_t structure = 0;
        std::memcpy(&structure, value.data(), sizeof structure);
        timestamp_.set(structure, now);
        return NvmeStatus::Success;
    }
    if (isFeature(submission, Feature::AutonomousTransitions)) {
        std::array<std::uint64_t, PowerStates::most> structure{};
        std::memcpy(structure.data(), value.data(), sizeof structure);
        if (!parts_.power.setTable(decodeTransitions(structure), now))
            return NvmeStatus::InvalidField;
        parts_.power.enableTransitions((submission.dword[11] & 1U) != 0, now);
        return NvmeStatus::Success;
    }
    const auto handle = static_cast<std::uint16_t>(low16(submission.dword[11]));
    const bool isEnabled = (submission.dword[12] & 1U) != 0;
    PlacementEvents& events = parts_.io.placementEvents();
    if (!std::all_of(value.begin(), value.end(), PlacementEvents::exists))
        return NvmeStatus::InvalidField;
    for (const std::uint8_t type : value)
        events.enable(static_cast<PlacementEventType>(type), handle, isEnabled);
    return NvmeStatus::Success;
}

// --- data placement --------------------------------------------------------------------------------------------------

AdminCommands::Answer AdminCommands::getPlacement(const SubmissionEntry& submission) const
{
    constexpr std::uint32_t isOn = 1; // with configuration 0
    const auto select = static_cast<FeatureSelect>(submission.dword[10] >> 8U & 7U);
    if (low16(submission.dword[11]) != enduranceGroup || select > FeatureSelect::Capabilities)
        return {NvmeStatus::InvalidField};
    return {NvmeStatus::Success, select == FeatureSelect::Capabilities ? 0 : isOn};
}

std::optional<AdminCommands::Answer> AdminCommands::setPlacementEvents(const SubmissionEntry& submission,
                                                                       std::uint32_t pageBytes, Time now)
{
    const std::uint32_t count = submission.dword[11] >> 16U & 0xFFU;
    if (low16(submission.dword[11]) >= parts_.io.placement().handles || count == 0)
        return Answer{NvmeStatus::InvalidField};
    return fetch(submission, count, pageBytes, now);
}

// The first events that the host has room for.
AdminCommands::Answer AdminCommands::getPlacementEvents(const SubmissionEntry& submission, std::uint32_t pageBytes,
                                                        Time now)
{
    const auto select = static_cast<FeatureSelect>(submission.dword[10] >> 8U & 7U);
    const auto handle = static_cast<std::uint16_t>(low16(submission.dword[11]));
    const std::uint32_t wanted = submission.dword[11] >> 16U & 0xFFU;
    if (select == FeatureSelect::Capabilities)
        return {NvmeStatus::Success, changeableFeature};
    if (handle >= parts_.io.placement().handles || select > FeatureSelect::Capabilities || wanted == 0)
        return {NvmeStatus::InvalidField};
    const PlacementEvents& events = parts_.io.placementEvents();
    std::vector<std::uint8_t> list;
    for (std::size_t i = 0; i < placementEventTypes.size() && i < wanted; ++i) {
        const bool isOn = select != FeatureSelect::Current || events.isEnabled(placementEventTypes[i], handle);
        list.push_back(static_cast<std::uint8_t>(placementEventTypes[i]));
        list.push_back(isOn ? 1 : 0);
    }
    const NvmeStatus status =
        returnData(submission, list.data(), static_cast<std::uint32_t>(list.size()), pageBytes, now);
    return {status, static_cast<std::uint32_t>(list.size() / 2)};
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

// --- power states ----------------------------------------------------------------------------------------------------

NvmeStatus AdminCommands::selectPowerState(const SubmissionEntry& submission, Time now)
{
    constexpr std::uint32_t stateMask = 0x1FU; // command dword 11; the workload hint has no effect
    if (const NvmeStatus scope = Features::checkScope(submission, parts_.io.namespaces()); scope != NvmeStatus::Success)
        return scope;
    if (!parts_.power.select(submission.dword[11] & stateMask, now))
        return NvmeStatus::InvalidField;
    limitPower();
    return NvmeStatus::Success;
}

AdminCommands::Answer AdminCommands::getPowerState(const SubmissionEntry& submission, Time now)
{
    switch (static_cast<FeatureSelect>(submission.dword[10] >> 8U & 7U)) {
    case FeatureSelect::Current: return {NvmeStatus::Success, parts_.power.current(now)};
    case FeatureSelect::Default:
    case FeatureSelect::Saved: return {NvmeStatus::Success, 0};
    case FeatureSelect::Capabilities: return {NvmeStatus::Success, changeableFeature};
    }
    return {NvmeStatus::InvalidField};
}

AdminCommands::Answer AdminCommands::getTransitions(const SubmissionEntry& submission, std::uint32_t pageBytes,
                                                    Time now)
{
    const auto select = static_cast<FeatureSelect>(submission.dword[10] >> 8U & 7U);
    if (select == FeatureSelect::Capabilities)
        return {NvmeStatus::Success, changeableFeature};
    if (select > FeatureSelect::Capabilities)
        return {NvmeStatus::InvalidField};
    const bool isCurrent = select == FeatureSelect::Current;
    const auto structure = encode(isCurrent ? parts_.power.table() : PowerStates::Table{});
    const NvmeStatus status = returnData(submission, structure.data(), PowerStates::tableBytes, pageBytes, now);
    return {status, isCurrent && parts_.power.areTransitionsEnabled() ? 1U : 0U};
}

// --- temperature -----------------------------------------------------------------------------------------------------

NvmeStatus AdminCommands::setThermalManagement(const SubmissionEntry& submission, Time now)
{
    if (const NvmeStatus scope = Features::checkScope(submission, parts_.io.namespaces()); scope != NvmeStatus::Success)
        return scope;
    return management_.set(submission.dword[11], *parts_.io.heat(), now);
}

AdminCommands::Answer AdminCommands::getThermalManagement(const SubmissionEntry& submission) const
{
    switch (static_cast<FeatureSelect>(submission.dword[10] >> 8U & 7U)) {
    case FeatureSelect::Current: return {NvmeStatus::Success, management_.value()};
    case FeatureSelect::Default:
    case FeatureSelect::Saved: return {NvmeStatus::Success, 0};
    case FeatureSelect::Capabilities: return {NvmeStatus::Success, changeableFeature};
    }
    return {NvmeStatus::InvalidField};
}

ControllerIdentity::Temperatures AdminCommands::temperatures() const
{
    ControllerIdentity::Temperatures temperatures;
    const DriveHeat* const heat = parts_.io.heat();
    if (heat == nullptr)
        return temperatures;
    temperatures.warning = toKelvin(heat->warning());
    temperatures.critical = toKelvin(heat->critical());
    if (isThermallyManaged()) {
        temperatures.lowestManaged = toKelvin(heat->management().lowest);
        temperatures.highestManaged = toKelvin(heat->management().highest);
    }
    return temperatures;
}

// In a state that is not operational, that of the one to which the drive will return.
void AdminCommands::limitPower()
{
    if (of_.keepsPower && parts_.io.heat() != nullptr)
        parts_.io.heat()->limitPower(parts_.power.states()[parts_.power.lastOperational()].watt);
}

std::uint8_t AdminCommands::warnings(Time now) const
{
    return criticalWarnings(health(), features_.temperatureThresholds(), heatFields(parts_.io.heat(), now));
}

// --- timestamp -------------------------------------------------------------------------------------------------------

AdminCommands::Answer AdminCommands::getTimestamp(const SubmissionEntry& submission, std::uint32_t pageBytes, Time now)
{
    const auto select = static_cast<FeatureSelect>(submission.dword[10] >> 8U & 7U);
    if (select == FeatureSelect::Capabilities)
        return {NvmeStatus::Success, changeableFeature};
    if (select > FeatureSelect::Capabilities)
        return {NvmeStatus::InvalidField};
    const std::uint64_t structure = select == FeatureSelect::Current ? timestamp_.read(now) : 0;
    return {returnData(submission, &structure, Timestamp::bytes, pageBytes, now)};
}

// --- format ----------------------------------------------------------------------------------------------------------

std::optional<AdminCommands::Answer> AdminCommands::format(const SubmissionEntry& submission, Time now)
{
    constexpr std::uint32_t formatOrProtection = 0xEFU; // without bit 4, which is about metadata: there is none
    constexpr std::uint32_t userDataErase = 1;          // 2 is a cryptographic erase
    const std::uint32_t space = submission.namespaceId();
    if (isZoned())
        return Answer{NvmeStatus::InvalidOpcode};
    if (!parts_.io.hasNamespace(space) && space != allNamespaces)
        return Answer{NvmeStatus::InvalidNamespace};
    if ((submission.dword[10] & formatOrProtection) != 0)
        return Answer{NvmeStatus::InvalidFormat};
    if ((submission.dword[10] >> 9U & 7U) > userDataErase)
        return Answer{NvmeStatus::InvalidField};
    if (!parts_.io.isEmpty())
        return Answer{NvmeStatus::CommandSequenceError};
    parts_.io.format(submission.id(), space, now);
    return std::nullopt; // when the drive has deallocated the blocks
}

// --- data to the host ------------------------------------------------------------------------------------------------

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

// --- asynchronous events ---------------------------------------------------------------------------------------------

void AdminCommands::raise(std::uint32_t event, Time now)
{
    events_.raise(event);
    reportEvent(now);
}

void AdminCommands::raiseWarnings(Time now)
{
    const std::uint8_t wanted = features_.wantedWarnings();
    if (wanted == 0)
        return;
    const std::uint8_t present = warnings(now);
    reportedWarnings_ &= present;
    const auto raise = [&](std::uint8_t bit, std::uint32_t event) {
        if ((present & wanted & ~reportedWarnings_ & bit) != 0 && events_.raise(event))
            reportedWarnings_ |= bit;
    };
    raise(warning::spare, spareBelowThreshold);
    raise(warning::temperature, temperatureThreshold);
}

void AdminCommands::checkHealth(Time now)
{
    raiseWarnings(now);
    reportEvent(now);
}

void AdminCommands::reportEvent(Time now)
{
    if (const auto report = events_.next())
        parts_.completions.finish(0, report->id, NvmeStatus::Success, report->event, now);
}

} // namespace strobe::host::nvme
