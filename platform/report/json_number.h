#pragma once
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string>

namespace strobe::platform {

// As a number is written in a JSON report: nine significant digits. Further digits depend on the compiler's order of
// floating-point operations.
inline double rounded(double value)
{
    return std::strtod(fmt::format("{:.9g}", value).c_str(), nullptr);
}

// A name as a key: with underscores in place of spaces.
inline std::string jsonKey(std::string name)
{
    std::replace(name.begin(), name.end(), ' ', '_');
    return name;
}

} // namespace strobe::platform
