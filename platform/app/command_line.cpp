// SPDX-License-Identifier: Apache-2.0
#include "platform/app/command_line.h"

#include "models/base/check.h"
#include "models/base/config_error.h"
#include "platform/app/bench.h"
#include "platform/app/commands.h"
#include "platform/app/exit_codes.h"
#include "platform/app/reproduce.h"
#include "platform/app/waveform.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <functional>
#include <system_error>

namespace strobe::platform {

namespace {

constexpr const char* about = "Strobe: a virtual platform of a NAND-flash SSD";

constexpr const char* examples = R"(Examples:
  strobe run                                   the quickstart drive replays a recorded trace
  strobe run --set nand.ways=8 --json out.json the same with eight ways, report as JSON
  strobe run workloads/soak-1m --seed 7        a scenario of the installed directory
  strobe validate my-drive.json                what is wrong with it, all at once
  strobe inspect interface                     where 19.81 ns and 12 ns come from
  strobe inspect parameters                    everything that a scenario may say

Exit codes: 0 fine, 1 the run found errors, 2 a mistake in scenario, trace or command
line, 3 a bug of Strobe, 128 + signal if a run was interrupted (130 for Ctrl-C).)";

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

std::string traceHelp()
{
    std::string text = "Formats:\n";
    for (const auto& row : host::traceFormatTable)
        text += fmt::format("  {:<14} {}\n", row.name, row.help);
    return text + "\nExample:\n  strobe inspect trace scenarios/traces/debian-appload.iolog3.xz";
}

// A file to write; "-" is standard output where that is offered.
CLI::Validator namesFile(bool mayBeOutput)
{
    return {[mayBeOutput](const std::string& name) -> std::string {
                if (name.empty())
                    return "must name a file";
                return name == "-" && !mayBeOutput ? "must name a file; standard output is not offered here" : "";
            },
            ""};
}

class CommandLine {
public:
    CommandLine() : app_(about, "strobe")
    {
        app_.footer(examples);
        app_.require_subcommand(0, 1);
        app_.set_help_all_flag("--help-all", "Help of all commands");
        app_.add_flag("--version", version_, "Print the versions of Strobe and of its SystemC library");
        load_.scenariosDirectory = defaultScenariosDirectory();
        addRun();
        addValidate();
        addInspect();
        addBench();
        addReproduce();
    }

    int run(int argc, char** argv)
    {
        try {
            app_.parse(argc, argv);
        } catch (const CLI::ParseError& error) {
            return app_.exit(error) == 0 ? exitOk : exitUserMistake;
        }
        if (version_) {
            const Program program = programInfo();
            fmt::print("strobe {}{}\n{}\n", program.version,
                       program.revision.empty() ? "" : " (" + program.revision + ")", program.systemc);
            return exitOk;
        }
        if (!chosen_) {
            fmt::print("{}", app_.help());
            return exitUserMistake;
        }
        load_.sets.assign(sets_.begin(), sets_.end());
        return chosen_();
    }

private:
    void choose(CLI::App* command, std::function<int()> action)
    {
        command->callback([this, action = std::move(action)] { chosen_ = action; });
    }
    void addSets(CLI::App* command)
    {
        command->add_option("--set", sets_, "Change one value, like --set nand.ways=8; may be repeated")
            ->type_name("KEY=VALUE")
            ->allow_extra_args(false);
    }
    void addScenario(CLI::App* command)
    {
        command->add_option("scenario", scenario_, "Scenario file or name")
            ->type_name("SCENARIO")
            ->capture_default_str();
        addSets(command);
    }

    void addRun()
    {
        CLI::App* run = app_.add_subcommand("run", "Run a scenario and print a report");
        run->footer(runHelp);
        addScenario(run);
        run->add_option("--json", run_.json, "Write the report as JSON to a file, or with - to standard output")
            ->type_name("FILE")
            ->check(namesFile(true));
        addVcd(run);
        run->add_option("--seed", seed_, "Seed of all random choices, instead of the scenario's")->type_name("N");
        run->add_option("--data", data_, "What sectors carry: tags (default), bytes or none")->type_name("MODE");
        run->add_flag("--quiet", run_.quiet, "No progress line and no text report");
        run->add_flag("--host-time", run_.hostTime, "Report the time and memory of this machine too");
        choose(run, [this] {
            if (!seed_.empty())
                load_.sets.emplace_back("seed=" + seed_, "--seed " + seed_);
            if (!data_.empty())
                load_.sets.emplace_back("data=" + data_, "--data " + data_);
            run_.scenario = scenario_;
            run_.load = load_;
            return runCommand(run_);
        });
    }

