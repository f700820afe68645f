#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The SSD's host interface block (regs::host): the device side of the host command port. Writes command records and
// events into control memory, takes orders for transfers and completions from firmware, moves sectors between the data
// buffer and the protocol front. Owns no clock: advance() is due at nextTime(). Its parts:
//   CommandSlots    commands by slot, and what firmware may ask for them   command_slots.h
//   HostTransfers   transfers in progress and where their sectors are      host_transfers.h
//   HostEvents      event ring and interrupt line                          host_events.h
//   InboundFeeder   places of write data in the sector buffer              inbound_feeder.h
//
//   command    record (32 bytes, a burst), then event (16 bytes, a burst), then the interrupt line rises
//   doorbells  XFER_START latches the XFER registers when it is written, COMPLETE its value; either takes effect at the
//              time of the write, which may be after the present (a CPU runs ahead by its cost points)
//   consumer   RING_CONSUMER takes effect at the time of the write
//   other registers change when they are written
//
//   feeder     with FEED_SECTORS set, writes are fetched into the circular sector buffer piece by piece: record, then a
//              transfer per piece, each with an event at its end, no command event
//   deliver    sectors of a read that come directly from flash instead of the data buffer: a separate transfer, at
//              once; the data path keeps pace with the link
//
// Rule violations by firmware (use a free slot, leave the command's range or the data buffer, complete twice or before
// a transfer has ended, complete with sectors missing, acknowledge events that were not put) are counted, reported as
// text and, except for missing sectors, have no other effect. Not modelled: reset of the interface, abort of commands.

#include "models/base/content.h"
#include "models/base/event_heap.h"
#include "models/base/ids.h"
#include "models/base/register_bank.h"
#include "models/host/command_pickup.h"
#include "models/host/command_port.h"
#include "models/host/command_slots.h"
#include "models/host/dma_port.h"
#include "models/host/host_events.h"
#include "models/host/host_transfers.h"
#include "models/host/inbound_feeder.h"
#include "models/host/request_observer.h"
#include "models/memory/event_ring.h"
#include "models/memory/region.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace strobe::host {

struct HostInterfaceConfig {
    std::uint32_t slots = 32;  // of the protocol front
    memory::Region dataBuffer; // allowed addresses of transfers; 512-byte aligned
};

// host_event.KIND
inline constexpr std::uint32_t eventCommandArrived = 1;
inline constexpr std::uint32_t eventTransferDone = 2;
inline constexpr std::uint32_t eventSectorsBuffered = 3;
inline constexpr std::uint32_t eventSupplyFails = 4;

// Sectors of a read command that their owner holds until they are on the link.
struct DirectRead {
    std::uint16_t slot = 0;
    std::uint32_t first = 0; // sector within the command
    std::uint32_t sectors = 0;
    bool completes = false;  // the command is complete after them
    Content content;         // lives until onDelivered()
    std::uint32_t token = 0; // whose they are
};

// May serve read commands without firmware (the flash controller's request synthesizer).
class ReadReceiver {
public:
    virtual ~ReadReceiver() = default;
    // True: taken. The sectors are passed to deliver(), or the command is returned by handBack() or fail().
    virtual bool takeRead(const Command& command, Time now) = 0;
};

struct HostInterfaceCounters {
    std::uint64_t commands = 0;
    std::uint64_t transfers = 0;
    std::uint64_t completions = 0;
    std::uint64_t faults = 0; // of firmware
};

class HostInterface final : public HostPort {
public:
    HostInterface(const HostInterfaceConfig& config, HostDmaPort& memory);
    HostInterface(const HostInterface&) = delete;
    HostInterface& operator=(const HostInterface&) = delete;
    void connect(Front& front) { front_ = &front; } // before any other call
    void temperatureTaken(Time at) { front_->temperatureTaken(at); }
    // The line changes at `at`, which may be in the future, or in the past if the change is reported late; in order of
    // `at`.
    void onLine(InterruptOutput::Listener line) { events_.line().onChange(std::move(line)); }
    void onFault(FaultListener fault) { fault_ = std::move(fault); }

    // The sectors of the token have been taken. In order of the calls of deliver().
    void onDelivered(std::function<void(std::uint32_t token)> delivered) { delivered_ = std::move(delivered); }

    void connectReads(ReadReceiver& reads) { reads_ = &reads; }
    void observe(CommandObserver& observer) { observer_ = &observer; } // which must outlive the interface
    // Where firmware is, asked inside its register writes; nothing: it executes no instructions.
    void locateFirmware(std::function<std::optional<std::uint32_t>()> pc) { firmwarePc_ = std::move(pc); }
    void handBack(std::uint16_t slot, Time now); // a read that was taken becomes a command of firmware
    void fail(std::uint16_t slot, Time now);     // a read that was taken ends with uncorrectable data

    // A read with sectors missing stays open even if `completes` is set: the caller has ordered the rest. False: there
    // is no such read command, or it has no such sectors; a fault of firmware.
    bool deliver(const DirectRead& read, Time now);

