#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// `strobe linux`: a Linux kernel and its software on the modelled drive, in simulated time.

#include "platform/config/load.h"

#include <cstdint>
#include <string>
#include <vector>

namespace strobe::platform {

struct LinuxCommand {
    std::string scenario;
    LoadOptions load;
    std::string script;     // file, or the name of one that comes with Strobe
    std::string root = "/"; // directory
    std::string kernel;     // file; empty: the one in the user's cache
    std::string json;       // empty: none; "-": stdout, and no text
    std::string record;     // file for the commands that the drive got, fio's iolog; empty: none
    std::uint32_t memoryMiB = 256;
    std::vector<std::string> kernelOptions; // NAME=VALUE, kernel_options.h
    bool console = false;
    std::uint32_t powerCuts = 0; // runs, each with a power loss at another instant; 0: one run as the scenario says
    std::uint64_t seed = 1;      // of the instants
    std::size_t jobs = 0;        // such runs at a time; 0: one per processor
};

int linuxCommand(const LinuxCommand& command);

} // namespace strobe::platform
