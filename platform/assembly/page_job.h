#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A flash job of one row run with one NAND operation, as most jobs are, and an operation that had its die for itself:
// everything that is observed of them, put together while they last (page_jobs.h) and looked at once, at the end.

#include "platform/assembly/cpu_sleep.h"
#include "platform/assembly/die_activity.h"
#include "platform/assembly/observed_job.h"

#include <array>
#include <cstdint>

namespace strobe::platform {

// What else a flash unit did when it started a row.
struct UnitWork {
    std::uint64_t retired = 0; // its jobs that had retired
    StageId stage = 0;         // of who waits for the other job
    JobDies dies;              // of that job
    Time started = never;      // another job that had begun and not retired; never: there is none
};

struct PageJob {
    ObservedJob job;
    std::uint32_t slot = 0; // of its row
    Time listed{};
    CpuSleep::Mark sleeps{};  // when it was listed
    std::uint32_t before = 0; // the same: about the id of the last job that had retired
    Time fetched{};
    Time rowStarted = never; // never: not yet; the same below
    UnitWork unit;
    Time dataAt{}; // of the operation; 0: at once
    Time sent{};
    Time finished = never;
    Time decoded{};
    Time rowEnded = never;
    Time retired{};
    Time visible{};
    bool isSent = false;
    std::uint8_t placedCount = 0;
    struct Placed {
        BusAddress first{};
        std::uint32_t sectors = 0;
    };
    std::array<Placed, 4> placed; // with a unit table: where its units come from or go to
    WholeOperation op;            // if it has finished
};

} // namespace strobe::platform
