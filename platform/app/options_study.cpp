// SPDX-License-Identifier: Apache-2.0
//
// The options of `strobe reproduce`, `powercut`, `calibrate` and `bench`.
#include "platform/app/bench.h"
#include "platform/app/calibrate.h"
#include "platform/app/command_context.h"
#include "platform/app/powercut.h"
#include "platform/app/reproduce.h"
#include "platform/reproduce/study_index.h"

#include <fmt/format.h>

#include <memory>

namespace strobe::platform {

namespace {

void addReproduceOptions(CommandContext& c, CLI::App* command, ReproduceCommand& reproduce)
{
    command
        ->add_option("--csv", reproduce.csv,
                     "Write figure,workload,setting,quantity,measured,paper,unit to a file, or with - to standard "
                     "output")
        ->type_name("FILE")
        ->check(namesFile(true));
    command->add_option("--json", reproduce.json, "The same as JSON, with errors and fitted parameters")
        ->type_name("FILE")
        ->check(namesFile(true));
    command->add_option("--jobs", reproduce.jobs, "Simulations at a time; 0, the default: one per processor")
        ->check(CLI::Range(0, 256))
        ->type_name("N");
    command
        ->add_option("--seeds", reproduce.seeds,
                     "Seeds over which statements with random choices are judged; 0, the default: as the study says")
        ->check(CLI::Range(0, 1000))
        ->type_name("N");
    c.addSets(command);
}
void addClaims(CLI::App* command, ReproduceCommand& reproduce)
{
    command
        ->add_option("--claims", reproduce.claims,
                     "Write the verdict on each statement of the paper: claim,statement,measured,half_width,seeds,unit,"
                     "verdict,evidence,reason")
        ->type_name("FILE")
        ->check(namesFile(false));
}
// Options of a single study.
void addOwnOptions(CLI::App* study, const StudyEntry& entry, const std::shared_ptr<ReproduceCommand>& command)
{
    if (!hasOwnProgram(entry.name)) {
        study->add_option("--figure", command->figures, entry.figures)->type_name("N")->allow_extra_args(false);
    }
    if (entry.name == "di-ssd") {
        study
            ->add_option("--trace", command->traces,
                         "A trace file to run in addition to the workloads of the study; may be repeated")
            ->type_name("FILE")
            ->check(CLI::ExistingFile)
            ->allow_extra_args(false);
    }
}
void addReproduceAll(CommandContext& c, CLI::App* reproduce, const std::shared_ptr<ReproduceCommand>& command)
{
    CLI::App* all = reproduce->add_subcommand("all", "Every study, with a page that lists each result");
    addReproduceOptions(c, all, *command);
    addClaims(all, *command);
    command->page = "reproduction.md";
    all->add_option("--page", command->page, "File for the page, Markdown")
        ->type_name("FILE")
        ->capture_default_str()
        ->check(namesFile(false));
    all->footer("Example:\n  strobe reproduce all --page reproduction.md --claims claims.csv\n\n"
                "CSV files have the name of the study in the first column. Ctrl-C ends the command with the\n"
                "results so far.");
    c.choose(all, [&c, command] {
        command->load = c.load;
        return reproduceAll(*command);
    });
}
void addReproduce(CommandContext& c)
{
    auto command = std::make_shared<ReproduceCommand>();
    CLI::App* reproduce =
        c.app.add_subcommand("reproduce", "Reproduce studies of published systems and compare with their figures");
    reproduce->footer(
        "Each study simulates many variants of a drive, one process each, and prints simulated and published\n"
        "values side by side; docs/reproduce.md explains the studies.\n\n"
        "Examples:\n  strobe reproduce ddr-nand --csv tables.csv\n"
        "  strobe reproduce hydra --figure 11\n  strobe reproduce all");
    std::vector<StudyEntry> studies;
    try {
        studies = studyIndex(c.load.scenariosDirectory);
    } catch (const ConfigError& error) { // concerns this command only
        reproduce->allow_extras();
        c.choose(reproduce, [what = std::string(error.what())]() -> int { throw ConfigError(what); });
        return;
    }
    for (const StudyEntry& entry : studies) {
        CLI::App* study = reproduce->add_subcommand(entry.name, entry.summary);
        addReproduceOptions(c, study, *command);
        addClaims(study, *command);
        addOwnOptions(study, entry, command);
        study->footer(fmt::format("{}:\n  {}", entry.examples.size() == 1 ? "Example" : "Examples",
                                  fmt::join(entry.examples, "\n  ")));
        c.choose(study, [&c, command, name = entry.name] {
            command->load = c.load;
            command->study = name;
            return reproduceStudy(*command);
        });
    }
    addReproduceAll(c, reproduce, command);
    needsCommand(reproduce);
}
void addPowercut(CommandContext& c)
{
    auto command = std::make_shared<PowercutCommand>();
    auto firmware = std::make_shared<std::string>();
    CLI::App* powercut =
        c.app.add_subcommand("powercut", "Run a scenario many times, each with a power loss at a random instant");
    powercut->footer(
        "Each power loss is a separate run: to the cut, power on, recovery, all data read back, and on to the\n"
        "end. Exit code 1 if data was lost that the drive had to keep; the instants are printed.\n\n"
        "Examples:\n  strobe powercut my-drive --cuts 1000 --seed 7\n"
        "  strobe powercut my-drive --set firmware.pageMap.checkpointPages=1000 --json -\n"
        "  strobe powercut my-drive --firmware my_ftl.elf --save-cuts .");
    c.addScenario(powercut);
    addFirmware(powercut, *firmware);
    powercut->add_option("--cuts", command->cuts, "Number of power losses")
        ->type_name("N")
        ->check(CLI::Range(1U, 1'000'000U))
        ->capture_default_str();
    powercut->add_option("--seed", command->seed, "Seed of the instants; the runs use the seed of the scenario")
        ->type_name("N")
        ->check(CLI::Range(std::uint64_t{0}, std::uint64_t{INT64_MAX}))
        ->capture_default_str();
    powercut->add_option("--json", command->json, "Write the totals as JSON to a file, or with - to standard output")
        ->type_name("FILE")
        ->check(namesFile(true));
    addCoverage(powercut, command->coverage);
    powercut
        ->add_option("--save-cuts", command->saveCuts,
                     "Save the drive at each failing cut (the first 10) in this directory, for nand.contents; it is "
                     "created when a cut fails")
        ->type_name("DIRECTORY");
    powercut->add_option("--jobs", command->jobs, "Simulations at a time; 0, the default: one per processor")
        ->check(CLI::Range(0, 256))
        ->type_name("N");
    c.choose(powercut, [&c, command, firmware] {
        useFirmware(c.load, *firmware);
        command->scenario = c.scenario;
        command->load = c.load;
        return powercutCommand(*command);
    });
}
void addCalibrate(CommandContext& c)
{
    auto command = std::make_shared<CalibrateCommand>();
    CLI::App* calibrate =
        c.app.add_subcommand("calibrate", "Measure the cost points of native firmware on the RV32 core");
    calibrate->footer(
        "Examples:\n  strobe calibrate --check\n"
        "  strobe calibrate --write firmware/hal/cost_cycles.h\n\n"
        "Native firmware takes a fixed number of cycles per cost point. This command runs the workloads of\n"
        "scenarios/calibration on the RV32 core and measures these numbers; docs/cpu.md explains how.");
    calibrate->add_flag("--check", command->check, "Compare with the table in use; exit code 1 if a point has drifted");
    calibrate->add_option("--write", command->write, "Write the table to a file")
        ->type_name("FILE")
        ->check(namesFile(false));
    calibrate->add_option("--jobs", command->jobs, "Simulations at a time; 0, the default: one per processor")
        ->check(CLI::Range(0, 256))
        ->type_name("N");
    c.addSets(calibrate);
    auto modes = std::make_shared<bool>(false);
    calibrate->add_flag("--modes", *modes,
                        "Run drives of the papers and of the project in both modes and show the difference instead");
    c.choose(calibrate, [&c, command, modes] {
        if (*modes) {
            command->load = c.load;
            return compareModesCommand(*command);
        }
        command->load = c.load;
        return calibrateCommand(*command);
    });
}
void addBench(CommandContext& c)
{
    auto command = std::make_shared<BenchCommand>();
    CLI::App* bench =
        c.app.add_subcommand("bench", "Measure the speed and memory use of the simulator on this machine");
    bench->footer("Examples:\n  strobe bench --csv bench.csv\n  strobe bench --case random-read-8x4\n\n"
                  "U is the CPU time of one timed SC_METHOD activation with 100 events pending, measured\n"
                  "before and after each case.");
    bench->add_option("--csv", command->csv, "Write case,metric,value,unit to a file, or with - to standard output")
        ->type_name("FILE")
        ->check(namesFile(true));
    bench->add_option("--json", command->json, "The same as JSON")->type_name("FILE")->check(namesFile(true));
    bench->add_option("--case", command->cases, "Run only this case; may be repeated")
        ->type_name("NAME")
        ->allow_extra_args(false);
    bench->add_flag("--quick", command->quick, "Smaller drives and fewer requests: a quick check, not a measurement");
    c.choose(bench, [&c, command] {
        command->load = c.load;
        return benchCommand(*command);
    });
}

} // namespace

void addStudyCommands(CommandContext& context)
{
    addReproduce(context);
    addPowercut(context);
    addCalibrate(context);
    addBench(context);
}

} // namespace strobe::platform
