#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Admin commands of an NVMe controller: identify (controller, namespace, active namespaces, descriptors), create and
// delete I/O queues, set and get features, get log page (errors, SMART, firmware slots, extended
// health C0h), abort (ends a command that still waits for a structure in host memory), asynchronous event request.
// Each is executed at once; returned data is written to the two pages of PRP 1 and PRP 2. Not modelled: namespace
// management, firmware update, security, and the other admin commands (InvalidOpcode).

#include "models/host/drive_health.h"
#include "models/host/nvme/nvme_completions.h"
#include "models/host/nvme/nvme_events.h"
#include "models/host/nvme/nvme_features.h"
#include "models/host/nvme/nvme_io.h"
#include "models/host/nvme/nvme_pcie_port.h"
#include "models/host/nvme/nvme_queue_manager.h"
#include "models/host/pcie/host_memory.h"

#include <cstdint>
#include <optional>

namespace strobe::host::nvme {

class AdminCommands {
public:
    static constexpr std::uint32_t maxTransferPages = 13; // MDTS: 2^n pages of 4 KiB, 32 MiB

    struct Parts {
        QueueManager& queues;
        Interrupts& interrupts;
        PciePort& port;
        HostMemory& memory;
        CompletionPath& completions;
        IoCommands& io; // capacity and statistics
    };
    struct Drive {
        bool hasVolatileCache = true;
        std::uint32_t powerLosses = 0; // before this power cycle
        HealthSource health;
    };
    AdminCommands(const Parts& parts, const Drive& drive)
        : parts_(parts), of_(drive), features_(parts.queues, parts.interrupts, drive.hasVolatileCache)
    {
    }
    void reset();

    void execute(const SubmissionEntry& submission, std::uint32_t pageBytes, Time now);
    void raise(std::uint32_t event, Time now); // an asynchronous event
    bool isWriteCacheOn() const { return features_.isWriteCacheOn(); }

private:
    struct Answer {
        NvmeStatus status = NvmeStatus::Success;
        std::uint32_t result = 0;
    };
    std::optional<Answer> answer(const SubmissionEntry& submission, std::uint32_t pageBytes,
                                 Time now); // nothing: later
    Answer setFeature(const SubmissionEntry& submission);
    Answer getFeature(const SubmissionEntry& submission) const;
    NvmeStatus identify(const SubmissionEntry& submission, std::uint32_t pageBytes, Time now);
    NvmeStatus getLogPage(const SubmissionEntry& submission, std::uint32_t pageBytes, Time now);
    NvmeStatus returnData(const SubmissionEntry& submission, const void* data, std::uint32_t bytes,
                          std::uint32_t pageBytes, Time now);
    void reportEvent(Time now);

    Parts parts_;
    Drive of_;
    Features features_;
    AsyncEvents events_;
};

} // namespace strobe::host::nvme
