// SPDX-License-Identifier: Apache-2.0
#include "models/host/nvme/nvme_features.h"

namespace strobe::host::nvme {

namespace {

constexpr Time coalescingUnit = std::chrono::microseconds(100);
constexpr std::uint32_t saveBit = 1U << 31U;        // command dword 10
constexpr std::uint32_t uncoalescedBit = 1U << 16U; // command dword 11 of Interrupt Vector Configuration
constexpr std::uint32_t allSensors = 0xF;           // of Set Features, Temperature Threshold
constexpr std::uint32_t underBit = 1U << 20U;
constexpr std::uint32_t otherTypeBit = 1U << 21U; // reserved types of threshold

// Of Temperature Threshold: 0 is the composite temperature.
std::uint32_t sensorOf(std::uint32_t value)
{
    return value >> 16U & 0xFU;
}

bool isOfNamespace(std::uint32_t number) // not of the controller
{
    return number == static_cast<std::uint32_t>(Feature::ErrorRecovery);
}

} // namespace

Features::Values Features::defaults()
{
    Values values{};
    values[static_cast<std::size_t>(Feature::Arbitration)] = defaultBurst;
    values[static_cast<std::size_t>(Feature::VolatileWriteCache)] = 1;
    return values;
}

void Features::reset()
{
    values_ = defaults();
    errorRecovery_.clear();
    resetTemperatures();
}

void Features::resetTemperatures()
{
    thresholds_.assign(thresholds_.size(), {});
    thresholds_.front().over = warning_;
}

void Features::warnFrom(std::uint16_t kelvin, std::size_t sensors)
{
    warning_ = kelvin;
    thresholds_.resize(1 + sensors);
    resetTemperatures();
}

NvmeStatus Features::checkScope(const SubmissionEntry& submission, std::uint32_t namespaces)
{
    const std::uint32_t space = submission.namespaceId();
    const bool exists = space >= 1 && space <= namespaces;
    if (isOfNamespace(submission.dword[10] & 0xFFU))
        return exists || space == allNamespaces ? NvmeStatus::Success : NvmeStatus::InvalidNamespace;
    if (space == 0 || space == allNamespaces)
        return NvmeStatus::Success;
    return exists ? NvmeStatus::FeatureNotNamespaceSpecific : NvmeStatus::InvalidNamespace;
}

NvmeStatus Features::set(const SubmissionEntry& submission, std::uint32_t& result, std::uint32_t namespaces)
{
    const std::uint32_t number = submission.dword[10] & 0xFFU;
    const std::uint32_t value = submission.dword[11];
    if ((submission.dword[10] & saveBit) != 0)
        return NvmeStatus::FeatureNotSaveable;
    if (const NvmeStatus scope = checkScope(submission, namespaces); scope != NvmeStatus::Success)
        return scope;
    switch (static_cast<Feature>(number)) {
    case Feature::NumberOfQueues: {
        const NvmeStatus status = queues_.setCount(value);
        if (status == NvmeStatus::Success)
            result = queues_.count();
        return status;
    }
    case Feature::InterruptVector: {
        const bool isVector = interrupts_.setVectorCoalescing(low16(value), (value & uncoalescedBit) != 0);
        return isVector ? NvmeStatus::Success : NvmeStatus::InvalidField;
    }
    case Feature::VolatileWriteCache:
        if (!hasVolatileCache_)
            return NvmeStatus::InvalidField;
        values_[number] = value & 1U;
        return NvmeStatus::Success;
    case Feature::Arbitration: queues_.setBurstAndWeights(value); break;
    case Feature::InterruptCoalescing:
        interrupts_.setCoalescing(value & 0xFFU, coalescingUnit * (value >> 8U & 0xFFU));
        break;
    case Feature::TemperatureThreshold: return setTemperature(value);
    case Feature::ErrorRecovery: setErrorRecovery(submission.namespaceId(), namespaces, value); break;
    case Feature::WriteAtomicity:
    case Feature::AsyncEvents: break;
    default: return NvmeStatus::InvalidField;
    }
    values_[number] = value;
    return NvmeStatus::Success;
}

void Features::setErrorRecovery(std::uint32_t space, std::uint32_t namespaces, std::uint32_t value)
{
    errorRecovery_.resize(namespaces + 1);
    for (std::uint32_t number = 1; number <= namespaces; ++number) {
        if (space == allNamespaces || space == number)
            errorRecovery_[number] = value;
    }
}

NvmeStatus Features::setTemperature(std::uint32_t value)
{
    const std::uint32_t sensor = sensorOf(value);
    if ((sensor >= thresholds_.size() && sensor != allSensors) || (value & otherTypeBit) != 0)
        return NvmeStatus::InvalidField;
    for (std::size_t i = 0; i < thresholds_.size(); ++i) {
        if (i == sensor || sensor == allSensors)
            ((value & underBit) != 0 ? thresholds_[i].under : thresholds_[i].over) = static_cast<std::uint16_t>(value);
    }
    return NvmeStatus::Success;
}

NvmeStatus Features::get(const SubmissionEntry& submission, std::uint32_t& result, std::uint32_t namespaces) const
{
    const std::uint32_t space = submission.namespaceId();
    const std::uint32_t number = submission.dword[10] & 0xFFU;
    const std::uint32_t value = submission.dword[11];
    if (isOfNamespace(number) && (space == 0 || space > namespaces))
        return NvmeStatus::InvalidNamespace;
    switch (static_cast<FeatureSelect>(submission.dword[10] >> 8U & 7U)) {
    case FeatureSelect::Current:
        if (isOfNamespace(number)) {
            result = space < errorRecovery_.size() ? errorRecovery_[space] : 0;
            return NvmeStatus::Success;
        }
        return current(number, value, result);
    case FeatureSelect::Default:
    case FeatureSelect::Saved: return byDefault(number, value, result); // nothing is saved
    case FeatureSelect::Capabilities: {
        const NvmeStatus status = current(number, value, result);
        result = changeableFeature | (isOfNamespace(number) ? namespaceFeature : 0U);
        return status;
    }
    }
    return NvmeStatus::InvalidField;
}

NvmeStatus Features::current(std::uint32_t number, std::uint32_t value, std::uint32_t& result) const
{
    const std::uint32_t vector = low16(value);
    switch (static_cast<Feature>(number)) {
    case Feature::NumberOfQueues: result = queues_.count(); return NvmeStatus::Success;
    case Feature::InterruptVector:
        if (vector >= interrupts_.count())
            return NvmeStatus::InvalidField;
        result = vector | (interrupts_.isVectorCoalescingDisabled(vector) ? uncoalescedBit : 0U);
        return NvmeStatus::Success;
    case Feature::VolatileWriteCache:
        if (!hasVolatileCache_)
            return NvmeStatus::InvalidField;
        result = values_[number];
        return NvmeStatus::Success;
    case Feature::TemperatureThreshold:
        if (sensorOf(value) >= thresholds_.size() || (value & otherTypeBit) != 0)
            return NvmeStatus::InvalidField;
        result = (value & underBit) != 0 ? thresholds_[sensorOf(value)].under : thresholds_[sensorOf(value)].over;
        return NvmeStatus::Success;
    case Feature::Arbitration:
    case Feature::InterruptCoalescing:
    case Feature::ErrorRecovery:
    case Feature::WriteAtomicity:
    case Feature::AsyncEvents: result = values_[number]; return NvmeStatus::Success;
    case Feature::PowerManagement:
    case Feature::AutonomousTransitions:
    case Feature::Timestamp:
    case Feature::HostThermalManagement:
    case Feature::DataPlacement:
    case Feature::DataPlacementEvents: break;
    }
    return NvmeStatus::InvalidField;
}

NvmeStatus Features::byDefault(std::uint32_t number, std::uint32_t value, std::uint32_t& result) const
{
    const NvmeStatus status = current(number, value, result); // whether there is such a value
    if (status != NvmeStatus::Success)
        return status;
    switch (static_cast<Feature>(number)) {
    case Feature::NumberOfQueues: result = queues_.mostCount(); break;
    case Feature::InterruptVector: result = low16(value); break;
    case Feature::TemperatureThreshold:
        if ((value & underBit) != 0)
            result = TemperatureThresholds{}.under;
        else
            result = sensorOf(value) == 0 ? warning_ : TemperatureThresholds{}.over;
        break;
    default: result = defaults()[number]; break;
    }
    return status;
}

} // namespace strobe::host::nvme
