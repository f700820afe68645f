// SPDX-License-Identifier: Apache-2.0
//
// strobe inspect pins, lifetime: the sizing equations of the NVM aging study as calculators.
#include "models/base/config_error.h"
#include "models/channel/pipeline_equations.h"
#include "platform/app/commands.h"
#include "platform/app/exit_codes.h"
#include "platform/app/output_file.h"
#include "platform/config/units.h"
#include "platform/report/text_table.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace strobe::platform {

namespace {

using nlohmann::ordered_json;

void give(const std::string& path, const std::string& text, const ordered_json& json)
{
    const std::string dumped = json.dump(2) + "\n";
    if (path == "-") {
        printOut(dumped);
        return;
    }
    if (!path.empty())
        OutputFile(path).commit(dumped);
    printOut(text);
}

std::int64_t quantity(const char* option, Quantity kind, const std::string& text)
{
    const Parsed parsed = parseQuantity(kind, text);
    if (!parsed.value)
        throw ConfigError(fmt::format("{} {}: {}", option, text, parsed.error));
    if (*parsed.value <= 0)
        throw ConfigError(fmt::format("{} {}: must be above zero", option, text));
    return *parsed.value;
}

} // namespace

int inspectPins(const PinsCommand& command)
{
    if (command.budget == 0 && command.channels == 0)
        throw ConfigError(
            "inspect pins: give --channels, to compute their pins, or --budget, to compute how many channels it "
            "allows, or both");
    ordered_json json{{"bus_pins", command.busPins}, {"depth", command.depth}};
    std::string text =
        fmt::format("Nc (Mc + 2 P): channels of {} pins, and chip enable and ready/busy of {} chip{} each\n",
                    command.busPins, command.depth, command.depth == 1 ? "" : "s");
    if (command.channels != 0) {
        const std::uint64_t pins = channel::pinsOf(command.channels, command.busPins, command.depth);
        json["channels"] = command.channels;
        json["pins"] = pins;
        text += fmt::format("  {} channels need {} pins\n", command.channels, grouped(pins));
    }
    if (command.budget != 0) {
        const std::uint64_t most = channel::channelsOf(command.budget, command.busPins, command.depth);
        json["budget"] = command.budget;
        json["most_channels"] = most;
        text += fmt::format("  {} pins allow {} channels\n", grouped(command.budget), most);
        if (command.channels != 0) {
            json["fits"] = command.channels <= most;
            text += command.channels <= most ? "  which is enough\n" : "  which is NOT enough\n";
        }
    }
    give(command.json, text, json);
    return exitOk;
}

int inspectLifetime(const LifetimeCommand& command)
{
    const auto capacity = static_cast<double>(quantity("--capacity", Quantity::Size, command.capacity));
    const auto rate = static_cast<double>(quantity("--write-rate", Quantity::Rate, command.writeRate));
    const double seconds = channel::lifetimeSeconds(capacity, command.endurance, rate, command.amplification);
    constexpr double hour = 3600;
    constexpr double day = 24 * hour;
    constexpr double year = 365.25 * day;
    const std::string text = fmt::format(
        "Sb E / (Wr A): {} with {:g} cycles, written at {}, amplified {:g} times\n  {:.4g} s = {:.4g} hours = {:.4g} "
        "days = {:.4g} years\n  {:.4g} TB written by the host\n",
        command.capacity, command.endurance, command.writeRate, command.amplification, seconds, seconds / hour,
        seconds / day, seconds / year, rate * seconds / 1e12);
    give(command.json, text,
         {{"capacity_bytes", capacity},
          {"endurance", command.endurance},
          {"bytes_per_second", rate},
          {"write_amplification", command.amplification},
          {"lifetime_seconds", seconds},
          {"lifetime_years", seconds / year},
          {"host_bytes", rate * seconds}});
    return exitOk;
}

} // namespace strobe::platform
