#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// What a scenario changes: each value that its file or the command line sets, beside the value in the scenarios that it
// extends or, if these do not set it, the default. Values are as written ("25us" and "25000ns" differ).

#include "platform/config/compose.h"

#include <nlohmann/json.hpp>

#include <functional>
#include <string>

namespace strobe::platform {

// `written`: /nand/part of a scenario; `directory`: that of the file that it is from.
using PartReader = std::function<nlohmann::json(const nlohmann::json& written, const std::string& directory)>;

// {"extends": [names], "changes": [{"key": "nand.ways", "base": 4, "value": 8, "set_by": "--set nand.ways=8"}]}, in the
// order of the keys. `base` is null where there is no such value. `defaults`: a scenario with every key that has a
// default. File names are without their directories, so that the result does not depend on where the files are.
// `readPart`: the values of the part that a scenario names or extends; null: there is no such part. The base of a key
// of the part is its value there.
nlohmann::ordered_json differencesOf(const Composition& composition, const nlohmann::ordered_json& defaults,
                                     const PartReader& readPart);

} // namespace strobe::platform
