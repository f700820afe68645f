// SPDX-License-Identifier: Apache-2.0
#include "platform/app/linux_guest.h"

#include "platform/app/commands.h"
#include "platform/app/kernel_options.h"
#include "platform/config/installation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <unistd.h>
#include <utility>

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
std::string scriptFile(const LinuxCommand& command, const std::string& support)
{
    const std::string shipped = support + "/scripts/" + command.script;
    std::error_code error;
    const bool isShipped = command.script.find('/') == std::string::npos &&
                           !std::filesystem::is_regular_file(command.script, error) &&
                           std::filesystem::is_regular_file(shipped, error);
    return isShipped ? shipped : command.script;
}

std::string scriptOf(const LinuxCommand& command, const std::string& support)
{
    if (const auto text = contentsOf(scriptFile(command, support)))
        return *text;
    const std::string directory = support + "/scripts";
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

} // namespace

Scenario guestScenario(const LinuxCommand& command, const std::vector<std::string>& sets)
{
    LoadOptions load = command.load;
    load.needsWorkload = false;
    load.sets.emplace_back("data=bytes", "strobe linux");
    for (const std::string& set : sets)
        load.sets.emplace_back(set);
    Scenario scenario = loadScenario(findScenario(command.scenario, load), load);
    const auto refuse = [&scenario](const char* path, const char* what) {
        throw ConfigError((scenario.origin ? scenario.origin(path) + ": " : std::string()) + path + ": " + what);
    };
    const HostProtocol protocol = scenario.host.interface;
    if (protocol != HostProtocol::Nvme && protocol != HostProtocol::Sata && protocol != HostProtocol::Ahci)
        refuse("/host/interface",
               "the guest of strobe linux has no driver for it; must be \"nvme\", or \"sata\" or \"ahci\"");
    if (scenario.power.meanCutInterval != Time{} && scenario.power.maxCuts == 0)
        refuse("/power/maxCuts",
               "after each power loss the script begins anew; must be a number, or the run might not end");
    if (scenario.power.hasCuts() && scenario.firmware.ftl == Ftl::StartGap)
        refuse("/power", "start_gap keeps its registers in memory: power cannot be cut");
    if (scenario.firmware.ftl == Ftl::Zoned)
        refuse("/firmware/ftl",
               "the script of the guest writes anywhere, zones are written in order; must be another layer");
    if (scenario.faults.host.isOn())
        refuse("/faults/host", "the guest's driver decides about resets and aborts; must be without them");
    if (scenario.report.stages)
        refuse("/report/stages", "strobe linux does not observe where the time of its requests goes; must be false");
    if (scenario.nand.contents.saves())
        refuse("/nand/contents/mode", "strobe linux does not save contents; must be \"load\"");
    checkKernelOptions(command.kernelOptions, protocol);
    scenario.workload.phases.clear(); // the guest is the workload
    return scenario;
}

std::vector<std::string> guestInputs(const LinuxCommand& command, const Scenario& scenario,
                                     const guest::GuestOptions& options)
{
    std::vector<std::string> inputs = inputsOf(scenario);
    inputs.insert(inputs.end(), {options.kernel, options.init, scriptFile(command, supportDirectory())});
    return inputs;
}

guest::GuestOptions guestOptions(const LinuxCommand& command)
{
    const std::string support = supportDirectory();
    guest::GuestOptions options;
    options.script = scriptOf(command, support);
    options.kernel = kernelOf(command, support);
    options.init = support + "/init";
    options.root = std::filesystem::absolute(command.root);
    options.memoryMiB = command.memoryMiB;
    options.kernelOptions = command.kernelOptions;
    options.showsKernel = command.console;
    checkRoot(options.root);
    return options;
}

} // namespace strobe::platform
