#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The channel's part of resolving: from an interface's name and the scenario's settings to the timing of the bus.
// An interface is either computed from electrical parameters (channel::InterfaceKind) or a row
// (channel/interface_rows.h).

#include "platform/config/scenario_file.h"
#include "platform/config/walkers.h"

#include <string>
#include <vector>

namespace strobe::platform {

// Also writes the choices made back into `section`. The result is usable only if no problem was added.
ChannelConfig resolveChannel(ChannelSection& section, std::vector<Problem>& problems);

// An interface by name with all its defaults, at its shortest period. Throws ConfigError for an unknown name.
channel::InterfaceTiming interfaceTiming(const std::string& name);

// "CONV, SYNC_ONLY, PROPOSED, ONFI_SDR_0 to 5, …"
std::string interfaceChoices();

} // namespace strobe::platform
