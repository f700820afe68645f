#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The controller's end of the PCI Express link: all that is in flight between the controller and the host, in the order
// in which it arrives. Inbound: register writes. Outbound: reads of host memory (queue entries, PRP lists, ranges,
// write data), completions, MSI-X messages, and the end of data transfers. Completions are written into host memory and
// messages are given to their handler when their packets arrive; everything else is returned by take().
// Owns no clock: take() is due at nextTime(). Not modelled: errors of the link.

#include "models/base/event_heap.h"
#include "models/base/ring_queue.h"
#include "models/host/command_port.h"
#include "models/host/nvme/nvme_format.h"
#include "models/host/pcie/host_memory.h"
#include "models/host/pcie/pcie_link.h"

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace strobe::host::nvme {

class PciePort {
public:
    using MessageHandler = std::function<void(std::uint64_t address, std::uint32_t data, Time now)>;

    struct Read { // of host memory
        enum class Purpose : std::uint8_t { Commands, PageList, Ranges, Data, AdminData };
        Purpose purpose = Purpose::Commands;
        std::uint16_t queue = 0; // of Commands
        std::uint16_t slot = 0;  // of the drive; of AdminData: identifier of the command
        std::uint32_t count = 0; // entries
        std::uint64_t address = 0;
        TransferOrder order; // of Data
        Time last{};         // of Data: when the last byte arrives
    };
    struct Arrival {
        enum class Kind : std::uint8_t {
            None, // no effect outside the port
            RegisterWrite,
            Read,       // `index`: for takeRead()
            Transfer,   // `value`: handle of the transfer that has ended
            Completion, // `index`: completion queue in which the entry is now
            Fault       // a completion queue is not in memory
        };
        Kind kind;
        std::uint8_t bytes = 0;  // of a register write
        std::uint32_t index = 0; // of a register write: offset
        std::uint64_t value = 0;
    };

    // `bar`: address of the registers; it decides the header of register accesses.
    PciePort(PcieLink& link, HostMemory& memory, std::uint64_t bar) : link_(link), memory_(memory), bar_(bar) {}
    void onMessage(MessageHandler handler) { message_ = std::move(handler); }

    // --- registers ---
    void writeRegister(std::uint32_t offset, std::uint32_t bytes, std::uint64_t value, Time now);
    Time readTime(std::uint32_t bytes, Time now) { return link_.readRegister(bar_, bytes, now); }

    // --- reads: arrive as Kind::Read, data with its first byte, the others with their last ---
    void read(const Read& read, std::uint32_t bytes, Time now); // `bytes` contiguous from read.address on
    void readData(const TransferOrder& order, const TlpTrain& requests, const TlpTrain& completions, Time now);
    // Nothing to do for a structure that was requested before the last reset: isCurrent is false.
    struct TakenRead {
        Read read;
        bool isCurrent;
    };
    TakenRead takeRead(std::uint32_t index);

    // --- posted writes ---
    void postCompletion(std::uint64_t address, std::uint16_t cq, const CompletionEntry& completion, Time now);
    void postMessage(std::uint64_t address, std::uint32_t data, Time now);
    void endTransfer(std::uint64_t handle, Time at) { events_.push(at, {Event::Kind::Transfer, 0, 0, handle}); }

    void reset() { ++generation_; } // completions and structures in flight have no effect; data is still delivered
    bool isDue(Time now) const { return events_.isDue(now); }
    Arrival take(Time now) // REQUIRES: isDue(now)
    {
        const Event event = events_.pop();
        switch (event.kind) {
        case Event::Kind::Register: return {Arrival::Kind::RegisterWrite, event.bytes, event.index, event.value};
        case Event::Kind::ReadStart: answer(event.index, now); break;
        case Event::Kind::ReadDone: return {Arrival::Kind::Read, 0, event.index, 0};
        case Event::Kind::Transfer: return {Arrival::Kind::Transfer, 0, 0, event.value};
        case Event::Kind::Completion: return writeCompletion();
        case Event::Kind::Message: sendMessage(now); break;
        }
        return {Arrival::Kind::None};
    }
    Time nextTime() const { return events_.nextTime(); }

    PcieLink& link() { return link_; }
    const PcieConfig& config() const { return link_.config(); }

private:
    struct Event {
        enum class Kind : std::uint8_t { Register, ReadStart, ReadDone, Transfer, Completion, Message };
        Kind kind;
        std::uint8_t bytes = 0;
        std::uint32_t index = 0; // register offset, read
        std::uint64_t value = 0;
    };
    struct Pending {
        Read read;
        TlpTrain completions;
        std::uint32_t generation = 0;
    };
    struct Posted {
        std::uint64_t address;
        CompletionEntry completion;
        std::uint32_t generation;
        std::uint16_t cq;
    };
    struct Message {
        std::uint64_t address;
        std::uint32_t data;
    };
    void start(const Read& read, const TlpTrain& completions, Time at);
    void answer(std::uint32_t index, Time now);
    Arrival writeCompletion();
    void sendMessage(Time now);

    PcieLink& link_;
    HostMemory& memory_;
    std::uint64_t bar_;
    MessageHandler message_;
    EventHeap<Event> events_;
    std::vector<Pending> reads_;
    std::vector<std::uint32_t> freeReads_;
    RingQueue<Posted> posted_;
    RingQueue<Message> messages_;
    std::uint32_t generation_ = 0; // resets so far
};

} // namespace strobe::host::nvme
