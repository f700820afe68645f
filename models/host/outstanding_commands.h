#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The commands that the host driver has sent to the drive and that are not complete, by command slot, with what the
// driver needs to know when they end. A command belongs to a phase of the workload, to the reading back of what was
// written, or is the flush after the last phase. Plain state; no I/O.
//
// A front with several submission queues takes the commands of slot s into queue 1 + s mod (number of queues). A
// command may be restricted to some of them: it takes a slot of the queue with the fewest commands, of equal ones the
// first. With one queue (also of a front that has several, while no command is restricted) it takes the slot freed
// last.

#include "models/base/time.h"
#include "models/host/request.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace strobe::host {

enum class CommandPurpose : std::uint8_t { Phase, ReadBack, ClosingFlush };

struct OutstandingCommand {
    Request request;
    CommandPurpose purpose = CommandPurpose::Phase;
    Time arrived{}; // latency counts from here
    Time issued{};  // for the first time, if power was lost
    std::size_t phase = 0;
    std::size_t job = 0;                // of the phase
    std::uint64_t number = 0;           // from RequestPacer::next(); for its completion
    std::uint64_t order = 0;            // of sending, over all; set by add()
    std::optional<std::uint64_t> place; // of an append, as far as it is known
    std::uint64_t queues = 0;           // bit q - 1: it may use queue q; 0: any. add() leaves the one that it uses
};

class OutstandingCommands {
public:
    static constexpr std::uint32_t mostQueues = 64;

    void resize(std::uint32_t slots, std::uint32_t queues = 1); // all free; once
    std::uint32_t slots() const { return static_cast<std::uint32_t>(table_.size()); }
    bool isFull() const { return used_ == table_.size(); }
    std::uint64_t fullQueues() const { return full_; } // bit q - 1: no slot of queue q is free
    std::uint32_t count() const { return used_; }
    std::uint64_t sent() const { return order_; } // commands added since construction

    // The slot it got. REQUIRES: one of its queues is not full
    std::uint16_t add(const OutstandingCommand& command);
    const OutstandingCommand& at(std::uint16_t slot) const { return table_[slot].command; }  // REQUIRES: in use
    void placed(std::uint16_t slot, std::uint64_t lba) { table_[slot].command.place = lba; } // REQUIRES: in use
    void remove(std::uint16_t slot);
    std::vector<OutstandingCommand> removeAll(); // in the order of sending

    template <typename Visit> // visit(const OutstandingCommand&), by slot
    void forEach(Visit visit) const
    {
        for (const Slot& slot : table_)
            if (slot.isUsed)
                visit(slot.command);
    }

private:
    struct Slot {
        OutstandingCommand command;
        bool isUsed = false;
    };
    std::size_t queueFor(std::uint64_t allowed) const;

    std::vector<Slot> table_;
    std::vector<std::vector<std::uint16_t>> free_ = std::vector<std::vector<std::uint16_t>>(1); // by queue
    std::uint32_t used_ = 0;
    std::uint64_t full_ = 0;
    std::uint64_t order_ = 0;
};

} // namespace strobe::host
