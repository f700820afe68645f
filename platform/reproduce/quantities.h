#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The quantities that a study can read from the report of a run, by the name that paper.json uses, with its unit. One
// table serves all studies; a study adds those that it computes itself. Quantities of requests exist for all of them,
// for those of one kind ("read p99"), and totals of both for one job of the measured phase (ofJob). Reports:
// platform/report/json_report.h for workloads, platform/assembly/operations_run.h for operations without a controller.

#include "platform/reproduce/variants.h"

#include <nlohmann/json.hpp>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace strobe::platform {

struct MeasuredRun {
    const std::string& workload;
    const Variant& variant;
};

struct ReportQuantity {
    std::string name;
    std::string unit;
    // Absent: the report has no such value (no writes, no calibration), and the study has no cell for it.
    std::function<std::optional<double>(const MeasuredRun& run, const nlohmann::json& report)> of;
    bool isOfRequests = false; // reads only the totals of requests, so that a job has it, too
};

std::vector<ReportQuantity> commonQuantities();

// The same quantity of one job: of the phase's own one or of one beside it, by its name. Absent if no measured phase
// has such a job, or if several have. REQUIRES: quantity.isOfRequests.
ReportQuantity ofJob(const ReportQuantity& quantity, const std::string& job);

} // namespace strobe::platform
