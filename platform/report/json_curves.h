#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The parts of a JSON report that are curves: how many requests took how long, and results over time. Times are
// picoseconds. Their keys are part of the report's format (docs/report.md).

#include "platform/report/report.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <vector>

namespace strobe::platform {

// By kind of request: the samples between consecutive edges. Bins without samples at both ends are left out.
nlohmann::ordered_json jsonDistributions(const std::vector<KindTotals>& kinds);

// Temperatures at the times of the samples; powers are means since the sample before.
nlohmann::ordered_json jsonCourse(const std::vector<thermal::ThermalPoint>& course);

// `pageBytes`: of the flash. An interval in which the host wrote nothing has no write amplification (null), one without
// requests no response times.
nlohmann::ordered_json jsonSeries(const SeriesReport& series, std::uint32_t pageBytes);

} // namespace strobe::platform
