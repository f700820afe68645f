#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A PCI function whose device is a drive: between its host, which sees a PciFunction, and the SSD's host interface.

#include "models/host/command_port.h"
#include "models/host/pcie/pci_function.h"
#include "models/host/port_figures.h"
#include "models/host/queue_use.h"

#include <vector>

namespace strobe::host {

class PciDriveFunction : public PciFunction, public Front, public PortFigures {
public:
    virtual void connect(HostPort& drive) = 0; // once, before any other call
    // Whether a write there gives the device new commands.
    virtual bool isSubmission(std::uint32_t bar, std::uint32_t offset) const = 0;
    virtual std::vector<QueueUse> queues() const { return {}; } // of a protocol that has some, since power-on
};

} // namespace strobe::host
