#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The port of a scenario's host interface, with the driver of that protocol: what is between a host of Strobe's own and
// the drive.

#include "models/host/port_module.h"
#include "platform/config/scenario.h"

#include <cstdint>
#include <memory>

namespace strobe::platform {

// `powerLosses`: how many there were before, which planned errors of the link and driver depend on.
std::unique_ptr<host::PortModule> makeHostPort(const Scenario& scenario, std::uint64_t powerLosses);

} // namespace strobe::platform
