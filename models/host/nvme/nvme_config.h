#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The settings of an NVMe port: the link, and what the host's driver does with the controller.

#include "models/base/partition.h"
#include "models/host/host_faults.h"
#include "models/host/nvme/nvme_power.h"
#include "models/host/nvme/nvme_queues.h"
#include "models/host/pcie/pcie_link.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace strobe::host {

struct NvmeConfig {
    PcieConfig pcie;
    bool hasVolatileCache = true;      // VWC: a power loss loses what was not flushed
    std::uint32_t powerLosses = 0;     // of the drive before, for the SMART log
    std::uint32_t queues = 4;          // I/O queue pairs, one per CPU of the host
    std::uint32_t queueEntries = 1024; // of each queue; one stays empty
    nvme::Arbitration arbitration = nvme::Arbitration::RoundRobin;
    std::uint32_t burstExponent = 3; // 2^n commands of a queue at a time; 7: no limit
    struct Weights {                 // commands of a class per round
        std::uint32_t high = 8;
        std::uint32_t medium = 4;
        std::uint32_t low = 1;
    } weights;
    struct Classes { // the first queues are urgent, the next high, the next medium, the rest low
        std::uint32_t urgent = 0;
        std::uint32_t high = 0;
        std::uint32_t medium = 0;
    } classes;
    std::uint32_t coalesce = 1; // completions that one interrupt may report; 1: each has its own
    Time coalesceTime{};        // for which a completion may wait for others; multiples of 100 us
    std::uint32_t maxTransfer =
        32U << 20U; // bytes of a command; larger requests are divided. Whole pages of host memory
    std::optional<std::uint32_t> writeCommands{}; // writes in the drive at a time; nothing: no limit
    Time submit{};                                // the driver before it writes the queue entry
    Time interrupt{};                             // from the message to the driver's read of the queue
    Time cpuTime{};                               // of the queue's CPU for a command; what follows on that CPU waits
    std::vector<PartSize> namespaces{};           // of the drive; none: one
    std::vector<nvme::PowerState> powerStates;    // none: one
    std::optional<std::uint32_t> powerState;      // that the driver selects; nothing: none
    std::optional<std::int32_t> thermalLight;     // thermal management by the driver, degrees; nothing: none
    std::optional<std::int32_t> thermalHeavy;     // the same
    Time latencyTolerance{}; // of transitions to deeper power states when idle: entry and exit together; 0: none
    HostFaults faults{};
};

} // namespace strobe::host
