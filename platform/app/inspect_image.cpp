// SPDX-License-Identifier: Apache-2.0
//
// strobe inspect image, strobe inspect image-key.
#include "models/base/config_error.h"
#include "platform/app/commands.h"
#include "platform/app/exit_codes.h"
#include "platform/app/json_output.h"
#include "platform/app/output_file.h"
#include "platform/assembly/drive_file.h"
#include "platform/assembly/image_key.h"
#include "platform/report/text_table.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace strobe::platform {

using nlohmann::ordered_json;

namespace {

// Text without quotation marks, numbers with separators; sizes in bytes also in a larger unit.
std::string valueText(const std::string& key, const ordered_json& value)
{
    if (value.is_string())
        return value.get<std::string>();
    if (!value.is_number_unsigned())
        return value.dump();
    const auto number = value.get<std::uint64_t>();
    const bool isSize = key.size() > 5 && key.substr(key.size() - 5) == "bytes";
    return grouped(number) + (isSize ? fmt::format(" ({})", shortBytes(number)) : "");
}

std::string aboutText(const ordered_json& about)
{
    std::string text;
    for (const auto& [name, part] : about.items()) {
        if (!part.is_object()) {
            text += fmt::format("{}: {}\n", name, valueText(name, part));
            continue;
        }
        text += name + "\n";
        for (const auto& [key, value] : part.items())
            text += fmt::format("  {:<40} {}\n", key, valueText(key, value));
    }
    return text;
}

} // namespace

int inspectImage(const std::string& file, const std::string& json)
{
    requireSafeOutputs({file}, {{"--json", json}});
    JsonOutput output(json);
    const std::string about = describeDriveFile(file);
    output.commit(about, aboutText(ordered_json::parse(about)));
    return exitOk;
}

int inspectImageKey(const std::string& name, const LoadOptions& options)
{
    const std::string path = findScenario(name, options);
    Scenario scenario = loadScenario(path, options);
    if (scenario.nand.contents.isImage()) { // it replaces the preconditioning that is asked for
        LoadOptions withoutImage = options;
        withoutImage.sets.emplace_back("nand.contents=null", "strobe inspect image-key");
        scenario = loadScenario(path, withoutImage);
    }
    printOut(imageKey(scenario) + "\n");
    return exitOk;
}

} // namespace strobe::platform
