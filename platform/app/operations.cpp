// SPDX-License-Identifier: Apache-2.0
#include "platform/app/operations.h"

#include "platform/app/commands.h"
#include "platform/app/exit_codes.h"
#include "platform/app/interruption.h"
#include "platform/app/output_file.h"
#include "platform/assembly/child_process.h"
#include "platform/assembly/operations_run.h"

#include <fmt/format.h>

#include <memory>

namespace strobe::platform {

namespace {

constexpr std::size_t barsWidth = 100;

} // namespace

int operationsCommand(const OperationsCommand& command)
{
    const std::string path = findScenario(command.scenario, command.load);
    const Scenario scenario = loadScenario(path, command.load);
    requireSafeOutputs(
        inputsOf(scenario),
        {{"nand.contents.file", savedContents(scenario)}, {"--json", command.json}, {"--timeline", command.timeline}});
    const auto fileFor = [](const std::string& name) {
        return name.empty() || name == "-" ? nullptr : std::make_unique<OutputFile>(name);
    };
    const auto json = fileFor(command.json);
    const auto timeline = fileFor(command.timeline);
    const auto contents = contentsFileOf(scenario);

    const std::uint32_t kept = command.timeline.empty() ? command.bars : std::max(command.limit, command.bars);
    catchInterruptions();
    OperationsResult result = runOperations(
        scenario, kept, [] { return interruption() != 0; }, programText());
    if (result.kinds.empty())
        throw Interrupted(interruption(), "interrupted before the first operation had ended");
    if (contents && result.isInterrupted)
        fmt::print(stderr, "{}: not written, because the run was interrupted\n", scenario.nand.contents.file);
    else if (contents)
        contents->commit(result.contents);
    if (json)
        json->commit(operationsJson(scenario, result));
    if (timeline)
        timeline->commit(timelineCsv(scenario, result));
    if (command.json == "-")
        printOut(operationsJson(scenario, result));
    if (command.timeline == "-")
        printOut(timelineCsv(scenario, result));
    if (command.json != "-" && command.timeline != "-") {
        std::string text = operationsText(scenario, result);
        if (command.bars > 0) {
            result.kept.resize(std::min<std::size_t>(result.kept.size(), command.bars));
            text += "\n" + timelineBars(scenario, result, barsWidth);
        }
        printOut(text);
    }
    return result.problems > 0 ? exitErrorsFound : exitCodeAfter(exitOk);
}

} // namespace strobe::platform
