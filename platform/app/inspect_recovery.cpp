// SPDX-License-Identifier: Apache-2.0
//
// strobe inspect recovery: the starts after power losses in a report, what firmware read until the drive was ready
// apart from what the host then read back.
#include "models/base/config_error.h"
#include "platform/app/commands.h"
#include "platform/app/exit_codes.h"
#include "platform/report/text_table.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <fstream>

namespace strobe::platform {

namespace {

using nlohmann::ordered_json;

ordered_json startsIn(const std::string& file)
{
    std::ifstream in(file);
    if (!in)
        throw ConfigError(file + ": cannot be read");
    const ordered_json report = ordered_json::parse(in, nullptr, false);
    if (report.is_discarded() || !report.is_object() || !report.contains("integrity"))
        throw ConfigError(file + ": must be a report, as strobe run --json writes it");
    if (!report.contains("power"))
        throw ConfigError(file + ": the run of this report had no power loss");
    const ordered_json& power = report.at("power");
    if (!power.is_object() || !power.contains("starts") || !power.at("starts").is_array())
        throw ConfigError(file + ": the report has no list of starts; it was written by an earlier version");
    return power.at("starts");
}

std::string timeText(const ordered_json& picoseconds)
{
    return picoseconds.is_number() ? shortTime(Time{picoseconds.get<std::int64_t>()}) : "-";
}

} // namespace

int inspectRecovery(const std::string& file)
{
    TextTable table({"power on at", "ready after", "pages scanned", "other reads", "programs", "erases", "read back",
                     "which took"});
    try {
        for (const ordered_json& start : startsIn(file)) {
            const auto count = [&start](const char* key) { return grouped(start.at(key).get<std::uint64_t>()); };
            table.row({timeText(start.at("at_ps")), timeText(start.at("ready_after_ps")), count("pages_scanned"),
                       count("other_reads"), count("programs"), count("erases"), count("sectors_read_back"),
                       timeText(start.at("read_back_ps"))});
        }
    } catch (const nlohmann::json::exception& error) {
        throw ConfigError(fmt::format("{}: must be a report, as strobe run --json writes it ({})", file, error.what()));
    }
    printOut("Starts after power losses: what firmware did until the drive was ready, and then sectors that the host\n"
             "read back (-: power was lost before)\n" +
             table.text());
    return exitOk;
}

} // namespace strobe::platform
