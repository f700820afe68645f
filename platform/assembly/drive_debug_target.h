#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A drive with its firmware on RV32 cores, as a debugger sees it: each core is a hart; and the debugger's control of a
// core.

#include "models/cpu/debug/debug_target.h"
#include "models/cpu/debug/gdb_server.h"
#include "models/cpu/debug/reverse_execution.h"
#include "models/cpu/debug/stop_events.h"
#include "models/cpu/rv32_cpu_module.h"
#include "platform/assembly/data_monitor.h"
#include "platform/assembly/drive_monitor.h"

#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace strobe::platform {

class DriveDebugTarget final : public cpu::DebugTarget {
public:
    DriveDebugTarget(DieArray& dies, const host::HostDriver& driver) : driver_(driver), pages_(dies) {}
    void attach(SsdModule& ssd,
                std::vector<cpu::Rv32CpuModule*> cores); // before anything else; again after a power loss

    std::size_t harts() const override { return cores_.size(); }
    rv32::Core& core(std::size_t hart) override { return cores_[hart]->core(); }
    std::string hartName(std::size_t hart) const override { return cores_[hart]->name(); }
    cpu::Rv32CpuModule& module(std::size_t hart) const { return *cores_[hart]; }
    bool readMemory(std::uint32_t address, std::string& bytes) override;
    bool writeMemory(std::uint32_t address, std::string_view bytes) override;
    bool remembers() const override { return history_ != nullptr; }
    void changed() override;
    std::optional<std::string> monitor(std::string_view command) override;

    void setHistory(cpu::GdbHistory* history) { history_ = history; } // null: none
    const cpu::StopEvents& events() const { return events_; }

private:
    bool transfer(tlm::tlm_command command, std::uint32_t address, char* bytes, std::size_t count);
    std::optional<std::uint32_t> peek(std::uint32_t address);
    std::string time() const;

    SsdModule* ssd_ = nullptr;
    const host::HostDriver& driver_;
    std::vector<cpu::Rv32CpuModule*> cores_; // by hart
    PageHistory pages_;
    std::optional<DriveMonitor> drive_;
    std::optional<DataMonitor> data_;
    cpu::StopEvents events_;
    cpu::GdbHistory* history_ = nullptr;
};

// Stops the core at the debugger's breakpoints and watchpoints, and when firmware fails.
class GdbExecutionControl final : public cpu::Rv32Debugger {
public:
    struct Parts {
        SsdModule& ssd;
        DriveDebugTarget& target;
        cpu::GdbServer& server;
        cpu::ReverseExecution& reverse;
        std::function<void()> killed; // called once if the debugger ends the run
    };
    GdbExecutionControl(std::size_t hart, Parts parts);

    void stopped(rv32::Stop why) override;
    std::optional<std::int64_t> allow(std::int64_t cycles) override;
    void failed(const cpu::FirmwareFault& fault) override;

    void halt(cpu::Halt::Reason why); // before its next instruction
    bool isToHalt() const { return pending_.has_value(); }
    // An event has happened; halts if `monitor stop-on` includes it.
    void happened(cpu::StopEvent event, const std::string& text);
    // The hardware has refused an order. The core, which may have run ahead, goes back to it if it can, and halts
    // there; then the order is refused once more, without a halt.
    void misused(const std::string& text);

private:
    void serve(const cpu::Halt& halt);
    void serveTrap();
    void toHalt(const cpu::Halt& halt); // before the next instruction
    bool isReplaying() const { return parts_.reverse.isReplaying(); }

    std::size_t hart_;
    Parts parts_;
    rv32::Core& core_;
    unsigned slices_ = 0;
    bool isStepping_ = false;
    std::uint64_t executedBeforeStep_ = 0;
    std::optional<cpu::Halt> pending_; // before the next instruction
    unsigned pendingSince_ = 0;        // takeovers
    std::string refused_;              // halted at, before it was refused again
    std::uint64_t retiredAtTrap_ = 0;
    unsigned trapsThere_ = 0; // without an instruction between them
};

} // namespace strobe::platform
