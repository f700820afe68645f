#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A row of a table of random tests: what it changes in the small drive and in the workload.

#include "tests/firmware/support/host_model.h"
#include "tests/firmware/support/mock_drive.h"

namespace strobe::test {

struct WorkloadCase {
    const char* name;
    void (*change)(MockOptions& options, WorkloadMix& mix);
};

} // namespace strobe::test
