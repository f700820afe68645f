#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Native firmware compared with the same firmware on the RV32 core, on the same drives and workloads. The drives of the
// ddr-nand study at a few points of its tables, of the hydra study at a few of its figures, and some of the project's
// own.

#include "platform/reproduce/variants.h"

#include <cstdint>
#include <string>
#include <vector>

namespace strobe::platform {

struct ModeFigures {
    double megabytesPerSecond = 0;
    double meanLatency = 0; // picoseconds
    double p99Latency = 0;
    double cpuBusy = 0; // share of the measured time, of the first core
};

struct ModeRow {
    std::string name;
    std::uint64_t requests = 0;
    std::uint64_t instructions = 0; // on the core
    ModeFigures native;
    ModeFigures rv32;
};

std::vector<ModeRow> compareModes(const std::string& scenariosDirectory, const VariantOptions& options);
std::string modesText(const std::vector<ModeRow>& rows);

} // namespace strobe::platform
