// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/rv32/watchpoints.h"

#include "models/base/check.h"

#include <algorithm>

namespace strobe::rv32 {

void Watchpoints::add(const Watchpoint& watchpoint)
{
    check(watchpoint.bytes > 0, "a watchpoint watches at least one byte");
    watchpoints_.push_back(watchpoint);
}

bool Watchpoints::remove(const Watchpoint& watchpoint)
{
    const auto found = std::find(watchpoints_.begin(), watchpoints_.end(), watchpoint);
    if (found == watchpoints_.end())
        return false;
    watchpoints_.erase(found);
    return true;
}

bool Watchpoints::watches(std::uint32_t first, std::uint32_t count, bool isStore) const
{
    return std::any_of(watchpoints_.begin(), watchpoints_.end(), [&](const Watchpoint& watchpoint) {
        return (isStore ? watchpoint.onStore : watchpoint.onLoad) && watchpoint.touches(first, count);
    });
}

bool Watchpoints::accessed(std::uint32_t address, unsigned bytes, bool isStore)
{
    for (const Watchpoint& watchpoint : watchpoints_) {
        if ((isStore ? watchpoint.onStore : watchpoint.onLoad) && watchpoint.touches(address, bytes)) {
            hit_ = {address, bytes, isStore, watchpoint};
            isHit_ = true;
            return true;
        }
    }
    return false;
}

} // namespace strobe::rv32
