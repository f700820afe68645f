// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/grant_watch.h"

namespace strobe::platform {

[[gnu::flatten]] void GrantWatch::granted(const channel::NandInterface::Grant& grant, Time start)
{
    if (next_ != nullptr)
        next_->granted(grant, start);
    events_.granted(*grant.op, grant.phase, interface_.grantPossible(grant), start, grant.busTime);
}

void GrantWatch::readyAt(std::uint32_t lane, Time ready)
{
    if (next_ != nullptr)
        next_->readyAt(lane, ready);
}

} // namespace strobe::platform
