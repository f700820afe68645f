// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/operations_run.h"

#include "models/base/bytes.h"
#include "models/base/check.h"
#include "models/base/config_error.h"
#include "models/operations/operation_source_module.h"
#include "models/tlm/time_bridge.h"
#include "platform/assembly/drive_file.h"
#include "platform/assembly/flash_array.h"

namespace strobe::platform {

namespace {

// It may be programmed from its first page on.
bool isBlank(const nand::Die& die, std::uint32_t block)
{
    const nand::DieCells::Block& state = die.block(block);
    return !state.factoryBad && !state.wornOut && !state.failed && state.nextPage == 0;
}

operations::OperationPlan planOf(const Scenario& scenario, const DieArray& dies)
{
    try {
        return operations::makePlan(scenario.operations, scenario.nand.array, scenario.nand.part.geometry,
                                    scenario.seed,
                                    [&dies](DieId die, std::uint32_t block) { return isBlank(*dies[die], block); });
    } catch (const ConfigError& error) {
        throw ConfigError(scenario.file + ": /operations: " + error.what());
    }
}

void takeUserRecord(const Scenario& scenario, const UserRecord& known, operations::OperationSource& source)
{
    try {
        ByteReader bytes(known.versions);
        source.restore(bytes);
    } catch (const DamagedBytes& damage) {
        refuseDriveFile(scenario, damage.what());
    }
}

std::string contentsOf(const Scenario& scenario, DieArray& dies, const operations::OperationSource& source,
                       const std::string& program)
{
    for (auto& die : dies)
        die->powerOff(now());
    ByteWriter known;
    source.save(known);
    return driveFile(scenario, DriveUser::Operations, dies, {0, 0, known.bytes()}, program);
}

} // namespace

OperationsResult runOperations(const Scenario& scenario, std::size_t kept, const std::function<bool()>& stop,
                               const std::string& program)
{
    if (scenario.operations.isEmpty())
        throw ConfigError(scenario.file + ": /operations: there are no operations; set counts (reads, programs, "
                                          "erases, copyBacks) for a random mix, or a list");
    sc_core::sc_report_handler::set_actions("/OSCI/SystemC", sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
    DieArray dies = makeDies(scenario);
    UserRecord known;
    const bool areUsed = loadDriveFile(scenario, DriveUser::Operations, dies, known);
    operations::OperationSource source(
        {scenario.nand.array, scenario.nand.part.geometry, scenario.dataMode, scenario.operations.queueDepth, kept},
        planOf(scenario, dies));
    if (areUsed)
        takeUserRecord(scenario, known, source);
    const std::shared_ptr<Agenda> agenda = Agenda::ofContext(); // before the modules that it wakes
    DieModules dieModules = makeDieModules(dies);
    ChannelModules channels = makeChannels(scenario, dieModules);
    operations::OperationSourceModule module("source", source, scenario.nand.array.channels);
    for (std::uint32_t c = 0; c < scenario.nand.array.channels; ++c)
        module.channels[c].bind(channels[ChannelId{static_cast<std::uint16_t>(c)}]->host);
    module.onMeasuring([&] {
        for (auto& channel : channels)
            channel->resetUsage();
        for (auto& die : dies)
            die->resetCounters();
    });
    module.onFinished([&] { agenda->pause(); });
    constexpr Time slice = std::chrono::seconds(1);
    bool isStopped = false;
    while (!module.isFinished() && !isStopped) {
        agenda->runAheadUntil(now() + slice);
        sc_core::sc_start(toSc(slice));
        check(module.isFinished() || sc_core::sc_pending_activity(), "a model lost an operation");
        isStopped = stop && stop();
    }

    OperationsResult result;
    result.isInterrupted = !module.isFinished();
    for (const auto& row : nand::opcodeTable) {
        if (source.result(row.value).count > 0)
            result.kinds.push_back({row.value, source.result(row.value)});
    }
    result.begin = source.begin();
    result.elapsed = source.end() - source.begin();
    for (const auto& channel : channels) {
        result.busBusy.push_back(channel->interface().bus().usage().busy);
        if (channel->interface().hasCommandLines())
            result.commandLinesBusy.push_back(channel->interface().commandLines().usage().busy);
    }
    for (const auto& die : dies)
        result.arrayBusy.push_back(die->counters().array.arrayBusy);
    result.pageBytes = scenario.nand.part.geometry.pageBytes;
    result.mismatches = source.mismatches();
    result.problems = source.problems();
    result.kept = source.kept();
    for (nand::Operation& op : result.kept) {
        for (Time* time : {&op.submitted, &op.requestStart, &op.requestEnd, &op.ready, &op.arrayEnd, &op.done})
            *time -= source.begin();
    }
    if (scenario.nand.contents.saves() && !result.isInterrupted)
        result.contents = contentsOf(scenario, dies, source, program);
    return result;
}

} // namespace strobe::platform
