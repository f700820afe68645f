// SPDX-License-Identifier: Apache-2.0
#include "platform/app/powercut.h"

#include "models/base/config_error.h"
#include "models/base/rng.h"
#include "models/cpu/debug/lcov_tracefile.h"
#include "models/cpu/firmware_fault.h"
#include "platform/app/commands.h"
#include "platform/app/exit_codes.h"
#include "platform/app/interruption.h"
#include "platform/app/json_output.h"
#include "platform/app/output_file.h"
#include "platform/app/repeat_command.h"
#include "platform/assembly/child_process.h"
#include "platform/assembly/firmware_inspection.h"
#include "platform/assembly/run.h"
#include "platform/config/units.h"
#include "platform/report/first_error.h"
#include "platform/report/text_table.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
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

Scenario scenarioWith(const PowercutCommand& command, const std::vector<std::string>& sets)
{
    LoadOptions load = command.load;
    for (const std::string& set : sets)
        load.sets.emplace_back(set);
    return loadScenario(findScenario(command.scenario, load), load);
}

constexpr const char* coverageKey = "firmware_coverage"; // an lcov tracefile

// The report and, if it is asked for, the coverage. With `takesFaults`, the reason why firmware ended the run is one,
// too.
std::string reportOf(const Scenario& scenario, bool covers, bool takesFaults)
{
    Silent observer;
    FirmwareInspection inspection;
    inspection.covers = covers;
    RunObservations observations;
    observations.inspection = covers ? &inspection : nullptr;
    Json json;
    try {
        Report report = runScenario(scenario, observer, observations);
        report.host.reset();
        json = Json::parse(jsonReport(report, programInfo()));
    } catch (const cpu::FirmwareFault& fault) {
        if (!takesFaults)
            throw;
        json = Json{{"fault", fault.what()}};
    }
    if (covers)
        json[coverageKey] = cpu::lcovTracefile(inspection.coverage);
    return json.dump();
}

std::string textOf(Time instant)
{
    return quantityText(Quantity::Time, instant.count());
}

struct Failure {
    std::string instant;
    std::string error; // the most serious one of the report; empty: `fault`
    std::string fault; // that ended the run
    std::string drive; // file; empty: not saved
};
constexpr std::size_t failuresShown = 10;

struct Sums {
    std::size_t asked = 0; // instants
    std::size_t ended = 0; // of these: runs that are over
    std::uint64_t cuts = 0;
    std::uint64_t operationsCut = 0;
    std::uint64_t commandsLost = 0;
    std::uint64_t pagesScanned = 0;
    std::uint64_t atRisk = 0;
    std::uint64_t reverted = 0;
    std::uint64_t readBack = 0;
    std::uint64_t faults = 0; // runs that firmware has ended
    std::uint64_t recoveries = 0;
    Time recovery{};
    Time longest{};
    std::vector<Failure> failed;
};

void add(Sums& sums, const Json& report, const std::string& instant)
{
    ++sums.ended;
    if (report.contains("fault")) {
        ++sums.faults;
        sums.failed.push_back({instant, "", report.at("fault").get<std::string>(), ""});
        return;
    }
    if (report.at("errors").get<bool>())
        sums.failed.push_back({instant, firstError(report), "", ""});
    if (!report.contains("power"))
        return; // the run had ended before
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
    Json instants = Json::array();
    Json faults = Json::array();
    Json drives = Json::array();
    for (const Failure& failure : sums.failed) {
        instants.push_back(failure.instant);
        if (!failure.drive.empty())
            drives.push_back({{"at", failure.instant}, {"file", failure.drive}});
        if (!failure.fault.empty())
            faults.push_back({{"at", failure.instant}, {"what", failure.fault}});
    }
    Json json{{"instants", sums.asked},
              {"cuts", sums.cuts},
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
              {"violations", sums.failed.size()},
              {"failed_at", instants},
              {"firmware_faults", faults}};
    if (!drives.empty())
        json["drives"] = drives;
    if (sums.ended != sums.asked)
        json["interrupted_after"] = sums.ended;
    return json;
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
    row("runs with errors", sums.failed.size() - sums.faults);
    row("runs that firmware has ended", sums.faults);
    std::string text;
    if (sums.ended != sums.asked)
        text = fmt::format("INTERRUPTED: {} of {} instants\n\n", sums.ended, sums.asked);
    text += table.text();
    if (sums.recoveries != 0)
        text +=
            fmt::format("ready again after {} on average, {} at most\n",
                        shortTime(sums.recovery / static_cast<std::int64_t>(sums.recoveries)), shortTime(sums.longest));
    const auto run = [&](const std::vector<std::string>& more) {
        return repeatCommand("strobe run " + quoted(command.scenario), command.load, more);
    };
    for (std::size_t i = 0; i < std::min(sums.failed.size(), failuresShown); ++i) {
        const Failure& failure = sums.failed[i];
        text += "ERRORS: " + run(cutsAt("\"" + failure.instant + "\""));
        text += "  " + (failure.fault.empty() ? failure.error : failure.fault) + "\n";
        if (!failure.drive.empty()) {
            std::vector<std::string> loads = cutsAt("");
            loads.insert(loads.end(), {"nand.contents.mode=load", "nand.contents.file=" + failure.drive});
            text += "  from the drive at the cut: " + run(loads);
        }
    }
    return text;
}

