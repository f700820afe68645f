// SPDX-License-Identifier: Apache-2.0
#include "platform/app/linux.h"

#include "platform/app/commands.h"
#include "platform/app/exit_codes.h"
#include "platform/app/interruption.h"
#include "platform/app/output_file.h"
#include "platform/config/installation.h"
#include "platform/guest/guest_run.h"
#include "platform/report/terminal_report.h"
#include "platform/report/text_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <unistd.h>
#include <utility>
#include <vector>

namespace strobe::platform {

namespace {

std::string environment(const char* name)
{
    const char* const value = std::getenv(name);
    return value == nullptr ? "" : value;
}

// What a guest needs besides its kernel: scripts/lib/linux of the source tree.
std::string supportDirectory()
{
    const std::optional<Installation> installation = installationOf(runningProgram());
    return installation ? installation->guest : STROBE_LINUX_DIRECTORY;
}

std::optional<std::string> contentsOf(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    if (!file || std::filesystem::is_directory(path))
        return std::nullopt;
    return std::string(std::istreambuf_iterator<char>(file), {});
}

std::string cacheDirectory()
{
    const std::string cache = environment("XDG_CACHE_HOME");
    return (cache.empty() ? environment("HOME") + "/.cache" : cache) + "/strobe/linux";
}

// scripts/strobe builds a missing kernel, and installs missing packages, if the user asks for it.
[[noreturn]] void refuseWithoutKernel(const std::string& cache, const std::string& support)
{
    if (const std::string needs = environment("STROBE_NEEDS"); !needs.empty())
        std::ofstream(needs) << "linux";
    throw ConfigError(fmt::format(
        "strobe linux: there is no kernel for its guest in {}. {} builds one from Debian's package linux-source-6.1, "
        "once: 138 MB to download, about four minutes of processor time, 1.5 GB of disk meanwhile and 5 MB afterwards. "
        "--kernel names another",
        cache, (std::filesystem::path(support).parent_path().parent_path() / "build-linux-kernel").string()));
}

std::string kernelOf(const LinuxCommand& command, const std::string& support)
{
    if (!command.kernel.empty()) {
        if (::access(command.kernel.c_str(), X_OK) != 0)
            throw ConfigError("--kernel: " + command.kernel + " is not a program");
        return std::filesystem::absolute(command.kernel);
    }
    const std::string cache = cacheDirectory();
    std::string kernel = cache + "/kernel";
    if (::access(kernel.c_str(), X_OK) != 0 ||
        contentsOf(cache + "/kernel.config") != contentsOf(support + "/kernel.config"))
        refuseWithoutKernel(cache, support);
    return kernel;
}

// A file, or a script that comes with Strobe.
std::string scriptOf(const LinuxCommand& command, const std::string& support)
{
    if (const auto text = contentsOf(command.script))
        return *text;
    const std::string directory = support + "/scripts";
    if (command.script.find('/') == std::string::npos) {
        if (const auto text = contentsOf(directory + "/" + command.script))
            return *text;
    }
    std::string names;
    std::vector<std::string> shipped;
    for (const auto& entry : std::filesystem::directory_iterator(directory))
        shipped.push_back(entry.path().filename());
    std::sort(shipped.begin(), shipped.end());
    for (const std::string& name : shipped)
        names += (names.empty() ? "" : ", ") + name;
    throw ConfigError(
        fmt::format("--script: {}: there is no such file; must be a file or one of {}", command.script, names));
}

Scenario scenarioOf(const LinuxCommand& command)
{
    LoadOptions load = command.load;
    load.needsWorkload = false;
    load.sets.emplace_back("data=bytes", "strobe linux");
    Scenario scenario = loadScenario(findScenario(command.scenario, load), load);
    const auto refuse = [&scenario](const char* path, const char* what) {
        throw ConfigError((scenario.origin ? scenario.origin(path) + ": " : std::string()) + path + ": " + what);
    };
    if (scenario.host.interface != HostProtocol::Nvme)
        refuse("/host/interface", "the guest of strobe linux has a driver for \"nvme\" only; must be \"nvme\"");
    if (scenario.power.hasCuts())
        refuse("/power", "strobe linux does not cut power; must have no cuts");
    if (scenario.faults.host.isOn())
        refuse("/faults/host", "the guest's driver decides about resets and aborts; must be without them");
    if (scenario.nand.contents.saves())
        refuse("/nand/contents/mode", "strobe linux does not save contents; must be \"load\"");
    scenario.workload.phases.clear(); // the guest is the workload
    return scenario;
}

// Of the programs that the guest cannot begin or end without.
void checkRoot(const std::string& root)
{
    if (!std::filesystem::is_directory(root))
        throw ConfigError("--root: " + root + " is not a directory");
    if (root.find('"') != std::string::npos)
        throw ConfigError("--root: " + root + ": the guest's kernel takes no path with quotation marks");
    const auto has = [&root](const std::string& program) {
        return ::access((root + "/bin/" + program).c_str(), X_OK) == 0 ||
               ::access((root + "/usr/bin/" + program).c_str(), X_OK) == 0;
    };
    for (const auto& [program, package] :
         {std::pair("sh", "dash"), std::pair("mount", "mount"), std::pair("busybox", "busybox-static")}) {
        if (!has(program))
            throw ConfigError(
                fmt::format("--root: {} has no bin/{}, which Debian's package {} provides", root, program, package));
    }
}

class Printer {
public:
    explicit Printer(const LinuxCommand& command) : command_(command) {}

