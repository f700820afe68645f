#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Names for contents: equal bytes have equal digests, on every machine (UUID version 5 of the bytes, which is a part of
// their SHA-1). Against accidents, not against attackers.

#include "models/base/config_error.h"

#include <string>
#include <string_view>

namespace strobe::platform {

class UnreadableFile : public ConfigError { // why a file cannot be read, without its name
public:
    using ConfigError::ConfigError;
};

std::string digestOf(std::string_view bytes);
std::string digestOfFile(const std::string& path);   // throws ConfigError that names the file
std::string contentsOfFile(const std::string& path); // throws UnreadableFile

} // namespace strobe::platform
