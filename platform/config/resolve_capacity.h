#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Whether the flash has space for the mapping layer's reserve and its capacity; if not, the key that is at fault and
// the nearest value that works. The capacity is known before the drive exists.

#include "platform/config/scenario.h"
#include "platform/config/walkers.h"

#include <cstdint>
#include <vector>

namespace strobe::platform {

// Sectors that the mapping layer will announce; 0: a problem was added. REQUIRES: numbers of dies, pages and chips are
// within their own limits.
std::uint64_t resolveCapacity(const Scenario& scenario, std::vector<Problem>& problems);

} // namespace strobe::platform
