#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The stopped drive as a debugger accesses it: the harts, memory as seen on the bus without taking time, breakpoints
// and watchpoints of all harts, and text commands about the rest of the drive.

#include "models/cpu/rv32/core.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace strobe::cpu {

class DebugTarget {
public:
    DebugTarget() = default;
    DebugTarget(const DebugTarget&) = delete;
    DebugTarget& operator=(const DebugTarget&) = delete;
    virtual ~DebugTarget() = default;

    virtual std::size_t harts() const = 0;
    virtual rv32::Core& core(std::size_t hart) = 0;
    virtual std::string hartName(std::size_t hart) const = 0;

    // Without side effects and without time (transport_dbg). False: part of the range is not mapped; the rest has been
    // written.
    virtual bool readMemory(std::uint32_t address, std::string& bytes) = 0; // as many as it holds
    virtual bool writeMemory(std::uint32_t address, std::string_view bytes) = 0;

    // Whether earlier states of the run can be reached (reverse execution): its server has a history.
    virtual bool remembers() const { return false; }
    // The debugger has written a register or memory: the run does not lead from its earlier states to the present one.
    virtual void changed() {}

    // "monitor …": an answer of whole lines. Nothing: there is no such command.
    virtual std::optional<std::string> monitor(std::string_view command) = 0;
};

} // namespace strobe::cpu
