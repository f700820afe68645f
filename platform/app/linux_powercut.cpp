// SPDX-License-Identifier: Apache-2.0
#include "platform/app/linux_powercut.h"

#include "models/base/config_error.h"
#include "models/base/rng.h"
#include "models/cpu/firmware_fault.h"
#include "platform/app/commands.h"
#include "platform/app/exit_codes.h"
#include "platform/app/interruption.h"
#include "platform/app/json_output.h"
#include "platform/app/linux_guest.h"
#include "platform/app/output_file.h"
#include "platform/app/repeat_command.h"
#include "platform/assembly/child_process.h"
#include "platform/config/units.h"
#include "platform/guest/private_directory.h"
#include "platform/report/text_table.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <functional>
#include <map>
#include <unistd.h>
#include <vector>

namespace strobe::platform {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t failedCutsShown = 10;
constexpr std::int64_t picosecondsPerInstant = 1000; // ps: power is lost at whole nanoseconds

// What a run in a child process tells.
Json outcomeOf(const guest::GuestResult& result)
{
    Json losses = Json::array();
    for (const guest::PowerLossFindings& loss : result.losses) {
        Json checks = Json::object();
        for (const guest::Check& check : loss.checks)
            checks[check.name] = check.isGood;
        losses.push_back({{"committed", loss.committed},
                          {"found", loss.found ? Json(*loss.found) : Json()},
                          {"lost", loss.lost()},
                          {"checks", checks}});
    }
    Json outcome{{"status", result.status},
                 {"problem", result.problem},
                 {"errors", result.report.foundErrors()},
                 {"losses", losses},
                 {"commands_lost", result.report.power.commandsLost},
                 {"operations_cut", result.report.power.operationsCut},
                 {"end_ps", result.end.count()}};
    if (result.commitsBegin)
        outcome["begin_ps"] = result.commitsBegin->count();
    return outcome;
}

std::string runOnce(const LinuxCommand& command, guest::GuestOptions options, const std::string& directory,
                    const std::string& cut)
{
    options.directory = directory;
    options.line = [](Time, std::string_view, bool) {};
    options.stopRequested = [] { return false; }; // a signal ends the process
    const Scenario scenario = guestScenario(command, cutsAt(cut));
    try {
        return outcomeOf(guest::runGuest(scenario, options)).dump();
    } catch (const cpu::FirmwareFault& fault) {
        return Json{{"fault", fault.what()}}.dump();
    }
}

struct CheckCounts {
    std::uint64_t good = 0;
    std::uint64_t failed = 0;
};

struct FailedCut {
    std::string instant;
    std::string what;
};

struct CutSums {
    std::size_t asked = 0; // cuts
    std::size_t ended = 0; // of these: runs that are over
    std::uint64_t operationsCut = 0;
    std::uint64_t commandsLost = 0;
    std::uint64_t committed = 0;
    std::uint64_t found = 0; // of these
    std::uint64_t lost = 0;
    std::uint64_t unreported = 0; // found, and not reported before the cut
    std::uint64_t unfinished = 0; // runs whose script did not end well
    std::map<std::string, CheckCounts> checks;
    std::vector<FailedCut> failed;
};

// Empty: nothing is wrong.
std::string wrongWith(const Json& outcome)
{
    if (outcome.contains("fault"))
        return outcome.at("fault").get<std::string>();
    std::string what;
    const auto add = [&what](const std::string& text) { what += (what.empty() ? "" : "; ") + text; };
    for (const Json& loss : outcome.at("losses")) {
        if (const auto lost = loss.at("lost").get<std::uint64_t>(); lost != 0)
            add(fmt::format("{} of {} transactions that were reported committed are lost", lost,
                            loss.at("committed").get<std::uint64_t>()));
        for (const auto& [name, isGood] : loss.at("checks").items()) {
            if (!isGood.get<bool>())
                add("the check " + name + " failed");
        }
    }
    if (const std::string problem = outcome.at("problem").get<std::string>(); !problem.empty())
        add(problem);
    else if (outcome.at("status").get<int>() != 0)
        add(fmt::format("the script ended with status {}", outcome.at("status").get<int>()));
    else if (outcome.at("losses").empty() || outcome.at("losses").back().at("found").is_null())
        add("the script has not said which transactions it has found");
    if (what.empty() && outcome.at("errors").get<bool>())
        add("the run has found errors of the drive");
    return what;
}

void addOutcome(CutSums& sums, const Json& outcome, const std::string& instant)
{
    ++sums.ended;
    if (const std::string what = wrongWith(outcome); !what.empty())
        sums.failed.push_back({instant, what});
    if (outcome.contains("fault")) {
        ++sums.unfinished;
        return;
    }
    sums.operationsCut += outcome.at("operations_cut").get<std::uint64_t>();
    sums.commandsLost += outcome.at("commands_lost").get<std::uint64_t>();
    sums.unfinished +=
        outcome.at("status").get<int>() != 0 || !outcome.at("problem").get<std::string>().empty() ? 1U : 0U;
    for (const Json& loss : outcome.at("losses")) {
        const auto committed = loss.at("committed").get<std::uint64_t>();
        const auto found = loss.at("found").is_null() ? 0 : loss.at("found").get<std::uint64_t>();
        sums.committed += committed;
        sums.found += std::min(committed, found);
        sums.unreported += found > committed ? found - committed : 0;
        sums.lost += loss.at("lost").get<std::uint64_t>();
        for (const auto& [name, isGood] : loss.at("checks").items())
            ++(isGood.get<bool>() ? sums.checks[name].good : sums.checks[name].failed);
    }
}

Json totalsOf(const CutSums& sums)
{
    Json checks = Json::object();
    for (const auto& [name, counts] : sums.checks)
        checks[name] = {{"ok", counts.good}, {"failed", counts.failed}};
    Json failures = Json::array();
    for (const FailedCut& failure : sums.failed)
        failures.push_back({{"at", failure.instant}, {"what", failure.what}});
    Json json{{"cuts", sums.ended},
              {"operations_cut", sums.operationsCut},
              {"commands_lost", sums.commandsLost},
              {"committed", sums.committed},
              {"found", sums.found},
              {"lost", sums.lost},
              {"found_unreported", sums.unreported},
              {"scripts_failed", sums.unfinished},
              {"checks", checks},
              {"failures", failures}};
    if (sums.ended != sums.asked)
        json["interrupted_after"] = sums.ended;
    return json;
}

std::string repeatingCommand(const LinuxCommand& command, const std::string& instant)
{
    std::string start = "strobe linux " + quoted(command.scenario) + " --script " + quoted(command.script);
    if (command.root != "/")
        start += " --root " + quoted(command.root);
    if (!command.kernel.empty())
        start += " --kernel " + quoted(command.kernel);
    if (command.memoryMiB != LinuxCommand().memoryMiB)
        start += fmt::format(" --memory {}", command.memoryMiB);
    for (const std::string& option : command.kernelOptions)
        start += " --kernel-option " + quoted(option);
    return repeatCommand(start, command.load, cutsAt("\"" + instant + "\""));
}

std::string summaryOf(const CutSums& sums, const LinuxCommand& command)
{
    TextTable table({"", "number"});
    const auto row = [&table](const std::string& what, std::uint64_t count) { table.row({what, grouped(count)}); };
    row("power lost", sums.ended);
    row("programs and erases cut", sums.operationsCut);
    row("commands lost", sums.commandsLost);
    row("transactions reported committed", sums.committed);
    row("of these, found", sums.found);
    row("of these, lost", sums.lost);
    row("transactions found that were not yet reported", sums.unreported);
    for (const auto& [name, counts] : sums.checks) {
        row("check " + name + ": ok", counts.good);
        row("check " + name + ": failed", counts.failed);
    }
    row("runs whose script failed or did not end", sums.unfinished);
    row("runs with errors", sums.failed.size());
    std::string text;
    if (sums.ended != sums.asked)
        text = fmt::format("INTERRUPTED: {} of {} cuts\n\n", sums.ended, sums.asked);
    text += table.text();
    for (std::size_t i = 0; i < std::min(sums.failed.size(), failedCutsShown); ++i)
        text += "ERRORS: " + repeatingCommand(command, sums.failed[i].instant) + "  " + sums.failed[i].what + "\n";
    return text;
}

// From where to where power may be lost, in nanoseconds.
struct Window {
    std::int64_t begin;
    std::int64_t end;
};

Window windowOf(const Json& uncut, const LinuxCommand& command)
{
    if (uncut.contains("fault"))
        throw ConfigError(command.scenario + ": without a power loss, " + uncut.at("fault").get<std::string>());
    if (const std::string problem = uncut.at("problem").get<std::string>(); !problem.empty())
        throw ConfigError("strobe linux --powercut: without a power loss: " + problem);
    if (const int status = uncut.at("status").get<int>(); status != 0)
        throw ConfigError(fmt::format("strobe linux --powercut: without a power loss, the script ends with status {}; "
                                      "strobe linux {} --script {} "
                                      "shows its output",
                                      status, command.scenario, command.script));
    if (uncut.at("errors").get<bool>())
        throw ConfigError(command.scenario + ": without a power loss, the run has errors");
    const Window window{uncut.contains("begin_ps") ? uncut.at("begin_ps").get<std::int64_t>() / picosecondsPerInstant
                                                   : 0,
                        uncut.at("end_ps").get<std::int64_t>() / picosecondsPerInstant};
    if (!uncut.contains("begin_ps") || window.end - window.begin < 2)
        throw ConfigError(fmt::format("--script: {}: it reports no transactions (committed N), so there is nothing to "
                                      "check after a power loss; \"transactions\" does",
                                      command.script));
    return window;
}

} // namespace

