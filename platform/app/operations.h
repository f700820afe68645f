#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// strobe operations: executes the NAND operations of a scenario directly on its channels and dies, without host,
// firmware and flash controller.

#include "platform/config/load.h"

#include <cstdint>
#include <string>

namespace strobe::platform {

struct OperationsCommand {
    std::string scenario;
    LoadOptions load;
    std::string json;            // empty: none; "-": standard output, and no text
    std::string timeline;        // CSV; the same
    std::uint32_t limit = 1'000; // operations in the timeline
    std::uint32_t bars = 0;      // number of these that are drawn; 0: none
};

int operationsCommand(const OperationsCommand& command);

} // namespace strobe::platform
