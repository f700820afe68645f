#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// `strobe serve nbd`: the modelled drive as a block device for other programs. `strobe serve pci`: its registers, for
// clients of the qtest protocol.

#include "platform/config/load.h"

#include <cstdint>
#include <optional>
#include <string>

namespace strobe::platform {

struct ServeCommand {
    std::string scenario;
    LoadOptions load;
    std::string listen; // an address (listening_address.h); empty: the default
    std::optional<double> pace;
    std::string think = "20us"; // duration
    std::uint32_t blockBytes = 512;
    std::string command; // for the shell; empty: serve until interrupted
    std::string record;  // file; empty: none
    std::string json;    // empty: none; "-": stdout, and no text
};

struct ServePciCommand {
    std::string scenario;
    LoadOptions load;
};

int serveNbdCommand(const ServeCommand& command);
int servePciCommand(const ServePciCommand& command);

// A drive with real bytes, whose workload are the clients of the program of that name. Throws ConfigError.
Scenario servedScenario(const std::string& scenario, const LoadOptions& load, const std::string& program);

} // namespace strobe::platform
