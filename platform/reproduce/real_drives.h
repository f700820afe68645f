#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Drives of today beside published measurements: scenarios/papers/real-drives/paper.json has a figure for each drive
// and size of request. A published value is met when Strobe's error is within the bar of its quantity: rate, mean and
// p50 10 %, p99 25 %, p99.9 40 %. The bars allow for the spread of the drives themselves: campaigns of one drive differ
// by 1.3 % (depth 1) to 3.5 % (depth 128).

#include "platform/reproduce/data_study.h"

#include <optional>
#include <string>

namespace strobe::platform {

// The largest absolute error of a cell, as a share; absent: the quantity has none.
std::optional<double> barOf(const std::string& quantity);

// One line for each published value: Strobe's value, error and whether it is within its bar; then a count by figure.
std::string realDrivesText(const DataStudy& result);

} // namespace strobe::platform
