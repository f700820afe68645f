#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Observes what one hart does and passes on the entries (trace_entry.h) that a filter takes, in the order in which they
// happen. They depend only on firmware and timing. Not included: sleep, and stores by others.

#include "models/cpu/debug/trace_entry.h"
#include "models/cpu/rv32/core.h"

#include <functional>
#include <string>

namespace strobe::cpu {

class FirmwareTrace final : public rv32::Observer {
public:
    using Clock = std::function<Time()>;                              // simulated time of the present instruction
    using NameOf = std::function<std::string(std::uint32_t address)>; // of a register
    using Sink = std::function<void(const TraceEntry& entry)>;

    FirmwareTrace(std::uint8_t core, const TraceFilter& filter, NameOf nameOf, Sink sink);

    void begin(Clock clock); // before the hart starts, of each power cycle

    void retired(const rv32::Core& core, std::uint32_t pc, std::uint32_t bits, unsigned cycles) override;
    void accessed(const rv32::Core& core, std::uint32_t address, unsigned bytes, bool isStore) override;
    void trapped(const rv32::Core& core) override;

private:
    void pass(TraceEntry& entry);
    void passRegister(const rv32::Core& core, const TraceEntry& instruction, unsigned rd, unsigned rs2);

    std::uint8_t core_;
    const TraceFilter& filter_;
    NameOf nameOf_;
    Sink sink_;
    Clock clock_;
    TraceEntry present_; // its accesses, and when the last one began
};

} // namespace strobe::cpu
