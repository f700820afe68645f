#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A scenario for SsdDevice: loaded, with real bytes in its sectors, and checked for features that are not available to
// a drive inside another platform. Throws ConfigError.

#include "platform/config/scenario.h"

#include <string>
#include <vector>

namespace strobe::platform {

// `file`: a path, or a name below `scenarios`.
Scenario loadDeviceScenario(const std::string& file, const std::vector<std::string>& sets,
                            const std::string& scenarios);

} // namespace strobe::platform
