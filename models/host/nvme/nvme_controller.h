#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// An NVM Express 1.4 controller with one namespace of 512-byte blocks: the registers of BAR 0 on the host's side, the
// host command port on the drive's. All it does to host memory takes packets on the PCIe link. Built so that an
// operating system's driver may stand before it: registers by offset and size, host memory behind an interface, MSI-X
// messages as what they are, posted writes. Owns no clock: every call says the present time, advance() is due at
// nextTime().
//
//   doorbell     arrives with its packet; entries are fetched as far as the drive has command slots (64 bytes each, one
//                read for what lies together, up to the arbitration burst), admin commands at once
//   command      checked; page list (reads of up to a memory page each) or ranges fetched; then handed to the drive
//   data         as firmware orders it: to the host as writes, to the drive by reads; cuts through the drive's memory
//   as
//                on the other ports
//   completion   held back while its queue is full; 16 bytes, then the MSI-X message
//   reset        queues are gone at once; ready falls when the drive is done with what it had
//   shutdown     a flush by the drive, then CSTS says so
//
// Admin: identify (controller, namespace, active list, descriptors), create and delete I/O queues, get and set
// features, get log page (errors, SMART, firmware slots), abort (nothing is aborted), asynchronous event request. I/O:
// read, write (FUA), flush, dataset management (deallocate), write zeroes (written as zeros by the controller). PRPs
// only; no metadata, fused commands, namespace management, firmware update, or SGLs. Files: nvme_controller.cpp
// (registers, queues), nvme_io.cpp (I/O commands and data), nvme_admin.cpp.

#include "models/base/content.h"
#include "models/base/event_heap.h"
#include "models/base/ring_queue.h"
#include "models/host/command_port.h"
#include "models/host/nvme/nvme_format.h"
#include "models/host/nvme/nvme_interrupts.h"
#include "models/host/nvme/nvme_queues.h"
#include "models/host/pcie/host_memory.h"
#include "models/host/pcie/pcie_link.h"

#include <algorithm>
#include <functional>
#include <vector>

namespace strobe::host::nvme {

struct ControllerConfig {
    std::uint32_t queues = 64;        // I/O queue pairs
    std::uint32_t entries = 4096;     // of a queue at most
    std::uint32_t doorbellStride = 0; // 4 << stride bytes between doorbells
    std::uint64_t bar = 0xFE00'0000;  // where BAR 0 lies; decides the header of register accesses
};

struct ControllerCounters {
    std::uint64_t commands = 0; // I/O commands taken
    std::uint64_t fetches = 0;  // reads of submission queues
    std::uint64_t messages = 0; // MSI-X
    std::uint64_t heldBack = 0; // completions that found their queue full
    std::uint64_t errors = 0;   // completions with another status than success
    std::array<std::uint64_t, 4> byPriority{};
};

class Controller final : public Front {
public:
    static constexpr std::uint32_t maxSlots = 4096;       // of the drive
    static constexpr std::uint32_t asyncEventLimit = 4;   // outstanding requests
    static constexpr std::uint32_t maxTransferPages = 13; // MDTS: 2^n pages of 4 KiB, 32 MiB

    Controller(const ControllerConfig& config, DataMode dataMode, PcieLink& link, HostMemory& memory);
    void connect(HostPort& drive); // once, before any other call
    void onMessage(std::function<void(std::uint64_t address, std::uint32_t data, Time now)> handler)
    {
        message_ = std::move(handler);
    }

    // BAR 0. Accesses of 4 or 8 bytes, aligned; others read zero and change nothing. A write arrives after its packet's
    // time; readTime() says when the answer of a read that is sent now is at the host.
    void writeRegister(std::uint32_t offset, std::uint32_t bytes, std::uint64_t value, Time now);
    std::uint64_t readRegister(std::uint32_t offset, std::uint32_t bytes) const;
    Time readTime(std::uint32_t bytes, Time now) { return link_.readRegister(config_.bar, bytes, now); }
    // The PCI function's MSI-X control, in configuration space.
    void setMsix(bool isEnabled, bool isMasked);
    bool pin() const; // INTx, while MSI-X is off

    // The drive's side.
    void driveReady(Time now) override;
    void transfer(const TransferOrder& order, Time now) override;
    void complete(std::uint16_t slot, CommandStatus status, Time now) override;

