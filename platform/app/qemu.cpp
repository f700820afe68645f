// SPDX-License-Identifier: Apache-2.0
#include "platform/app/qemu.h"

#include "models/cpu/firmware_fault.h"
#include "platform/app/command_record.h"
#include "platform/app/commands.h"
#include "platform/app/exit_codes.h"
#include "platform/app/interruption.h"
#include "platform/app/json_output.h"
#include "platform/app/output_file.h"
#include "platform/app/serve.h"
#include "platform/qemu/qemu_run.h"
#include "platform/report/terminal_report.h"
#include "platform/serve/pace.h"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <unistd.h>

namespace strobe::platform {

namespace {

constexpr const char* commandName = "strobe qemu";
constexpr const char* ovmf = "/usr/share/ovmf/OVMF.fd";

bool isRegularFile(const std::string& path)
{
    std::error_code error;
    return std::filesystem::is_regular_file(path, error);
}

// Empty: SeaBIOS, which QEMU finds itself.
std::string firmwareFile(const QemuCommand& command)
{
    if (command.firmware == "seabios")
        return {};
    const bool isOvmf = command.firmware == "ovmf";
    std::string file = isOvmf ? ovmf : command.firmware;
    if (!isRegularFile(file))
        throw ConfigError(isOvmf ? fmt::format("--firmware ovmf: {} is missing: install Debian's package ovmf", file)
                                 : fmt::format("--firmware: {}: must be seabios, ovmf or a file", file));
    return file;
}

// Software that the machine runs takes the machine's time, so that it takes none of the drive's.
Scenario qemuScenario(const QemuCommand& command)
{
    Scenario scenario = servedScenario(command.scenario, command.load, commandName);
    const HostProtocol protocol = scenario.host.interface;
    const auto refuse = [&scenario](const char* path, const char* what) {
        throw ConfigError((scenario.origin ? scenario.origin(path) + ": " : std::string()) + path + ": " + what);
    };
    if (protocol != HostProtocol::Nvme && protocol != HostProtocol::Sata && protocol != HostProtocol::Ahci)
        refuse("/host/interface", "QEMU's machine has no slot for it; must be \"nvme\", or \"sata\" or \"ahci\"");
    if (scenario.firmware.ftl == Ftl::Zoned)
        refuse("/firmware/ftl", "firmware of the machine has no driver for zones; must be another layer");
    if (scenario.faults.host.isOn())
        refuse("/faults/host", "the machine's driver decides about resets and aborts; must be without them");
    scenario.host.nvme.submit = scenario.host.nvme.interrupt = Time{};
    scenario.host.ahci.submit = scenario.host.ahci.interrupt = Time{};
    return scenario;
}

} // namespace

int qemuCommand(const QemuCommand& command)
{
    if (command.pace)
        serve::Pace::requireFactor(*command.pace);
    qemu::QemuRunOptions options;
    options.program.firmware = firmwareFile(command);
    const Scenario scenario = qemuScenario(command);
    if (!command.image.empty() && !isRegularFile(command.image))
        throw ConfigError(fmt::format("--image: {}: must be a regular file", command.image));
    std::vector<std::string> inputs = inputsOf(scenario);
    for (const std::string& file : {command.image, options.program.firmware}) {
        if (!file.empty())
            inputs.push_back(file);
    }
    requireSafeOutputs(inputs, {{"--json", command.json}, {"--record", command.record}});
    options.program.program = qemu::requireQemu();
    options.program.memoryMiB = command.memoryMiB;
    options.program.processors = command.processors;
    options.program.words = command.words;
    options.image = command.image;
    options.pace = command.pace;
    JsonOutput json(command.json);
    options.printsToError = json.isOnOutput();
    std::unique_ptr<CommandRecord> record;
    if (!command.record.empty()) {
        record = std::make_unique<CommandRecord>(command.record);
        options.command = [&record](const host::Command& of, Time at) { record->add(of, at); };
    }
    catchInterruptions();
    options.stopRequested = [] { return interruption() != 0; };
    watchSimulation(true);
    const qemu::QemuResult result = [&] {
        try {
            return qemu::runQemu(scenario, options);
        } catch (const cpu::FirmwareFault&) { // what the drive had got shows it again
            if (record)
                record->commit();
            throw;
        }
    }();
    watchSimulation(false);
    if (record)
        record->commit();
    json.commit(json.isWanted() ? jsonReport(result.report, programInfo()) : "",
                "\n" + terminalReport(result.report, {::isatty(STDOUT_FILENO) == 1}));
    if (!result.problem.empty())
        fmt::print(stderr, "{}: {}\n", commandName, result.problem);
    else if (result.status != 0)
        fmt::print(stderr, "{}: QEMU ended with status {}\n", commandName, result.status);
    if (result.report.foundErrors() || ((result.status != 0 || !result.problem.empty()) && interruption() == 0))
        return exitErrorsFound;
    return exitCodeAfter(exitOk);
}

} // namespace strobe::platform
