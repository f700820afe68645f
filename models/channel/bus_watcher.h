#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Somebody who looks at a channel's bus and at R/B# of its dies: told what happens, in order, and changes nothing.

#include "models/channel/nand_interface.h"

namespace strobe::channel {

class BusWatcher {
public:
    virtual ~BusWatcher() = default;
    // The bus goes to that segment at `start`. The operation's form says which commands it is.
    virtual void granted(const NandInterface::Grant& grant, Time start) = 0;
    // R/B# rises at `ready`, which may lie in the future, after the request granted last to that die.
    virtual void readyAt(std::uint32_t die, Time ready) = 0;
};

} // namespace strobe::channel
