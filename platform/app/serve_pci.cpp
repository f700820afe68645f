// SPDX-License-Identifier: Apache-2.0
#include "models/base/config_error.h"
#include "platform/app/exit_codes.h"
#include "platform/app/serve.h"
#include "platform/serve/qtest_run.h"

#include <csignal>
#include <fcntl.h>
#include <unistd.h>

namespace strobe::platform {

namespace {

constexpr const char* program = "strobe serve pci";

// Otherwise a file that the simulation opens gets the number of the stream.
void requireOpen(int descriptor, const char* name)
{
    if (::fcntl(descriptor, F_GETFD) < 0)
        throw ConfigError(std::string(program) + ": standard " + name + " is closed");
}

} // namespace

int servePciCommand(const ServePciCommand& command)
{
    requireOpen(STDIN_FILENO, "input");
    requireOpen(STDOUT_FILENO, "output");
    const Scenario scenario = servedScenario(command.scenario, command.load, program);
    const HostProtocol protocol = scenario.host.interface;
    if (protocol != HostProtocol::Nvme && protocol != HostProtocol::Sata && protocol != HostProtocol::Ahci)
        throw ConfigError((scenario.origin ? scenario.origin("/host/interface") + ": " : std::string()) +
                          "/host/interface: it has no registers; must be \"nvme\", or \"sata\" or \"ahci\"");
    std::signal(SIGPIPE, SIG_IGN); // a client that has gone is an error of writing
    try {
        serve::serveQtest(scenario, STDIN_FILENO, STDOUT_FILENO);
    } catch (const serve::QtestError& error) {
        throw ConfigError(std::string(program) + ": " + error.what());
    }
    return exitOk;
}

} // namespace strobe::platform
