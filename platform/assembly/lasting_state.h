#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// What survives a power loss, and what a run has found so far: the dies with their pages and wear, the host with its
// requests and its record of written data, the sums of the report. Owned by the run, passed to each power cycle.

#include "models/host/driver.h"
#include "models/host/host_faults.h"
#include "models/thermal/thermal_record.h"
#include "platform/assembly/dies.h"
#include "platform/assembly/failure_sums.h"
#include "platform/assembly/measurement.h"
#include "platform/assembly/run.h"
#include "platform/assembly/series_recorder.h"
#include "platform/assembly/stage_observation.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace strobe::platform {

struct LastingState {
    // `endsWithFlush`: the host, after its last phase.
    explicit LastingState(const Scenario& scenario, bool endsWithFlush = false);

    DieArray dies;
    host::HostDriver driver;
    MeasuredSums sums;
    std::vector<std::string> log; // of the firmware
    FailureSums failures;
    PowerReport power;
    host::HostFaultCounters hostFaults;
    std::optional<CalibrationReport> calibration;
    std::optional<SeriesRecorder> series;          // nothing: not requested
    std::optional<thermal::ThermalRecord> thermal; // nothing: no thermal model
    std::vector<WearSample> wearHistory;
    Time nextWearSample;

    std::optional<RequestStatistics> stages; // nothing: not requested

    PowerOn powerOn = PowerOn::First; // the next one, of this run
    bool isOrderly = true;            // no operation of the dies was ever interrupted, in this run or before
    bool hasFirmwareEnded = false;    // regularly: nothing more will happen
    std::uint32_t abandoned = 0;      // commands that did not end after the user had stopped the run

    void sampleWear(Time at);
    // drive_file.h. REQUIRES: the power is off
    std::string file(const Scenario& scenario, const std::string& program) const;
    bool isOver() const { return driver.isFinished() || isFirmwareGone(); }
    bool isFirmwareGone() const { return hasFirmwareEnded || abandoned != 0; } // it does not serve the drive any more
};

} // namespace strobe::platform
