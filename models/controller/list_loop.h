#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Finds the descriptor whose NEXT leads back into its list, so that a list without an end does not run for ever. It is
// found in the first round if NEXT is the descriptor itself or the head, else after at most three rounds.

#include "models/base/ids.h"

#include <cstdint>

namespace strobe::controller {

class ListLoop {
public:
    void begin(BusAddress head)
    {
        head_ = head;
        listed_ = 0;
    }
    // For each descriptor of the list, in order: true if it closes a loop.
    bool isClosedBy(BusAddress address, BusAddress next)
    {
        if ((listed_ & (listed_ + 1)) == 0) // a loop of any length returns to it (Brent's algorithm)
            mark_ = address;
        ++listed_;
        return raw(next) != 0 && (next == address || next == head_ || next == mark_);
    }

private:
    std::uint32_t listed_ = 0; // descriptors so far
    BusAddress head_{};        // the first of them
    BusAddress mark_{};        // another one
};

} // namespace strobe::controller
