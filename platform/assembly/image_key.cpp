// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/image_key.h"

#include "platform/assembly/digest.h"
#include "platform/assembly/drive_file.h"
#include "platform/assembly/firmware_image.h"
#include "platform/config/resolve.h"

#include <nlohmann/json.hpp>

namespace strobe::platform {

using nlohmann::json;

std::string imageKey(const Scenario& scenario)
{
    json key = json::parse(scenario.resolvedJson);
    for (const char* section : {"name", "description", "report", "energy", "operations"})
        key.erase(section);
    key["nand"].erase("contents");
    key["firmware"].erase("image");
    json& phases = key["workload"]["phases"];
    const std::uint32_t kept = preconditioningPhases(scenario);
    if (kept == 0)
        throw ConfigError(scenario.file + ": /workload/phases: there is no phase before the first measured one, so no "
                                          "image is made");
    phases.erase(phases.begin() + kept, phases.end());
    for (std::uint32_t i = 0; i < kept; ++i) {
        if (const std::string& trace = scenario.workload.phases[i].source.trace.file; !trace.empty())
            phases[i]["trace"]["file"] = digestOfFile(trace);
    }
    if (scenario.nand.contents.loads())
        key["image"] = digestOfFile(scenario.nand.contents.file);
    key["format"] = driveFileVersion;
    key["models"] = modelDigest();
    return digestOf(key.dump() + digestOfFile(findFirmwareImage(scenario.firmware)));
}

} // namespace strobe::platform
