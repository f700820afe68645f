#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Admin commands of an NVMe controller: identify (controller, namespace, active namespaces, descriptors), create and
// delete I/O queues, set and get features (with the timestamp), get log page (supported pages, errors, SMART, firmware
// slots, effects of commands, extended health C0h), abort (ends a command that still waits for a structure in host
// memory), asynchronous event request, format NVM, get LBA status; with data placement also its log pages, with that of
// the endurance group, and its features (nvme_placement.h).
//
// Each is executed at once, but for format and a new timestamp; returned data is written to the two pages of PRP 1 and
// PRP 2. Format deallocates all blocks of a namespace, or of all, which read zeros then, and flushes; no flash block is
// erased for it. It needs a drive without outstanding I/O commands (CommandSequenceError) and without zones
// (InvalidOpcode), and has the one format of the namespace. Asynchronous events report wrong doorbells, and the
// critical warnings of the SMART log that the host asks for. These are examined at each admin command, each I/O command
// that fails, and each sample of the temperature sensor. Not modelled: namespace management, firmware update, security,
// self-tests, and the other admin commands (InvalidOpcode).

#include "models/host/drive_health.h"
#include "models/host/nvme/nvme_completions.h"
#include "models/host/nvme/nvme_events.h"
#include "models/host/nvme/nvme_features.h"
#include "models/host/nvme/nvme_heat.h"
#include "models/host/nvme/nvme_identify.h"
#include "models/host/nvme/nvme_io.h"
#include "models/host/nvme/nvme_logs.h"
#include "models/host/nvme/nvme_pcie_port.h"
#include "models/host/nvme/nvme_power.h"
#include "models/host/nvme/nvme_prp.h"
#include "models/host/nvme/nvme_queue_manager.h"
#include "models/host/nvme/nvme_timestamp.h"
#include "models/host/pcie/host_memory.h"

#include <cstdint>
#include <optional>
#include <vector>

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
        PowerStates& power;
    };
    struct Drive {
        bool hasVolatileCache = true;
        std::uint32_t powerLosses = 0; // before this power cycle
        HealthSource health;
        bool keepsPower = false; // to the most of the power state
    };
    AdminCommands(const Parts& parts, const Drive& drive)
        : parts_(parts), of_(drive), features_(parts.queues, parts.interrupts, drive.hasVolatileCache)
    {
    }
    void reset(Time now);
    void driveConnected(); // before use: its temperatures are known

    void execute(const SubmissionEntry& submission, std::uint32_t pageBytes, Time now);
    void dataArrived(std::uint16_t id, Time now); // of admin command `id`, from host memory
    void raise(std::uint32_t event, Time now);    // an asynchronous event
    void checkHealth(Time now);                   // raises events for new critical warnings
    bool isWriteCacheOn() const { return features_.isWriteCacheOn(); }

private:
    struct Answer {
        NvmeStatus status = NvmeStatus::Success;
        std::uint32_t result = 0;
    };
    std::optional<Answer> answer(const SubmissionEntry& submission, std::uint32_t pageBytes,
                                 Time now); // nothing: later
    std::optional<Answer> setFeature(const SubmissionEntry& submission, std::uint32_t pageBytes, Time now);
    Answer getFeature(const SubmissionEntry& submission, std::uint32_t pageBytes, Time now);
    NvmeStatus setThermalManagement(const SubmissionEntry& submission, Time now);
    Answer getThermalManagement(const SubmissionEntry& submission) const;
    NvmeStatus selectPowerState(const SubmissionEntry& submission, Time now);
    Answer getPowerState(const SubmissionEntry& submission, Time now);
    Answer getTransitions(const SubmissionEntry& submission, std::uint32_t pageBytes, Time now);
    Answer getTimestamp(const SubmissionEntry& submission, std::uint32_t pageBytes, Time now);
    std::optional<Answer> format(const SubmissionEntry& submission, Time now);
    NvmeStatus getLbaStatus(const SubmissionEntry& submission, std::uint32_t pageBytes, Time now);
    NvmeStatus identify(const SubmissionEntry& submission, std::uint32_t pageBytes, Time now);
    NvmeStatus getLogPage(const SubmissionEntry& submission, std::uint32_t pageBytes, Time now);
    std::optional<Answer> setPlacementEvents(const SubmissionEntry& submission, std::uint32_t pageBytes, Time now);
    Answer getPlacement(const SubmissionEntry& submission) const;
    Answer getPlacementEvents(const SubmissionEntry& submission, std::uint32_t pageBytes, Time now);
    std::optional<LogPage> groupLog(const SubmissionEntry& submission, Time now);
    SmartValues smartValues(Time now) const;
    std::optional<Answer> fetch(const SubmissionEntry& submission, std::uint32_t bytes, std::uint32_t pageBytes,
                                Time now);
    NvmeStatus returnData(const SubmissionEntry& submission, const void* data, std::uint32_t bytes,
                          std::uint32_t pageBytes, Time now);
    DriveHealth health() const { return of_.health ? of_.health() : DriveHealth{}; }
    bool isZoned() const { return parts_.io.zones().sectors != 0; }
    bool hasTransitions() const { return parts_.power.hasSeveral(); }
    bool hasPlacement() const { return parts_.io.placement().handles != 0; }
    bool isThermallyManaged() const
    {
        return parts_.io.heat() != nullptr && parts_.io.heat()->management().highest != 0;
    }
    ControllerIdentity::Temperatures temperatures() const;
    std::uint8_t warnings(Time now) const;
    void limitPower();
    void raiseWarnings(Time now);
    void reportEvent(Time now);

    struct Incoming { // a feature's value that is on its way from host memory
        SubmissionEntry submission;
        std::uint32_t bytes;
        PrpPages pages;
    };
    NvmeStatus setValue(const SubmissionEntry& submission, const std::vector<std::uint8_t>& value, Time now);

    Parts parts_;
    Drive of_;
    Features features_;
    AsyncEvents events_;
    std::uint8_t reportedWarnings_ = 0; // for which an event has been raised
    Timestamp timestamp_;
    ThermalManagement management_;
    std::vector<Incoming> incoming_;
};

} // namespace strobe::host::nvme
