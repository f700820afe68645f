#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// What a run shows while it goes: one line on stderr, drawn twice a second, only if stderr is a terminal; and Ctrl-C
// (SIGINT, SIGTERM), which asks the run to end with a partial report. A second Ctrl-C ends the program at once.

#include "platform/assembly/run.h"

#include <chrono>

namespace strobe::platform {

class Console final : public RunObserver {
public:
    explicit Console(bool showProgress); // installs the signal handlers
    ~Console() override;

    void progress(const Progress& progress) override;
    bool stopRequested() override;
    void clearLine(); // before anything else is printed

    static int signalReceived(); // 0: none

private:
    using Clock = std::chrono::steady_clock;

    bool show_;
    bool drawn_ = false;
    Clock::time_point phaseStart_ = Clock::now();
    Clock::time_point lastDrawn_{};
    std::uint32_t phaseIndex_ = 0;
};

} // namespace strobe::platform
