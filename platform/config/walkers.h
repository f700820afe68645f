#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Operations on a description (fields.h).

#include "platform/config/fields.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace strobe::platform {

struct Problem {
    std::string path; // JSON pointer: "/nand/ways"
    std::string message;
    bool followsFromOthers = false; // may be the consequence of another value that is wrong by itself
    // Not empty: the value is correct, but has no effect because of the values at these places (JSON pointers). A
    // problem only if it was not written before them.
    std::vector<std::string> choices{};
    bool isUnknownKey = false;
    // The other values of a rule that spans several (JSON pointers): the last one written is the likely mistake.
    std::vector<std::string> others{};
};

// Reads `object` into the described struct. Absent keys keep their defaults, and so do keys without effect
// (Fields::onlyIf, ifChosen). Every mistake becomes a problem: unknown keys with the nearest allowed name, and keys
// that have no effect with the other values (Fields::onlyIf).
void readFields(const nlohmann::json& object, const std::string& path, const Fields::Describe& describe,
                std::vector<Problem>& problems);

// The described struct as JSON, in the order of the description, without what does not apply.
nlohmann::ordered_json writeFields(const Fields::Describe& describe);

// The JSON Schema (draft-07) of the described struct; quantities refer to #/definitions.
nlohmann::ordered_json schemaOfFields(const Fields::Describe& describe);
nlohmann::ordered_json quantityDefinitions();

struct ParameterRow {
    std::string path; // "nand.ways", "workload.phases[].name"; a section's own row has no type
    std::string type;
    std::string initial; // default as it would be written
    std::string allowed;
    std::string text;
    bool isSection = false;
};
std::vector<ParameterRow> tabulateFields(const Fields::Describe& describe);

// The entry of `names` that `word` was probably meant to be; empty if none is near.
std::string nearestName(std::string_view word, const std::vector<std::string>& names);

} // namespace strobe::platform
