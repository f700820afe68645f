#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The measured cost points of native firmware: the same firmware runs on the RV32 core, built so that its cost
// points are visible (models/cpu/cost_observer.h), in all workloads of scenarios/calibration. A point's cycles are the
// mean over all its charges, in the workloads of page mapping if they reach the point, else in those of superblock
// mapping. The table in use is firmware/hal/cost_cycles.h; it has drifted at a point if the mean differs from it by
// more than a tenth, by more than half a cycle (it holds whole cycles) and by more than three standard errors of the
// mean, so that points with few charges do not fail by chance.

#include "platform/reproduce/variants.h"

#include <cstdint>
#include <string>
#include <vector>

namespace strobe::platform {

struct CalibratedPoint {
    std::string name;
    std::string help;
    std::uint64_t times = 0; // charged; 0: no workload reaches the point, or it is for work that firmware does not do
    std::uint64_t cycles = 0;
    double squares = 0; // sum of the squared cycles of a charge
    double least = 0;   // of the workloads' means
    double most = 0;
    std::uint32_t inTable = 0;
    bool isMeasured = false; // later workloads are no longer included

    double mean() const { return times == 0 ? 0 : static_cast<double>(cycles) / static_cast<double>(times); }
    double deviation() const; // of one charge's cycles
    double standardError() const;
    bool hasDrifted() const;
};

struct Calibration {
    std::vector<CalibratedPoint> points; // in the order of firmware/hal/cost_points.def
    std::vector<std::string> workloads;
    std::uint64_t instructions = 0; // of all workloads, measured phases
    std::uint64_t requests = 0;

    bool hasDrifted() const;
};

// Adds the cost points of one workload's report.
void addWorkload(Calibration& calibration, const nlohmann::json& report);
// Call after the last workload of a group: the points that were charged so far are final.
void closeGroup(Calibration& calibration);
Calibration emptyCalibration(); // the points, with the table in use

Calibration calibrate(const std::string& scenariosDirectory, const VariantOptions& options);
std::string calibrationText(const Calibration& calibration);
std::string costCyclesHeader(const Calibration& calibration); // firmware/hal/cost_cycles.h

} // namespace strobe::platform
