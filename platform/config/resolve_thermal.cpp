// SPDX-License-Identifier: Apache-2.0
#include "platform/config/resolve_sections.h"

#include <fmt/format.h>

#include <algorithm>

namespace strobe::platform {

namespace {

// What needs firmware that throttles. After the choice of the result's.
void hostManagement(Resolving& r)
{
    const host::NvmeConfig& nvme = r.file.host.config.nvme;
    const bool throttles = r.result.thermal.throttles();
    const char* const message = "needs firmware that throttles (/thermal/enabled and /thermal/throttle/enabled)";
    for (std::size_t i = 1; i < nvme.powerStates.size(); ++i)
        r.checks.expect(throttles || !nvme.powerStates[i].isOperational,
                        fmt::format("/host/nvme/powerStates/{}/operational", i), message, {"/thermal"});
    constexpr std::int32_t lowest = ThermalConfig::lowestManaged;
    const std::int32_t highest = r.result.thermal.throttle.heavy;
    const auto check = [&](const std::optional<std::int32_t>& wanted, const char* path) {
        if (wanted && r.checks.expect(throttles, path, message, {"/thermal"}) &&
            r.checks.expect(highest > lowest, path,
                            fmt::format("needs a /thermal/throttle/heavy above {}, which is {}", lowest, highest),
                            {"/thermal/throttle/heavy"}))
            r.checks.expect(*wanted >= lowest && *wanted <= highest, path,
                            fmt::format("must be {} to {} (/thermal/throttle/heavy)", lowest, highest),
                            {"/thermal/throttle/heavy"});
    };
    check(nvme.thermalLight, "/host/nvme/thermalLight");
    check(nvme.thermalHeavy, "/host/nvme/thermalHeavy");
    if (nvme.thermalLight && nvme.thermalHeavy)
        r.checks.expect(*nvme.thermalLight < *nvme.thermalHeavy, "/host/nvme/thermalHeavy",
                        "must be above /host/nvme/thermalLight", {"/host/nvme/thermalLight"});
}

void throttling(Resolving& r)
{
    const ThermalConfig::Throttle& c = r.file.thermal.throttle;
    r.checks.expect(c.light < c.heavy, "/thermal/throttle/heavy",
                    fmt::format("{} is not above /thermal/throttle/light, which is {}", c.heavy, c.light),
                    {"/thermal/throttle/light"});
    r.checks.expect(c.heavyPermille <= c.lightPermille, "/thermal/throttle/heavyDies",
                    "more dies than with light throttling (/thermal/throttle/lightDies)",
                    {"/thermal/throttle/lightDies"});
    if (!r.firmwareChecks.expectEffect(r.result.firmware.ftl != Ftl::SuperblockMap, "/thermal/throttle/enabled",
                                       "superblock mapping does not throttle; must be false with it",
                                       {"/firmware/ftl", "/firmware/image", "/nand/part/cell", "/nand/part/extends"}))
        r.result.thermal.throttle.isEnabled = false;
}

bool takesPower(const nand::DieEnergy& die)
{
    return die.readJoule > 0 || die.programJoule > 0 || die.eraseJoule > 0 || die.idleWatt > 0;
}

bool takesPower(const EnergyComponent& component)
{
    return component.activeWatt > 0 || component.idleWatt > 0 || component.perJobJoule > 0;
}

void heats(Resolving& r)
{
    const auto& components = r.result.energy.components;
    const bool isHeated =
        takesPower(r.result.nand.part.energy) ||
        std::any_of(components.begin(), components.end(), [](const auto& component) { return takesPower(component); });
    r.checks.expect(isHeated, "/thermal/enabled",
                    "nothing in the drive takes power, so its temperature would not change; give the power of "
                    "/energy/components or /nand/part/energy",
                    {"/energy", "/nand/part"});
}

} // namespace

void resolveThermal(Resolving& r)
{
    const ThermalConfig& c = r.file.thermal;
    r.result.thermal = c;
    if (c.isEnabled) {
        heats(r);
        r.checks.expect(c.warning <= c.critical, "/thermal/critical",
                        fmt::format("{} is below /thermal/warning, which is {}", c.critical, c.warning),
                        {"/thermal/warning"});
    }
    if (c.throttles())
        throttling(r);
    hostManagement(r);
}

} // namespace strobe::platform
