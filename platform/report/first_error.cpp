// SPDX-License-Identifier: Apache-2.0
#include "platform/report/first_error.h"

#include "platform/report/text_table.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdint>

namespace strobe::platform {

using Parsed = nlohmann::json;

namespace {

std::uint64_t countAt(const Parsed& object, const char* key)
{
    return object.value(key, std::uint64_t{0});
}

std::string withDetail(const std::string& text, const Parsed& object)
{
    const Parsed details = object.value("details", Parsed::array());
    return details.empty() ? text : text + "; the first: " + details[0].get<std::string>();
}

} // namespace

std::string firstError(const Parsed& report)
{
    const Parsed& integrity = report.at("integrity");
    if (const std::uint64_t mismatches = countAt(integrity, "mismatches"); mismatches != 0)
        return withDetail("data mismatch in sectors: " + grouped(mismatches), integrity);
    const Parsed power = report.value("power", Parsed::object());
    if (const std::uint64_t unreadable = countAt(power, "sectors_unreadable"); unreadable != 0)
        return "sectors that cannot be read after a power loss: " + grouped(unreadable);
    for (const Parsed& failure : report.at("failures")) {
        if (failure.at("is_error").get<bool>() && countAt(failure, "count") != 0)
            return withDetail(
                fmt::format("{}: {}", failure.at("kind").get<std::string>(), grouped(countAt(failure, "count"))),
                failure);
    }
    if (const std::uint64_t notSaved = countAt(power, "not_saved"); notSaved != 0)
        return "power losses after which the write buffer was not saved: " + grouped(notSaved);
    return report.at("errors").get<bool>() ? "requests failed" : "";
}

} // namespace strobe::platform
