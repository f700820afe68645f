#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// How an NVMe controller completes commands: the completion entry with status, phase and submission queue head, posted
// to host memory or held while its queue is full; then the interrupt. Commands that fail are noted in the error log.
// Not modelled: the controller's own time for a completion, an error log that outlives a power loss.

#include "models/host/nvme/nvme_format.h"
#include "models/host/nvme/nvme_interrupts.h"
#include "models/host/nvme/nvme_pcie_port.h"
#include "models/host/nvme/nvme_queue_manager.h"

#include <array>
#include <cstdint>

namespace strobe::host::nvme {

class ErrorLog {
public:
    struct Entry {
        std::uint64_t count = 0; // number of the error since power-on; zero: no entry
        std::uint16_t queue = 0;
        std::uint16_t id = 0;
        NvmeStatus status = NvmeStatus::Success;
    };
    static constexpr std::size_t size = 4;

    void note(std::uint16_t queue, std::uint16_t id, NvmeStatus status);
    const std::array<Entry, size>& entries() const { return entries_; } // the latest first
    std::uint64_t count() const { return count_; }

private:
    std::array<Entry, size> entries_{};
    std::uint64_t count_ = 0;
};

class CompletionPath {
public:
    struct Counters {
        std::uint64_t messages = 0; // MSI-X
        std::uint64_t heldBack = 0; // completions that found their queue full
        std::uint64_t errors = 0;   // completions with another status than success
    };

    CompletionPath(QueueManager& queues, Interrupts& interrupts, PciePort& port)
        : queues_(queues), interrupts_(interrupts), port_(port)
    {
    }

    // Completes command `id` of a submission queue, and the deletion of the queue if this was its last command.
    void finish(std::uint16_t queue, std::uint16_t id, NvmeStatus status, std::uint64_t result, Time now);
    void postHeld(std::uint16_t cq, Time now); // the host has taken entries
    void advance(Time now);                    // sends the interrupts that were delayed; due at Interrupts::nextTime()

    const ErrorLog& errorLog() const { return errorLog_; }
    const Counters& counters() const { return counters_; }
    void resetCounters() { counters_ = {}; }

private:
    void post(std::uint16_t cq, CompletionEntry completion, Time now);
    void send(const Interrupts::Message& message, Time now);

    QueueManager& queues_;
    Interrupts& interrupts_;
    PciePort& port_;
    ErrorLog errorLog_;
    Counters counters_;
};

} // namespace strobe::host::nvme
