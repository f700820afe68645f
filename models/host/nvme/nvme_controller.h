#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// An NVM Express 1.4 controller with one namespace of 512-byte blocks: the registers of BAR 0 on the host's side, the
// host command port on the drive's. It serves any host: registers by offset and size (writes are posted), host memory
// through HostMemory, interrupts as MSI-X messages or as the level of INTx; it does not depend on NvmeDriver. All
// accesses to host memory are packets on the PCIe link. Owns no clock: `now` is the present instant of every call,
// advance() is due at nextTime(), which may change with every call.
//
// This class wires the parts and decides what is fetched; the parts own the state:
//
//   ControllerRegisters  CC, CSTS and the others; enable, reset, shutdown  nvme_registers.h
//   QueueManager         queue pairs, doorbells, arbitration               nvme_queue_manager.h, nvme_queues.h
//   PciePort             everything in flight on the link                  nvme_pcie_port.h
//   Interrupts           MSI-X vectors, masks, coalescing                  nvme_interrupts.h
//   CompletionPath       completion entries, error log                     nvme_completions.h
//   IoCommands           I/O commands, with PrpPages and DataMover         nvme_io.h, nvme_prp.h, nvme_data.h
//   AdminCommands        admin commands, Features and AsyncEvents          nvme_admin.h, nvme_features.h, nvme_events.h
//   PowerStates          states, transitions when idle, residency          nvme_power.h
//
// Sequence of events:
//   doorbell     takes effect when its packet arrives; entries are fetched as far as the drive has command slots (64
//                bytes each, one read for contiguous entries, at most the arbitration burst), admin commands at once
//   wake-up      in a power state that is not operational, I/O commands wait in their queues until the exit is over
//   command      checked; PRP lists (reads of at most a memory page each) or ranges fetched; then submitted to the
//                drive, in order (nvme_admission.h)
//   data         in the order set by firmware: to the host as writes, to the drive by reads
//   completion   held while its queue is full; 16 bytes, then the interrupt
//   reset        queues are deleted at once; CSTS.RDY falls when the drive has finished its commands
//   shutdown     a flush of the drive, then CSTS.SHST is complete
//
// Abort ends a command that waits for structures in host memory; the drive finishes what it has.
// Not modelled: metadata, fused commands, namespace management, firmware update, SGLs.

#include "models/base/content.h"
#include "models/base/statistics.h"
#include "models/host/command_port.h"
#include "models/host/drive_health.h"
#include "models/host/nvme/nvme_admin.h"
#include "models/host/nvme/nvme_completions.h"
#include "models/host/nvme/nvme_format.h"
#include "models/host/nvme/nvme_interrupts.h"
#include "models/host/nvme/nvme_io.h"
#include "models/host/nvme/nvme_pcie_port.h"
#include "models/host/nvme/nvme_power.h"
#include "models/host/nvme/nvme_queue_manager.h"
#include "models/host/nvme/nvme_registers.h"
#include "models/host/pcie/host_memory.h"
#include "models/host/pcie/pcie_link.h"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>

namespace strobe::host::nvme {

struct ControllerOptions {
    std::uint32_t queues = 64;                    // I/O queue pairs
    std::uint32_t entries = 4096;                 // of a queue at most
    std::uint32_t doorbellStride = 0;             // 4 << stride bytes between doorbells
    bool hasVolatileCache = true;                 // VWC; without it the feature does not exist
    std::uint32_t powerLosses = 0;                // before this power cycle, for the SMART log
    HealthSource health = nullptr;                // for the health logs
    std::vector<PartSize> namespaces{};           // none: one, the whole drive
    std::uint64_t bar = 0xFE00'0000;              // address of BAR 0; it decides the header of register accesses
    std::vector<PowerState> powerStates{};        // none: one
    std::optional<std::uint32_t> writeCommands{}; // writes in the drive at a time (nvme_admission.h); nothing: no limit
};

struct ControllerCounters {
    std::uint64_t commands = 0; // I/O commands fetched
    std::uint64_t fetches = 0;  // reads of I/O submission queues
    std::uint64_t messages = 0; // MSI-X
    std::uint64_t heldBack = 0; // completions that found their queue full
    std::uint64_t errors = 0;   // completions with another status than success
    std::array<std::uint64_t, 4> byPriority{};