    void advance(Time now);
    Time nextTime() const { return std::min(events_.nextTime(), interrupts_.nextTime()); }

    const ControllerCounters& counters() const { return counters_; }
    void resetCounters() { counters_ = {}; }

private:
    // --- registers and queues (nvme_controller.cpp) ---
    struct Event {
        enum class Kind : std::uint8_t { Register, ReadStart, ReadFirst, ReadDone, Transfer, Completion, Message };
        Kind kind;
        std::uint8_t bytes = 0;
        std::uint32_t index = 0; // register offset, read
        std::uint64_t value = 0;
    };
    struct Read { // of host memory, under way
        enum class Purpose : std::uint8_t { Commands, PageList, Ranges, Data };
        Purpose purpose = Purpose::Commands;
        std::uint16_t queue = 0;
        std::uint16_t slot = 0;
        std::uint32_t count = 0; // entries
        std::uint64_t address = 0;
        std::uint32_t generation = 0;
        TransferOrder order; // of Data
        Time last{};         // when its last byte is here
    };
    struct Posted { // on its way to a completion queue
        std::uint64_t address;
        Completion completion;
        std::uint32_t generation;
    };
    struct Message {
        std::uint64_t address;
        std::uint32_t data;
    };

    void applyWrite(std::uint32_t offset, std::uint32_t value, Time now);
    std::uint32_t readDword(std::uint32_t offset) const;
    void configure(std::uint32_t value, Time now);
    void enable();
    void reset();
    void updateReady();
    void shutDown();
    void fatal();
    void ringDoorbell(std::uint32_t offset, std::uint32_t value, Time now);
    void pump(Time now); // fetches what can be fetched
    void fetch(std::uint16_t queue, std::uint32_t count, Time now);
    std::uint32_t startRead(const Read& read, Time at);
    void readStarts(std::uint32_t index, Time now);
    void readDone(std::uint32_t index, Time now);
    void commandsArrived(const Read& read, Time now);
    void finish(std::uint16_t queue, std::uint16_t id, Status status, std::uint32_t result, Time now);
    void post(std::uint16_t cq, Completion completion, Time now);
    void postWaiting(std::uint16_t cq, Time now);
    bool isRunning() const { return (cc_ & ccEnable) != 0 && (csts_ & cstsReady) != 0 && (csts_ & cstsFatal) == 0; }
    bool hasSq(std::uint32_t id) const { return id < sqs_.size() && sqs_[id].exists; }
    bool hasCq(std::uint32_t id) const { return id < cqs_.size() && cqs_[id].exists; }

    // --- I/O (nvme_io.cpp) ---
    struct Context { // a command in a slot of the drive
        enum class State : std::uint8_t { Free, Gathering, InDrive };
        State state = State::Free;
        bool isDropped = false;  // the controller was reset: nobody waits for it
        bool isShutdown = false; // the flush of a shutdown
        bool isZeroes = false;
        bool hasFailed = false; // host memory could not be reached
        std::uint16_t queue = 0;
        std::uint16_t id = 0;
        Command command;
        std::uint64_t offset = 0;         // of the data in its first page
        std::vector<std::uint64_t> pages; // of the data
        std::uint64_t pagesLeft = 0;      // to be listed
        std::vector<Range> ranges;
        std::size_t nextRange = 0;
    };
    void execute(std::uint16_t queue, const Submission& submission, Time now);
    Status prepare(Context& context, const Submission& submission);
    Status prepareBlocks(Context& context, const Submission& submission, bool movesData);
    Status preparePages(Context& context, std::uint64_t bytes, const Submission& submission);
    void gather(std::uint16_t slot, const Submission& submission, Time now);
    void fetchPageList(std::uint16_t slot, std::uint64_t address, Time now);
    void pageListArrived(const Read& read, Time now);
    void rangesArrived(const Read& read, Time now);
    void start(std::uint16_t slot, Time now);
    void submitRange(std::uint16_t slot, Time now);
    void release(std::uint16_t slot, Status status, Time now);
    void takeZeroes(const TransferOrder& order, Time now);
    void dataArrives(const Read& read, Time now);
    template <class Each>
    void eachPiece(const Context& context, const TransferOrder& order, Each each) const;
    bool moveToHost(const Context& context, const TransferOrder& order, Content content);
    bool moveToDrive(const Context& context, const TransferOrder& order, Content content);
    Content staged(std::uint32_t sectors);

