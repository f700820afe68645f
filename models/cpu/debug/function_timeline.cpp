// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/debug/function_timeline.h"

namespace strobe::cpu {

void FunctionTimeline::begin(const rv32::Core& core, std::function<Time()> clock)
{
    clock_ = std::move(clock);
    CallTracker::begin(core);
}

void FunctionTimeline::end()
{
    leaveAll();
}

void FunctionTimeline::left(std::size_t count)
{
    const Time now = clock_();
    for (; count != 0; --count) {
        const Open call = calls_.back();
        calls_.pop_back();
        if (now > call.start)
            report_({core_, static_cast<std::uint32_t>(calls_.size()), nameOf(call.function), call.start, now});
    }
}

void FunctionTimeline::forgotten(std::size_t count)
{
    calls_.erase(calls_.begin(), calls_.begin() + static_cast<std::ptrdiff_t>(count));
}

} // namespace strobe::cpu
