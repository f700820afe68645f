// SPDX-License-Identifier: Apache-2.0
#include "platform/config/compose.h"

#include "models/base/config_error.h"
#include "platform/config/moved_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <sstream>

namespace strobe::platform {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

std::string readText(const std::string& file)
{
    std::error_code error;
    if (fs::is_directory(file, error))
        throw ConfigError(file + ": is a directory, not a file");
    std::ifstream stream(file, std::ios::binary);
    if (!stream)
        throw ConfigError(file +
                          ": cannot be read: " + (fs::exists(file, error) ? "permission denied" : "no such file"));
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
}

// "line:column" of a position.
std::string placeIn(const std::string& text, std::size_t position)
{
    const std::size_t end = std::min(position, text.size());
    const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(end), '\n');
    const std::size_t lineStart = end == 0 ? 0 : text.rfind('\n', end - 1) + 1; // npos + 1 is 0
    return fmt::format("{}:{}", line, end - lineStart + 1);
}

// Finds keys that appear twice in an object, while a document is read: of two values, the last one would be taken
// without a message.
class DuplicateKeys {
public:
    struct Found {
        std::string path; // of the object
        std::string key;
        std::size_t end = 0; // position after the quote that ends the key
    };

    template <class Position> // Position: bytes read
    void watch(json::parse_event_t event, const json& value, Position position)
    {
        switch (event) {
        case json::parse_event_t::object_start:
        case json::parse_event_t::array_start: open_.push_back({pathOfNext(), {}, {}, 0}); break;
        case json::parse_event_t::key:
            open_.back().key = value.get<std::string>();
            if (!open_.back().keys.insert(open_.back().key).second && !first_)
                first_ = Found{open_.back().path, open_.back().key, position()};
            break;
        case json::parse_event_t::object_end:
        case json::parse_event_t::array_end:
            open_.pop_back();
            countItem();
            break;
        case json::parse_event_t::value: countItem(); break;
        }
    }
    const std::optional<Found>& first() const { return first_; }

private:
    struct Open { // an object or a list
        std::string path;
        std::set<std::string> keys;
        std::string key;      // of an object: the last one
        std::size_t item = 0; // of a list: its next one
    };

    std::string pathOfNext() const
    {
        if (open_.empty())
            return {};
        const Open& last = open_.back();
        return last.path + "/" + (last.keys.empty() ? std::to_string(last.item) : last.key);
    }
    void countItem()
    {
        if (!open_.empty())
            ++open_.back().item;
    }

    std::vector<Open> open_;
    std::optional<Found> first_;
};

// nlohmann's message without its id and its position.
std::string syntaxReason(std::string what)
{
    if (const auto at = what.find("syntax error"); at != std::string::npos)
        what.erase(0, at);
    if (const auto read = what.find("; last read: "); read != std::string::npos)
        what.replace(read, std::string("; last read: ").size(), "; near ");
    return what;
}

// A part given by name is short for an object that extends it; it is expanded before single values change.
void openPart(json& merged, const json& change)
{
    const json::json_pointer part("/nand/part");
    if (merged.contains(part) && merged[part].is_string() && change.contains(part) && change[part].is_object())
        merged[part] = json::object({{"extends", merged[part]}});
}

// Keys of a part that no scenario has.
bool isPart(const json& content)
{
    return content.contains("blocksPerPlane") && content.contains("pageSize") && !content.contains("nand");
}

// What a file is that is not a scenario, with the commands that read it. Empty: it may be a scenario.
std::string otherKindOf(const json& content)
{
    if (content.contains("schema_version") && content.contains("totals"))
        return "this is a report of strobe run; strobe report and strobe compare read it";
    if (content.contains("objectives") && content.contains("parameters"))
        return "this is a study of strobe explore; strobe explore reads it";
    if (content.contains("paper") && content.contains("figures"))
        return "this is the study of a paper; strobe reproduce reads it";
    return {};
}

std::size_t listIndex(const std::string& token) // SIZE_MAX: no number
{
    const bool isNumber = !token.empty() && token.size() <= 9 &&
                          std::all_of(token.begin(), token.end(), [](char c) { return c >= '0' && c <= '9'; });
    return isNumber ? std::stoul(token) : SIZE_MAX;
}

std::vector<std::string> split(const std::string& path)
{
    std::vector<std::string> tokens;
    std::istringstream stream(path);
    for (std::string token; std::getline(stream, token, '.');)
        tokens.push_back(token);
    return tokens;
}

