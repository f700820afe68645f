#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The health of a drive for its host interface, counted in the dies.

#include "models/host/drive_health.h"
#include "platform/assembly/wear.h"

namespace strobe::platform {

// `sparesPerDie`: blocks that firmware keeps to replace failed ones.
host::DriveHealth healthOf(const Dies& dies, std::uint32_t sparesPerDie);

} // namespace strobe::platform