    // --- admin (nvme_admin.cpp) ---
    void admin(const Submission& submission, Time now);
    Status identify(const Submission& submission, Time now);
    Status getLogPage(const Submission& submission, Time now);
    Status createCq(const Submission& submission);
    Status createSq(const Submission& submission);
    Status deleteCq(const Submission& submission);
    Status deleteSq(const Submission& submission);
    Status setFeature(const Submission& submission, std::uint32_t& result);
    Status getFeature(const Submission& submission, std::uint32_t& result) const;
    Status returnData(const Submission& submission, const void* data, std::uint32_t bytes, Time now);
    void raise(std::uint32_t event, Time now); // an asynchronous event of the error type
    void deliverEvents(Time now);
    void noteError(std::uint16_t queue, std::uint16_t id, Status status);

    ControllerConfig config_;
    DataMode dataMode_;
    PcieLink& link_;
    HostMemory& memory_;
    HostPort* drive_ = nullptr;
    std::function<void(std::uint64_t, std::uint32_t, Time)> message_;

    std::uint32_t cc_ = 0;
    std::uint32_t csts_ = 0;
    std::uint32_t aqa_ = 0;
    std::uint64_t asq_ = 0;
    std::uint64_t acq_ = 0;
    std::uint32_t pageBytes_ = 4096;
    bool isDriveReady_ = false;

    EventHeap<Event> events_;
    std::vector<Read> reads_;
    std::vector<std::uint32_t> freeReads_;
    RingQueue<Posted> posted_;
    RingQueue<Message> messages_;
    std::vector<SubmissionQueue> sqs_;
    std::vector<CompletionQueue> cqs_;
    std::vector<RingQueue<Completion>> waiting_; // for room, by completion queue
    Arbiter arbiter_;
    Interrupts interrupts_;
    std::uint32_t generation_ = 0; // resets so far: what was under way then is dropped

    std::vector<Context> contexts_; // by slot of the drive
    std::vector<std::uint16_t> freeContexts_;
    std::uint32_t promised_ = 0; // of them, to commands being fetched
    std::uint32_t inDrive_ = 0;
    std::vector<std::byte> staging_;
    bool isShuttingDown_ = false;

    struct Deletion { // of a submission queue, waiting for its last command
        std::uint16_t queue;
        std::uint16_t id;
    };
    std::vector<Deletion> deletions_;
    std::array<std::uint32_t, 16> features_{};
    std::uint32_t grantedQueues_ = 0; // Number of Queues was set; zero: not yet
    std::vector<std::uint16_t> eventRequests_;
    std::vector<std::uint32_t> pendingEvents_;
    bool isEventMasked_ = false; // until the error log is read
    struct LoggedError {
        std::uint64_t count = 0;
        std::uint16_t queue = 0;
        std::uint16_t id = 0;
        Status status = Status::Success;
    };
    std::array<LoggedError, 4> errorLog_{}; // latest first
    std::uint64_t errorCount_ = 0;
    struct Smart { // since power-on
        std::uint64_t sectorsRead = 0;
        std::uint64_t sectorsWritten = 0;
        std::uint64_t reads = 0;
        std::uint64_t writes = 0;
        std::uint64_t mediaErrors = 0;
    };
    Smart smart_;
    ControllerCounters counters_;
};

// The pieces of a transfer that lie together in host memory: address, bytes before, bytes.
template <class Each>
void Controller::eachPiece(const Context& context, const TransferOrder& order, Each each) const
{
    std::uint64_t at = context.offset + std::uint64_t{order.first} * sectorBytes;
    const std::uint64_t bytes = std::uint64_t{order.sectors} * sectorBytes;
    for (std::uint64_t done = 0; done < bytes;) {
        const std::uint64_t within = at % pageBytes_;
        const std::uint64_t part = std::min(bytes - done, pageBytes_ - within);
        each(context.pages[at / pageBytes_] + within, done, static_cast<std::uint32_t>(part));
        at += part;
        done += part;
    }
}

} // namespace strobe::host::nvme
