#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Finds that firmware serves its host no more: commands of which none ends for firmware.stallAfter, or a drive that
// does not become ready for as long and does not recover (recovery_watch.h). It needs a look only when a stall is
// possible: a command that does not end is found at the exact time, and nothing is done in between. Pure.

#include "models/base/time.h"
#include "platform/assembly/recovery_watch.h"

#include <cstdint>
#include <optional>
#include <string>

namespace strobe::platform {

class StallWatch {
public:
    struct Host {
        bool isReady = false;      // the drive has become ready since power-on
        Time waitingSince = never; // when the last command has ended, or arrived at an idle drive; never: there is none
    };

    // `limit`: nothing: it finds no stall.
    StallWatch(std::optional<Time> limit, Time powerOn, RecoveryWatch recovery)
        : limit_(limit), powerOn_(powerOn), next_(limit ? powerOn + *limit : never), recovery_(recovery)
    {
    }

    Time nextLook() const { return next_; } // never: there is none
    // Why the drive has stalled, if it has. `operations`: finished by the flash since power-on.
    std::optional<std::string> look(Time now, const Host& host, std::uint64_t operations);

private:
    std::optional<Time> limit_;
    Time powerOn_;
    Time next_;
    RecoveryWatch recovery_;
};

} // namespace strobe::platform
