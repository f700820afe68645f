#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Features of an NVMe controller (Set Features and Get Features, NVM Express 1.4, section 5.21). Those that other parts
// act on are handed to them: number of queues and arbitration to the queues, coalescing to the interrupts. Saved
// values do not exist (FeatureNotSaveable). Errors are NVMe status values. Not modelled: the optional
// features (InvalidField); temperature thresholds, error recovery and write atomicity are stored and have no effect.

#include "models/host/nvme/nvme_interrupts.h"
#include "models/host/nvme/nvme_queue_manager.h"

#include <array>
#include <cstdint>

namespace strobe::host::nvme {

class Features {
public:
    // `hasVolatileCache`: without it the feature of that name does not exist, and the cache counts as on.
    Features(QueueManager& queues, Interrupts& interrupts, bool hasVolatileCache)
        : queues_(queues), interrupts_(interrupts), hasVolatileCache_(hasVolatileCache)
    {
        reset();
    }
    void reset(); // default values

    // `result`: dword 0 of the completion.
    NvmeStatus set(const SubmissionEntry& submission, std::uint32_t& result);
    NvmeStatus get(const SubmissionEntry& submission, std::uint32_t& result) const;
    bool isWriteCacheOn() const { return values_[static_cast<std::size_t>(Feature::VolatileWriteCache)] != 0; }

private:
    QueueManager& queues_;
    Interrupts& interrupts_;
    bool hasVolatileCache_;
    std::array<std::uint32_t, 16> values_{}; // by Feature
};

} // namespace strobe::host::nvme
