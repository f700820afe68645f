#pragma once
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include <cstdlib>

namespace strobe::platform {

// As a number is written in a JSON report: nine significant digits. Further digits depend on the compiler's order of
// floating-point operations.
inline double rounded(double value)
{
    return std::strtod(fmt::format("{:.9g}", value).c_str(), nullptr);
}

} // namespace strobe::platform
