// SPDX-License-Identifier: Apache-2.0
#include "platform/qemu/qemu_program.h"

#include "models/base/config_error.h"
#include "platform/serve/child_program.h"

#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <memory>

namespace strobe::platform::qemu {

namespace {

constexpr const char* programName = "qemu-system-x86_64";

[[noreturn]] void refuseQemu(const std::string& what)
{
    throw ConfigError(fmt::format("strobe qemu: {}. It needs {} {}.x: Debian 12's packages qemu-system-x86, with "
                                  "seabios, and ovmf for --firmware ovmf",
                                  what, programName, qemuVersion));
}

std::string versionText(const std::string& program)
{
    std::string quoted = "'";
    for (const char each : program)
        quoted += each == '\'' ? std::string("'\\''") : std::string(1, each);
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> output(
        ::popen((quoted + "' --version 2>/dev/null </dev/null").c_str(), "r"), ::pclose);
    std::array<char, 256> line{};
    if (!output || std::fgets(line.data(), line.size(), output.get()) == nullptr)
        return {};
    const std::string text = line.data();
    return text.substr(0, text.find('\n'));
}

} // namespace

bool isKnownQemu(const std::string& text)
{
    const std::string begin = fmt::format("QEMU emulator version {}.", qemuVersion);
    return text.compare(0, begin.size(), begin) == 0;
}

std::string requireQemu()
{
    std::string program = serve::findProgram(programName);
    if (program.empty())
        refuseQemu(std::string(programName) + " is not installed");
    const std::string text = versionText(program);
    if (text.empty())
        refuseQemu(program + " does not print its version");
    if (!isKnownQemu(text))
        refuseQemu(fmt::format("{} is \"{}\", and the interface to its device is experimental", program, text));
    return program;
}

// One thread for all processors: QEMU drops an access to the device while another processor waits for an answer of it
// ("Blocked re-entrant IO"), and a doorbell would be lost.
std::vector<std::string> qemuWords(const QemuOptions& options, int proxy, int qtest)
{
    std::vector<std::string> words{options.program,
                                   "-nodefaults",
                                   "-no-user-config",
                                   "-accel",
                                   "tcg,thread=single",
                                   "-M",
                                   "q35,graphics=off,memory-backend=mem",
                                   "-m",
                                   fmt::format("{}M", options.memoryMiB),
                                   "-object",
                                   fmt::format("memory-backend-memfd,id=mem,size={}M,share=on", options.memoryMiB),
                                   "-smp",
                                   std::to_string(options.processors),
                                   "-display",
                                   "none",
                                   "-serial",
                                   "stdio",
                                   "-chardev",
                                   fmt::format("socket,id=qtest,fd={}", qtest),
                                   "-qtest",
                                   "chardev:qtest",
                                   "-qtest-log",
                                   "none",
                                   "-device",
                                   fmt::format("x-pci-proxy-dev,id=strobe,fd={}", proxy)};
    if (!options.firmware.empty())
        words.insert(words.end(), {"-bios", options.firmware});
    words.insert(words.end(), options.words.begin(), options.words.end());
    return words;
}

} // namespace strobe::platform::qemu