void add(CoverageOutput* coverage, const Json& report)
{
    if (coverage != nullptr && report.contains(coverageKey))
        coverage->add(cpu::parseLcov(report.at(coverageKey).get_ref<const std::string&>(), coverageKey));
}

// The drives as the failing cuts left them, into files of the directory. There is none for a run that ended before the
// power was off.
void saveDrives(const PowercutCommand& command, Sums& sums)
{
    if (sums.failed.empty())
        return;
    const std::filesystem::path folder = std::filesystem::absolute(command.saveCuts);
    std::error_code error;
    if (std::filesystem::create_directories(folder, error); error)
        throw ConfigError(fmt::format("--save-cuts {}: {}", command.saveCuts, error.message()));
    for (std::size_t i = 0; i < std::min(sums.failed.size(), failuresShown) && interruption() == 0; ++i) {
        const std::string path = (folder / ("cut-" + sums.failed[i].instant + ".drive")).string();
        const std::string at = "\"" + sums.failed[i].instant + "\"";
        const std::string saved = inChild([&] {
            Silent observer;
            DriveSaving saving{programText(), false, true, {}, {}};
            RunObservations observations;
            observations.saving = &saving;
            try {
                runScenario(scenarioWith(command, cutsAt(at)), observer, observations);
            } catch (const cpu::FirmwareFault&) { // at the cut or later
            }
            if (saving.file.empty())
                return std::string();
            OutputFile(path).commit(saving.file);
            return std::string("saved");
        });
        if (!saved.empty())
            sums.failed[i].drive = path;
    }
}

std::unique_ptr<CoverageOutput> coverageOutput(const PowercutCommand& command, const Scenario& scenario)
{
    if (command.coverage.file.empty())
        return nullptr;
    if (scenario.firmware.mode != FirmwareMode::Rv32)
        throw ConfigError("--coverage: needs firmware on the RV32 core; add --set firmware.mode=rv32");
    return std::make_unique<CoverageOutput>(command.coverage, scenario.firmware);
}

// It can be made, or is there; saveDrives() makes it.
void requireDirectory(const std::string& name)
{
    std::filesystem::path there = std::filesystem::absolute(name);
    std::error_code error;
    while (!std::filesystem::exists(there, error) && there.has_relative_path())
        there = there.parent_path();
    if (!std::filesystem::is_directory(there, error) || ::access(there.c_str(), W_OK | X_OK) != 0)
        throw ConfigError(
            fmt::format("--save-cuts {}: {}: must be a directory that can be written to", name, there.string()));
}

} // namespace

int powercutCommand(const PowercutCommand& command)
{
    requireSafeOutputs(inputsOf(scenarioWith(command, {})),
                       {{"--json", command.json}, {"--coverage", command.coverage.file}});
    if (!command.saveCuts.empty())
        requireDirectory(command.saveCuts);
    catchInterruptions(); // or a temporary file would stay
    JsonOutput output(command.json);
    const Scenario uncutScenario = scenarioWith(command, {});
    if (uncutScenario.firmware.ftl == Ftl::StartGap)
        throw ConfigError(command.scenario + ": start_gap keeps its registers in memory: power cannot be cut");
    if (uncutScenario.power.hasCuts())
        fmt::print(
            stderr,
            "powercut: the power losses of the scenario (/power) are ignored: each run has one at a random instant\n");
    const Scenario whole = scenarioWith(command, cutsAt(""));
    if (whole.dataMode == DataMode::None)
        throw ConfigError("/data: must be tags or bytes: with none, data that is read back is not checked");
    const auto coverage = coverageOutput(command, whole);
    const bool covers = coverage != nullptr;
    const Json uncut = Json::parse(inChild([&] { return reportOf(whole, covers, false); }));
    add(coverage.get(), uncut);
    const auto length = uncut.at("simulated_ps").get<std::uint64_t>();
    if (uncut.at("errors").get<bool>() || length < 2)
        throw ConfigError(command.scenario + ": without a power loss, the run has errors or takes no simulated time");

    Rng instants(command.seed, "instants");
    std::vector<std::string> at;
    std::vector<std::function<std::string()>> works;
    for (std::uint32_t i = 0; i < command.cuts; ++i) {
        at.push_back(textOf(Time{1 + static_cast<std::int64_t>(instants.below(length - 1))}));
        works.emplace_back([&command, covers, instant = at.back()] {
            return reportOf(scenarioWith(command, cutsAt("\"" + instant + "\"")), covers, true);
        });
    }
    const bool showsProgress = ::isatty(STDERR_FILENO) == 1;
    const auto done = [&](std::size_t count) {
        if (showsProgress)
            fmt::print(stderr, "\r{} of {} cuts{}", count, works.size(), count == works.size() ? "\r\033[K" : "");
    };
    const std::vector<std::string> reports =
        inChildren(works, command.jobs == 0 ? processors() : command.jobs, done, [] { return interruption() != 0; });
    Sums sums;
    sums.asked = works.size();
    for (std::size_t i = 0; i < reports.size(); ++i) {
        if (reports[i].empty())
            continue;
        const Json report = Json::parse(reports[i]);
        add(sums, report, at[i]);
        add(coverage.get(), report);
    }
    if (!command.saveCuts.empty())
        saveDrives(command, sums);
    if (coverage)
        coverage->commit();
    output.commit(jsonOf(sums).dump(2) + "\n", tableOf(sums, command) + (coverage ? coverage->text() : ""));
    return sums.failed.empty() ? exitCodeAfter(exitOk) : exitErrorsFound;
}

} // namespace strobe::platform
