#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The identify pages of an NVMe controller (4,096 bytes), as the NVMe specification lays them out. Fields that are not
// set are zero, which means "not supported" or "not reported".

#include "models/host/nvme/nvme_format.h"
#include "models/host/nvme/nvme_power.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace strobe::host::nvme {

using IdentifyPage = std::array<std::byte, identifyBytes>;

struct ControllerIdentity {
    std::uint32_t maxTransferPages = 0; // MDTS
    std::uint32_t asyncEvents = 1;      // outstanding requests
    std::uint32_t errorLogEntries = 1;
    bool hasVolatileCache = true;
    bool isZoned = false; // there is no format then
    bool hasPlacement = false;
    std::uint32_t namespaces = 1; // NN
    std::vector<PowerState> powerStates{usualPowerState};
    struct Temperatures { // K
        std::uint16_t warning = warningKelvin;
        std::uint16_t critical = 353;
        std::uint16_t lowestManaged = 0; // of host controlled thermal management; 0: there is none
        std::uint16_t highestManaged = 0;
    } temperatures{};
};
IdentifyPage identifyController(const ControllerIdentity& identity);
// `number`: of the namespace; each has an EUI-64 of its own.
IdentifyPage identifyNamespace(std::uint64_t sectors, bool hasPlacement = false, std::uint32_t number = 1);
IdentifyPage activeNamespaces(std::uint32_t above, std::uint32_t namespaces = 1); // those with a higher number
IdentifyPage namespaceDescriptors(bool isZoned, std::uint32_t number = 1);

} // namespace strobe::host::nvme
