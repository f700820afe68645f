// SPDX-License-Identifier: Apache-2.0
#include "platform/app/firmware_observation.h"

#include "models/base/config_error.h"
#include "platform/report/text_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

namespace strobe::platform {

namespace {

constexpr std::size_t rowsShown = 20;

std::string optionsGiven(const FirmwareObservationCommand& command)
{
    std::string options;
    const auto add = [&options](bool isGiven, const char* name) {
        if (isGiven)
            options += (options.empty() ? "" : ", ") + std::string(name);
    };
    add(command.gdbPort.has_value(), "--gdb");
    add(!command.profile.empty(), "--profile");
    add(!command.trace.empty(), "--trace-firmware");
    add(command.checkMemory, "--check-memory");
    return options;
}

} // namespace

FirmwareObservation::FirmwareObservation(const FirmwareObservationCommand& command, const Scenario& scenario)
{
    if (!command.isAnything())
        return;
    if (scenario.firmware.mode != FirmwareMode::Rv32)
        throw ConfigError(optionsGiven(command) + ": needs firmware on the RV32 core; add --set firmware.mode=rv32");
    if (scenario.power.hasCuts() && (!command.profile.empty() || !command.trace.empty() || command.checkMemory))
        throw ConfigError(optionsGiven(command) + ": needs a run without power losses, unless --gdb is given alone; "
                                                  "leave out power.cuts and power.meanCutInterval");
    if (command.checkMemory && scenario.firmware.cores > 1)
        throw ConfigError("--check-memory: supports one core; set firmware.cores to 1");
    if (!command.profile.empty())
        profile_ = std::make_unique<OutputFile>(command.profile);
    if (!command.trace.empty())
        trace_ = std::make_unique<OutputFile>(command.trace);
    inspection_.gdbPort = command.gdbPort;
    inspection_.onListening = [](std::uint16_t port) {
        fmt::print(stderr, "waiting for a debugger: gdb-multiarch IMAGE.elf -ex 'target remote 127.0.0.1:{}'\n", port);
        std::fflush(stderr);
    };
    inspection_.profile = profile_ != nullptr;
    inspection_.checkMemory = command.checkMemory;
    inspection_.traceLimit = trace_ ? command.traceLimit : 0;
    inspection_.trace = [this](std::string_view line) { traceText_ += line; };
}

void FirmwareObservation::commit()
{
    if (profile_)
        profile_->commit(inspection_.foldedStacks);
    if (trace_)
        trace_->commit(traceText_);
}

std::string FirmwareObservation::text() const
{
    std::string text;
    if (inspection_.profile) {
        TextTable table({"function", "own cycles", "", "with callees", "", "calls"});
        const auto share = [&](std::uint64_t cycles) {
            return shortPercent(
                inspection_.cycles == 0 ? 0 : static_cast<double>(cycles) / static_cast<double>(inspection_.cycles));
        };
        const auto& rows = inspection_.functions;
        for (std::size_t i = 0; i < std::min(rows.size(), rowsShown); ++i)
            table.row({rows[i].function, grouped(rows[i].own), share(rows[i].own), grouped(rows[i].total),
                       share(rows[i].total), grouped(rows[i].calls)});
        text += fmt::format(
            "\nFirmware: {} cycles of instructions in measured phases, by function{}\n{}", grouped(inspection_.cycles),
            rows.size() > rowsShown ? fmt::format(" (the first {} of {})", rowsShown, rows.size()) : "", table.text());
    }
    if (inspection_.checkMemory) {
        text += fmt::format("\nStack: at most {} of {} bytes were in use.\n", grouped(inspection_.deepestStack),
                            grouped(inspection_.stackBytes));
        if (inspection_.unwrittenReads.empty())
            text += "No read of memory that was never written.\n";
        for (const std::string& line : inspection_.unwrittenReads)
            text += "Read of memory that was never written: " + line + "\n";
    }
    return text;
}

} // namespace strobe::platform
