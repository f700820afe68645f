// SPDX-License-Identifier: Apache-2.0
#include "platform/app/reproduce.h"

#include "models/base/config_error.h"
#include "platform/app/commands.h"
#include "platform/app/exit_codes.h"
#include "platform/app/interruption.h"
#include "platform/app/output_file.h"
#include "platform/assembly/child_process.h"
#include "platform/reproduce/aging.h"
#include "platform/reproduce/cps_sim.h"
#include "platform/reproduce/data_study.h"
#include "platform/reproduce/ddr_nand.h"
#include "platform/reproduce/di_ssd.h"
#include "platform/reproduce/study_index.h"
#include "platform/reproduce/study_page.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <optional>
#include <unistd.h>

namespace strobe::platform {

namespace {

// Files that a study is written to. They are opened before the runs, so that a wrong path is reported at once.
class Outputs {
public:
    explicit Outputs(const ReproduceCommand& command) : csvPath_(command.csv), jsonPath_(command.json)
    {
        requireSafeOutputs(filesIn(command.load.scenariosDirectory),
                           {{"--csv", command.csv}, {"--json", command.json}, {"--claims", command.claims}});
        if (!csvPath_.empty() && csvPath_ != "-")
            csv_ = std::make_unique<OutputFile>(csvPath_);
        if (!jsonPath_.empty() && jsonPath_ != "-")
            json_ = std::make_unique<OutputFile>(jsonPath_);
        if (!command.claims.empty())
            claims_ = std::make_unique<OutputFile>(command.claims);
    }
    void write(const std::string& text, const std::string& csv, const std::string& claims, const std::string& json)
    {
        if (claims_)
            claims_->commit(claims);
        if (csv_)
            csv_->commit(csv);
        if (json_)
            json_->commit(json);
        if (csvPath_ == "-")
            printOut(csv);
        if (jsonPath_ == "-")
            printOut(json);
        if (csvPath_ != "-" && jsonPath_ != "-")
            printOut(text);
    }

private:
    std::string csvPath_;
    std::string jsonPath_;
    std::unique_ptr<OutputFile> csv_;
    std::unique_ptr<OutputFile> json_;
    std::unique_ptr<OutputFile> claims_;
};

// Seeds of the figures with random choices. Absent: as the study says.
std::optional<std::size_t> samplesOf(const ReproduceCommand& command)
{
    const bool isSeedSet = std::any_of(command.load.sets.begin(), command.load.sets.end(),
                                       [](const Override& set) { return set.assignment.rfind("seed=", 0) == 0; });
    if (isSeedSet && command.seeds > 1)
        throw ConfigError("--seeds: has no effect with --set seed=…, which gives all runs the same seed");
    if (isSeedSet)
        return 1;
    return command.seeds == 0 ? std::nullopt : std::optional(command.seeds);
}

VariantOptions optionsOf(const ReproduceCommand& command)
{
    VariantOptions options;
    options.load = command.load;
    options.program = programInfo();
    options.jobs = command.jobs == 0 ? processors() : command.jobs;
    options.samples = samplesOf(command);
    options.needsSamples = command.seeds != 0 && !command.study.empty(); // of several studies, some have none
    options.showProgress = ::isatty(STDERR_FILENO) == 1;
    catchInterruptions();
    options.interruption = interruption;
    return options;
}

// The result of a study.
struct Outcome {
    Study study;
    std::string text;
    std::string json;
    std::string unfinished; // runs omitted because of an interruption; empty: none
};

Outcome plain(Study study, const std::string& text)
{
    const std::string json = jsonOf(study, nlohmann::ordered_json::object());
    return {std::move(study), text, json, {}};
}

Outcome ddrNand(const ReproduceCommand& command)
{
    const DdrNandStudy result = runDdrNand(command.load.scenariosDirectory, optionsOf(command));
    return {result.study, ddrNandText(result), ddrNandJson(result), {}};
}

// A study that is data alone. Its name on the command line is that of its folder in scenarios/papers.
Outcome dataStudy(const ReproduceCommand& command, const std::string& name)
{
    const DataStudy result = runDataStudy(command.load.scenariosDirectory, name, optionsOf(command), command.figures);
    std::string text = dataStudyText(result);
    std::string unfinished;
    if (!result.unfinished.empty()) {
        unfinished = fmt::format("no figure {}", fmt::join(result.unfinished, ", "));
        text = "INTERRUPTED: " + unfinished + "\n\n" + text;
    }
    return {result.study, text, dataStudyJson(result), unfinished};
}

Outcome cpsSim(const ReproduceCommand& command)
{
    const Study study = runCpsSim(command.load.scenariosDirectory, optionsOf(command));
    return plain(study, cpsSimText(study));
}

Outcome aging(const ReproduceCommand& command)
{
    const Study study = runAging(command.load.scenariosDirectory, optionsOf(command));
    return plain(study, agingText(study));
}

Outcome diSsd(const ReproduceCommand& command)
{
    const Study study = runDiSsd(command.load.scenariosDirectory, optionsOf(command), command.traces);
    return plain(study, diSsdText(study));
}

// Studies with tables or a judge of their own. All others are data alone.
struct OwnProgram {
    const char* name;
    Outcome (*run)(const ReproduceCommand&);
};
constexpr std::array<OwnProgram, 4> ownPrograms{
    {{"ddr-nand", ddrNand}, {"cps-sim", cpsSim}, {"aging", aging}, {"di-ssd", diSsd}}};

const OwnProgram* ownProgramOf(const std::string& study)
{
    const auto* row =
        std::find_if(ownPrograms.begin(), ownPrograms.end(), [&](const OwnProgram& own) { return study == own.name; });
    return row == ownPrograms.end() ? nullptr : row;
}

Outcome run(const std::string& study, const ReproduceCommand& command)
{
    const OwnProgram* own = ownProgramOf(study);
    return own == nullptr ? dataStudy(command, study) : own->run(command);
}

} // namespace

bool hasOwnProgram(const std::string& study)
{
    return ownProgramOf(study) != nullptr;
}

int reproduceStudy(const ReproduceCommand& command)
{
    Outputs outputs(command);
    const Outcome outcome = run(command.study, command);
    outputs.write(outcome.text, csvOf(outcome.study), statementsCsvOf(outcome.study), outcome.json);
    return exitCodeAfter(exitOk);
}

int reproduceAll(const ReproduceCommand& command)
{
    requireSafeOutputs(filesIn(command.load.scenariosDirectory), {{"--page", command.page}, {"--csv", command.csv}});
    requireSafeOutputs(filesIn(command.load.scenariosDirectory),
                       {{"--page", command.page}, {"--json", command.json}, {"--claims", command.claims}});
    Outputs outputs(command);
    OutputFile file(command.page);
    StudyPage page;
    page.program = programText();
    for (const Override& set : command.load.sets)
        page.settings.push_back(set.assignment);
    auto json = nlohmann::ordered_json::array();
    int exitCode = exitOk;
    const std::vector<StudyEntry> studies = studyIndex(command.load.scenariosDirectory);
    for (const StudyEntry& study : studies) {
        try {
            if (interruption() != 0)
                throw Interrupted(interruption());
            fmt::print(stderr, "{} ({} of {})\n", study.name, &study - studies.data() + 1, studies.size());
            Outcome outcome = run(study.name, command);
            json.push_back(nlohmann::ordered_json::parse(outcome.json));
            page.chapters.push_back(
                {fmt::format("strobe reproduce {}", study.name), std::move(outcome.study), std::move(outcome.text)});
            if (!outcome.unfinished.empty())
                page.missing.push_back(fmt::format("{}: {}", study.name, outcome.unfinished));
        } catch (const Interrupted&) {
            if (interruption() == 0)
                throw;
            page.missing.push_back(fmt::format("{}: interrupted", study.name));
        } catch (const ConfigError& e) { // for example of a --set for all studies that only this one refuses
            fmt::print(stderr, "{}\n", e.what());
            page.missing.push_back(fmt::format("{}: {}", study.name, e.what()));
            exitCode = exitUserMistake;
        }
    }
    file.commit(markdownOf(page));
    outputs.write(summaryText(page) + fmt::format("\nEvery line of it: {}\n", command.page), csvOf(page),
                  statementsCsvOf(page), nlohmann::ordered_json{{"studies", json}}.dump(2) + "\n");
    return exitCodeAfter(exitCode);
}

} // namespace strobe::platform