// The object or list in which the last key is to be set; missing objects on the path are created, items of lists are
// not. Throws ConfigError, `who` first, if there is no such place.
json& placeOf(json& document, const std::vector<std::string>& keys, const std::string& who)
{
    json* at = &document;
    std::string above; // path so far
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const std::string& key = keys[i];
        if (at->is_array() || (at->is_null() && listIndex(key) != SIZE_MAX)) {
            if (at->is_null() || listIndex(key) >= at->size()) {
                std::string pointer = "/" + above;
                std::replace(pointer.begin(), pointer.end(), '.', '/');
                if (const std::string moved = movedKey(pointer); !moved.empty())
                    throw ConfigError(fmt::format("{}: {}", who, moved));
                throw ConfigError(fmt::format("{}: there is no item {} in {}, which has {}; items are numbered from 0, "
                                              "and a list is made or grows only as a whole: {}=[...]",
                                              who, key, above, at->size(), above));
            }
            if (i + 1 < keys.size())
                at = &(*at)[listIndex(key)];
        } else if (at->is_object() || at->is_null()) {
            if (at->is_null())
                *at = json::object();
            if (i + 1 < keys.size())
                at = &(*at)[key];
        } else {
            throw ConfigError(fmt::format("{}: {} is {}: nothing can be set inside it", who, above, at->dump()));
        }
        above += (above.empty() ? "" : ".") + key;
    }
    return *at;
}

} // namespace

std::string printable(const std::string& text)
{
    constexpr std::size_t most = 60;
    std::string shown;
    for (const char c : text.substr(0, most)) {
        const auto code = static_cast<unsigned char>(c);
        shown += code < 0x20 || code == 0x7F ? fmt::format("\\x{:02x}", code) : std::string(1, c);
    }
    return shown + (text.size() > most ? "..." : "");
}

json parseJsonFile(const std::string& file)
{
    const std::string text = readText(file);
    std::istringstream stream(text);
    DuplicateKeys duplicates;
    const auto watch = [&](int, json::parse_event_t event, json& value) {
        duplicates.watch(event, value, [&stream] { return static_cast<std::size_t>(stream.tellg()); });
        return true;
    };
    json content;
    std::string tooLarge;
    try {
        content = json::parse(stream, watch, true, true);
    } catch (const json::out_of_range& error) { // "… number overflow parsing '1e999'"
        const std::string what = error.what();
        const std::size_t quote = what.find('\'');
        tooLarge = quote == std::string::npos ? "in it" : what.substr(quote + 1, what.rfind('\'') - quote - 1);
    } catch (const json::parse_error& error) {
        throw ConfigError(fmt::format("{}:{}: {}", file, placeIn(text, error.byte == 0 ? 0 : error.byte - 1),
                                      syntaxReason(error.what())));
    }
    if (!tooLarge.empty())
        throw ConfigError(fmt::format("{}: the number {} is too large", file, tooLarge));
    if (const auto& duplicate = duplicates.first()) {
        const std::size_t quote =
            text.rfind('"', duplicate->end - 2); // a key has no quote inside, or the place is near
        throw ConfigError(fmt::format("{}:{}: {}: the key \"{}\" appears twice", file, placeIn(text, quote),
                                      duplicate->path.empty() ? "/" : duplicate->path, printable(duplicate->key)));
    }
    if (!content.is_object())
        throw ConfigError(file + ": a scenario is an object, like {\"name\": ...}");
    return content;
}

std::string findFile(const std::string& name, const std::string& directory, const std::string& fallback)
{
    const auto isFile = [](const fs::path& path) {
        std::error_code error;
        return fs::exists(path, error) && !fs::is_directory(path, error); // pipes too
    };
    for (const std::string& base : {directory, fallback}) {
        for (const char* ending : {"", ".json"}) {
            const fs::path path = fs::path(base.empty() ? "." : base) / (name + ending);
            if (isFile(path))
                return path.lexically_normal().string();
        }
    }
    return {};
}

Composition::Composition(const std::string& file, const std::vector<Override>& overrides,
                         std::string scenariosDirectory)
    : scenariosDirectory_(std::move(scenariosDirectory))
{
    std::vector<std::string> open;
    addFile(file, open);
    for (const Override& given : overrides)
        addOverride(given);
}

