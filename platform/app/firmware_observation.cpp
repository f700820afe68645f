// SPDX-License-Identifier: Apache-2.0
#include "platform/app/firmware_observation.h"

#include "models/base/config_error.h"
#include "platform/app/commands.h"
#include "platform/app/flame_graph.h"
#include "platform/report/text_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

namespace strobe::platform {

namespace {

constexpr std::size_t rowsShown = 20;
constexpr const char* wholeRun = "all";

std::string optionsGiven(const FirmwareObservationCommand& command)
{
    std::string options;
    const auto add = [&options](bool isGiven, const char* name) {
        if (isGiven)
            options += (options.empty() ? "" : ", ") + std::string(name);
    };
    add(command.gdbPort.has_value(), "--gdb");
    add(!command.profile.empty(), "--profile");
    add(!command.flameGraph.empty(), "--flame-graph");
    add(!command.trace.file.empty(), "--trace-firmware");
    add(command.checkMemory, "--check-memory");
    add(!command.coverage.file.empty(), "--coverage");
    return options;
}

void requirePhases(const std::vector<std::string>& names, const Scenario& scenario)
{
    std::string allowed = "\"all\"";
    for (const auto& phase : scenario.workload.phases)
        allowed += ", \"" + phase.name + "\"";
    for (const std::string& name : names) {
        const auto& phases = scenario.workload.phases;
        const bool isPhase = std::any_of(phases.begin(), phases.end(), [&](const auto& p) { return p.name == name; });
        if (!isPhase && (name != wholeRun || names.size() > 1))
            throw ConfigError(fmt::format("--profile-phases: \"{}\" must be {}{}", name,
                                          name == wholeRun ? "the only one of " : "one of ", allowed));
    }
}

} // namespace

FirmwareObservation::FirmwareObservation(const FirmwareObservationCommand& command, const Scenario& scenario)
{
    if (!command.profilePhases.empty() && !command.profiles())
        throw ConfigError("--profile-phases: narrows a profile; it needs --profile FILE or --flame-graph FILE");
    if (!command.isAnything())
        return;
    if (scenario.firmware.mode != FirmwareMode::Rv32)
        throw ConfigError(optionsGiven(command) + ": needs firmware on the RV32 core; add --set firmware.mode=rv32");
    requirePhases(command.profilePhases, scenario);
    if (!command.profile.empty())
        profile_ = std::make_unique<OutputFile>(command.profile);
    if (!command.flameGraph.empty())
        flameGraph_ = std::make_unique<OutputFile>(command.flameGraph);
    title_ = "Cycles of firmware: " + scenario.name;
    if (!command.trace.file.empty())
        trace_ = std::make_unique<FirmwareTraceOutput>(command.trace, scenario.firmware);
    if (!command.coverage.file.empty())
        coverage_ = std::make_unique<CoverageOutput>(command.coverage, scenario.firmware);
    inspection_.gdbPort = command.gdbPort;
    inspection_.onListening = [](std::uint16_t port) {
        fmt::print(stderr, "waiting for a debugger: gdb-multiarch IMAGE.elf -ex 'target remote 127.0.0.1:{}'\n", port);
        std::fflush(stderr);
    };
    inspection_.profile = command.profiles();
    inspection_.profilesWholeRun = command.profilePhases == std::vector<std::string>{wholeRun};
    if (!inspection_.profilesWholeRun)
        inspection_.profiledPhases = command.profilePhases;
    inspection_.checkMemory = command.checkMemory;
    inspection_.covers = coverage_ != nullptr;
    if (trace_) {
        inspection_.trace = trace_->filter();
        inspection_.onTraced = [this](const cpu::TraceEntry& entry) { trace_->add(entry); };
    }
}

void FirmwareObservation::commit()
{
    if (profile_)
        profile_->commit(inspection_.foldedStacks);
    if (flameGraph_)
        flameGraph_->commit(flameGraphPage(inspection_.foldedStacks, title_));
    if (trace_)
        trace_->commit();
    if (coverage_) {
        coverage_->add(inspection_.coverage);
        coverage_->commit();
    }
}

void FirmwareObservation::commitAfterFault(bool isQuiet)
{
    try {
        commit();
        if (!isQuiet)
            printOut(text());
    } catch (const ConfigError& error) {
        fmt::print(stderr, "{}\n", error.what());
    }
}

std::string FirmwareObservation::profileText() const
{
    std::string scope = "measured phases";
    if (inspection_.profilesWholeRun) {
        scope = "the whole run";
    } else if (!inspection_.profiledPhases.empty()) {
        scope = "";
        for (const std::string& name : inspection_.profiledPhases)
            scope += (scope.empty() ? "\"" : ", \"") + name + "\"";
    }
    TextTable table({"function", "own cycles", "", "with callees", "", "calls"});
    const auto share = [&](std::uint64_t cycles) {
        return shortPercent(
            inspection_.cycles == 0 ? 0 : static_cast<double>(cycles) / static_cast<double>(inspection_.cycles));
    };
    const auto& rows = inspection_.functions;
    for (std::size_t i = 0; i < std::min(rows.size(), rowsShown); ++i)
        table.row({rows[i].function, grouped(rows[i].own), share(rows[i].own), grouped(rows[i].total),
                   share(rows[i].total), grouped(rows[i].calls)});
    std::string text = fmt::format(
        "\nFirmware: {} cycles of instructions in {}, by function{}\n{}", grouped(inspection_.cycles), scope,
        rows.size() > rowsShown ? fmt::format(" (the first {} of {})", rowsShown, rows.size()) : "", table.text());
    if (inspection_.tasks.empty())
        return text;
    TextTable tasks({"task", "cycles", "", "turns"});
    std::uint64_t others = inspection_.cycles;
    for (const cpu::FunctionProfile::Row& task : inspection_.tasks) {
        tasks.row({task.function, grouped(task.total), share(task.total), grouped(task.calls)});
        others -= task.total;
    }
    tasks.row({"outside of tasks", grouped(others), share(others), ""});
    return text + "By task, interrupts included\n" + tasks.text();
}

std::string FirmwareObservation::text() const
{
    std::string text;
    if (inspection_.profile)
        text += profileText();
    if (inspection_.checkMemory)
        text += inspection_.memory.text();
    if (coverage_)
        text += coverage_->text();
    return text;
}

} // namespace strobe::platform
