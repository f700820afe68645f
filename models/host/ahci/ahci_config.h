#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The settings of an AHCI port besides its SATA link: the path between driver, adapter and memory. The defaults
// are assumed: docs/host_ports.md.

#include "models/base/time.h"
#include "models/host/host_faults.h"

namespace strobe::host {

struct AhciConfig {
    Time registerWrite = picoseconds(150'000); // to the adapter
    Time registerRead = picoseconds(500'000);  // there and back
    Time memoryLatency = picoseconds(200'000); // of a read of host memory by the adapter
    Time submit{};                             // driver time before a command is in memory
    Time interrupt{};                          // from the adapter's interrupt to the driver's first register access
    HostFaults faults{};                       // resets
};

} // namespace strobe::host