void Composition::addFile(const std::string& file, std::vector<std::string>& open)
{
    std::error_code error;
    const std::string identity = fs::weakly_canonical(file, error).string();
    if (std::find(open.begin(), open.end(), identity) != open.end())
        throw ConfigError(fmt::format("{}: extends itself: {} -> {}", file, fmt::join(open, " -> "), identity));
    open.push_back(identity);

    Layer layer{file, fs::path(file).parent_path().string(), parseJsonFile(file)};
    if (isPart(layer.content)) {
        throw ConfigError(fmt::format("{}: this is a part, not a scenario: name it as /nand/part of a scenario, or "
                                      "show it with strobe inspect part {}",
                                      file, fs::path(file).stem().string()));
    }
    if (const std::string other = otherKindOf(layer.content); !other.empty())
        throw ConfigError(file + ": " + other);
    if (const auto extends = layer.content.find("extends"); extends != layer.content.end()) {
        const json names = extends->is_array() ? *extends : json::array({*extends});
        for (const json& name : names) {
            if (!name.is_string())
                throw ConfigError(file + ": /extends: must be a file name or a list of file names, not " + name.dump());
            const std::string base = findFile(name.get<std::string>(), layer.directory, scenariosDirectory_);
            if (base.empty()) {
                throw ConfigError(fmt::format("{}: /extends: there is no file \"{}\" in its directory{}", file,
                                              printable(name.get<std::string>()),
                                              scenariosDirectory_.empty() ? "" : " or in " + scenariosDirectory_));
            }
            if (open.size() == 1)
                bases_.push_back(name.get<std::string>());
            addFile(base, open);
        }
        layer.content.erase("extends");
    }
    layer.content.erase("$schema");
    add(std::move(layer));
    open.pop_back();
}

void Composition::addOverride(const Override& given)
{
    const std::string& assignment = given.assignment;
    const std::string& who = given.saidBy;
    const std::size_t equals = assignment.find('=');
    const std::vector<std::string> keys = split(assignment.substr(0, equals));
    if (equals == std::string::npos || std::find(keys.begin(), keys.end(), "") != keys.end() || keys.empty())
        throw ConfigError(who + ": write it as key.key=value, like --set nand.ways=8");
    const std::string text = assignment.substr(equals + 1);
    json value = json::parse(text, nullptr, false);
    if (value.is_discarded() && text.find_first_of("[{\"") == 0)
        throw ConfigError(
            who + ": the value starts like JSON but is not valid: a bracket, a brace or a quote is not closed, or "
                  "other text follows it");
    if (value.is_discarded())
        value = text;

    // The layer contains only the values that were set, for originOf(); the merged document is edited in place, because
    // a merge patch could not reach into a list.
    Layer layer{who, "", json::object(), false};
    json* at = &layer.content;
    for (const std::string& key : keys)
        at = &(*at)[key];
    *at = value;

    openPart(merged_, layer.content);
    json& place = placeOf(merged_, keys, who);
    if (!value.is_null()) {
        (place.is_array() ? place[listIndex(keys.back())] : place[keys.back()]) = std::move(value);
    } else if (place.is_array()) {
        throw ConfigError(who + ": items of a list cannot be removed one by one; give the whole list");
    } else {
        place.erase(keys.back());
    }
    layers_.push_back(std::move(layer));
}

json Composition::mergedFirst(std::size_t layers) const
{
    json merged = json::object();
    for (std::size_t i = 0; i < layers; ++i) {
        openPart(merged, layers_[i].content);
        merged.merge_patch(layers_[i].content);
    }
    return merged;
}

void Composition::add(Layer layer)
{
    openPart(merged_, layer.content);
    merged_.merge_patch(layer.content);
    layers_.push_back(std::move(layer));
}

namespace {

// Whether the layer decides the value at `pointer`: a value there, or, in place of a section above it, a value that is
// not a section (null removes it).
bool decides(const json& content, const std::string& pointer)
{
    for (std::string path = pointer; !path.empty(); path.erase(path.rfind('/'))) {
        const json::json_pointer at(path);
        if (content.contains(at))
            return path == pointer || !content[at].is_structured();
    }
    return false;
}

} // namespace

std::size_t Composition::rankOf(const std::string& pointer) const
{
    std::size_t rank = layers_.size();
    while (rank != 0 && !decides(layers_[rank - 1].content, pointer))
        --rank;
    return rank;
}

const Layer& Composition::originOf(const std::string& pointer, const std::vector<std::string>& others) const
{
    const std::string* latest = &pointer;
    for (const std::string& other : others) {
        if (rankOf(other) > rankOf(*latest))
            latest = &other;
    }
    return originOf(*latest);
}

const Layer& Composition::originOf(const std::string& pointer) const
{
    for (std::string path = pointer; !path.empty(); path.erase(path.rfind('/'))) {
        for (auto layer = layers_.rbegin(); layer != layers_.rend(); ++layer) {
            if (decides(layer->content, path))
                return *layer;
        }
    }
    // No layer set it (it is missing): the scenario file itself, the last layer that is a file.
    for (auto layer = layers_.rbegin(); layer != layers_.rend(); ++layer) {
        if (layer->isFile)
            return *layer;
    }
    return layers_.back();
}

} // namespace strobe::platform
