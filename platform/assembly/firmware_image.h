#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Where a firmware image is: a name ("page_map") means firmware/strobe_firmware_<name>.so (native) or .elf (rv32)
// beside the program, text with a slash is a path. Throws ConfigError that lists the images there are, and says what is
// needed to make those for the RV32 core.

#include "platform/config/scenario.h"

#include <string>

namespace strobe::platform {

std::string findFirmwareImage(const FirmwareConfig& firmware);
// Strobe's own of that layer: those for the core need a cross compiler when Strobe is built.
bool isImageBuilt(FirmwareMode mode, Ftl ftl);

} // namespace strobe::platform
