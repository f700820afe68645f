#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Where a firmware image is: a name ("page_map") is strobe_firmware_<name>.so (native) or .elf (rv32) in the directory
// of images, text with a slash is a path. Throws ConfigError that lists the available images and names what is needed
// to build those for the RV32 core.

#include "platform/config/scenario.h"

#include <string>

namespace strobe::platform {

// The images that belong to the running program: installed with it, or in its build directory.
std::string firmwareDirectory();
std::string findFirmwareImage(const FirmwareConfig& firmware, const std::string& directory = firmwareDirectory());
// Strobe's image of that layer: images for the core need a cross compiler when Strobe is built.
bool isImageBuilt(FirmwareMode mode, Ftl ftl);

} // namespace strobe::platform
