// SPDX-License-Identifier: Apache-2.0
#include "models/base/config_error.h"
#include "platform/app/exit_codes.h"
#include "platform/app/serve.h"
#include "platform/serve/qtest_run.h"

#include <unistd.h>

namespace strobe::platform {

int servePciCommand(const ServePciCommand& command)
{
    constexpr const char* program = "strobe serve pci";
    const Scenario scenario = servedScenario(command.scenario, command.load, program);
    const HostProtocol protocol = scenario.host.interface;
    if (protocol != HostProtocol::Nvme && protocol != HostProtocol::Sata && protocol != HostProtocol::Ahci)
        throw ConfigError((scenario.origin ? scenario.origin("/host/interface") + ": " : std::string()) +
                          "/host/interface: it has no registers; must be \"nvme\", or \"sata\" or \"ahci\"");
    try {
        serve::serveQtest(scenario, STDIN_FILENO, STDOUT_FILENO);
    } catch (const serve::QtestError& error) {
        throw ConfigError(std::string(program) + ": " + error.what());
    }
    return exitOk;
}

} // namespace strobe::platform
