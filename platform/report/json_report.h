#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The report as JSON: the contract with scripts and plots. `schema_version` changes when a key changes its meaning or
// is removed; keys may be added. Keys carry their unit (`_ps`, `_bytes`, `_joule`). The same report gives the same
// bytes: keys in a fixed order, integers as integers, ratios rounded to nine significant digits.

#include "platform/report/report.h"

#include <string>

namespace strobe::platform {

inline constexpr int reportSchemaVersion = 2;

// The program that made the report.
struct Program {
    std::string version;  // "0.2.0"
    std::string revision; // git revision at configure time, or empty
    std::string systemc;  // version of the SystemC library
    std::string build{}; // how the program was compiled: "optimised", "trained, optimised across files", "sanitized", …
};

std::string jsonReport(const Report& report, const Program& program);

} // namespace strobe::platform
