#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The queue pairs of an NVMe controller: their creation and deletion, doorbells, which commands are fetched next, and
// where the next completion is written. Pure state: fetches and completions are packets that other parts send.
//
//   fetch      admin commands first, without a limit; I/O commands as the arbiter decides, at most as many as the
//              caller can accept; only entries that are contiguous in memory, so a fetch ends at the end of the ring
//   deletion   a submission queue whose commands are outstanding exists until the last of them is complete; the Delete
//              command completes then. Entries that were not fetched are dropped.
//
// Errors are NVMe status values. Ranges: up to 65,535 queue pairs, 2 to 4,096 entries. Not modelled: queues that
// are not contiguous in memory, shadow doorbells.

#include "models/host/nvme/nvme_format.h"
#include "models/host/nvme/nvme_queues.h"
#include "models/host/queue_use.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace strobe::host::nvme {

class QueueManager {
public:
    struct Limits {
        std::uint32_t pairs;          // I/O queue pairs
        std::uint32_t entries;        // of an I/O queue
        std::uint32_t vectors;        // of MSI-X
        std::uint32_t doorbellStride; // 4 << stride bytes between doorbells
    };
    struct Counters {
        std::uint64_t commands = 0; // I/O commands fetched
        std::uint64_t fetches = 0;  // reads of I/O submission queues
        std::array<std::uint64_t, 4> byPriority{};
    };

    explicit QueueManager(const Limits& limits);
    void reset(); // no queue exists, default arbitration
    void openAdmin(std::uint64_t sqBase, std::uint32_t sqEntries, std::uint64_t cqBase, std::uint32_t cqEntries);

    // --- doorbells ---
    enum class Doorbell : std::uint8_t { SubmissionTail, CompletionHead, NoSuchDoorbell, InvalidValue };
    struct Rung {
        Doorbell doorbell;
        std::uint16_t queue;
    };
    Rung ring(std::uint32_t offset, std::uint32_t value); // bytes from the first doorbell

    // --- admin commands ---
    NvmeStatus createCq(const SubmissionEntry& submission, std::uint32_t pageBytes);
    NvmeStatus createSq(const SubmissionEntry& submission, std::uint32_t pageBytes);
    NvmeStatus deleteCq(const SubmissionEntry& submission);
    // Success while hasSq() is still true: the command completes when takeDeletion() returns its identifier.
    NvmeStatus deleteSq(const SubmissionEntry& submission);
    // Feature Number of Queues: counts from zero, completion queues in bits 31:16, submission queues in bits 15:0.
    NvmeStatus setCount(std::uint32_t requested);
    std::uint32_t count() const;
    std::uint32_t mostCount() const; // of the feature, too: what the controller has
    void setArbitration(Arbitration arbitration) { arbiter_.configure(arbitration); }
    void setBurstAndWeights(std::uint32_t feature) { arbiter_.setFeature(feature); }

    // --- fetching ---
    struct Fetch {
        std::uint16_t queue;
        std::uint32_t commands;
        std::uint64_t address;
    };
    std::optional<Fetch> nextAdmin();
    bool hasIo() const;                               // an I/O command waits in a queue
    std::optional<Fetch> nextIo(std::uint32_t limit); // at most `limit` commands; REQUIRES: limit > 0
    void arrived(std::uint16_t sq);                   // one fetched entry is in the controller
    void count(std::uint16_t sq, IoOpcode opcode);    // for use()

    // --- completing ---
    const SubmissionQueue& submissionQueue(std::uint32_t id) const { return sqs_[id]; }
    const CompletionQueue& completionQueue(std::uint32_t id) const { return cqs_[id]; }
    bool hasSq(std::uint32_t id) const { return id < sqs_.size() && sqs_[id].exists; }
    bool hasCq(std::uint32_t id) const { return id < cqs_.size() && cqs_[id].exists; }
    void completed(std::uint16_t sq) { --sqs_[sq].outstanding; }
    // The submission queue's pending deletion, if its last command is complete: the queue is gone.
    // Returns the identifier of the Delete command.
    std::optional<std::uint16_t> takeDeletion(std::uint16_t sq);
    void hold(std::uint16_t cq, const CompletionEntry& completion) { cqs_[cq].held.push(completion); }
    std::optional<CompletionEntry> takeHeld(std::uint16_t cq); // nothing: none is held, or the queue is full
    std::uint64_t claimEntry(std::uint16_t cq, CompletionEntry& completion); // sets its phase; returns its address
    void entryArrived(std::uint16_t cq); // the oldest entry on its way is in host memory
    bool hasInterruptingEntry() const;   // an unread completion in a queue with interrupts enabled

    const Counters& counters() const { return counters_; }
    void resetCounters() { counters_ = {}; }
    // Of each I/O submission queue that the host has ever created, by identifier; messages are not counted here.
    std::vector<QueueUse> use() const;

private:
    Fetch fetch(std::uint16_t queue, std::uint32_t count);
    Doorbell ringTail(SubmissionQueue& sq, std::uint32_t value);
    Doorbell ringHead(CompletionQueue& cq, std::uint32_t value);

    struct Deletion { // of a submission queue with outstanding commands
        std::uint16_t queue;
        std::uint16_t id; // of the Delete command
    };
    Limits limits_;
    std::vector<SubmissionQueue> sqs_;
    std::vector<CompletionQueue> cqs_;
    std::vector<Deletion> deletions_;
    std::vector<QueueUse> use_; // by submission queue; those that were never created are number 0
    Arbiter arbiter_;
    std::uint32_t granted_ = 0; // queue pairs that the host may create
    Counters counters_;
};

} // namespace strobe::host::nvme
