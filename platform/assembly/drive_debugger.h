#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The debugger of a run: its connection, its control of the cores of the drive, and the events that it receives. It
// stays when the drive is made anew after a power loss. The run can be executed backwards (reverse_execution.h), so
// this process is a copy of the one that the user has started.

#include "models/host/driver.h"
#include "platform/assembly/drive_debug_target.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace strobe::platform {

class DriveDebugger {
public:
    struct Settings {
        std::uint16_t port = 0; // 0: a free one
        std::function<void(std::uint16_t port)> onListening;
        std::function<bool()> givenUp; // polled while it waits for the debugger
    };
    DriveDebugger(const Settings& settings, DieArray& dies, host::HostDriver& driver);
    DriveDebugger(const DriveDebugger&) = delete;
    DriveDebugger& operator=(const DriveDebugger&) = delete;
    ~DriveDebugger();

    void attach(SsdModule& ssd); // before its simulation. REQUIRES: firmware on RV32 cores
    void detach();               // before the drive goes
    void waitForDebugger();      // halts before the first instruction; not again

    void betweenSlices(); // of the run: the CPU may be asleep
    void stalled(const std::string& diagnosis);
    void losesPower(const std::string& text);
    bool isKilled() const { return server_->isKilled(); }
    bool isReplaying() const { return reverse_.isReplaying(); } // what happens has been shown before
    void ended(int exitCode) { server_->ended(exitCode); }

private:
    struct Attached {
        cpu::Rv32CpuModule& module;
        GdbExecutionControl control;
    };

    Settings settings_;
    host::HostDriver& driver_;
    DriveDebugTarget target_;
    cpu::ReverseExecution reverse_;
    std::unique_ptr<cpu::GdbServer> server_;
    SsdModule* ssd_ = nullptr;
    std::vector<std::unique_ptr<Attached>> cores_;
    bool isAwaited_ = true;
    bool hasLostPower_ = false;
};

} // namespace strobe::platform
