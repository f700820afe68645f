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

// The first layers with the values of the part that they name; without a part, they take that of `merged` without its
// changes.
json withPart(json base, std::size_t layers, const Composition& composition, const PartReader& readPart)
{
    const json::json_pointer at("/nand/part");
    const auto hasPart = [&](const Layer& layer) { return layer.content.contains(at); };
    if (base.contains(at)) {
        const auto last = composition.layers().rend() - static_cast<std::ptrdiff_t>(layers);
        const auto origin = std::find_if(last, composition.layers().rend(), hasPart);
        base[at] = readPart(base[at], origin->directory);
    } else if (composition.merged().contains(at)) {
        const json& part = composition.merged()[at];
        if (part.is_string() || part.contains("extends"))
            base[at] =
                readPart(part.is_string() ? part : part["extends"], composition.originOf("/nand/part").directory);
    }
    return base;
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

ordered_json differencesOf(const Composition& composition, const ordered_json& defaults, const PartReader& readPart)
{
    const std::vector<Layer>& layers = composition.layers();
    // The last file is the scenario itself; those before it are what it extends, those after it are overrides.
    const auto own = std::find_if(layers.rbegin(), layers.rend(), [](const Layer& l) { return l.isFile; }).base() - 1;
    const auto before = static_cast<std::size_t>(own - layers.begin());
    const json base = composition.mergedFirst(before);
    const json opened = withPart(base, before, composition, readPart);

    std::map<std::string, std::string> leaves; // pointer, set by
    for (auto layer = own; layer != layers.end(); ++layer)
        findLeaves(layer->content, "", placeless(*layer), leaves);

    ordered_json changes = ordered_json::array();
    for (const auto& [path, setBy] : leaves) {
        if (path.empty() || path == "/name" || path == "/description")
            continue;
        ordered_json value = valueAt(composition.merged(), path);
        ordered_json former = valueAt(base, path);
        if (former.is_null())
            former = valueAt(opened, path);
        const bool isInBase = !former.is_null();
        if (!isInBase)
            former = valueAt(defaults, path);
        if (value.is_null() && !isInBase) // removed, and never there
            continue;
        if (value == former)
            continue;
        changes.push_back({{"key", dotted(path)}, {"base", former}, {"value", value}, {"set_by", setBy}});
    }
    return {{"extends", composition.bases()}, {"changes", std::move(changes)}};
}

} // namespace strobe::platform
