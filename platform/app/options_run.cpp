// SPDX-License-Identifier: Apache-2.0
//
// The options of `strobe run`, `strobe operations` and `strobe validate`.
#include "models/base/config_error.h"
#include "platform/app/command_context.h"
#include "platform/app/commands.h"
#include "platform/app/operations.h"

#include <memory>

namespace strobe::platform {

namespace {

constexpr const char* runHelp =
    R"(Simulates the drive and the workload of a scenario and prints a report: throughput, latencies,
utilisation of every resource, flash operations, wear, energy, and what limits the run.

A scenario is a JSON file: a path, or a name inside the scenarios directory. Quantities are
text with units ("25us", "2KiB", "50MHz"). --set changes one value: dots separate keys,
list items are numbered from 0.

Examples:
  strobe run
  strobe run my-drive.json --report report.html
  strobe run my-drive.json --json report.json
  strobe run --set nand.part=k9f1g08u0a --set workload.phases.1.pacing.timeScale=0.1
  strobe run --json - | jq .totals.all.iops

Next: strobe inspect parameters lists the keys that --set takes, strobe inspect statistics the
keys of the JSON report; strobe report draws it, strobe compare shows several side by side.

Ctrl-C ends a run cleanly: the report covers the time until then and says so.)";

struct RunOptions {
    RunCommand run;
    std::string seed;
    std::string data;
    std::string firmware;
    bool stages = false;
    std::uint32_t slowest = 0;
    std::string image;
};

void addVcd(CLI::App* run, RunCommand& command)
{
    CLI::Option* vcd =
        run->add_option("--vcd", command.vcd, "Write the pins of one channel as a value change dump, for GTKWave")
            ->type_name("FILE")
            ->check(namesFile(false));
    run->add_option("--vcd-channel", command.vcdChannel, "Channel whose pins are written")
        ->type_name("N")
        ->capture_default_str()
        ->needs(vcd);
    run->add_option("--vcd-limit", command.vcdLimit, "Operations to write; a page of 4 KiB takes about 150 KB")
        ->type_name("N")
        ->check(CLI::Range(1U, 100'000U))
        ->capture_default_str()
        ->needs(vcd);
    run->add_option("--vcd-from", command.vcdFrom, "Simulated time at which recording starts, like 20ms")
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
                    "Write the history of erase counts as CSV; needs --set report.wearEvery=TIME")
        ->type_name("FILE")
        ->check(namesFile(false));
}

void addImage(CLI::App* run, RunOptions& command)
{
    run->add_option("--image", command.image,
                    "Start from this drive image, in place of the preconditioning phases (docs/drive_images.md)")
        ->type_name("FILE")
        ->check(namesFile(false));
    run->add_option("--save-image", command.run.saveImage, "Write an image of the drive when the workload has ended")
        ->type_name("FILE")
        ->check(namesFile(false));
    run->add_flag("--until-measured", command.run.untilMeasured,
                  "End before the first measured phase: with --save-image, an image of the preconditioned drive");
}

// Returns the options that narrow a recording.
std::vector<CLI::Option*> addActivity(CLI::App* run, ActivityCommand& command)
{
    run->add_option("--activity", command.file,
                    "Write the start and end of every job of every resource: as CSV to a file, or with - as a table to "
                    "standard output in place of the report")
        ->type_name("FILE")
        ->check(namesFile(true));
    CLI::Option* timeline = run->add_option("--timeline", command.timeline,
                                            "Write the same jobs, with requests and functions of rv32 firmware, as a "
                                            "trace that ui.perfetto.dev shows "
                                            "as a picture (usual ending: .pftrace)")
                                ->type_name("FILE")
                                ->check(namesFile(false));
    CLI::Option* requests = run->add_option("--timeline-requests", command.requests,
                                            "End the timeline with the N-th request that began and ended in it")
                                ->type_name("N")
                                ->check(CLI::Range(std::size_t{1}, std::size_t{1'000'000}))
                                ->needs(timeline);
    run->add_option("--timeline-slowest", command.slowest,
                    "Draw what happened during the N slowest requests of the measured phases instead of a window")
        ->type_name("N")
        ->check(CLI::Range(std::size_t{1}, std::size_t{1'000}))
        ->needs(timeline)
        ->excludes(requests);
    return {
        run->add_option("--activity-from", command.from, "Simulated time at which recording starts, like 20ms")
            ->type_name("TIME")
            ->capture_default_str(),
        run->add_option("--activity-length", command.length, "Length of the recording")
            ->type_name("TIME")
            ->capture_default_str(),
        run->add_option("--activity-of", command.of,
                        "Only resources whose names begin with one of these, separated by commas: "
                        "\"firmware,channel,die 0\"")
            ->type_name("NAMES")
            ->delimiter(',')
            ->allow_extra_args(false),
        run->add_option("--activity-limit", command.limit, "Maximum number of jobs, and separately of function calls")
            ->type_name("N")
            ->check(CLI::Range(std::size_t{1}, std::size_t{100'000'000}))
            ->capture_default_str()};
}

void requireRecording(const std::vector<CLI::Option*>& narrow, const ActivityCommand& command)
{
    for (const CLI::Option* option : narrow) {
        if (option->count() != 0 && command.file.empty() && command.timeline.empty())
            throw ConfigError(option->get_name() +
                              ": narrows a recording; it needs --activity FILE or --timeline FILE");
        const bool isWindow = option->get_name() == "--activity-from" || option->get_name() == "--activity-length";
        if (option->count() != 0 && isWindow && command.slowest != 0)
            throw ConfigError(option->get_name() + ": --timeline-slowest has no such window; omit one of them");
    }
}

void addFirmwareObservation(CLI::App* run, FirmwareObservationCommand& command)
{
    run->add_option("--gdb", command.gdbPort,
                    "Wait for a debugger on this local port (0: any free one) before RV32 firmware starts")
        ->type_name("PORT")
        ->check(CLI::Range(0U, 65'535U));
    run->add_option("--profile", command.profile,
                    "Print the cycles of RV32 firmware by function, and write its call stacks for flame graph programs")
        ->type_name("FILE")
        ->check(namesFile(false));
    run->add_option("--flame-graph", command.flameGraph,
                    "Write the same call stacks as a flame graph, a page that opens offline")
        ->type_name("FILE")
        ->check(namesFile(false));
    run->add_option(
           "--profile-phases", command.profilePhases,
           "Phases that the profile covers, separated by commas, or all: the whole run; measured phases if not given")
        ->type_name("NAMES")
        ->delimiter(',')
        ->allow_extra_args(false);
    CLI::Option* trace =
        run->add_option(
               "--trace-firmware", command.trace.file,
               "Write instructions, register accesses and interrupts of RV32 firmware with their simulated time")
            ->type_name("FILE")
            ->check(namesFile(false));
    run->add_option("--trace-form", command.trace.form,
                    "text: one line each; binary: a few bytes each, for strobe inspect firmware-trace")
        ->type_name("FORM")
        ->capture_default_str()
        ->needs(trace);
    addTraceChoice(run, command.trace.choice, "--trace-", trace);
    run->add_option("--trace-limit", command.trace.limit, "Maximum number of entries")
        ->type_name("N")
        ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{100'000'000}))
        ->capture_default_str()
        ->needs(trace);
    addCoverage(run, command.coverage);
    run->add_flag("--check-memory", command.checkMemory,
                  "Report stacks, heap, reads of unwritten memory, races of two cores (RV32)");
}

void addRun(CommandContext& c)
{
    auto command = std::make_shared<RunOptions>();
    CLI::App* run = c.app.add_subcommand("run", "Run a scenario and print a report");
    run->footer(runHelp);
    c.addScenario(run);
    CLI::Option* json =
        run->add_option("--json", command->run.json, "Write the report as JSON to a file, or with - to standard output")
            ->type_name("FILE")
            ->check(namesFile(true));
    run->add_option("--report", command->run.html, "Write the report as an HTML page that opens offline; needs Python")
        ->type_name("FILE")
        ->check(namesFile(false));
    addVcd(run, command->run);
    addWear(run, command->run);
    addImage(run, *command);
    const std::vector<CLI::Option*> narrow = addActivity(run, command->run.activity);
    run->add_flag("--stages", command->stages, "Report where the time of requests goes: their latency by stages");
    run->add_option("--slowest", command->slowest, "List the N slowest requests with their stages; includes --stages")
        ->type_name("N")
        ->check(CLI::Range(1U, 100'000U));
    addFirmwareObservation(run, command->run.firmware);
    run->add_option("--seed", command->seed, "Seed of all random choices, instead of the scenario's")->type_name("N");
    run->add_option("--data", command->data, "Contents of sectors: tags (default), bytes or none")->type_name("MODE");
    addFirmware(run, command->firmware);
    run->add_option("--console", command->run.console,
                    "Write the output of firmware as it is printed, to a file or with - to standard output")
        ->type_name("FILE")
        ->check(namesFile(true));
    run->add_flag("--quiet", command->run.quiet, "Suppress the progress line and the text report");
    run->add_flag("--host-time", command->run.hostTime,
                  "Add the run time and memory use on this machine to the JSON report")
        ->needs(json);
    c.choose(run, [&c, command, narrow] {
        if (!command->run.html.empty()) // first: --set may say otherwise
            c.load.sets.insert(c.load.sets.begin(), {Override("report.wearMap=true", "--report"),
                                                     Override("report.stages=true", "--report")});
        requireRecording(narrow, command->run.activity);
        if (!command->seed.empty())
            c.load.sets.emplace_back("seed=" + command->seed, "--seed " + command->seed);
        if (!command->data.empty())
            c.load.sets.emplace_back("data=" + command->data, "--data " + command->data);
        if (!command->image.empty()) {
            c.load.sets.emplace_back("nand.contents.file=" + command->image, "--image");
            c.load.sets.emplace_back("nand.contents.mode=image", "--image");
        }
        if (!command->run.wearMap.empty())
            c.load.sets.emplace_back("report.wearMap=true", "--wear-map");
        if (command->stages || command->slowest != 0)
            c.load.sets.emplace_back("report.stages=true", command->stages ? "--stages" : "--slowest");
        if (command->slowest != 0)
            c.load.sets.emplace_back("report.slowest=" + std::to_string(command->slowest),
                                     "--slowest " + std::to_string(command->slowest));
        useFirmware(c.load, command->firmware);
        command->run.scenario = c.scenario;
        command->run.load = c.load;
        return runCommand(command->run);
    });
}

void addOperations(CommandContext& c)
{
    auto command = std::make_shared<OperationsCommand>();
    CLI::App* operations =
        c.app.add_subcommand("operations", "Run NAND operations on the dies, without host, firmware and controller");
    operations->footer("Takes the operations from the scenario's section \"operations\": a list or a random mix.\n\n"
                       "Examples:\n  strobe operations papers/cps-sim/mix --set nand.ways=4\n"
                       "  strobe operations papers/cps-sim/fig7e --bars 9\n\n"
                       "Bars: | command and address, = data on the bus; r, p, e, c: array busy with a read, program,\n"
                       "erase or copy-back. The row of the bus shows which chip holds it.\n\n"
                       "Next: strobe inspect timing shows each operation by its bus segments.");
    c.addScenario(operations);
    operations->add_option("--json", command->json, "Write the result as JSON to a file, or with - to standard output")
        ->type_name("FILE")
        ->check(namesFile(true));
    CLI::Option* timeline = operations
                                ->add_option("--timeline", command->timeline,
                                             "Write the states of each chip over time as CSV, or with - to standard "
                                             "output")
                                ->type_name("FILE")
                                ->check(namesFile(true));
    operations->add_option("--limit", command->limit, "Maximum number of operations in it, in order of completion")
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
        command->load.runsFirmware = false;
        return operationsCommand(*command);
    });
}

void addValidate(CommandContext& c)
{
    auto files = std::make_shared<std::vector<std::string>>();
    CLI::App* validate = c.app.add_subcommand("validate", "Check scenarios and list all errors");
    validate->add_option("files", *files, "Scenario files or names")->type_name("SCENARIO")->required();
    validate->footer(
        "Reads each scenario, fills in what it leaves open, and prints one line per scenario or all of its\n"
        "errors with their place and the allowed values. Exit code 2 if there is an error.\n\n"
        "Example:\n  strobe validate scenarios/workloads/*.json\n\n"
        "Next: strobe inspect scenario NAME prints every parameter with its value.");
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
