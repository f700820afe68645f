#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Composition of scenario files: what "extends" names comes first, in order, then the file itself, then the --set
// overrides; each is merged over the former by JSON Merge Patch (RFC 7396): objects merge, null removes, anything else
// replaces. An override may also change a value inside an item of a list, and null removes there, too; it creates no
// new items. Remembers the origin of each value, so that a message can name the file or the option.

#include "platform/config/override.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace strobe::platform {

struct Layer {
    std::string name;      // file as the user would write it, or the option that gave the value
    std::string directory; // relative file names in it are relative to this
    nlohmann::json content;
    bool isFile = true;
};

class Composition {
public:
    // Throws ConfigError: unreadable files, syntax errors (file:line:column), duplicate keys, circular "extends", parts
    // used as scenarios, overrides that match nothing.
    Composition(const std::string& file, const std::vector<Override>& overrides, std::string scenariosDirectory);

    const nlohmann::json& merged() const { return merged_; }
    // The last layer that sets the value at the JSON pointer, or else the nearest section above it.
    const Layer& originOf(const std::string& pointer) const;
    // The same for a rule that spans several values: the last layer that sets one of them.
    const Layer& originOf(const std::string& pointer, const std::vector<std::string>& others) const;
    // How late the value at the JSON pointer was written: the number of layers up to the last one that sets it, by a
    // value there or in place of a section above it; 0: none does.
    std::size_t rankOf(const std::string& pointer) const;
    // In the order of their application.
    const std::vector<Layer>& layers() const { return layers_; }
    // What the first layers make; these are files. A part that they only name is expanded where one of them changes it.
    nlohmann::json mergedFirst(std::size_t layers) const;
    // What the scenario extends, as it is written there.
    const std::vector<std::string>& bases() const { return bases_; }
    const std::string& scenariosDirectory() const { return scenariosDirectory_; }

private:
    void addFile(const std::string& file, std::vector<std::string>& open);
    void addOverride(const Override& given);
    void add(Layer layer);

    std::string scenariosDirectory_;
    std::vector<Layer> layers_;
    std::vector<std::string> bases_;
    nlohmann::json merged_ = nlohmann::json::object();
};

// A name that a user wrote, for a message: control characters as \xHH, at most 60 characters.
std::string printable(const std::string& text);

// Parses one file: comments allowed, syntax errors and keys that appear twice are ConfigErrors with line and column.
nlohmann::json parseJsonFile(const std::string& file);

// The file to which `name` refers in a layer's directory: unchanged, in the directory of the file, or in `fallback`
// (parts, traces);
// ".json" may be left out. Empty: not found.
std::string findFile(const std::string& name, const std::string& directory, const std::string& fallback);

} // namespace strobe::platform
