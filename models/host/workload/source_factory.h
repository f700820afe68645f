#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Makes the request source of a phase, once the drive's capacity is known. The menu of sources is the table
// in source_factory.cpp and SourceKind.

#include "models/host/request.h"
#include "models/host/workload/workload_config.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace strobe::host {

// Random streams are named after the phase: same seed and name, same requests. Throws WorkloadError "phase '…': …",
// with the phase's key as path, if the region does not fit on the drive or into the block size; ConfigError if a trace
// cannot be opened.
std::unique_ptr<RequestSource> makeSource(const PhaseConfig& phase, std::uint64_t capacitySectors, std::uint64_t seed);

// What makeSource() will throw for each phase on a drive of this capacity. REQUIRES: problems() found none.
std::vector<WorkloadProblem> misfits(const WorkloadConfig& workload, std::uint64_t capacitySectors);

} // namespace strobe::host
