// SPDX-License-Identifier: Apache-2.0
#include "platform/app/powercut.h"

#include "models/base/config_error.h"
#include "models/base/rng.h"
#include "platform/app/commands.h"
#include "platform/app/exit_codes.h"
#include "platform/app/output_file.h"
#include "platform/assembly/child_process.h"
#include "platform/assembly/run.h"
#include "platform/config/units.h"
#include "platform/report/text_table.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <functional>
#include <memory>
#include <unistd.h>
#include <vector>

namespace strobe::platform {

namespace {

using Json = nlohmann::ordered_json;

class Silent final : public RunObserver {
public:
    void progress(const Progress&) override {}
    bool stopRequested() override { return false; }
};

Scenario scenarioWith(const PowercutCommand& command, const std::string& cuts)
{
    LoadOptions load = command.load;
    load.sets.emplace_back("power.meanCutInterval=never");
    load.sets.emplace_back("power.cuts=" + cuts);
    return loadScenario(findScenario(command.scenario, load), load);
}

std::string reportOf(const Scenario& scenario)
{
    Silent observer;
    Report report = runScenario(scenario, observer);
    report.host.reset();
    return jsonReport(report, programInfo());
}

std::string textOf(Time instant)
{
    return quantityText(Quantity::Time, instant.count());
}

struct Sums {
    std::uint64_t cuts = 0;
    std::uint64_t operationsCut = 0;
    std::uint64_t commandsLost = 0;
    std::uint64_t pagesScanned = 0;
    std::uint64_t atRisk = 0;
    std::uint64_t reverted = 0;
    std::uint64_t readBack = 0;
    std::uint64_t violations = 0; // runs
    std::uint64_t recoveries = 0;
    Time recovery{};
    Time longest{};
    std::vector<std::string> failed; // instants
};

void add(Sums& sums, const Json& report, const std::string& instant)
{
    if (report.at("errors").get<bool>()) {
        ++sums.violations;
        sums.failed.push_back(instant);
    }
    if (!report.contains("power"))
        return; // the run was over before
    const Json& power = report.at("power");
    const auto count = [&power](const char* key) { return power.at(key).get<std::uint64_t>(); };
    sums.cuts += count("cuts");
    sums.operationsCut += count("operations_cut");
    sums.commandsLost += count("commands_lost");
    sums.pagesScanned += count("pages_scanned");
    sums.atRisk += count("sectors_at_risk");
    sums.reverted += count("sectors_reverted");
    sums.readBack += count("sectors_read_back");
    sums.recoveries += count("recoveries");
    const Time longest{power.at("longest_recovery_ps").get<std::int64_t>()};
    sums.recovery += longest; // there was one
    sums.longest = std::max(sums.longest, longest);
}

Json jsonOf(const Sums& sums)
{
    return {{"cuts", sums.cuts},
            {"operations_cut", sums.operationsCut},
            {"commands_lost", sums.commandsLost},
            {"recoveries", sums.recoveries},
            {"mean_recovery_ps",
             sums.recoveries == 0 ? 0 : sums.recovery.count() / static_cast<std::int64_t>(sums.recoveries)},
            {"longest_recovery_ps", sums.longest.count()},
            {"pages_scanned", sums.pagesScanned},
            {"sectors_at_risk", sums.atRisk},
            {"sectors_reverted", sums.reverted},
            {"sectors_read_back", sums.readBack},
            {"violations", sums.violations},
            {"failed_at", sums.failed}};
}

// As one word of a shell.
std::string quoted(const std::string& word)
{
    std::string text = "'";
    for (const char c : word)
        text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return text + "'";
}

std::string tableOf(const Sums& sums, const PowercutCommand& command)
{
    TextTable table({"", "number"});
    const auto row = [&table](const char* what, std::uint64_t count) { table.row({what, grouped(count)}); };
    row("power lost", sums.cuts);
    row("programs and erases cut", sums.operationsCut);
    row("commands lost", sums.commandsLost);
    row("pages scanned by recovery", sums.pagesScanned);
    row("sectors acknowledged, not flushed", sums.atRisk);
    row("of these, gone back to an older version", sums.reverted);
    row("sectors read back", sums.readBack);
    row("runs with errors", sums.violations);
    std::string text = table.text();
    if (sums.recoveries != 0)
        text += fmt::format("ready again after {} on average, {} at most\n",
                            textOf(sums.recovery / static_cast<std::int64_t>(sums.recoveries)), textOf(sums.longest));
    std::string sets; // of the user, so that the line shows it again
    for (const Override& set : command.load.sets)
        sets += " --set " + quoted(set.assignment);
    for (std::size_t i = 0; i < sums.failed.size() && i < 10; ++i)
        text += fmt::format("ERRORS: strobe run {}{} --set power.meanCutInterval=never --set 'power.cuts=[\"{}\"]'\n",
                            quoted(command.scenario), sets, sums.failed[i]);
    return text;
}

} // namespace

int powercutCommand(const PowercutCommand& command)
{
    std::unique_ptr<OutputFile> file;
    if (!command.json.empty() && command.json != "-")
        file = std::make_unique<OutputFile>(command.json); // before the runs: a place that does not work shows now
    const Scenario whole = scenarioWith(command, "[]");
    if (whole.dataMode == DataMode::None)
        throw ConfigError("/data: none checks nothing that is read back; tags and bytes do");
    const Json uncut = Json::parse(inChild([&whole] { return reportOf(whole); }));
    const auto length = uncut.at("simulated_ps").get<std::uint64_t>();
    if (uncut.at("errors").get<bool>() || length < 2)
        throw ConfigError(command.scenario + ": the run finds errors, or takes no time, without any cut");

    Rng instants(command.seed, "instants");
    std::vector<std::string> at;
    std::vector<std::function<std::string()>> works;
    for (std::uint32_t i = 0; i < command.cuts; ++i) {
        at.push_back(textOf(Time{1 + static_cast<std::int64_t>(instants.below(length - 1))}));
        works.emplace_back(
            [&command, instant = at.back()] { return reportOf(scenarioWith(command, "[\"" + instant + "\"]")); });
    }
    const bool showsProgress = ::isatty(STDERR_FILENO) == 1;
    const auto done = [&](std::size_t count) {
        if (showsProgress)
            fmt::print(stderr, "\r{} of {} cuts{}", count, works.size(), count == works.size() ? "\r\033[K" : "");
    };
    Sums sums;
    const std::vector<std::string> reports = inChildren(works, command.jobs == 0 ? processors() : command.jobs, done);
    for (std::size_t i = 0; i < reports.size(); ++i)
        add(sums, Json::parse(reports[i]), at[i]);
    const std::string json = jsonOf(sums).dump(2) + "\n";
    if (file)
        file->commit(json);
    printOut(command.json == "-" ? json : tableOf(sums, command));
    return sums.violations != 0 ? exitErrorsFound : exitOk;
}

} // namespace strobe::platform
