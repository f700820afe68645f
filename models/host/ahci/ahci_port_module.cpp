// SPDX-License-Identifier: Apache-2.0
#include "models/host/ahci/ahci_port_module.h"

namespace strobe::host {

std::vector<PortModule::Line> AhciPortModule::lines() const
{
    return {{"host link", &link().link().line()}};
}

std::vector<PortModule::Counter> AhciPortModule::counters() const
{
    const SataCounters& c = link().link().counters();
    const ahci::HbaCounters& hba = link().hba().counters();
    return {{"data_phases", c.dataPhases},
            {"completions_coalesced", c.coalesced},
            {"held_for_memory_ps", static_cast<std::uint64_t>(c.held.count())},
            {"register_reads", hba.registerReads},
            {"register_writes", hba.registerWrites},
            {"interrupts", hba.interrupts}};
}

} // namespace strobe::host
