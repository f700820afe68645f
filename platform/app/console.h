#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Progress of a run: one line on stderr, drawn twice a second, only if stderr is a terminal. Ctrl-C asks
// the run to end with a partial report (interruption.h).

#include "platform/assembly/run.h"

#include <chrono>
#include <cstdio>
#include <memory>
#include <string>

namespace strobe::platform {

class Console final : public RunObserver {
public:
    explicit Console(bool showProgress); // and catches interruptions
    ~Console() override;

    // Firmware's lines as they come: to a file, or with "-" to standard output. Throws ConfigError if that cannot be
    // written.
    void showFirmware(const std::string& file);
    // Why lines are missing in that file, e.g. because the disk is full. Empty: none is missing.
    const std::string& firmwareFault() const { return firmwareFault_; }

    void progress(const Progress& progress) override;
    void firmwareSays(std::string_view line) override;
    bool stopRequested() override;
    void simulating(bool begins) override;
    void abandoned(std::string_view stall) override;
    void clearLine(); // before anything else is printed

private:
    using Clock = std::chrono::steady_clock;

    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    std::unique_ptr<std::FILE, Close> firmwareFile_;
    std::FILE* firmware_ = nullptr; // null: not shown
    std::string firmwareName_;
    std::string firmwareFault_;
    bool show_;
    bool drawn_ = false;
    Clock::time_point phaseStart_ = Clock::now();
    Clock::time_point lastDrawn_{};
    std::uint32_t phaseIndex_ = 0;
};

} // namespace strobe::platform
