#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The host's AHCI driver: operates the adapter as Linux' libahci and libata do. Owns no clock: advance() is due at
// nextTime().
//
//   start      adapter reset, command list and received FIS area, wait for the drive's signature (polled each
//   millisecond),
//              interrupts on, port started, IDENTIFY DEVICE by slot 0
//   command    after `submit` command table and header are in memory; NCQ: PxSACT, then PxCI; else PxCI. Queued
//              and other commands are not mixed: a command that cannot be mixed waits, and so do those after it
//   interrupt  after `interrupt`: read IS, read PxIS, clear it, read PxSACT and PxCI if commands of their kind are
//              outstanding, complete, clear IS
//
//   planned    at its instant starts anew with the adapter reset, which waits until the drive has finished what it has;
//   reset      then sends again all commands that are not complete, in their order, and those that it got meanwhile
//
// A register write arrives after `registerWrite`, a read takes `registerRead`. Not modelled: error recovery (the
// adapter reports which command failed), time-outs, power management.

#include "models/base/event_heap.h"
#include "models/base/ring_queue.h"
#include "models/host/ahci/ahci_config.h"
#include "models/host/ahci/ahci_hba.h"
#include "models/host/command_port.h"
#include "models/host/pcie/host_memory.h"

#include <algorithm>
#include <array>
#include <vector>

namespace strobe::host::ahci {

class AhciDriver final : public HostLink {
public:
    AhciDriver(const AhciConfig& config, Hba& hba, DriverMemory& memory);
    void connect(HostSide& host) { host_ = &host; }

    void start(Time now); // the drive's firmware is there
    void issue(const Command& command, Time now) override;
    void interrupt(Time now);

    void advance(Time now);
    Time nextTime() const { return events_.nextTime(); }
    const HostFaultCounters& faults() const { return faults_; }

private:
    // What a register read, or a delay, is waited for.
    enum class Then : std::uint8_t {
        WriteArrives,
        ResetDone,
        Signature,
        Submit,
        Handler,
        InterruptStatus,
        PortStatus,
        Outstanding,
        Reset
    };
    struct Event {
        Then then;
        std::uint32_t offset = 0;
        std::uint32_t value = 0;
        Command command;
        std::uint64_t start = 0; // starts_ when it was pushed
    };

    void push(Time at, Event event);
    bool isOld(const Event& event) const;
    void write(std::uint32_t offset, std::uint32_t value, Time now);
    void read(std::uint32_t offset, Then then, Time now, Time wait = {});
    Time afterWrites(Time at) const { return std::max(at, writesArrive_); } // a read passes no write
    void happen(const Event& event, Time now);
    void setUp(Time now);
    void identify(Time now);
    void identified(Time now);
    void pump(Time now);
    bool suits(const Command& command) const;
    void send(const Command& command, Time now);
    void putTable(std::uint32_t slot, const RegisterFis& fis, std::uint32_t bytes, bool writes, bool isRangeList);
    std::uint32_t putRanges(std::uint32_t slot, const Command& command);
    void readOutstanding(Time now);
    void complete(std::uint32_t done, Time now);
    void planReset(Time now);
    void reset(Time now);
    void resume(Time now);
    void submit(const Command& command, Time now);

    AhciConfig config_;
    Hba& hba_;
    DriverMemory& memory_;
    HostSide* host_ = nullptr;
    EventHeap<Event> events_;
    Time writesArrive_{}; // those that are on their way
    bool isReady_ = false;
    std::uint32_t queued_ = 0; // outstanding NCQ commands, bit per slot
    std::uint32_t others_ = 0;
    RingQueue<Command> waiting_;
    std::uint64_t list_ = 0;
    std::uint64_t received_ = 0;
    std::uint64_t page_ = 0; // for IDENTIFY data
    struct Table {
        std::uint64_t address = 0;
        std::uint32_t bytes = 0;
        std::uint64_t ranges = 0; // of a trim
        std::uint32_t rangeBytes = 0;
    };
    std::array<Table, slots> tables_;
    std::vector<std::byte> scratch_;

    // Planned resets.
    Instants resets_;
    SentCommands sent_; // empty: none are planned
    HostFaultCounters faults_;
    std::uint64_t starts_ = 0; // resets of the adapter
    Time resetSince_{};
    bool isAnnounced_ = false; // to the host
};

} // namespace strobe::host::ahci
