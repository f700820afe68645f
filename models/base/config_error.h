#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A mistake of the user: scenario, trace, firmware image or command line. what() is one clear message per problem, each
// with its place ("scenario.json: /nand/ways: …", "trace.csv:17:4: …") and what is allowed. Caught in main(): exit
// code 2.

#include <stdexcept>
#include <string>

namespace strobe {

class ConfigError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

} // namespace strobe