    void line(Time at, std::string_view text, bool isScript)
    {
        if (command_.console) {
            fmt::print(command_.json == "-" ? stderr : stdout, "[{:>14.9f}] {}\n", toSeconds(at), text);
        } else if (isScript && command_.json != "-") {
            if (!std::exchange(hasPrinted_, true))
                fmt::print("Output of the script\n");
            fmt::print("{}\n", text);
        }
        std::fflush(stdout);
    }

private:
    const LinuxCommand& command_;
    bool hasPrinted_ = false;
};

std::string stepsText(const Report& report)
{
    TextTable table({"", "begin", "time", "commands", "read", "written"});
    for (const PhaseReport& phase : report.phases) {
        std::uint64_t commands = 0;
        std::uint64_t read = 0;
        std::uint64_t written = 0;
        for (const KindTotals& kind : phase.kinds) {
            commands += kind.requests;
            read += kind.kind == host::RequestKind::Read ? kind.bytes : 0;
            written += kind.kind == host::RequestKind::Write ? kind.bytes : 0;
        }
        table.row({phase.name, shortTime(phase.start), shortTime(phase.end - phase.start), grouped(commands),
                   shortBytes(read), shortBytes(written)});
    }
    return "\nSteps of the guest in simulated time\n" + table.text() +
           fmt::format("  ended at {} ns\n\n", report.simulated.count() / 1000);
}

} // namespace

int linuxCommand(const LinuxCommand& command)
{
    const std::string support = supportDirectory();
    guest::GuestOptions options;
    options.script = scriptOf(command, support);
    const Scenario scenario = scenarioOf(command);
    options.kernel = kernelOf(command, support);
    options.init = support + "/init";
    options.root = std::filesystem::absolute(command.root);
    options.memoryMiB = command.memoryMiB;
    options.showsKernel = command.console;
    checkRoot(options.root);
    std::unique_ptr<OutputFile> json;
    if (!command.json.empty() && command.json != "-")
        json = std::make_unique<OutputFile>(command.json);
    catchInterruptions();
    options.stopRequested = [] { return interruption() != 0; };
    Printer printer(command);
    options.line = [&printer](Time at, std::string_view line, bool isScript) { printer.line(at, line, isScript); };
    const guest::GuestResult result = guest::runGuest(scenario, options);
    const std::string machine = command.json.empty() ? "" : jsonReport(result.report, programInfo());
    if (json)
        json->commit(machine);
    if (command.json == "-")
        printOut(machine);
    else
        printOut(stepsText(result.report) + terminalReport(result.report, {::isatty(STDOUT_FILENO) == 1}));
    if (!result.problem.empty())
        fmt::print(stderr, "strobe linux: {}\n", result.problem);
    else if (result.status != 0)
        fmt::print(stderr, "strobe linux: the script ended with status {}\n", result.status);
    if (result.report.foundErrors() || ((result.status != 0 || !result.problem.empty()) && interruption() == 0))
        return exitErrorsFound;
    return exitCodeAfter(exitOk);
}

} // namespace strobe::platform
