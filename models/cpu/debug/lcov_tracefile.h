#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Tracefiles of lcov (geninfo(1), "FILES"): the records SF, FN, FNDA, BRDA and DA, with their sums. Read are also other
// programs' files, where test names, checksums of lines, end lines of functions and sums are skipped; records of the
// same file are added.

#include "models/cpu/debug/source_coverage.h"

#include <string>
#include <string_view>

namespace strobe::cpu {

std::string lcovTracefile(const CoverageByFile& files);

// Throws ConfigError with `name`, the number of the line and what is wrong.
CoverageByFile parseLcov(std::string_view text, const std::string& name);

} // namespace strobe::cpu
