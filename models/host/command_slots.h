#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The commands that the protocol front has handed to the host interface, by slot, and how much of each has been
// transferred; what firmware may ask for a slot follows from it. Plain state without time. Faults are returned as text
// for the message; empty: there is none.

#include "models/host/command_port.h"

#include <cstdint>
#include <string>
#include <vector>

namespace strobe::host {

class CommandSlots {
public:
    explicit CommandSlots(std::uint32_t slots) : slots_(slots) {}

    void add(const Command& command); // REQUIRES: its slot exists and is free
    const Command& command(std::uint32_t slot) const { return slots_[slot].command; }
    bool isActive(std::uint32_t slot) const { return slots_[slot].isActive; }
    std::uint32_t active() const { return active_; }

    // A transfer of these sectors would be wrong.
    std::string rangeFault(std::uint32_t slot, bool toHost, std::uint32_t first, std::uint32_t count) const;
    // To say where the command is written would be wrong.
    std::string placeFault(std::uint32_t slot) const;
    // A completion now would be wrong.
    std::string completionFault(std::uint32_t slot, std::uint32_t status) const;

    // A transfer is ordered. `completes`: the command ends with it. REQUIRES: no fault
    void order(std::uint16_t slot, std::uint32_t sectors, bool completes);
    void transferEnded(std::uint16_t slot) { --slots_[slot].transfers; }
    bool hasTransfers(std::uint16_t slot) const { return slots_[slot].transfers != 0; }
    std::uint64_t ordered(std::uint16_t slot) const { return slots_[slot].ordered; } // sectors
    bool isComplete(std::uint16_t slot) const; // all sectors have been ordered, or it moves none

    void free(std::uint16_t slot);

private:
    struct Slot {
        Command command;
        bool isActive = false;
        bool isClosing = false;      // a transfer in progress will complete it
        std::uint32_t transfers = 0; // in progress
        std::uint64_t ordered = 0;
    };

    std::vector<Slot> slots_;
    std::uint32_t active_ = 0;
};

} // namespace strobe::host
