// SPDX-License-Identifier: Apache-2.0
#include "platform/app/linux.h"

#include "platform/app/command_record.h"
#include "platform/app/commands.h"
#include "platform/app/exit_codes.h"
#include "platform/app/interruption.h"
#include "platform/app/json_output.h"
#include "platform/app/linux_guest.h"
#include "platform/app/linux_powercut.h"
#include "platform/app/output_file.h"
#include "platform/report/terminal_report.h"
#include "platform/report/text_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <memory>
#include <unistd.h>
#include <utility>
#include <vector>

namespace strobe::platform {

namespace {

class Printer {
public:
    explicit Printer(const LinuxCommand& command) : command_(command) {}

    void line(Time at, std::string_view text, bool isScript)
    {
        if (command_.console) {
            fmt::print(command_.json == "-" ? stderr : stdout, "[{:>14.9f}] {}\n", toSeconds(at), text);
        } else if (isScript && command_.json != "-") {
            if (!std::exchange(hasPrinted_, true))
                fmt::print("Output of the script\n");
            fmt::print("{}\n", text);
        }
        std::fflush(stdout);
    }

private:
    const LinuxCommand& command_;
    bool hasPrinted_ = false;
};

std::string stepsText(const Report& report)
{
    TextTable table({"", "begin", "time", "commands", "read", "written"});
    for (const PhaseReport& phase : report.phases) {
        std::uint64_t commands = 0;
        std::uint64_t read = 0;
        std::uint64_t written = 0;
        for (const KindTotals& kind : phase.kinds) {
            commands += kind.requests;
            read += kind.kind == host::RequestKind::Read ? kind.bytes : 0;
            written += host::takesData(kind.kind) ? kind.bytes : 0;
        }
        table.row({phase.name, shortTime(phase.start), shortTime(phase.end - phase.start), grouped(commands),
                   shortBytes(read), shortBytes(written)});
    }
    return "\nSteps of the guest in simulated time\n" + table.text() +
           fmt::format("  ended at {} ns\n\n", report.simulated.count() / 1000);
}

// What the script has found after each power loss; nothing if it reports no transactions.
std::string lossesText(const guest::GuestResult& result)
{
    if (!result.commitsBegin || result.losses.empty())
        return "";
    TextTable table({"power lost at", "committed", "found", "lost", "checks"}, {0, 4});
    for (const guest::PowerLossFindings& loss : result.losses) {
        std::string checks;
        for (const guest::Check& check : loss.checks)
            checks += fmt::format("{}{} {}", checks.empty() ? "" : ", ", check.name, check.isGood ? "ok" : "failed");
        table.row({toText(loss.at), grouped(loss.committed), loss.found ? grouped(*loss.found) : "-",
                   grouped(loss.lost()), checks});
    }
    return "Transactions reported committed, and found after each power loss\n" + table.text() + "\n";
}

bool isDurable(const guest::GuestResult& result)
{
    return !result.commitsBegin || std::all_of(result.losses.begin(), result.losses.end(),
                                               [](const guest::PowerLossFindings& loss) { return loss.isGood(); });
}

} // namespace

int linuxCommand(const LinuxCommand& command)
{
    if (command.powerCuts != 0)
        return linuxPowercut(command);
    guest::GuestOptions options = guestOptions(command);
    const Scenario scenario = guestScenario(command);
    requireSafeOutputs(guestInputs(command, scenario, options),
                       {{"--json", command.json}, {"--record", command.record}});
    JsonOutput json(command.json);
    std::unique_ptr<CommandRecord> record;
    if (!command.record.empty()) {
        record = std::make_unique<CommandRecord>(command.record);
        options.command = [&record](const host::Command& of, Time at) { record->add(of, at); };
    }
    catchInterruptions();
    options.stopRequested = [] { return interruption() != 0; };
    Printer printer(command);
    options.line = [&printer](Time at, std::string_view line, bool isScript) { printer.line(at, line, isScript); };
    const guest::GuestResult result = [&] {
        try {
            return guest::runGuest(scenario, options);
        } catch (const std::exception&) { // what the drive had got shows it again
            if (record)
                record->commit();
            throw;
        }
    }();
    if (record)
        record->commit();
    json.commit(json.isWanted() ? jsonReport(result.report, programInfo()) : "",
                stepsText(result.report) + lossesText(result) +
                    terminalReport(result.report, {::isatty(STDOUT_FILENO) == 1}));
    if (!result.problem.empty())
        fmt::print(stderr, "strobe linux: {}\n", result.problem);
    else if (result.status != 0)
        fmt::print(stderr, "strobe linux: the script ended with status {}\n", result.status);
    if (result.report.foundErrors() || !isDurable(result) ||
        ((result.status != 0 || !result.problem.empty()) && interruption() == 0))
        return exitErrorsFound;
    return exitCodeAfter(exitOk);
}

} // namespace strobe::platform
