#pragma once
// SPDX-License-Identifier: Apache-2.0

#include "models/host/driver.h"
#include "platform/assembly/run.h"

#include <chrono>

namespace strobe::platform {

// The user stops the run: the host issues nothing more, and what is outstanding may end. Firmware may never end it, so
// the run waits only for a while.
class RunEnding {
public:
    RunEnding(host::HostDriver& driver, RunObserver& observer) : driver_(driver), observer_(observer)
    {
        if (driver.wasStopped())
            begin();
    }

    // True: from now on the run is to end.
    bool begins(bool isKilled, Time at)
    {
        const bool isWanted = observer_.stopRequested() || isKilled;
        if (!isWanted || isOn_)
            return false;
        begin();
        driver_.stop(at);
        return true;
    }
    bool isOverdue() const { return isOn_ && !driver_.isFinished() && std::chrono::steady_clock::now() >= until_; }

private:
    static constexpr std::chrono::milliseconds patience{500};

    void begin()
    {
        isOn_ = true;
        until_ = std::chrono::steady_clock::now() + patience;
    }

    host::HostDriver& driver_;
    RunObserver& observer_;
    bool isOn_ = false;
    std::chrono::steady_clock::time_point until_{};
};

} // namespace strobe::platform
