// SPDX-License-Identifier: Apache-2.0
#include "platform/app/calibrate.h"

#include "platform/app/commands.h"
#include "platform/app/exit_codes.h"
#include "platform/app/output_file.h"
#include "platform/assembly/child_process.h"
#include "platform/reproduce/calibration.h"
#include "platform/reproduce/modes.h"

#include <memory>
#include <unistd.h>

namespace strobe::platform {

namespace {

VariantOptions optionsOf(const CalibrateCommand& command)
{
    VariantOptions options;
    options.load = command.load;
    options.program = programInfo();
    options.jobs = command.jobs == 0 ? processors() : command.jobs;
    options.showProgress = ::isatty(STDERR_FILENO) == 1;
    return options;
}

} // namespace

int compareModesCommand(const CalibrateCommand& command)
{
    printOut(modesText(compareModes(command.load.scenariosDirectory, optionsOf(command))));
    return exitOk;
}

int calibrateCommand(const CalibrateCommand& command)
{
    std::unique_ptr<OutputFile> table;
    if (!command.write.empty())
        table = std::make_unique<OutputFile>(command.write); // before the runs: an unusable path is found now
    const Calibration calibration = calibrate(command.load.scenariosDirectory, optionsOf(command));
    if (table)
        table->commit(costCyclesHeader(calibration));
    printOut(calibrationText(calibration));
    return command.check && calibration.hasDrifted() ? exitErrorsFound : exitOk;
}

} // namespace strobe::platform
