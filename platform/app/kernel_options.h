#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Options for the kernel of `strobe linux` (--kernel-option NAME=VALUE). Allowed are parameters of the drive's drivers
// and of the kernel's memory management, which make the guest use the drive differently. All others are refused: the
// kernel's clock, console, bus, memory and root are the front's. A parameter that the kernel does not have, or a value
// that it does not take, is found by the guest's first program (scripts/lib/linux/init).

#include "platform/config/scenario.h"

#include <string>
#include <vector>

namespace strobe::platform {

// Throws ConfigError for an option that is malformed or not allowed with this interface, and for too many of them.
void checkKernelOptions(const std::vector<std::string>& options, HostProtocol protocol);

} // namespace strobe::platform
