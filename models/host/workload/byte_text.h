#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Byte counts in readable form, for messages and describe(): "4 KiB", "1.5 GiB", "513 B".

#include <cstdint>
#include <string>

namespace strobe::host {

std::string byteText(std::uint64_t bytes);

} // namespace strobe::host
