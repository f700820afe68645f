// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/functional_phases.h"

#include "models/tlm/time_bridge.h"
#include "platform/assembly/functional_drive.h"
#include "platform/assembly/run_progress.h"

#include <chrono>

namespace strobe::platform {

bool FunctionalPhases::isDue()
{
    return driver_.awaitsSwitch() && FunctionalDrive::isQuiet(ssd_);
}

bool FunctionalPhases::isNext() const
{
    const std::uint32_t phase = driver_.progress().phase;
    return phase < scenario_.workload.phases.size() && scenario_.workload.phases[phase].isFunctional;
}

FunctionalPhases::End FunctionalPhases::serve(RunObserver& observer, RunEnding& ending)
{
    constexpr std::chrono::milliseconds slice{50};
    FunctionalDrive drive(ssd_, driver_, module_);
    while (drive.run(slice)) {
        ending.begins(false, now());
        if (drive.isStuck())
            return End::Stuck;
        if (ending.isOverdue())
            return End::Overdue;
        observer.progress(progressOf(scenario_, driver_));
    }
    drive.end(port_);
    module_.rethrowError();
    return End::Served;
}

} // namespace strobe::platform
