// SPDX-License-Identifier: Apache-2.0
#include "platform/reproduce/study_index.h"

#include "models/base/config_error.h"
#include "platform/config/compose.h"
#include "platform/reproduce/json_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace strobe::platform {

using nlohmann::json;

namespace {

const json& listAt(const json& object, const std::string& key, const std::string& place)
{
    const json& list = JsonKeys(object, place).at(key);
    if (!list.is_array() || list.empty())
        throw ConfigError(fmt::format("{}/{}: must be a list with at least one item", place, key));
    return list;
}

StudyEntry entry(const json& object, const std::string& place)
{
    const JsonKeys keys(object, place);
    keys.allowOnly({"name", "summary", "figures", "examples"});
    StudyEntry made{keys.text("name"),
                    keys.text("summary"),
                    keys.textOr("figures", "Only this figure or table; may be repeated"),
                    {}};
    for (const json& example : listAt(object, "examples", place)) {
        if (!example.is_string())
            throw ConfigError(fmt::format("{}/examples: must be texts in quotes, not {}", place, example.dump()));
        made.examples.push_back(example.get<std::string>());
    }
    return made;
}

} // namespace

std::vector<StudyEntry> studyIndex(const std::string& scenariosDirectory)
{
    const std::string folder = scenariosDirectory + "/papers/";
    const std::string file = folder + "studies.json";
    std::vector<StudyEntry> entries;
    if (!std::filesystem::exists(file))
        return entries;
    const json data = parseJsonFile(file);
    JsonKeys(data, file + ": ").allowOnly({"studies"});
    for (const json& object : listAt(data, "studies", file + ": ")) {
        const std::string place = fmt::format("{}: /studies/{}", file, entries.size());
        StudyEntry made = entry(object, place);
        if (made.name == "all" || std::any_of(entries.begin(), entries.end(),
                                              [&](const StudyEntry& other) { return other.name == made.name; }))
            throw ConfigError(fmt::format("{}/name: \"{}\" is taken", place, made.name));
        if (!std::filesystem::exists(folder + made.name + "/paper.json"))
            throw ConfigError(fmt::format("{}/name: there is no file {}{}/paper.json", place, folder, made.name));
        entries.push_back(std::move(made));
    }
    return entries;
}

} // namespace strobe::platform
