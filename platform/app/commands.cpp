// SPDX-License-Identifier: Apache-2.0
#include "platform/app/commands.h"

#include "models/base/config_error.h"
#include "models/cpu/firmware_fault.h"
#include "models/host/workload/trace_summary.h"
#include "platform/app/console.h"
#include "platform/app/exit_codes.h"
#include "platform/app/html_report.h"
#include "platform/app/interruption.h"
#include "platform/app/output_file.h"
#include "platform/app/waveform.h"
#include "platform/assembly/core_image.h"
#include "platform/config/compose.h"
#include "platform/config/installation.h"
#include "platform/config/resolve.h"
#include "platform/config/units.h"
#include "platform/config/walkers.h"
#include "platform/report/first_error.h"
#include "platform/report/terminal_report.h"
#include "platform/report/text_table.h"
#include "platform/report/wear_csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <unistd.h>
#include <vector>

namespace strobe::platform {

namespace {

std::string pacingText(const host::PacingConfig& pacing)
{
    switch (pacing.mode) {
    case host::PacingMode::Open: return "open loop";
    case host::PacingMode::Dependent: return "dependent";
    case host::PacingMode::Closed: break;
    }
    return fmt::format("queue depth {}", pacing.queueDepth);
}

std::string summary(const Scenario& scenario)
{
    const nand::ArrayGeometry& array = scenario.nand.array;
    const nand::DieGeometry& die = scenario.nand.part.geometry;
    std::string text = fmt::format(
        "  {} channels x {} ways{} of {}: {} dies, {} of flash\n"
        "  {} at {} per cycle, {} units, {} SDRAM ({} buffer), CPU {}\n",
        array.channels, array.ways, array.luns > 1 ? fmt::format(" x {} LUNs", array.luns) : "",
        scenario.nand.part.name, array.dies(), shortBytes(die.dataBytes() * array.dies()), scenario.timingOf(0).name,
        toText(scenario.timingOf(0).cycle), scenario.controller.units,
        quantityText(Quantity::Size, scenario.memory.size), quantityText(Quantity::Size, scenario.memory.bufferSize),
        quantityText(Quantity::Frequency, static_cast<std::int64_t>(scenario.cpu.hertz)));
    if (scenario.workload.phases.empty())
        text += "  no workload: a device for other scenarios to extend\n";
    for (const host::PhaseConfig& phase : scenario.workload.phases) {
        text += fmt::format("  phase {}: {}, {}{}\n", phase.name, enumName(phase.source.kind), pacingText(phase.pacing),
                            phase.isFunctional ? ", functional preconditioning"
                            : phase.measured   ? ""
                                               : ", preconditioning");
        for (const host::JobConfig& job : phase.concurrentJobs)
            text += fmt::format("    concurrent job {}: {}, {}\n", job.name, enumName(job.source.kind),
                                pacingText(job.pacing));
    }
    return text;
}

// A report depends on the scenario, not on the location of its files on this machine.
void showTracesAsWritten(Report& report, const Scenario& scenario)
{
    for (std::size_t i = 0; i < report.phases.size() && i < scenario.traceNames.size(); ++i) {
        const std::string& path = scenario.workload.phases[i].source.trace.file;
        std::string& text = report.phases[i].workload;
        if (const auto at = path.empty() ? std::string::npos : text.find(path); at != std::string::npos)
            text.replace(at, path.size(), scenario.traceNames[i]);
    }
}

// From the first line to the last: a broken one is found here and not during a run.
void readTraces(const Scenario& scenario)
{
    for (const host::PhaseConfig& phase : scenario.workload.phases) {
        if (phase.source.kind == host::SourceKind::Trace)
            host::summariseTrace(phase.source.trace);
    }
}

// For a drive image at the end, if one is wanted.
std::unique_ptr<OutputFile> imageFileOf(const RunCommand& command, const Scenario& scenario)
{
    if (command.saveImage.empty())
        return nullptr;
    const auto refuse = [](const char* why) { throw ConfigError(fmt::format("--save-image: {}", why)); };
    if (scenario.nand.contents.saves())
        refuse("the scenario saves the drive to nand.contents.file already; --set nand.contents.mode=load prevents it");
    if (scenario.firmware.ftl == Ftl::StartGap)
        refuse("start_gap keeps its registers in memory, so another run cannot use the contents of the dies");
    if (scenario.firmware.ftl == Ftl::SuperblockMap && scenario.firmware.superblockMap.flush == FlushHandling::Ignore)
        refuse("the drive ignores flushes (firmware.superblockMap.flush), so what it has buffered would be lost");
    return std::make_unique<OutputFile>(command.saveImage);
}

// Leaves the phases before the first measured one.
void keepPreconditioning(Scenario& scenario)
{
    const std::uint32_t kept = preconditioningPhases(scenario);
    if (kept == 0)
        throw ConfigError("--until-measured: the first phase of the workload is measured already; a phase before it "
                          "with \"precondition\": true prepares the drive");
    scenario.workload.phases.resize(kept);
    scenario.traceNames.resize(kept);
}

} // namespace

std::string programText()
{
    const Program program = programInfo();
    const std::string revision = program.revision.empty() ? "" : fmt::format(" ({})", program.revision);
    return fmt::format("Strobe {}{}, {}", program.version, revision, program.systemc);
}

void printOut(const std::string& text)
{
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
        throw ConfigError(fmt::format("standard output: {}", std::strerror(errno)));
}

std::string defaultScenariosDirectory()
{
    const char* given = std::getenv("STROBE_SCENARIOS");
    if (given != nullptr)
        return given;
    const std::optional<Installation> installation = installationOf(runningProgram());
    return installation ? installation->scenarios : STROBE_SCENARIO_DIRECTORY;
}

std::vector<std::string> scenarioNames(const std::string& directory)
{
    std::vector<std::string> names;
    std::error_code error;
    std::filesystem::recursive_directory_iterator at(directory, error);
    for (; !error && at != std::filesystem::recursive_directory_iterator(); at.increment(error)) {
        if (at->path().extension() == ".json")
            names.push_back(at->path().lexically_relative(directory).replace_extension().generic_string());
    }
    std::sort(names.begin(), names.end());
    return names;
}

std::string findScenario(const std::string& name, const LoadOptions& options)
{
    if (name.empty())
        throw ConfigError(
            "the name of the scenario is empty; give the path of a file, or a name like workloads/one-page");
    std::string found = findFile(name, "", options.scenariosDirectory);
    if (found.empty()) {
        std::error_code error;
        if (std::filesystem::is_directory(name, error))
            throw ConfigError(name + ": is a directory; a scenario is a file");
        const std::string nearest = nearestName(name, scenarioNames(options.scenariosDirectory));
        throw ConfigError(fmt::format("{}: there is no such scenario, neither here nor in {}; {}", name,
                                      options.scenariosDirectory,
                                      nearest.empty() ? "give the path of a file, or a name like workloads/one-page"
                                                      : "did you mean " + nearest + "?"));
    }
    return found;
}

const std::string& savedContents(const Scenario& scenario)
{
    static const std::string none;
    return scenario.nand.contents.saves() ? scenario.nand.contents.file : none;
}

std::vector<std::string> inputsOf(const Scenario& scenario)
{
    std::vector<std::string> inputs = scenario.inputs;
    std::error_code error;
    if (std::filesystem::is_regular_file(scenario.firmware.image, error)) // else it is a name
        inputs.push_back(scenario.firmware.image);
    return inputs;
}

std::unique_ptr<OutputFile> contentsFileOf(const Scenario& scenario)
{
    if (!scenario.nand.contents.saves())
        return nullptr;
    try {
        return std::make_unique<OutputFile>(scenario.nand.contents.file);
    } catch (const ConfigError& error) {
        const std::string key = "/nand/contents/file";
        throw ConfigError(
            fmt::format("{}{}: {}", scenario.origin ? scenario.origin(key) + ": " : "", key, error.what()));
    }
}

int runCommand(const RunCommand& command)
{
    const std::string path = findScenario(command.scenario, command.load);
    Scenario scenario = loadScenario(path, command.load);
    if (command.untilMeasured)
        keepPreconditioning(scenario);
    requireSafeOutputs(inputsOf(scenario), {{"--save-image", command.saveImage},
                                            {"--json", command.json},
                                            {"--report", command.html},
                                            {"nand.contents.file", savedContents(scenario)},
                                            {"--activity", command.activity.file},
                                            {"--timeline", command.activity.timeline},
                                            {"--console", command.console},
                                            {"--vcd", command.vcd},
                                            {"--wear-map", command.wearMap},
                                            {"--wear-history", command.wearHistory},
                                            {"--profile", command.firmware.profile},
                                            {"--flame-graph", command.firmware.flameGraph},
                                            {"--trace-firmware", command.firmware.trace.file},
                                            {"--coverage", command.firmware.coverage.file}});
    std::unique_ptr<OutputFile> json;
    if (!command.json.empty() && command.json != "-")
        json = std::make_unique<OutputFile>(command.json); // before the run: an unusable path is found now
    HtmlReport html(command.html);

    const auto fileFor = [](const std::string& name) {
        return name.empty() ? nullptr : std::make_unique<OutputFile>(name);
    };
    if (!command.wearHistory.empty() && scenario.report.wearEvery == Time{})
        throw ConfigError("--wear-history: the scenario records no history; --set report.wearEvery=100ms requests one");
    const auto imageFile = imageFileOf(command, scenario);
    const auto contentsFile = contentsFileOf(scenario);
    DriveSaving saving{programText(), imageFile != nullptr, false, {}, {}};
    const auto wearMap = fileFor(command.wearMap);
    const auto wearHistory = fileFor(command.wearHistory);

    std::unique_ptr<OutputFile> vcd;
    Recording recording;
    if (!command.vcd.empty()) {
        recording.request = recorderRequest(command, scenario);
        vcd = std::make_unique<OutputFile>(command.vcd);
    }

    ActivityRecording activity(command.activity);
    FirmwareObservation firmware(command.firmware, scenario);
    Report report;
    std::string consoleFault;
    try {
        Console console(!command.quiet);
        if (!command.console.empty())
            console.showFirmware(command.console);
        report =
            runScenario(scenario, console,
                        {vcd ? &recording : nullptr, firmware.inspection(), activity.log(), activity.recorder(),
                         imageFile || contentsFile ? &saving : nullptr, !command.json.empty() || html.isRequested()});
        consoleFault = console.firmwareFault();
    } catch (const cpu::FirmwareFault&) {
        firmware.commitAfterFault(command.quiet || command.json == "-");
        throw;
    }
    if (!saving.notSavedBecause.empty())
        fmt::print(stderr, "{}: not written, because {}\n", command.saveImage, saving.notSavedBecause);
    else if (imageFile)
        imageFile->commit(saving.file);
    if (contentsFile)
        contentsFile->commit(saving.file);
    firmware.commit();
    activity.commit(report.simulated);
    if (vcd) {
        std::string warning;
        vcd->commit(recordingAsVcd(scenario, recording, report.simulated, warning));
        if (!warning.empty())
            fmt::print(stderr, "{}: {}\n", command.vcd, warning);
    }
    if (wearMap)
        wearMap->commit(wearMapCsv(report.wear));
    if (wearHistory)
        wearHistory->commit(wearHistoryCsv(report.wear));
    showTracesAsWritten(report, scenario);
    std::string machine;
    if (!command.json.empty() || html.isRequested()) {
        Report repeatable = report;
        if (!command.hostTime)
            repeatable.host.reset(); // the rest depends only on scenario and seed
        machine = jsonReport(repeatable, programInfo());
    }
    if (json)
        json->commit(machine);
    if (html.isRequested())
        html.commit(machine, report.scenario);
    if (command.json == "-")
        printOut(machine);
    else if (!command.quiet && !activity.isOnOutput())
        printOut(terminalReport(report, {::isatty(STDOUT_FILENO) == 1}) + firmware.text());
    if (report.foundErrors()) {
        if (command.quiet && command.json != "-")
            fmt::print(stderr, "strobe: {}\n", firstError(nlohmann::json::parse(jsonReport(report, programInfo()))));
        if (!consoleFault.empty())
            fmt::print(stderr, "{}\n", consoleFault);
        return exitErrorsFound;
    }
    if (!consoleFault.empty())
        throw ConfigError(consoleFault);
    return report.interrupted ? exitCodeAfter(exitOk) : exitOk;
}

int validateCommand(const std::vector<std::string>& scenarios, const LoadOptions& options)
{
    int result = exitOk;
    for (const std::string& name : scenarios) {
        try {
            const std::string file = findScenario(name, options);
            const Scenario scenario = loadScenario(file, options);
            checkFirmwareImage(scenario);
            readTraces(scenario);
            fmt::print("{}: ok: {}\n{}", file, scenario.name, summary(scenario));
        } catch (const ConfigError& error) {
            fmt::print(stderr, "{}\n", error.what());
            result = exitUserMistake;
        }
    }
    return result;
}

} // namespace strobe::platform
