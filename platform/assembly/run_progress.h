#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// How far a run has come, for its observer: the host's phase and what it has done of it, at this instant.

#include "models/host/driver.h"
#include "models/tlm/time_bridge.h"
#include "platform/assembly/run.h"

#include <string_view>

namespace strobe::platform {

inline Progress progressOf(const Scenario& scenario, const host::HostDriver& driver)
{
    const host::HostProgress at = driver.progress();
    const auto& phases = scenario.workload.phases;
    const std::string_view name =
        at.phase < phases.size() ? std::string_view(phases[at.phase].name) : std::string_view();
    return {name, at.phase, at.phases, at.done, at.total, now()};
}

} // namespace strobe::platform
