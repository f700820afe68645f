#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// From files to a Scenario: parse (JSON with comments), compose ("extends" and --set by JSON Merge Patch, RFC 7396),
// read, resolve. All problems of a scenario are collected and thrown as one ConfigError; each line names the file that
// set the value, the JSON path and the allowed values.

#include "models/base/config_error.h"
#include "platform/config/override.h"
#include "platform/config/scenario.h"

#include <string>
#include <vector>

namespace strobe::platform {

class ScenarioErrors : public ConfigError {
public:
    explicit ScenarioErrors(std::vector<std::string> messages);
    const std::vector<std::string>& messages() const { return messages_; } // one per problem; what() has all of them

private:
    std::vector<std::string> messages_;
};

struct LoadOptions {
    std::vector<Override> sets; // "nand.ways=8", applied last, in order
    std::string
        scenariosDirectory;    // where parts/, devices/, … are searched if they are not in the directory of the file
    bool needsWorkload = true; // false: a device alone is sufficient
    bool runsFirmware = true;  // false: keys of firmware and its memory need not suit the drive
};

Scenario loadScenario(const std::string& file, const LoadOptions& options);

// A part by name ("mlc-8k") or file name. Used by `strobe inspect part`.
nand::Part loadPart(const std::string& name, const LoadOptions& options);
std::string partJson(nand::Part part); // with every key

// The parameters of a scenario, for `strobe inspect`.
std::string scenarioSchema();         // JSON Schema, draft-07
std::string parameterTable();         // plain text
std::string parameterTableMarkdown(); // for docs/scenarios.md

} // namespace strobe::platform
