#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Values of options that are quantities.

#include "models/base/config_error.h"
#include "platform/config/units.h"

#include <fmt/format.h>

#include <string>

namespace strobe::platform {

// Throws ConfigError that names the option.
inline Time timeOf(const std::string& option, const std::string& text)
{
    const Parsed time = parseQuantity(Quantity::Time, text);
    if (!time.value)
        throw ConfigError(fmt::format("{} {}: {}", option, text, time.error));
    return picoseconds(*time.value);
}

} // namespace strobe::platform
