#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Features of an NVMe controller (Set Features and Get Features, NVM Express 1.4, section 5.21). Those that other parts
// act on are handed to them: number of queues and arbitration to the queues, coalescing to the interrupts. Get Features
// selects the current value, the default, or what can be done with the feature. Saved values do not exist
// (FeatureNotSaveable). Error recovery belongs to the namespace, all others to the controller. Errors are NVMe status
// values. Not modelled: other features (InvalidField); error recovery and write atomicity are stored and have no
// effect. Power management, autonomous transitions (nvme_power.h), the timestamp (nvme_timestamp.h) and thermal
// management (nvme_heat.h) are not among them: they depend on time or on the drive, or their value is data in host
// memory.

#include "models/host/nvme/nvme_interrupts.h"
#include "models/host/nvme/nvme_logs.h"
#include "models/host/nvme/nvme_queue_manager.h"

#include <array>
#include <cstdint>
#include <vector>

namespace strobe::host::nvme {

enum class FeatureSelect : std::uint8_t { Current, Default, Saved, Capabilities }; // dword 10 of Get Features
inline constexpr std::uint32_t namespaceFeature = 1U << 1U;                        // of the capabilities
inline constexpr std::uint32_t changeableFeature = 1U << 2U;

class Features {
public:
    // `hasVolatileCache`: without it the feature of that name does not exist, and the cache counts as on.
    Features(QueueManager& queues, Interrupts& interrupts, bool hasVolatileCache)
        : queues_(queues), interrupts_(interrupts), hasVolatileCache_(hasVolatileCache)
    {
        reset();
    }
    void reset(); // default values
    // WCTEMP, which is the default of the composite temperature's upper threshold, and the sensors that have thresholds
    // of their own. Before use.
    void warnFrom(std::uint16_t kelvin, std::size_t sensors);

    // Whether a feature can be set for the namespaces that the command names; also of features that are not here.
    static NvmeStatus checkScope(const SubmissionEntry& submission, std::uint32_t namespaces);
    // `result`: dword 0 of the completion. `namespaces`: of the controller; error recovery is a value of each.
    NvmeStatus set(const SubmissionEntry& submission, std::uint32_t& result, std::uint32_t namespaces);
    NvmeStatus get(const SubmissionEntry& submission, std::uint32_t& result, std::uint32_t namespaces) const;
    // Of the composite temperature, then of each sensor.
    const std::vector<TemperatureThresholds>& temperatureThresholds() const { return thresholds_; }
    // Critical warnings of the SMART log for which the host has enabled events.
    std::uint8_t wantedWarnings() const
    {
        return static_cast<std::uint8_t>(values_[static_cast<std::size_t>(Feature::AsyncEvents)]);
    }
    bool isWriteCacheOn() const { return values_[static_cast<std::size_t>(Feature::VolatileWriteCache)] != 0; }

private:
    using Values = std::array<std::uint32_t, 16>; // by Feature
    static Values defaults();
    void resetTemperatures();
    NvmeStatus setTemperature(std::uint32_t value);
    NvmeStatus current(std::uint32_t number, std::uint32_t value, std::uint32_t& result) const;
    void setErrorRecovery(std::uint32_t space, std::uint32_t namespaces, std::uint32_t value);
    NvmeStatus byDefault(std::uint32_t number, std::uint32_t value, std::uint32_t& result) const;

    QueueManager& queues_;
    Interrupts& interrupts_;
    bool hasVolatileCache_;
    std::uint16_t warning_ = warningKelvin;
    Values values_{};
    std::vector<std::uint32_t> errorRecovery_; // by namespace, from 1 on; those beyond have the default
    std::vector<TemperatureThresholds> thresholds_{1};
};

} // namespace strobe::host::nvme
