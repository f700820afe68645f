#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Configuration of the native CPU: image, clock, quantum, costs.

#include "models/base/time.h"
#include "models/cpu/cost_table.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace strobe::cpu {

struct NativeCpuConfig {
    std::string image;      // firmware: path of a shared object (firmware/hal/native.h)
    std::uint32_t core = 0; // its number, which firmware can query
    std::uint64_t clockHz = 200'000'000;
    // How far the CPU may run ahead of simulated time before it yields. Bounds how stale the memory seen by firmware
    // may be; register reads, interrupts and sleeping are exact for any value.
    Time quantum = std::chrono::microseconds(1);
    CostTable costs;
    std::size_t stackBytes = std::size_t{1} << 20; // of the coroutine; reserved, committed when touched
};

} // namespace strobe::cpu