    void addVcd(CLI::App* run)
    {
        CLI::Option* vcd =
            run->add_option("--vcd", run_.vcd, "Write the pins of one channel as a value change dump, for GTKWave")
                ->type_name("FILE")
                ->check(namesFile(false));
        run->add_option("--vcd-channel", run_.vcdChannel, "Which channel")
            ->type_name("N")
            ->capture_default_str()
            ->needs(vcd);
        run->add_option("--vcd-limit", run_.vcdLimit, "How many operations of it; a page of 4 KiB takes about 150 KB")
            ->type_name("N")
            ->check(CLI::Range(1U, 100'000U))
            ->capture_default_str()
            ->needs(vcd);
        run->add_option("--vcd-from", run_.vcdFrom, "Simulated time from which on, like 20ms")
            ->type_name("TIME")
            ->capture_default_str()
            ->needs(vcd);
    }

    void addValidate()
    {
        CLI::App* validate =
            app_.add_subcommand("validate", "Check scenarios; prints what they resolve to, or all errors");
        validate->add_option("files", files_, "Scenario files or names")->type_name("SCENARIO")->required();
        validate->footer("Example:\n  strobe validate scenarios/*.json");
        addSets(validate);
        choose(validate, [this] {
            load_.needsWorkload = false;
            return validateCommand(files_, load_);
        });
    }

    void addInspect()
    {
        CLI::App* inspect = app_.add_subcommand("inspect", "Show what Strobe knows, without running anything");
        inspect->require_subcommand(1);
        inspect->footer("Examples:\n  strobe inspect interface\n  strobe inspect timing --set nand.part=k9f1g08u0a\n"
                        "  strobe inspect timing mlc-8k-2plane NV_DDR_5\n"
                        "  strobe inspect trace scenarios/traces/debian-appload.iolog3.xz");
        const auto withScenario = [&](const char* name, const char* text,
                                      int (*action)(const std::string&, const LoadOptions&)) {
            CLI::App* command = inspect->add_subcommand(name, text);
            addScenario(command);
            choose(command, [this, action] {
                load_.needsWorkload = false;
                return action(scenario_, load_);
            });
        };
        withScenario("interface", "How the clock periods of the NAND interfaces come about", inspectInterface);
        withScenario("scenario", "A scenario with every parameter spelled out", inspectScenario);

        CLI::App* timing = inspect->add_subcommand("timing", "Where the time of each NAND operation goes, by segments");
        addScenario(timing);
        timing->get_option("scenario")->description("Scenario file or name; with an interface: part, like k9f1g08u0a");
        timing->add_option("interface", interface_, "NAND interface of that part, like ONFI_SDR_5")
            ->type_name("INTERFACE");
        choose(timing, [this] {
            load_.needsWorkload = false;
            return interface_.empty() ? inspectTiming(scenario_, load_)
                                      : inspectPartTiming(scenario_, interface_, load_);
        });
        addWaveform(inspect);

        CLI::App* part = inspect->add_subcommand("part", "A NAND part with every parameter spelled out");
        part->add_option("name", name_, "Part, like k9f1g08u0a")->required();
        choose(part, [this] { return inspectPart(name_, load_); });

        CLI::App* trace = inspect->add_subcommand("trace", "What is in a trace: counts, sizes, footprint, duration");
        trace->add_option("file", trace_.file, "Trace file, plain or compressed")->required();
        trace->add_option("--format", trace_.format, "Its format, instead of the one that its content shows")
            ->type_name("FORMAT");
        trace->add_option("--json", trace_.json, "Write what it says as JSON to a file, or with - to standard output")
            ->type_name("FILE")
            ->check(namesFile(true));
        trace->footer(traceHelp());
        choose(trace, [this] { return inspectTrace(trace_); });

        CLI::App* parameters = inspect->add_subcommand("parameters", "Everything that a scenario may say");
        parameters->add_flag("--markdown", markdown_, "As the table in docs/scenarios.md");
        choose(parameters, [this] { return inspectParameters(markdown_); });

        choose(inspect->add_subcommand("schema", "JSON Schema of scenarios, for editors"),
               [] { return inspectSchema(); });
        choose(inspect->add_subcommand("memory-map", "Registers and memories on the system bus"),
               [] { return inspectMemoryMap(); });
    }

    void addReproduce()
    {
        CLI::App* reproduce =
            app_.add_subcommand("reproduce", "Run the studies of published systems, beside their figures");
        reproduce->require_subcommand(1);
        reproduce->footer("Example:\n  strobe reproduce ddr-nand --csv tables.csv");
        CLI::App* ddrNand = reproduce->add_subcommand(
            "ddr-nand", "DDR NAND interface: bandwidth by ways and channels, energy per byte (Tables 3, 4 and 5)");
        addReproduceOptions(ddrNand);
        choose(ddrNand, [this] {
            reproduce_.load = load_;
            return reproduceDdrNand(reproduce_);
        });
    }
    void addReproduceOptions(CLI::App* command)
    {
        command
            ->add_option(
                "--csv", reproduce_.csv,
                "Write table,cell,op,channels,ways,interface,measured,paper,unit to a file, or with - to standard "
                "output")
            ->type_name("FILE")
            ->check(namesFile(true));
        command->add_option("--json", reproduce_.json, "The same as JSON, with errors and fitted parameters")
            ->type_name("FILE")
            ->check(namesFile(true));
        command->add_option("--jobs", reproduce_.jobs, "Simulations at a time; 0, the default: one per processor")
            ->check(CLI::Range(0, 256))
            ->type_name("N");
        addSets(command);
    }
    void addBench()
    {
        CLI::App* bench = app_.add_subcommand("bench", "Measure the simulator's own speed and memory on this machine");
        bench->footer("Examples:\n  strobe bench --csv bench.csv\n  strobe bench --case random-read-8x4\n\n"
                      "U is the CPU time of one timed SC_METHOD activation with 100 events pending, measured\n"
                      "before and after each case.");
        bench->add_option("--csv", bench_.csv, "Write case,metric,value,unit to a file, or with - to standard output")
            ->type_name("FILE")
            ->check(namesFile(true));
        bench->add_option("--json", bench_.json, "The same as JSON")->type_name("FILE")->check(namesFile(true));
        bench->add_option("--case", bench_.cases, "Run this case alone; may be repeated")
            ->type_name("NAME")
            ->allow_extra_args(false);
        bench->add_flag("--quick", bench_.quick, "Smaller drives and fewer requests: a look, not a measurement");
        choose(bench, [this] {
            bench_.load = load_;
            return benchCommand(bench_);
        });
    }

    void addWaveform(CLI::App* inspect)
    {
        CLI::App* waveform = inspect->add_subcommand("waveform", "An operation on the NAND bus, pin by pin");
        waveform->add_option("operation", waveform_.operation, "read, program, erase, copyback, status, id or reset")
            ->type_name("OPERATION")
            ->required();
        addScenario(waveform);
        waveform
            ->add_option("--interface", waveform_.interface, "On this interface at its fastest clock, like PROPOSED")
            ->type_name("NAME");
        waveform->add_option("--bytes", waveform_.bytes, "Page data on the bus, instead of a whole page")
            ->type_name("N")
            ->check(CLI::Range(1U, 65'536U));
        waveform->add_option("--vcd", waveform_.vcd, "Write it as a value change dump too, for GTKWave")
            ->type_name("FILE");
        waveform->footer("Example:\n  strobe inspect waveform read --interface CONV --bytes 8 --vcd read.vcd");
        choose(waveform, [this] {
            load_.needsWorkload = false;
            waveform_.scenario = scenario_;
            waveform_.load = load_;
            return inspectWaveform(waveform_);
        });
    }

    CLI::App app_;
    std::function<int()> chosen_;
    bool version_ = false;
    bool markdown_ = false;
    std::string scenario_ = "quickstart";
    std::string name_;
    std::string interface_;
    std::string seed_;
    std::string data_;
    std::vector<std::string> sets_;
    std::vector<std::string> files_;
    LoadOptions load_;
    RunCommand run_;
    InspectTraceCommand trace_;
    ReproduceCommand reproduce_;
    WaveformCommand waveform_;
    BenchCommand bench_;
};

} // namespace

int commandLine(int argc, char** argv)
{
    try {
        return CommandLine().run(argc, argv);
    } catch (const ConfigError& error) {
        fmt::print(stderr, "{}\n", error.what());
        return exitUserMistake;
    } catch (const std::system_error& error) { // standard output that takes nothing
        fmt::print(stderr, "strobe: {}\n", error.what());
        return exitUserMistake;
    } catch (const std::exception& error) {
        fmt::print(stderr, "strobe: internal error: {}\nThis is a bug of Strobe, not of your scenario.\n",
                   error.what());
        return exitInternal;
    }
}

} // namespace strobe::platform
