// SPDX-License-Identifier: Apache-2.0
#include "models/channel/split_bus.h"

#include "models/base/check.h"

#include <algorithm>

namespace strobe::channel {

Time SplitBus::earliest(const LineUse& use, Time from) const
{
    Time start = use.hasData() ? std::max(from, data_.to - use.data.from) : from;
    for (bool isMoved = true; isMoved;) {
        isMoved = false;
        for (const LineUse::Span& taken : taken_) {
            for (std::uint32_t i = 0; i < use.commands; ++i) {
                const LineUse::Span& wanted = use.command[i];
                if (start + wanted.from < taken.to && start + wanted.to > taken.from) {
                    start = taken.to - wanted.from;
                    isMoved = true;
                }
            }
        }
    }
    return start;
}

void SplitBus::take(const LineUse& use, Time possible, Time now, Resource& data)
{
    check(earliest(use, now) == now, "a segment starts on lines that are taken");
    taken_.erase(
        std::remove_if(taken_.begin(), taken_.end(), [now](const LineUse::Span& span) { return span.to <= now; }),
        taken_.end());
    for (std::uint32_t i = 0; i < use.commands; ++i)
        taken_.push_back({now + use.command[i].from, now + use.command[i].to});
    commands_.account(use.hasData() ? now : possible, now, use.commandTime());
    if (!use.hasData())
        return;
    data_ = {now + use.data.from, now + use.data.to};
    data.account(possible + use.data.from, data_.from, data_.to - data_.from);
    data.holdUntil(data_.to);
}

void SplitBus::resetUsage(Time now, Resource& data)
{
    const auto restOf = [now](const LineUse::Span& span) {
        return std::max(span.to - std::max(span.from, now), Time{});
    };
    commands_.resetUsage();
    for (const LineUse::Span& span : taken_)
        commands_.addBusy(restOf(span));
    data.resetUsage();
    data.addBusy(restOf(data_));
}

} // namespace strobe::channel
