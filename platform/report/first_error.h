#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The most serious error of a run in one line, for commands that do not print its report.

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace strobe::platform {

// Of a report as jsonReport() writes it; empty: it has no errors.
std::string firstError(const nlohmann::json& report);

} // namespace strobe::platform
