#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Keys of scenarios that have another place now, so that a file for an earlier version gets the new name.

#include <string>

namespace strobe::platform {

// For a JSON pointer that is not a key: "host.generation is now host.sata.generation"; empty if it never was one.
std::string movedKey(const std::string& pointer);

} // namespace strobe::platform
