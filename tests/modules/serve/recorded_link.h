#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The port of a drive that keeps its commands until the test ends them.

#include "models/host/command_port.h"

#include <vector>

namespace strobe::test {

struct RecordedLink : host::HostLink {
    std::vector<host::Command> commands;
    void issue(const host::Command& command, Time) override { commands.push_back(command); }
};

} // namespace strobe::test
