// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/stall_watch.h"

#include "platform/config/resolve.h"

#include <fmt/format.h>

namespace strobe::platform {

std::optional<std::string> StallWatch::look(Time now, const Host& host, std::uint64_t operations)
{
    if (!limit_ || now < next_)
        return std::nullopt;
    const Time since = host.isReady ? host.waitingSince : powerOn_;
    if (since == never || (!host.isReady && recovery_.goesOn(operations, now - powerOn_, *limit_))) {
        next_ = now + *limit_;
        return std::nullopt;
    }
    if (now - since >= *limit_)
        return fmt::format("{} for {} (firmware.stallAfter)",
                           host.isReady ? "commands are outstanding, and none has ended"
                                        : "the drive has not become ready",
                           toText(now - since));
    next_ = since + *limit_;
    return std::nullopt;
}

} // namespace strobe::platform
