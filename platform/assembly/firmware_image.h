#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Where a native firmware image is: a name ("page_map") means firmware/strobe_firmware_<name>.so beside the program,
// text with a slash is a path. Throws ConfigError that lists the images there are.

#include <string>

namespace strobe::platform {

std::string findFirmwareImage(const std::string& nameOrPath);

} // namespace strobe::platform
