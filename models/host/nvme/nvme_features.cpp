// SPDX-License-Identifier: Apache-2.0
#include "models/host/nvme/nvme_features.h"

namespace strobe::host::nvme {

namespace {

constexpr Time coalescingUnit = std::chrono::microseconds(100);
constexpr std::uint32_t saveBit = 1U << 31U;        // command dword 10
constexpr std::uint32_t uncoalescedBit = 1U << 16U; // command dword 11 of Interrupt Vector Configuration
constexpr std::uint32_t powerStateMask = 0x1FU;     // command dword 11 of Power Management

} // namespace

void Features::reset()
{
    values_ = {};
    values_[static_cast<std::size_t>(Feature::Arbitration)] = defaultBurst;
    values_[static_cast<std::size_t>(Feature::VolatileWriteCache)] = 1;
}

NvmeStatus Features::set(const SubmissionEntry& submission, std::uint32_t& result)
{
    const std::uint32_t number = submission.dword[10] & 0xFFU;
    const std::uint32_t value = submission.dword[11];
    if ((submission.dword[10] & saveBit) != 0)
        return NvmeStatus::FeatureNotSaveable;
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
    case Feature::PowerManagement:
        if ((value & powerStateMask) != 0) // there is one power state
            return NvmeStatus::InvalidField;
        break;
    case Feature::TemperatureThreshold:
    case Feature::ErrorRecovery:
    case Feature::WriteAtomicity:
    case Feature::AsyncEvents: break;
    default: return NvmeStatus::InvalidField;
    }
    values_[number] = value;
    return NvmeStatus::Success;
}

NvmeStatus Features::get(const SubmissionEntry& submission, std::uint32_t& result) const
{
    const std::uint32_t number = submission.dword[10] & 0xFFU;
    const std::uint32_t vector = low16(submission.dword[11]);
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
    case Feature::Arbitration:
    case Feature::InterruptCoalescing:
    case Feature::PowerManagement:
    case Feature::TemperatureThreshold:
    case Feature::ErrorRecovery:
    case Feature::WriteAtomicity:
    case Feature::AsyncEvents: result = values_[number]; return NvmeStatus::Success;
    }
    return NvmeStatus::InvalidField;
}

} // namespace strobe::host::nvme