    void declare(Statistics& stats)
    {
        stats.add("commands_fetched", Unit::Count, "I/O commands taken from submission queues", commands);
        stats.add("fetches", Unit::Count, "reads of submission queues, each of one or more entries", fetches);
        stats.add("interrupts", Unit::Count, "MSI-X messages", messages);
        stats.add("completions_held_back", Unit::Count, "completions delayed because their queue was full", heldBack);
        stats.add("commands_urgent", Unit::Count, "commands fetched from queues of class urgent", byPriority[0]);
        stats.add("commands_high", Unit::Count, "commands fetched from queues of class high", byPriority[1]);
        stats.add("commands_medium", Unit::Count, "commands fetched from queues of class medium", byPriority[2]);
        stats.add("commands_low", Unit::Count, "commands fetched from queues of class low", byPriority[3]);
    }
};

class Controller final : public Front {
public:
    static constexpr std::uint32_t maxSlots = 4096; // of the drive

    Controller(const ControllerOptions& config, DataMode dataMode, PcieLink& link, HostMemory& memory);
    void connect(HostPort& drive); // once, before any other call
    void onMessage(PciePort::MessageHandler handler) { port_.onMessage(std::move(handler)); } // MSI-X, at its arrival
    void onPin(std::function<void(bool isAsserted, Time now)> handler) { pinHandler_ = std::move(handler); } // changes

    // BAR 0. Aligned accesses of 4 or 8 bytes; other accesses read zero and change nothing. A write takes effect when
    // its packet arrives; readTime() returns the time at which the response to a read sent now arrives at the host.
    void writeRegister(std::uint32_t offset, std::uint32_t bytes, std::uint64_t value, Time now);
    std::uint64_t readRegister(std::uint32_t offset, std::uint32_t bytes) const;
    Time readTime(std::uint32_t bytes, Time now) { return port_.readTime(bytes, now); }
    // MSI-X Enable and Function Mask of the PCI function's configuration space.
    void setMsix(bool isEnabled, bool isMasked, Time now);
    // INTx: asserted while MSI-X is off and a queue with interrupts enabled has unread completions, unless INTMS masks
    // it.
    bool pin() const;

    // The drive's side.
    void driveReady(Time now) override;
    void transfer(const TransferOrder& order, Time now) override { io_.transfer(order, now); }
    void placed(std::uint16_t slot, std::uint64_t lba, Time) override { io_.placed(slot, lba); }
    void complete(std::uint16_t slot, CommandStatus status, Time now) override;
    void temperatureTaken(Time now) override { admin_.checkHealth(now); }
    const Command& commandOf(std::uint16_t slot) const { return io_.commandOf(slot); } // REQUIRES: the drive has it

    void advance(Time now);
    Time nextTime() const { return std::min({port_.nextTime(), interrupts_.nextTime(), wakeAt_}); }

    ControllerCounters counters() const;
    std::vector<QueueUse> queueUse() const; // since power-on, also after a reset
    void resetCounters();
    const PowerStates& power() const { return power_; }

private:
    void written(std::uint32_t offset, std::uint32_t value, Time now);
    std::uint32_t readDword(std::uint32_t offset) const;
    void perform(ControllerRegisters::Request request, Time now);
    void reset(Time now);
    void ringDoorbell(std::uint32_t offset, std::uint32_t value, Time now);
    void pump(Time now); // fetches as many commands as possible
    bool isAwake(Time now);
    void fetch(const QueueManager::Fetch& fetch, Time now);
    void readArrived(std::uint32_t index, Time now);
    void commandsArrived(const PciePort::Read& read, Time now);
    void released(IoCommands::Slot slot, Time now);
    void updatePin(Time now);

    ControllerOptions config_;
    HostMemory& memory_;
    ControllerRegisters registers_;
    QueueManager queues_;
    Interrupts interrupts_;
    PciePort port_;
    CompletionPath completions_;
    IoCommands io_;
    PowerStates power_;
    AdminCommands admin_;
    Time wakeAt_ = never; // when a state's exit ends, if I/O commands wait for it
    std::function<void(bool, Time)> pinHandler_;
    bool isPinAsserted_ = false; // as last announced
};

} // namespace strobe::host::nvme
