// SPDX-License-Identifier: Apache-2.0
#include "models/channel/split_bus.h"

#include "models/base/check.h"

#include <algorithm>

namespace strobe::channel {

Time SplitBus::earliest(const LineUse& use, Time from) const
{
    Time start = use.hasData() ? std::max(from, dataEnd_ - use.data.from) : from;
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
    const auto removePast = [now](std::vector<LineUse::Span>& spans) {
        spans.erase(
            std::remove_if(spans.begin(), spans.end(), [now](const LineUse::Span& span) { return span.to <= now; }),
            spans.end());
    };
    removePast(taken_);
    for (std::uint32_t i = 0; i < use.commands; ++i)
        taken_.push_back({now + use.command[i].from, now + use.command[i].to});
    if (use.commands > 0) { // the first stretch is the job
        commands_.account(use.hasData() ? now : possible, now, use.command[0].to);
        for (std::uint32_t i = 1; i < use.commands; ++i)
            commands_.extend(now + use.command[i].from, now + use.command[i].to);
    }
    if (!use.hasData())
        return;
    removePast(data_);
    const LineUse::Span span{now + use.data.from, now + use.data.to};
    data_.push_back(span);
    dataEnd_ = span.to;
    data.account(possible + use.data.from, span.from, span.to - span.from);
    data.holdUntil(span.to);
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
    for (const LineUse::Span& span : data_)
        data.addBusy(restOf(span));
}

} // namespace strobe::channel
