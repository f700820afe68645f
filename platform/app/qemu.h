#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// `strobe qemu`: QEMU's machine, with its firmware and any operating system, on the modelled drive.

#include "platform/config/load.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace strobe::platform {

struct QemuCommand {
    std::string scenario;
    LoadOptions load;
    std::string firmware = "seabios"; // or ovmf, or a file
    std::string image;                // file that is written to the drive first; empty: none
    std::uint32_t memoryMiB = 512;
    std::uint32_t processors = 1;
    std::optional<double> pace;
    std::string record;             // file for the commands that the drive got, fio's iolog; empty: none
    std::string json;               // empty: none; "-": stdout, and no text
    std::vector<std::string> words; // for QEMU
};

int qemuCommand(const QemuCommand& command);

} // namespace strobe::platform
