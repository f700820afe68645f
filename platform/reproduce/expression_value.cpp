// SPDX-License-Identifier: Apache-2.0
#include "platform/reproduce/expression_value.h"

#include "models/base/config_error.h"

#include <fmt/format.h>

#include <algorithm>

namespace strobe::platform {

double numberOf(const Value& value)
{
    if (const auto* number = std::get_if<double>(&value))
        return *number;
    throw ConfigError(std::holds_alternative<Series>(value) ? "a series where a number is needed"
                                                            : "a text where a number is needed");
}

std::string written(const Value& value)
{
    const auto* word = std::get_if<std::string>(&value);
    return word != nullptr ? *word : fmt::format("{}", numberOf(value));
}

std::string formatted(const Value& value, const std::string& format)
{
    if (const auto* word = std::get_if<std::string>(&value))
        return *word;
    const std::size_t end = std::min(format.find_first_of("fg"), format.size());
    const auto text = [&](double one) {
        if (format.empty())
            return written(one);
        try {
            if (end < format.size())
                return fmt::format(fmt::runtime("{:" + format.substr(0, end + 1) + "}"), one) + format.substr(end + 1);
        } catch (const fmt::format_error&) { // refused below
        }
        throw ConfigError(fmt::format("\"{}\" is not a number format; an example is .1f", format));
    };
    if (const auto* one = std::get_if<double>(&value))
        return text(*one);
    std::string all;
    for (const NamedNumber& one : std::get<Series>(value))
        all += (all.empty() ? "" : ", ") + one.name + " " + text(one.value);
    return all;
}

} // namespace strobe::platform
