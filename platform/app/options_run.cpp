// SPDX-License-Identifier: Apache-2.0
//
// The options of `strobe run`, `strobe operations` and `strobe validate`.
#include "platform/app/command_context.h"
#include "platform/app/commands.h"
#include "platform/app/operations.h"

#include <filesystem>
#include <memory>

namespace strobe::platform {

namespace {

constexpr const char* runHelp =
    R"(A scenario is a JSON file: a path, or a name inside the scenarios directory. Quantities are
text with units ("25us", "2KiB", "50MHz"). --set changes one value: dots separate keys,
list items are numbered from 0.

Examples:
  strobe run
  strobe run my-drive.json --json report.json
  strobe run --set nand.part=k9f1g08u0a --set workload.phases.0.pacing.timeScale=0.1
  strobe run --json - | jq .totals.all.iops

Ctrl-C ends a run cleanly: the report covers what had happened and says so.)";

struct RunOptions {
    RunCommand run;
    std::string seed;
    std::string data;
    std::string firmware;
};

void addVcd(CLI::App* run, RunCommand& command)
{
    CLI::Option* vcd =
        run->add_option("--vcd", command.vcd, "Write the pins of one channel as a value change dump, for GTKWave")
            ->type_name("FILE")
            ->check(namesFile(false));
    run->add_option("--vcd-channel", command.vcdChannel, "Which channel")
        ->type_name("N")
        ->capture_default_str()
        ->needs(vcd);
    run->add_option("--vcd-limit", command.vcdLimit, "How many operations of it; a page of 4 KiB takes about 150 KB")
        ->type_name("N")
        ->check(CLI::Range(1U, 100'000U))
        ->capture_default_str()
        ->needs(vcd);
    run->add_option("--vcd-from", command.vcdFrom, "Simulated time from which on, like 20ms")
        ->type_name("TIME")
        ->capture_default_str()
        ->needs(vcd);
}

void addWear(CLI::App* run, RunCommand& command)
{
    run->add_option("--wear-map", command.wearMap, "Write the erase count of every block as CSV")
        ->type_name("FILE")
        ->check(namesFile(false));
    run->add_option("--wear-history", command.wearHistory,
                    "Write how erase counts grew as CSV; needs --set report.wearEvery=TIME")
        ->type_name("FILE")
        ->check(namesFile(false));
}

void addActivity(CLI::App* run, ActivityCommand& command)
{
    CLI::Option* activity =
        run->add_option("--activity", command.file,
                        "Write who was at work when, job by job of every resource, as CSV to a file, or as a table "
                        "with - to standard output, instead of the report")
            ->type_name("FILE")
            ->check(namesFile(true));
    run->add_option("--activity-from", command.from, "Simulated time from which on, like 20ms")
        ->type_name("TIME")
        ->capture_default_str()
        ->needs(activity);
    run->add_option("--activity-length", command.length, "For how long")
        ->type_name("TIME")
        ->capture_default_str()
        ->needs(activity);
    run->add_option("--activity-of", command.of,
                    "Only resources whose names begin like this, with commas between: \"firmware,channel,die 0\"")
        ->type_name("NAMES")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->needs(activity);
    run->add_option("--activity-limit", command.limit, "How many jobs at most")
        ->type_name("N")
        ->check(CLI::Range(std::size_t{1}, std::size_t{100'000'000}))
        ->capture_default_str()
        ->needs(activity);
}

void addFirmwareLook(CLI::App* run, FirmwareLookCommand& command)
{
    run->add_option("--gdb", command.gdbPort,
                    "Wait for a debugger on this port of this machine (0: a free one) before the first instruction of "
                    "firmware on the RV32 core")
        ->type_name("PORT");
    run->add_option(
           "--profile", command.profile,
           "Where firmware's cycles go: a table, and chains of callers in a file that flame graph programs read")
        ->type_name("FILE")
        ->check(namesFile(false));
    CLI::Option* trace = run->add_option("--trace-firmware", command.trace, "Write executed instructions, one a line")
                             ->type_name("FILE")
                             ->check(namesFile(false));
    run->add_option("--trace-limit", command.traceLimit, "How many of them")
        ->type_name("N")
        ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{100'000'000}))
        ->capture_default_str()
        ->needs(trace);
    run->add_flag("--check-memory", command.checkMemory, "Find firmware that reads memory which nobody wrote");
}

void addRun(CommandContext& c)
{
    auto command = std::make_shared<RunOptions>();
    CLI::App* run = c.app.add_subcommand("run", "Run a scenario and print a report");
    run->footer(runHelp);
    c.addScenario(run);
    run->add_option("--json", command->run.json, "Write the report as JSON to a file, or with - to standard output")
        ->type_name("FILE")
        ->check(namesFile(true));
    addVcd(run, command->run);
    addWear(run, command->run);
    addActivity(run, command->run.activity);
    addFirmwareLook(run, command->run.firmware);
    run->add_option("--seed", command->seed, "Seed of all random choices, instead of the scenario's")->type_name("N");
    run->add_option("--data", command->data, "What sectors carry: tags (default), bytes or none")->type_name("MODE");
    run->add_option("--firmware", command->firmware,
                    "An ELF file for the RV32 core, instead of the scenario's firmware")
        ->type_name("FILE")
        ->check(namesFile(false));
    run->add_option("--console", command->run.console,
                    "Show what firmware says as it comes: in a file, or with - on standard output")
        ->type_name("FILE")
        ->check(namesFile(true));
    run->add_flag("--quiet", command->run.quiet, "No progress line and no text report");
    run->add_flag("--host-time", command->run.hostTime, "Report the time and memory of this machine too");
    c.choose(run, [&c, command] {
        if (!command->seed.empty())
            c.load.sets.emplace_back("seed=" + command->seed, "--seed " + command->seed);
        if (!command->data.empty())
            c.load.sets.emplace_back("data=" + command->data, "--data " + command->data);
        if (!command->run.wearMap.empty())
            c.load.sets.emplace_back("report.wearMap=true", "--wear-map");
        if (!command->firmware.empty()) {
            const std::string path = std::filesystem::absolute(command->firmware).string();
            c.load.sets.emplace_back("firmware.mode=rv32", "--firmware " + command->firmware);
            c.load.sets.emplace_back("firmware.image=" + path, "--firmware " + command->firmware);
        }
        command->run.scenario = c.scenario;
        command->run.load = c.load;
        return runCommand(command->run);
    });
}

void addOperations(CommandContext& c)
{
    auto command = std::make_shared<OperationsCommand>();
    CLI::App* operations = c.app.add_subcommand(
        "operations", "Carry out NAND operations at the dies, without host, firmware and controller");
    operations->footer(
        "The operations are those of the scenario's section \"operations\": a list, or a random mix.\n\n"
        "Examples:\n  strobe operations papers/cps-sim/mix --set nand.ways=4\n"
        "  strobe operations papers/cps-sim/fig7e --bars 9\n\n"
        "Bars: | command and address, = data on the bus; r, p, e, c: the array reads, programs, erases,\n"
        "copies back. The bus shows the chip that it is held for.");
    c.addScenario(operations);
    operations
        ->add_option("--json", command->json, "Write what came of it as JSON to a file, or with - to standard output")
        ->type_name("FILE")
        ->check(namesFile(true));
    CLI::Option* timeline = operations
                                ->add_option("--timeline", command->timeline,
                                             "Write which chip was in which state when as CSV, or with - to standard "
                                             "output")
                                ->type_name("FILE")
                                ->check(namesFile(true));
    operations->add_option("--limit", command->limit, "How many operations of it, in order of completion")
        ->type_name("N")
        ->check(CLI::Range(1U, 1'000'000U))
        ->capture_default_str()
        ->needs(timeline);
    operations->add_option("--bars", command->bars, "Draw the first N operations")
        ->type_name("N")
        ->check(CLI::Range(1U, 10'000U));
    c.choose(operations, [&c, command] {
        command->scenario = c.scenario;
        command->load = c.load;
        command->load.needsWorkload = false;
        return operationsCommand(*command);
    });
}

void addValidate(CommandContext& c)
{
    auto files = std::make_shared<std::vector<std::string>>();
    CLI::App* validate =
        c.app.add_subcommand("validate", "Check scenarios; prints what they resolve to, or all errors");
    validate->add_option("files", *files, "Scenario files or names")->type_name("SCENARIO")->required();
    validate->footer("Example:\n  strobe validate scenarios/*.json");
    c.addSets(validate);
    c.choose(validate, [&c, files] {
        c.load.needsWorkload = false;
        return validateCommand(*files, c.load);
    });
}

} // namespace

void addRunCommands(CommandContext& context)
{
    addRun(context);
    addOperations(context);
    addValidate(context);
}

} // namespace strobe::platform
