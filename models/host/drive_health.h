#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// What a drive counts about its flash, as a host interface reports it in health logs. The flash is behind the drive's
// own bus, so the interface asks a source that the assembly provides.

#include <cstdint>
#include <functional>

namespace strobe::host {

struct DriveHealth {
    std::uint64_t bytesProgrammed = 0; // flash pages since the model was made: host, metadata, collection
    std::uint64_t bytesRead = 0;
    std::uint64_t bytesErased = 0;
    std::uint64_t blocks = 0;       // without factory bad ones
    std::uint64_t failedBlocks = 0; // of these, in which a program or erase has failed
    std::uint64_t spareBlocks = 0;  // that may replace failed ones, in a new drive
    std::uint32_t fewestErases = 0; // of a good block
    std::uint32_t mostErases = 0;
    double meanErases = 0;
    std::uint32_t endurance = 0; // rated cycles of a block; 0: the part has no rating

    std::uint32_t sparePercent() const // that is left; 100 of a drive without spare blocks until one has failed
    {
        if (failedBlocks == 0)
            return 100;
        return failedBlocks >= spareBlocks ? 0 : static_cast<std::uint32_t>(100 - failedBlocks * 100 / spareBlocks);
    }
    std::uint32_t usedPercent() const // of the rated life; more than 100 is possible
    {
        return endurance == 0 ? 0 : static_cast<std::uint32_t>(meanErases * 100 / endurance);
    }
};

using HealthSource = std::function<DriveHealth()>; // empty: a drive that counts nothing

} // namespace strobe::host
