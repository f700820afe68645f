#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The host's NVMe driver: does to the registers and queues what Linux' driver does, so that workloads use the
// controller as they would use a real one. Owns no clock: advance() is due at nextTime().
//
//   start      memory space and bus master on in configuration space; CC.EN off, wait; admin queue; CC.EN on, wait for
//   CSTS.RDY (polled each millisecond);
//              identify controller, number of queues, arbitration and coalescing if asked for, one queue pair and one
//              MSI-X vector per CPU, an asynchronous event request, namespace list, each namespace
//   space      the host's sectors are those of the namespaces, one after the other. No request crosses a border
//   command    half of `cpuTime` of the queue's CPU (nvme_queue_cpus.h); `submit` later the queue entry and, if needed,
//              the page list are in memory; then the doorbell, one per command. Slot s uses queue s mod queues.
//              Requests that are too large are divided (nvme_parts.h); a command waits while its queue is full
//   interrupt  `interrupt` after its message the handler takes all completions that it finds, then writes the doorbell;
//              messages that arrive before it runs cause no second run. Each completion takes the CPU the other half
//   shutdown   CC.SHN, wait for CSTS.SHST
//   planned    at its instant takes the completions that are there, then starts anew with CC.EN off; when the
//   reset      controller is ready, sends again all commands that are not complete, in their order, and those that it
//              got meanwhile. CSTS.RDY falls when the drive has finished what it had, so nothing is done twice at once
//   planned    Abort of the first command of a request at random of those not complete, one at a time; a command that
//   abort      ends as aborted is sent again
//
// Not modelled: time-outs, recovery from a controller that fails; the CPUs' time beyond these parameters.

#include "models/base/event_heap.h"
#include "models/host/command_port.h"
#include "models/host/nvme/nvme_config.h"
#include "models/host/nvme/nvme_format.h"
#include "models/host/nvme/nvme_parts.h"
#include "models/host/nvme/nvme_queue_cpus.h"
#include "models/host/nvme/nvme_queue_pair.h"
#include "models/host/nvme/nvme_spaces.h"
#include "models/host/pcie/host_memory.h"
#include "models/host/pcie/pci_function.h"

#include <deque>
#include <functional>
#include <vector>

namespace strobe::host::nvme {

class NvmeDriver final : public HostLink {
public:
    NvmeDriver(const NvmeConfig& config, PciFunction& function, DriverMemory& memory);
    void connect(HostSide& host) { host_ = &host; }

    void start(Time now); // the drive is there
    void issue(const Command& command, Time now) override;
    void message(std::uint64_t address, std::uint32_t data, Time now); // MSI-X
    void shutDown(Time now, std::function<void(Time)> done);

    void advance(Time now);
    Time nextTime() const { return events_.nextTime(); }

    std::uint32_t slots() const { return slots_; }
    // The host's slot of the command with that identifier in that queue.
    std::uint16_t slotOf(std::uint32_t queue, std::uint32_t commandId) const
    {
        return static_cast<std::uint16_t>(commandId % slotsOfQueue() * config_.queues + queue - 1);
    }
    const HostFaultCounters& faults() const { return faults_; }
    const std::vector<std::uint32_t>& asyncEvents() const { return asyncEvents_; } // results, as they came

private:
    static constexpr std::uint32_t adminEntries = 32;
    static constexpr std::uint16_t asyncEventId = adminEntries - 1;
    static constexpr std::uint16_t abortId = adminEntries - 2;
    static constexpr std::uint64_t messageAddress = 0xFEE0'0000; // where an x86 host takes messages

    enum class Step : std::uint8_t {
        Disable,
        WaitDisabled,
        Enable,
        WaitReady,
        IdentifyController,
        NumberOfQueues,
        SetArbitration,
        SetCoalescing,
        SetTransitions,
        SetPowerState,
        SetThermalManagement,
        CreateCq,
        CreateSq,
        ListNamespaces,
        IdentifyNamespace,
        Ready,
        ShutDown
    };
    struct Event {
        enum class Kind : std::uint8_t { StatusRead, Submit, Handler, Completed, Reset, Abort };
        Kind kind;
        std::uint32_t vector = 0;
        Command command;
        std::uint64_t start = 0;                 // of Submit: starts_ when it was pushed
        std::uint32_t part = 0;                  // of Submit
        NvmeStatus status = NvmeStatus::Success; // of Completed
    };
    struct Pair : QueuePair {
        bool isHandlerDue = false;
        std::uint32_t outstanding = 0;       // commands in the queues
        std::deque<SubmissionEntry> waiting; // for a free entry
    };

    void write32(std::uint32_t offset, std::uint32_t value, Time now) { function_.writeBar(0, offset, 4, value, now); }
    void write64(std::uint32_t offset, std::uint64_t value, Time now) { function_.writeBar(0, offset, 8, value, now); }
    void pollStatus(Time from, Time wait);
    void statusRead(Time now);
    void enter(Step step, Time now);
    void next(Time now);
    void enable(Time now);
    void setFeature(Feature feature, std::uint32_t value, Time now);
    void setTransitions(Time now);
    std::uint32_t thermalManagement() const; // value of the feature
    void adminDone(const CompletionEntry& completion, Time now);
    std::uint32_t slotsOfQueue() const { return config_.queueEntries - 1; }
    std::uint32_t queueOf(std::uint32_t slot) const { return 1 + slot % config_.queues; }
    void submitPart(const Command& command, std::uint32_t part, Time now);
    void submitCommand(const Command& command, std::uint32_t part, Time now);
    void putCommand(std::uint32_t queue, const SubmissionEntry& submission, Time now);
    void put(std::uint32_t queue, const SubmissionEntry& submission, Time now);
    void setPages(SubmissionEntry& submission, const Command& command, std::uint32_t part);
    std::uint64_t listPage(std::uint32_t slot, std::size_t number);
    void handle(std::uint32_t queue, Time now);
    void commandDone(std::uint32_t queue, const CompletionEntry& completion, Time now);
    void submit(const Command& command, Time now);
    void planFaults(Time now);
    void planReset(Time now);
    void reset(Time now);
    void resume(Time now);
    void abort(Time now);
    QueuePriority priorityOf(std::uint32_t queue) const;
    std::uint32_t configuration() const;

    NvmeConfig config_;
    PciFunction& function_;
    DriverMemory& memory_;
    HostSide* host_ = nullptr;
    EventHeap<Event> events_;
    Step step_ = Step::Disable;
    std::uint32_t queue_ = 0; // being created
    std::uint32_t slots_ = 0;
    std::uint32_t stride_ = 0;
    bool hasCommandSets_ = false;
    HostSpaces spaces_;
    std::uint64_t page_ = 0; // for what admin commands return
    std::vector<Pair> pairs_;
    RequestParts parts_;
    QueueCpus cpus_;
    std::vector<std::vector<std::uint64_t>> lists_; // pages with page lists, by slot
    std::vector<std::uint64_t> ranges_;             // pages with ranges, by slot
    std::vector<std::uint64_t> scratch_;
    std::vector<std::uint32_t> asyncEvents_;
    std::function<void(Time)> shutDownDone_;

    // Planned faults.
    Instants resets_;
    Instants aborts_;
    Rng draws_;         // which command is aborted
    SentCommands sent_; // empty: none are planned
    HostFaultCounters faults_;
    std::uint64_t starts_ = 0; // of the controller
    Time resetSince_{};
    bool isAnnounced_ = false; // to the host
    bool isAborting_ = false;
};

} // namespace strobe::host::nvme
