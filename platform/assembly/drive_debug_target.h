#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A drive with its firmware on RV32 cores, as a debugger sees it: each core is a hart; and the debugger's control of a
// core.

#include "models/cpu/debug/debug_target.h"
#include "models/cpu/debug/gdb_server.h"
#include "models/cpu/rv32_cpu_module.h"
#include "platform/assembly/drive_monitor.h"

#include <functional>
#include <utility>
#include <vector>

namespace strobe::platform {

class DriveDebugTarget final : public cpu::DebugTarget {
public:
    DriveDebugTarget(SsdModule& ssd, std::vector<cpu::Rv32CpuModule*> cores) : cores_(std::move(cores)), monitor_(ssd)
    {
    }

    std::size_t harts() const override { return cores_.size(); }
    rv32::Core& core(std::size_t hart) override { return cores_[hart]->core(); }
    std::string hartName(std::size_t hart) const override { return cores_[hart]->name(); }
    bool readMemory(std::uint32_t address, std::string& bytes) override;
    bool writeMemory(std::uint32_t address, std::string_view bytes) override;
    std::optional<std::string> monitor(std::string_view command) override { return monitor_.answer(command); }

private:
    bool transfer(tlm::tlm_command command, std::uint32_t address, char* bytes, std::size_t count);

    std::vector<cpu::Rv32CpuModule*> cores_; // by hart
    DriveMonitor monitor_;
};

// Stops the core at the debugger's breakpoints and watchpoints. `killed` is called once if the debugger ends the run.
class GdbExecutionControl final : public cpu::Rv32Debugger {
public:
    GdbExecutionControl(rv32::Core& core, std::size_t hart, cpu::GdbServer& server, std::function<void()> killed)
        : core_(core), hart_(hart), server_(server), killed_(std::move(killed))
    {
    }
    void stopped(rv32::Stop why) override;
    std::int64_t allow(std::int64_t cycles) override;

private:
    void noticeEnd();

    rv32::Core& core_;
    std::size_t hart_;
    cpu::GdbServer& server_;
    std::function<void()> killed_;
    unsigned slices_ = 0;
    bool isStepping_ = false;
    std::uint64_t executedBeforeStep_ = 0;
};

} // namespace strobe::platform
