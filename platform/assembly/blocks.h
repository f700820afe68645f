#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The blocks and connections of a drive as it was built, for the block diagram of a report. Read from the modules and
// the bus map. Dies are one block per channel. Not included: request lines between blocks of the flash controller.

#include "platform/report/report.h"

namespace strobe::host {
class PortModule;
}

namespace strobe::platform {

class SsdModule;

PlatformReport blocksOf(const SsdModule& ssd, const host::PortModule& port);

} // namespace strobe::platform