    // Registers, by offset. `at` is the time of the access: for a read, the present.
    Access readRegister(std::uint32_t offset, std::uint32_t& value) { return registers_.read(offset, value); }
    static std::uint32_t registerBytes();
    Access writeRegister(std::uint32_t offset, std::uint32_t value, Time at);

    // The front's side.
    void submit(const Command& command, Time at) override;
    Time accessBuffer(std::uint64_t handle, std::uint32_t firstSector, std::uint32_t sectors, Content content,
                      Time at) override;
    void transferDone(std::uint64_t handle, Time at) override;
    std::uint64_t capacitySectors() const override;
    std::uint32_t slots() const override { return config_.slots; }
    ZoneShape zones() const override;
    ZoneList zoneStates(std::uint32_t first, std::uint32_t count, Time at) override;
    PlacementShape placement() const override;
    std::vector<PlacementEntry> placementEntries(Time at) override;

    // The supply fails, and capacitors take over: the host and its link are gone, so what firmware still orders or
    // completes has no effect, and no transfer in progress ends. Firmware gets an event. `saved` is called when it
    // announces (CONTROL.saved) that everything that it has acknowledged is in flash.
    void supplyFails(Time now, std::function<void(Time)> saved);

    void advance(Time now);
    Time nextTime() const { return effects_.nextTime(); }
    // Reports the line's changes up to `until`, which may be in the future, as far as they are known.
    void reportLine(Time until) { events_.reportLine(until); }

    // For a substitute (functional_host.h): takes what it continues with, and gives back where it ended. REQUIRES: no
    // command is active, and firmware has taken all events, before and after.
    struct Position {
        memory::EventRing::Position ring;
        InboundFeeder feeder;
        BusAddress commands{}; // the records
    };
    Position position(Time now);
    void continueAfter(std::uint32_t events, const InboundFeeder& feeder);

    const HostInterfaceCounters& counters() const { return counters_; }
    const memory::EventRing& ring() const { return events_.ring(); }
    // Accounts for the events taken by firmware until now, before the ring's counters are read.
    void catchUp(Time now) { events_.catchUp(now); }
    void resetRingCounters(Time now); // and commandTimes()
    const CommandTimes& commandTimes() const { return pickup_.times(); }
    const HandlingTimes& handlingTimes() const { return handling_.times(); }
    std::uint32_t activeSlots() const { return slots_.active(); }
    const CommandSlots& commands() const { return slots_; }
    bool isEnabled() const { return isEnabled_; }
    bool holds(RequestKind kind, std::uint64_t lba) const; // a command that arrived while the port was disabled

private:
    struct Effect { // something that happens at its time
        enum class Kind : std::uint8_t {
            Control,
            Consume,
            StartTransfer,
            Place,
            Complete,
            PostCommand,
            Delivered,
            Feed,
            Release
        };
        Kind kind;
        std::uint32_t value = 0;
        std::uint32_t first = 0;
        std::uint32_t count = 0;
        std::uint32_t buffer = 0;
        std::uint32_t cookie = 0;
    };
    void attachRegisters();
    void apply(const Effect& effect, Time now);
    void control(std::uint32_t value, Time now);
    void enable(bool isEnabled, Time now);
    bool isHostGone() const { return saved_ != nullptr; }
    void startTransfer(const Effect& effect, Time now);
    void order(const HostTransfer& transfer, std::uint32_t first, std::uint32_t count, Time now);
    void place(std::uint32_t slot, std::uint32_t sector, Time now);
    void complete(std::uint32_t slot, std::uint32_t status, Time now);
    void handled(std::uint32_t slot);
    void finish(std::uint16_t slot, CommandStatus status, Time now);
    void writeRecord(const Command& command, Time now);
    void announce(std::uint32_t slot, Time now);
    void take(std::uint32_t events);
    void configureFeeder(std::uint32_t sectors);
    void feed(Time now);
    void reportFault(const std::string& text, Time now);

    HostInterfaceConfig config_;
    HostDmaPort& memory_;
    Front* front_ = nullptr;
    ReadReceiver* reads_ = nullptr;
    CommandObserver* observer_ = nullptr;
    FaultListener fault_;
    std::function<void(std::uint32_t)> delivered_;

    RegisterBank registers_;
    Time writeTime_{}; // of the register write being carried out
    EventHeap<Effect> effects_;
    HostEvents events_;
    CommandSlots slots_;
    CommandPickup pickup_;
    CommandHandling handling_;
    std::function<std::optional<std::uint32_t>()> firmwarePc_;
    HostTransfers transfers_;
    InboundFeeder feeder_;
    std::vector<Command> held_;       // arrived while the port was disabled
    std::function<void(Time)> saved_; // the supply fails
    bool isEnabled_ = false;
    bool wasEnabled_ = false;
    HostInterfaceCounters counters_;
};

} // namespace strobe::host
