#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Whether the flash has space for the mapping layer's reserve and its capacity; if not, the key that is at fault and
// the nearest value that works.

#include "platform/config/scenario.h"
#include "platform/config/walkers.h"

#include <vector>

namespace strobe::platform {

// REQUIRES: numbers of dies, pages and chips are within their own limits.
void resolveCapacity(const Scenario& scenario, std::vector<Problem>& problems);

} // namespace strobe::platform
