// SPDX-License-Identifier: Apache-2.0
#include "models/memory/functional_ring.h"

namespace strobe::memory {

void FunctionalRing::holdBack(const EventRing::Entry& entry)
{
    heldBack_.push_back(entry);
}

void FunctionalRing::putHeldBack()
{
    for (; !heldBack_.empty() && producer_ - consumer_ < entries_; heldBack_.pop_front())
        put(heldBack_.front());
}

} // namespace strobe::memory
