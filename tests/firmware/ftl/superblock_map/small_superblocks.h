#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A drive with few small superblocks, where merges, copies and failures are frequent, and a run of the
// superblock-mapping firmware on it, whose tables are checked while it sleeps.

#include "tests/firmware/ftl/superblock_map/superblock_headers.h"
#include "tests/firmware/support/host_model.h"
#include "tests/firmware/support/mock_drive.h"

extern "C" void strobe_firmware_entry(const strobe_native_hal* hal);

namespace strobe::test {

// 2 channels of 4 dies in superchips of 2 x 2: two superchips of 24 superblocks of 8 pages (128 sectors) each.
MockOptions smallSuperblocks();

// Background units in firmware: a low-level controller per die, then the foreground unit.
void useSoftwareUnits(MockOptions& options);

// Throws std::runtime_error if the tables contradict each other.
void checkSuperblocks();
void checkSuperblocksAtRest();

// False: a loss of power ended the run.
bool runSuperblocks(MockDrive& drive, MockHost& host);

} // namespace strobe::test
