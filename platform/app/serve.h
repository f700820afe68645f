#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// `strobe serve nbd`: the modelled drive as a block device for other programs.

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

int serveNbdCommand(const ServeCommand& command);

} // namespace strobe::platform
