#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Carries out the operations of a scenario (its section `operations`): the scenario's dies and channels, with an
// operation source where the flash controller would be. No host, no firmware, no ECC and no memory take part, and no
// worn blocks. One run per process (SystemC elaborates once).
// Dies that begin from a file (nand.contents) keep its contents; preparation and mix use blank blocks. Errors:
// ConfigError if the scenario has no operations, not enough blocks for them, or an unusable file.

#include "platform/assembly/operations_result.h"
#include "platform/config/scenario.h"

#include <cstddef>
#include <functional>

namespace strobe::platform {

// `kept`: how many operations to keep. `stop` (null: never) is polled; when it returns true, the result covers the time
// until then. `program`: its version, for the file of contents.
OperationsResult runOperations(const Scenario& scenario, std::size_t kept = 0,
                               const std::function<bool()>& stop = nullptr, const std::string& program = {});

} // namespace strobe::platform
