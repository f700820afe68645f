// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/host_port.h"

#include "models/base/check.h"
#include "models/host/ahci/ahci_port_module.h"
#include "models/host/direct_port_module.h"
#include "models/host/nvme/nvme_port_module.h"
#include "models/host/pata_port_module.h"
#include "models/host/sata_port_module.h"

namespace strobe::platform {

std::unique_ptr<host::PortModule> makeHostPort(const Scenario& scenario, std::uint64_t powerLosses)
{
    const HostConfig& c = scenario.host;
    host::SataConfig sata = c.sata;
    sata.errors.powerLosses = powerLosses;
    host::AhciConfig ahci = c.ahci;
    ahci.faults.powerLosses = powerLosses;
    switch (c.interface) {
    case HostProtocol::Sata: return std::make_unique<host::SataPortModule>("sata", sata, scenario.dataMode);
    case HostProtocol::Direct: return std::make_unique<host::DirectPortModule>("direct", c.direct, scenario.dataMode);
    case HostProtocol::Nvme: {
        host::NvmeConfig nvme = c.nvme;
        nvme.powerLosses = static_cast<std::uint32_t>(powerLosses);
        nvme.hasVolatileCache = scenario.firmware.writeCache == WriteCache::Volatile;
        nvme.faults.powerLosses = nvme.pcie.errors.powerLosses = powerLosses;
        return std::make_unique<host::NvmePortModule>("nvme", nvme, scenario.dataMode);
    }
    case HostProtocol::Ahci:
        return std::make_unique<host::AhciPortModule>("ahci", host::AhciPortConfig{sata, ahci}, scenario.dataMode);
    case HostProtocol::Pata: return std::make_unique<host::PataPortModule>("pata", c.pata, scenario.dataMode);
    }
    checkFailed("unknown host interface", __FILE__, __LINE__);
}

} // namespace strobe::platform
