#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Host interface and link without time, for functional preconditioning: the host's commands become the same records and
// events in control memory, and sectors move between host and data buffer at once when firmware orders it. It takes the
// place of the HostInterface and of the port in front of it while no command is active, and gives back where it ended.
//
// A command is posted by step(), not when the host issues it: in between firmware finishes what it has. A host may
// issue more commands than the drive has slots (the queues of NVMe): they wait until a slot is free.
//
// Not modelled: the protocol of the port, the request synthesizer (all reads go to firmware).

#include "models/base/ring_queue.h"
#include "models/base/strobe_registers.h"
#include "models/host/host_interface.h"
#include "models/memory/functional_buffer.h"
#include "models/memory/functional_ring.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace strobe::host {

class FunctionalHost final : public HostLink {
public:
    using Fault = std::function<void(const std::string& text)>; // a rule that firmware broke

    // In place of the block that `position` is of, at `now`. The references must outlive the object.
    FunctionalHost(const HostInterface::Position& position, std::uint32_t slots, memory::FunctionalBuffer& buffer,
                   HostSide& host, Time now, Fault fault);

    void issue(const Command& command, Time at) override;

    // Registers, by offset; false: not one that is served here. Those of a transfer are written for each page.
    bool writeRegister(std::uint32_t offset, std::uint32_t value)
    {
        switch (offset) {
        case regs::host::XFER_RANGE: range_ = value; return true;
        case regs::host::XFER_BUFFER: buffer_ = value; return true;
        case regs::host::XFER_COOKIE: cookie_ = value; return true;
        case regs::host::XFER_START: startTransfer(value); return true;
        default: return writeOther(offset, value);
        }
    }
    bool readRegister(std::uint32_t offset, std::uint32_t& value) const;

    bool lineAsserted() const { return ring_.lineAsserted(); }
    // Commands that the host has issued and that are not complete.
    std::uint32_t outstanding() const { return activeSlots_ + static_cast<std::uint32_t>(issued_.size()); }
    bool step(); // posts the commands that were issued, as far as slots are free; false: none

    // Sectors of a write that do not go to the data buffer. The first: whether they are a run of tags, which begins
    // with the one that is returned; 0: not a run of tags, nothing is taken. REQUIRES: data mode tags
    SectorTag takeRun(std::uint32_t slot, std::uint32_t first, std::uint32_t count);
    void takeSectors(std::uint32_t slot, std::uint32_t first, std::uint32_t count, Content to);

    // Sectors of a read that do not come from the data buffer. As HostInterface::deliver().
    bool deliver(const DirectRead& read);

    // For the host interface that goes on. REQUIRES: no command is active, and firmware has taken all events.
    std::uint32_t events() const { return ring_.producer(); }
    const InboundFeeder& feeder() const { return feeder_; }

private:
    // A run of tags of which pieces of the buffer (FunctionalBuffer) are taken one after the other; it is reported to
    // the host at its end. Only of active writes.
    struct Run {
        std::uint32_t lba = 0; // of sector 0 of the command
        std::uint32_t version = 0;
        std::uint32_t first = 0; // sectors of the command
        std::uint32_t next = 0;  // to be taken
        std::uint32_t end = 0;
    };
    struct Slot {
        Command command; // with the number that the host gave it
        bool isActive = false;
        std::uint64_t transferred = 0;
        Run run;
    };
    bool writeOther(std::uint32_t offset, std::uint32_t value);
    std::uint16_t freeSlot(std::uint16_t preferred) const;
    void post(const Command& command);
    void startTransfer(std::uint32_t start);
    bool moveSectors(std::uint32_t slot, bool toHost, std::uint32_t first, std::uint32_t count);
    void place(std::uint32_t slot);
    void complete(std::uint32_t value);
    void finish(std::uint16_t slot, CommandStatus status);
    void feed();
    bool fits(std::uint32_t slot, bool toHost, std::uint32_t first, std::uint32_t count) const;
    bool isAllowed(std::uint32_t slot, bool toHost, std::uint32_t first, std::uint32_t count, const char* what);
    bool fillPieces(Slot& slot, std::uint32_t first, std::uint32_t count, BusAddress address);
    // The next pieces of the run. False: it is not; nothing has happened.
    bool continueRun(Slot& slot, std::uint32_t first, std::uint32_t count, BusAddress address)
    {
        Run& run = slot.run;
        if (first != run.next || count > run.end - first || !memory_.arePieces(address, count))
            return false;
        memory_.putRun(address, count, run.lba + first, run.version);
        run.next += count;
        slot.transferred += count;
        return true;
    }
    bool beginRun(Slot& slot, std::uint32_t first, std::uint32_t count);
    void endRun(Slot& slot);
    void take(Slot& slot, std::uint32_t first, std::uint32_t count, Content content);
    void fill(Slot& slot, std::uint32_t first, std::uint32_t count, BusAddress address);

    memory::FunctionalBuffer& memory_;
    HostSide& host_;
    Time now_;
    Fault fault_;
    memory::FunctionalRing ring_;
    InboundFeeder feeder_;
    BusAddress commands_;
    std::vector<Slot> slots_;
    std::uint32_t activeSlots_ = 0;
    RingQueue<Command> issued_; // to be posted
    std::uint32_t range_ = 0;   // XFER registers
    std::uint32_t buffer_ = 0;
    std::uint32_t cookie_ = 0;
    std::uint32_t placeSector_ = 0;
};

} // namespace strobe::host
