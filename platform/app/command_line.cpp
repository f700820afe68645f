// SPDX-License-Identifier: Apache-2.0
#include "platform/app/command_line.h"

#include "models/base/check.h"
#include "models/base/config_error.h"
#include "models/cpu/firmware_fault.h"
#include "platform/app/command_context.h"
#include "platform/app/command_messages.h"
#include "platform/app/commands.h"
#include "platform/app/completion.h"
#include "platform/app/exit_codes.h"
#include "platform/app/python.h"
#include "platform/assembly/child_process.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <memory>
#include <new>
#include <system_error>

namespace strobe::platform {

namespace {

constexpr const char* programText = "Strobe: a virtual platform of a NAND-flash SSD";

constexpr const char* examples = R"(Examples:
  strobe run                                   the quickstart drive replays a recorded trace
  strobe run --set nand.ways=2 --json out.json the same with two ways, report as JSON
  strobe run workloads/soak-1m --seed 7        a scenario from the scenarios directory
  strobe validate my-drive.json                list all errors of a scenario
  strobe inspect interface                     the clock periods of the NAND interfaces
  strobe inspect parameters                    every key of a scenario
  strobe inspect statistics                    every counter of the JSON report

`strobe COMMAND --help` describes a command. The documentation starts at docs/README.md;
an installed program has it in share/doc/strobe below its prefix.

Exit codes: 0 success, 1 the run found errors, 2 a mistake in scenario, trace or command
line, 3 a bug of Strobe, 128 + signal if a run was interrupted (130 for Ctrl-C).)";

int run(int argc, char** argv)
{
    CLI::App app(programText, "strobe");
    CommandContext context{app};
    bool version = false;
    app.footer(examples);
    app.formatter(std::make_shared<HelpFormatter>());
    app.set_help_all_flag("--help-all", "Help of all commands");
    app.add_flag("--version", version, "Print the version, how the program was built, and the version of SystemC");
    context.load.scenariosDirectory = defaultScenariosDirectory();
    addRunCommands(context);
    addInspectCommands(context);
    addStudyCommands(context);
    addLinuxCommand(context);
    addQemuCommand(context);
    addServeCommand(context);
    for (const PythonCommand& command : pythonCommands())
        app.add_subcommand(command.name, command.description); // listed here; Python reads the rest of the command line
    addCompletion(context);
    needsCommand(&app);
    if (const PythonCommand* command = argc > 1 ? findPythonCommand(argv[1]) : nullptr)
        becomePython(*command, {argv + 2, argv + argc});
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) // help
            return app.exit(error);
        fmt::print(stderr, "{}\n", messageFor(app, error));
        return exitUserMistake;
    }
    if (version) {
        const Program program = programInfo();
        fmt::print("strobe {}{}\nbuild: {}\n{}\n", program.version,
                   program.revision.empty() ? "" : " (" + program.revision + ")", program.build, program.systemc);
        return exitOk;
    }
    if (!context.chosen) {
        fmt::print("{}", app.help());
        return exitUserMistake;
    }
    context.load.sets.assign(context.sets.begin(), context.sets.end());
    return context.chosen();
}

} // namespace

int reportOutOfMemory()
{
    fmt::print(stderr, "strobe: out of memory; raise the limit (ulimit -v), use a smaller drive or --data none\n");
    return exitUserMistake;
}

int commandLine(int argc, char** argv)
{
    try {
        return run(argc, argv);
    } catch (const ConfigError& error) {
        fmt::print(stderr, "{}\n", error.what());
        return exitUserMistake;
    } catch (const cpu::FirmwareFault& fault) {
        fmt::print(stderr, "strobe: {}\n", fault.what());
        return exitErrorsFound;
    } catch (const Interrupted& interruption) {
        fmt::print(stderr, "strobe: {}\n", interruption.what());
        return exitSignalBase + interruption.signal;
    } catch (const std::bad_alloc&) {
        return reportOutOfMemory();
    } catch (const std::system_error& error) { // standard output cannot be written
        fmt::print(stderr, "strobe: {}\n", error.what());
        return exitUserMistake;
    } catch (const std::exception& error) {
        fmt::print(stderr, "strobe: internal error: {}\nThis is a bug in Strobe, not a mistake in your scenario.\n",
                   error.what());
        return exitInternal;
    }
}

} // namespace strobe::platform
