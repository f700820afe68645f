#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A drive of few small superblocks, on which everything happens often, and one run of the superblock-mapping firmware
// on it with its tables checked whenever it sleeps.

#include "tests/firmware/superblock_map/superblock_headers.h"
#include "tests/firmware/support/host_model.h"
#include "tests/firmware/support/mock_drive.h"

extern "C" void strobe_firmware_entry(const strobe_native_hal* hal);

namespace strobe::test {

// 2 channels of 4 dies in superchips of 2 x 2: two of them, of 24 superblocks of 8 pages (128 sectors) each.
MockOptions smallSuperblocks();

// Its background units are firmware's: a low-level controller per die, the foreground unit behind them.
void useSoftwareUnits(MockOptions& options);

// Throws std::runtime_error if the tables contradict each other.
void checkSuperblocks();
void checkSuperblocksAtRest();

// False: power was lost.
bool runSuperblocks(MockDrive& drive, MockHost& host);

} // namespace strobe::test
