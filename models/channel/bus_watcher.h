#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Observer of a channel's bus and of R/B# of its dies: called for each event, in order. Changes nothing.

#include "models/channel/nand_interface.h"

namespace strobe::channel {

class BusWatcher {
public:
    virtual ~BusWatcher() = default;
    // The bus is granted to that segment at `start`. The operation's form identifies its commands.
    virtual void granted(const NandInterface::Grant& grant, Time start) = 0;
    // R/B# rises, or the plane is ready, at `ready`, which may lie in the future, after the request granted last to
    // that lane (NandInterface::Grant).
    virtual void readyAt(std::uint32_t lane, Time ready) = 0;
};

} // namespace strobe::channel
