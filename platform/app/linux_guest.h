#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// What a run of `strobe linux` needs: the guest's kernel, script and root, and a scenario that suits it. Errors:
// ConfigError for whatever is missing or does not fit.

#include "platform/app/linux.h"
#include "platform/guest/guest_run.h"

#include <string>
#include <vector>

namespace strobe::platform {

// Without functions that the guest's run calls.
guest::GuestOptions guestOptions(const LinuxCommand& command);
// `sets`: overrides after those of the user.
Scenario guestScenario(const LinuxCommand& command, const std::vector<std::string>& sets = {});
// Files that a run reads: none of its outputs may go there.
std::vector<std::string> guestInputs(const LinuxCommand& command, const Scenario& scenario,
                                     const guest::GuestOptions& options);

} // namespace strobe::platform
