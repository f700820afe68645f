#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// One value of a scenario given on the command line: "nand.ways=8", set by --set or by an option of the command.

#include <string>
#include <utility>

namespace strobe::platform {

struct Override {
    std::string assignment; // "nand.ways=8"
    std::string saidBy;     // the option as it was written, for messages

    Override(std::string set) // NOLINT(google-explicit-constructor): a list of assignments is a list of overrides
        : assignment(std::move(set)), saidBy("--set " + assignment)
    {
    }
    Override(const char* set) : Override(std::string(set)) {} // NOLINT(google-explicit-constructor): likewise
    Override(std::string assigned, std::string option) : assignment(std::move(assigned)), saidBy(std::move(option)) {}
};

} // namespace strobe::platform