int linuxPowercut(const LinuxCommand& command)
{
    if (command.console)
        throw ConfigError("--console: not with --powercut, which runs several guests at a time");
    if (!command.record.empty())
        throw ConfigError("--record: not with --powercut, which runs several guests");
    const guest::GuestOptions options = guestOptions(command);
    const Scenario scenario = guestScenario(command);
    requireSafeOutputs(guestInputs(command, scenario, options), {{"--json", command.json}});
    if (scenario.power.hasCuts())
        fmt::print(stderr, "strobe linux: the power losses of the scenario (/power) are ignored: each run has one at a "
                           "random instant\n");
    guestScenario(command, cutsAt("\"1s\"")); // whether power can be cut
    catchInterruptions();                     // or a temporary file would stay
    JsonOutput output(command.json);
    const guest::PrivateDirectory directory("strobe-powercut-"); // of all runs: those that a signal ends leave files
    const auto stop = [] { return interruption() != 0; };
    const bool showsProgress = ::isatty(STDERR_FILENO) == 1;
    const auto progress = [showsProgress, &command](std::size_t count) {
        if (showsProgress)
            fmt::print(stderr, "\r{} of {} cuts{}", count, command.powerCuts,
                       count == command.powerCuts ? "\r\033[K" : "");
    };
    progress(0);
    const auto uncut =
        inChildren(
            {[&] { return runOnce(command, options, directory.path(), ""); }}, 1, [](std::size_t) {}, stop)
            .front();
    CutSums sums;
    sums.asked = command.powerCuts;
    if (!uncut.empty()) {
        const Window window = windowOf(Json::parse(uncut), command);
        Rng instants(command.seed, "instants");
        std::vector<std::string> at;
        std::vector<std::function<std::string()>> works;
        for (std::uint32_t i = 0; i < command.powerCuts; ++i) {
            const auto after = instants.below(static_cast<std::uint64_t>(window.end - window.begin - 1));
            const Time cut{(window.begin + 1 + static_cast<std::int64_t>(after)) * picosecondsPerInstant};
            at.push_back(quantityText(Quantity::Time, cut.count()));
            works.emplace_back([&command, &options, &directory, text = at.back()] {
                return runOnce(command, options, directory.path(), "\"" + text + "\"");
            });
        }
        const auto outcomes = inChildren(works, command.jobs == 0 ? processors() : command.jobs, progress, stop);
        for (std::size_t i = 0; i < outcomes.size(); ++i) {
            if (!outcomes[i].empty())
                addOutcome(sums, Json::parse(outcomes[i]), at[i]);
        }
    }
    output.commit(totalsOf(sums).dump(2) + "\n", summaryOf(sums, command));
    return sums.failed.empty() ? exitCodeAfter(exitOk) : exitErrorsFound;
}

} // namespace strobe::platform
