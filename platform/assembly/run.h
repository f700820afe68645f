#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Runs a scenario: builds the drive and the host, simulates until the workload is done, and returns the report. The
// caller sees neither SystemC nor modules. One run per process (SystemC elaborates once).
// Errors: ConfigError for mistakes found only while running (a broken trace line, a missing firmware image);
// cpu::FirmwareFault if firmware has failed: the findings of an inspection are complete then, too; InternalError for
// our own bugs.

#include "models/pins/channel_record.h"
#include "platform/config/scenario.h"
#include "platform/report/report.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace strobe {
class ActivityLog;
}

namespace strobe::platform {

class TimelineRecorder;
struct FirmwareInspection;

struct Progress {
    std::string_view phase;
    std::uint32_t phaseIndex = 0;
    std::uint32_t phases = 0;
    std::uint64_t done = 0;             // requests of this phase
    std::optional<std::uint64_t> total; // if known in advance
    Time simulated{};
};

// Called by the run loop every few thousand events, always from the simulating thread.
class RunObserver {
public:
    virtual ~RunObserver() = default;
    virtual void progress(const Progress& progress) = 0;
    virtual bool stopRequested() = 0;                       // true: end cleanly with a partial report
    virtual void simulating(bool /*begins*/) {}             // from now on the two above are called, or no longer
    virtual void measuring(bool /*begins*/) {}              // a measured phase begins, or has ended
    virtual void firmwareSays(std::string_view /*line*/) {} // time and text, from its console
    virtual void abandoned(std::string_view /*stall*/) {}   // commands did not end after a stop: why (stall.h)
};

// Recording of one channel's pins: the request, and the operations found.
struct Recording {
    pins::RecorderRequest request;
    std::vector<pins::RecordedOperation> operations;
};

// Saving of the drive when the workload is over (drive_file.h). Orderly: the host ends with a flush that belongs to no
// phase, and power goes only when every die has finished what is in its array; otherwise power is lost at that instant.
// At the first cut: as the run's first power loss leaves it; also if the run fails afterwards.
struct DriveSaving {
    std::string program; // its version, written into the file
    bool isOrderly = false;
    bool isAtFirstCut = false;
    std::string file;            // the result; empty: not saved
    std::string notSavedBecause; // orderly, and the run did not end as it should
};

// Optional observers; null: none. REQUIRES: a channel that the drive has for a recording; firmware on the RV32 core
// for an inspection.
struct RunObservations {
    Recording* recording = nullptr;
    FirmwareInspection* inspection = nullptr;
    ActivityLog* activity = nullptr;
    TimelineRecorder* timeline = nullptr;
    DriveSaving* saving = nullptr;
    bool series = false; // the report has a time series, as the scenario's report.seriesEvery says
};

Report runScenario(const Scenario& scenario, RunObserver& observer, const RunObservations& observations = {});

} // namespace strobe::platform
