// SPDX-License-Identifier: Apache-2.0
//
// Set Features and Get Features, with what they set: power state, temperatures, timestamp, events of data placement.
#include "models/host/nvme/nvme_admin.h"

#include "models/base/check.h"

#include <algorithm>
#include <array>
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

} // namespace strobe::host::nvme
