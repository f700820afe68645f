#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The blocks and connections of a drive as it was built, for the block diagram of a report. Read from the modules and
// the bus map. Dies are one block per channel. Not included: request lines between blocks of the flash controller.

#include "platform/report/report.h"

#include <string>

namespace strobe::host {
class PortFigures;
}

namespace strobe::platform {

class SsdModule;

// `link`: the name of the protocol between them.
PlatformReport blocksOf(const SsdModule& ssd, const host::PortFigures& port, const std::string& link);

} // namespace strobe::platform
