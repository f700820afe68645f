#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// When a hart was in which function, as call_tracker.h finds it: each call, with its begin and end in simulated time,
// is reported when it ends. A function that sleeps, or waits for the bus, is not left. Calls that take no time, such as
// one whose first instruction jumps to another function, are left out.

#include "models/base/time.h"
#include "models/cpu/debug/call_tracker.h"

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

namespace strobe::cpu {

struct FunctionCall {
    std::uint32_t core = 0;
    std::uint32_t depth = 0;   // in the chain of callers, 0: the outermost
    std::string_view function; // as long as the timeline lives
    Time start{};
    Time end{};
};

class FunctionTimeline final : public CallTracker {
public:
    using Report = std::function<void(const FunctionCall& call)>;
    FunctionTimeline(const CodePlaces& places, std::uint32_t core, Report report)
        : CallTracker(places), core_(core), report_(std::move(report))
    {
    }

    // The hart starts; `clock` gives its time from now on.
    void begin(const rv32::Core& core, std::function<Time()> clock);
    void end(); // of what the hart executes: all calls end

private:
    struct Open {
        std::uint32_t function = 0;
        Time start{};
    };
    void entered(std::uint32_t function) override { calls_.push_back({function, clock_()}); }
    void resumed(std::uint32_t function) override { entered(function); }
    void left(std::size_t count) override;
    void forgotten(std::size_t count) override;

    std::uint32_t core_;
    Report report_;
    std::function<Time()> clock_;
    std::vector<Open> calls_;
};

} // namespace strobe::cpu
