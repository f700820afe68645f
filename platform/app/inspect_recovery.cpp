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

#include <filesystem>
#include <fstream>
#include <limits>

namespace strobe::platform {

namespace {

using nlohmann::ordered_json;

ordered_json startsIn(const std::string& file)
{
    std::error_code error;
    std::ifstream in(file);
    if (!in || std::filesystem::is_directory(file, error))
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

struct NotWhole {};

std::int64_t whole(const ordered_json& number)
{
    if (!number.is_number_integer() || number < 0 || number > std::numeric_limits<std::int64_t>::max())
        throw NotWhole{};
    return number.get<std::int64_t>();
}

std::string timeText(const ordered_json& picoseconds)
{
    return picoseconds.is_null() ? "-" : shortTime(Time{whole(picoseconds)});
}

} // namespace

int inspectRecovery(const std::string& file)
{
    TextTable table({"power on at", "ready after", "pages scanned", "other reads", "programs", "erases",
                     "sectors read back", "read-back took"});
    try {
        for (const ordered_json& start : startsIn(file)) {
            const auto count = [&start](const char* key) {
                return grouped(static_cast<std::uint64_t>(whole(start.at(key))));
            };
            table.row({timeText(start.at("at_ps")), timeText(start.at("ready_after_ps")), count("pages_scanned"),
                       count("other_reads"), count("programs"), count("erases"), count("sectors_read_back"),
                       timeText(start.at("read_back_ps"))});
        }
    } catch (const NotWhole&) {
        throw ConfigError(file + ": must be a report, as strobe run --json writes it (times and counts are whole "
                                 "numbers, not negative)");
    } catch (const nlohmann::json::exception& error) {
        throw ConfigError(fmt::format("{}: must be a report, as strobe run --json writes it ({})", file, error.what()));
    }
    printOut("Starts after power losses: operations of firmware until the drive was ready, then the read-back by the\n"
             "host (-: power was lost before)\n" +
             table.text());
    return exitOk;
}

} // namespace strobe::platform
