// SPDX-License-Identifier: Apache-2.0
#include "platform/app/serve.h"

#include "models/cpu/firmware_fault.h"
#include "platform/app/commands.h"
#include "platform/app/exit_codes.h"
#include "platform/app/interruption.h"
#include "platform/app/json_output.h"
#include "platform/app/output_file.h"
#include "platform/config/installation.h"
#include "platform/config/units.h"
#include "platform/guest/private_directory.h"
#include "platform/report/terminal_report.h"
#include "platform/report/text_table.h"
#include "platform/serve/child_program.h"
#include "platform/serve/pace.h"
#include "platform/serve/serve_run.h"

#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <unistd.h>

namespace strobe::platform {

namespace {

constexpr const char* defaultAddress = "localhost:10809"; // the port that is registered for NBD

std::string findNbdkit()
{
    std::string program = serve::findProgram("nbdkit");
    if (!program.empty())
        return program;
    throw ConfigError("strobe serve nbd: the program nbdkit, which speaks the protocol, is not installed: install "
                      "Debian's package nbdkit");
}

std::string pluginFile()
{
    const std::optional<Installation> installation = installationOf(runningProgram());
    std::string file = installation ? installation->nbdkit : STROBE_NBDKIT_PLUGIN;
    if (::access(file.c_str(), R_OK) != 0)
        throw ConfigError("strobe serve nbd: the plugin of nbdkit is missing: " + file);
    return file;
}

Time thinkTime(const ServeCommand& command)
{
    const Parsed parsed = parseQuantity(Quantity::Time, command.think);
    if (!parsed.value)
        throw ConfigError(fmt::format("--think: {}: {}", command.think, parsed.error));
    if (*parsed.value < 0)
        throw ConfigError(fmt::format("--think: {}: must be 0 or more", command.think));
    return Time{*parsed.value};
}

} // namespace

Scenario servedScenario(const std::string& name, const LoadOptions& given, const std::string& program)
{
    LoadOptions load = given;
    load.needsWorkload = false;
    load.sets.insert(load.sets.begin(), Override("data=bytes", program)); // the user's own come later
    Scenario scenario = loadScenario(findScenario(name, load), load);
    const auto refuse = [&scenario](const char* path, const std::string& what) {
        throw ConfigError((scenario.origin ? scenario.origin(path) + ": " : std::string()) + path + ": " + what);
    };
    if (scenario.dataMode != DataMode::Bytes)
        refuse("/data", "clients read back what they wrote, so the drive must keep contents; must be \"bytes\"");
    if (scenario.power.hasCuts())
        refuse("/power", program + " does not cut power; must have no cuts");
    if (scenario.report.stages)
        refuse("/report/stages", program + " does not observe where the time of its requests goes; must be false");
    if (scenario.nand.contents.saves())
        refuse("/nand/contents/mode", program + " does not save contents; must be \"load\"");
    scenario.workload.phases.clear(); // the clients are the workload
    return scenario;
}

int serveNbdCommand(const ServeCommand& command)
{
    if (command.pace)
        serve::Pace::requireFactor(*command.pace);
    constexpr const char* listenOption = "--listen";
    serve::ServeOptions options;
    options.pace = command.pace;
    options.think = thinkTime(command);
    options.blockBytes = command.blockBytes;
    options.command = command.command;
    std::optional<guest::PrivateDirectory> directory;
    std::string listen = command.listen.empty() ? defaultAddress : command.listen;
    if (command.listen.empty() && !command.command.empty()) {
        directory.emplace("strobe-drive-");
        listen = directory->path() + "/drive";
    }
    const auto address = serve::ListeningAddress::parse(listen, listenOption);
    const Scenario scenario = servedScenario(command.scenario, command.load, "strobe serve nbd");
    options.nbdkit = findNbdkit();
    options.plugin = pluginFile();
    requireSafeOutputs(inputsOf(scenario), {{"--json", command.json}, {"--record", command.record}});
    JsonOutput json(command.json);
    options.printsToError = json.isOnOutput();
    const serve::ClientSocket clients(address, listenOption);
    std::unique_ptr<OutputFile> record;
    if (!command.record.empty()) {
        record = std::make_unique<OutputFile>(command.record);
        options.record = [&record](std::string_view text) { record->write(text); };
    }
    std::FILE* const messages = json.isOnOutput() ? stderr : stdout;
    options.ready = [&command, messages](const std::string& uri, std::uint64_t bytes) {
        if (!command.command.empty())
            return;
        fmt::print(messages, "serving {} at {}; Ctrl-C ends it\n", shortBytes(bytes), uri);
        std::fflush(messages);
    };
    options.problem = [](const std::string& what) { fmt::print(stderr, "strobe serve: {}\n", what); };
    catchInterruptions();
    options.stopRequested = [] { return interruption() != 0; };
    watchSimulation(true);
    const serve::ServeResult result = [&] {
        try {
            return serve::serveNbd(scenario, clients, options);
        } catch (const cpu::FirmwareFault&) { // what clients had asked for shows it again
            if (record)
                record->commit();
            throw;
        }
    }();
    watchSimulation(false);
    if (record)
        record->commit();
    json.commit(json.isWanted() ? jsonReport(result.report, programInfo()) : "",
                terminalReport(result.report, {::isatty(STDOUT_FILENO) == 1}));
    if (!result.problem.empty())
        fmt::print(stderr, "strobe serve: {}\n", result.problem);
    if (result.commandStatus != 0)
        fmt::print(stderr, "strobe serve: the command ended with status {}\n", result.commandStatus);
    const bool isStopped = interruption() != 0;
    if (result.report.foundErrors() || result.commandStatus != 0 || (!result.problem.empty() && !isStopped))
        return exitErrorsFound;
    return command.command.empty() ? exitOk : exitCodeAfter(exitOk); // a signal is how a server ends
}

} // namespace strobe::platform
