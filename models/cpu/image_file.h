#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Reads the file of a firmware image, native or RV32. ElfImage and NativeFirmware check its contents.

#include <cstddef>
#include <string>
#include <vector>

namespace strobe::cpu {

// Throws ConfigError with the path and the reason (no such file, a directory, no permission, empty).
std::vector<std::byte> readImageFile(const std::string& path);

} // namespace strobe::cpu
