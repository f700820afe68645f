#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The command that repeats one power loss of many: a line for a shell.

#include "platform/config/load.h"

#include <string>
#include <vector>

namespace strobe::platform {

// Overrides that replace a scenario's own power losses. `instants`: as in a list of JSON; empty: none.
std::vector<std::string> cutsAt(const std::string& instants);

std::string quoted(const std::string& word); // as one word of a shell

// `start`, the overrides of the user, and `more`.
std::string repeatCommand(const std::string& start, const LoadOptions& load, const std::vector<std::string>& more);

} // namespace strobe::platform
