// SPDX-License-Identifier: Apache-2.0
#include "platform/device/device_scenario.h"

#include "models/base/config_error.h"
#include "platform/config/compose.h"
#include "platform/config/load.h"

#include <fmt/format.h>

namespace strobe::platform {

namespace {

std::string at(const Scenario& scenario, const char* path)
{
    return (scenario.origin ? scenario.origin(path) + ": " : std::string()) + path + ": ";
}

std::string problemOf(const Scenario& scenario)
{
    if (scenario.host.interface != HostProtocol::Nvme)
        return at(scenario, "/host/interface") +
               fmt::format("SsdDevice has NVMe registers, not those of \"{}\"; must be \"nvme\"",
                           enumName(scenario.host.interface));
    if (scenario.power.hasCuts())
        return at(scenario, "/power") + "SsdDevice does not lose power; must have no cuts";
    if (scenario.faults.host.isOn())
        return at(scenario, "/faults/host") +
               "the driver in front of SsdDevice decides about resets and aborts; must be without them";
    if (scenario.nand.contents.saves())
        return at(scenario, "/nand/contents/mode") + "SsdDevice does not save contents; must be \"load\"";
    return {};
}

} // namespace

Scenario loadDeviceScenario(const std::string& file, const std::vector<std::string>& sets, const std::string& scenarios)
{
    const std::string path = findFile(file, "", scenarios);
    if (path.empty())
        throw ConfigError(file + ": there is no such scenario, neither here nor in \"" + scenarios + '"');
    LoadOptions options;
    options.sets.assign(sets.begin(), sets.end());
    options.sets.emplace_back("data=bytes", "SsdDevice");
    options.scenariosDirectory = scenarios;
    options.needsWorkload = false;
    Scenario scenario = loadScenario(path, options);
    if (const std::string problem = problemOf(scenario); !problem.empty())
        throw ConfigError(problem);
    return scenario;
}

} // namespace strobe::platform
