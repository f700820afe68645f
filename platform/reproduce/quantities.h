#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The quantities that a study can read from the report of a run, by the name that paper.json uses, with its unit. One
// table serves all studies; a study adds those that it computes itself. Reports: platform/report/json_report.h for
// workloads, platform/assembly/operations_run.h for operations without a controller.

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
};

std::vector<ReportQuantity> commonQuantities();

} // namespace strobe::platform
