// SPDX-License-Identifier: Apache-2.0
#include "platform/app/reproduce.h"

#include "platform/app/commands.h"
#include "platform/app/exit_codes.h"
#include "platform/app/output_file.h"
#include "platform/assembly/child_process.h"
#include "platform/reproduce/cps_sim.h"
#include "platform/reproduce/ddr_nand.h"
#include "platform/reproduce/di_ssd.h"
#include "platform/reproduce/hydra.h"

#include <memory>
#include <unistd.h>

namespace strobe::platform {

namespace {

// Where a study goes besides the terminal: files that are opened before the runs, so that a wrong place shows at once.
class Outputs {
public:
    explicit Outputs(const ReproduceCommand& command) : csvPath_(command.csv), jsonPath_(command.json)
    {
        if (!csvPath_.empty() && csvPath_ != "-")
            csv_ = std::make_unique<OutputFile>(csvPath_);
        if (!jsonPath_.empty() && jsonPath_ != "-")
            json_ = std::make_unique<OutputFile>(jsonPath_);
        if (!command.claims.empty())
            claims_ = std::make_unique<OutputFile>(command.claims);
    }
    void write(const std::string& text, const Study& study, const std::string& json)
    {
        const std::string csv = csvOf(study);
        if (claims_)
            claims_->commit(statementsCsvOf(study));
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

VariantOptions optionsOf(const ReproduceCommand& command)
{
    VariantOptions options;
    options.load = command.load;
    options.program = programInfo();
    options.jobs = command.jobs == 0 ? processors() : command.jobs;
    options.showProgress = ::isatty(STDERR_FILENO) == 1;
    return options;
}

} // namespace

int reproduceDdrNand(const ReproduceCommand& command)
{
    Outputs outputs(command);
    const DdrNandStudy result = runDdrNand(command.load.scenariosDirectory, optionsOf(command));
    outputs.write(ddrNandText(result), result.study, ddrNandJson(result));
    return exitOk;
}

int reproduceHydra(const ReproduceCommand& command)
{
    Outputs outputs(command);
    const HydraStudy result = runHydra(command.load.scenariosDirectory, optionsOf(command), command.figures);
    outputs.write(hydraText(result), result.study, hydraJson(result));
    return exitOk;
}

int reproduceCpsSim(const ReproduceCommand& command)
{
    Outputs outputs(command);
    const Study study = runCpsSim(command.load.scenariosDirectory, optionsOf(command));
    outputs.write(cpsSimText(study), study, jsonOf(study, nlohmann::ordered_json::object()));
    return exitOk;
}

int reproduceDiSsd(const ReproduceCommand& command)
{
    Outputs outputs(command);
    const Study study = runDiSsd(command.load.scenariosDirectory, optionsOf(command), command.traces);
    outputs.write(diSsdText(study), study, jsonOf(study, nlohmann::ordered_json::object()));
    return exitOk;
}

} // namespace strobe::platform
