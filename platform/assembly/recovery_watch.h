#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Whether a drive that has not become ready for longer than firmware.stallAfter still recovers. Recovery time grows
// with the number of pages, so a drive counts as recovering while it uses the flash, up to a limit. A new drive has
// nothing to recover. Pure.

#include "models/base/time.h"

#include <cstdint>
#include <utility>

namespace strobe::platform {

class RecoveryWatch {
public:
    static constexpr std::uint64_t mostUsesOfPage = 10; // reads with retries, and copies of what is read with errors
    static constexpr int mostLimits = 100;              // times firmware.stallAfter

    // `pages` of the drive.
    RecoveryWatch(std::uint64_t pages, bool isNewDrive) : mostOperations_(mostUsesOfPage * pages), isNew_(isNewDrive) {}

    // At a look: `operations` that the flash has finished since power-on, for `took`.
    bool goesOn(std::uint64_t operations, Time took, Time limit)
    {
        const std::uint64_t before = std::exchange(operations_, operations);
        return !isNew_ && operations > before && operations <= mostOperations_ && took / mostLimits < limit;
    }

private:
    std::uint64_t mostOperations_;
    bool isNew_;
    std::uint64_t operations_ = 0; // at the last look
};

} // namespace strobe::platform
