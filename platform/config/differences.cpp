// SPDX-License-Identifier: Apache-2.0
#include "platform/config/differences.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

namespace strobe::platform {

using nlohmann::json;
using nlohmann::ordered_json;

namespace {

bool isSection(const json& value)
{
    const auto isObject = [](const json& item) { return item.is_object(); };
    return value.is_object() ||
           (value.is_array() && !value.empty() && std::all_of(value.begin(), value.end(), isObject));
}

// Pointers of the values inside `value`, in `leaves` under `path`.
void findLeaves(const json& value, const std::string& path, const std::string& setBy,
                std::map<std::string, std::string>& leaves)
{
    if (!isSection(value) || value.empty()) {
        leaves[path] = setBy;
        return;
    }
    for (const auto& [key, inner] : value.items()) // an item of a list has its number as key
        findLeaves(inner, fmt::format("{}/{}", path, key), setBy, leaves);
}

// Null: there is no such value.
template <class Json>
Json valueAt(const Json& document, const std::string& path)
{
    const typename Json::json_pointer pointer(path);
    return document.contains(pointer) ? document[pointer] : Json();
}

// "/nand/ways" as "nand.ways".
std::string dotted(const std::string& path)
{
    std::string key = path.substr(1);
    std::replace(key.begin(), key.end(), '/', '.');
    return key;
}

std::string placeless(const Layer& layer)
{
    return layer.isFile ? std::filesystem::path(layer.name).stem().string() : layer.name;
}

} // namespace

ordered_json differencesOf(const Composition& composition, const ordered_json& defaults)
{
    const std::vector<Layer>& layers = composition.layers();
    // The last file is the scenario itself; those before it are what it extends, those after it are overrides.
    const auto own = std::find_if(layers.rbegin(), layers.rend(), [](const Layer& l) { return l.isFile; }).base() - 1;
    json base = json::object();
    for (auto layer = layers.begin(); layer != own; ++layer)
        base.merge_patch(layer->content);

    std::map<std::string, std::string> leaves; // pointer, set by
    for (auto layer = own; layer != layers.end(); ++layer)
        findLeaves(layer->content, "", placeless(*layer), leaves);

    ordered_json changes = ordered_json::array();
    for (const auto& [path, setBy] : leaves) {
        if (path.empty() || path == "/name" || path == "/description")
            continue;
        ordered_json value = valueAt(composition.merged(), path);
        ordered_json before = valueAt(base, path);
        const bool isInBase = !before.is_null();
        if (!isInBase)
            before = valueAt(defaults, path);
        if (value.is_null() && !isInBase) // removed, and never there
            continue;
        if (value == before)
            continue;
        changes.push_back({{"key", dotted(path)}, {"base", before}, {"value", value}, {"set_by", setBy}});
    }
    return {{"extends", composition.bases()}, {"changes", std::move(changes)}};
}

} // namespace strobe::platform
