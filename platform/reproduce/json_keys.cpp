// SPDX-License-Identifier: Apache-2.0
#include "platform/reproduce/json_keys.h"

#include "models/base/config_error.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace strobe::platform {

using nlohmann::json;

JsonKeys::JsonKeys(const json& object, std::string place) : object_(object), place_(std::move(place))
{
    if (!object.is_object())
        throw ConfigError(fmt::format("{}: must be an object, not {}", place_, object.dump()));
}

void JsonKeys::allowOnly(const std::vector<std::string>& keys) const
{
    for (const auto& [key, value] : object_.items()) {
        if (std::find(keys.begin(), keys.end(), key) == keys.end())
            throw ConfigError(
                fmt::format("{}/{}: unknown key; allowed here: \"{}\"", place_, key, fmt::join(keys, "\", \"")));
    }
}

const json& JsonKeys::at(const std::string& key) const
{
    const auto found = object_.find(key);
    if (found == object_.end())
        throw ConfigError(fmt::format("{}/{}: is missing", place_, key));
    return *found;
}

std::string JsonKeys::text(const std::string& key) const
{
    const json& value = at(key);
    if (!value.is_string())
        throw ConfigError(fmt::format("{}/{}: must be a text in quotes, not {}", place_, key, value.dump()));
    return value.get<std::string>();
}

std::string JsonKeys::textOr(const std::string& key, const std::string& otherwise) const
{
    return object_.contains(key) ? text(key) : otherwise;
}

bool JsonKeys::flagOr(const std::string& key, bool otherwise) const
{
    if (!object_.contains(key))
        return otherwise;
    const json& value = at(key);
    if (!value.is_boolean())
        throw ConfigError(fmt::format("{}/{}: must be true or false, not {}", place_, key, value.dump()));
    return value.get<bool>();
}

} // namespace strobe::platform
