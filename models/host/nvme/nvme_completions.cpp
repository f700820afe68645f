// SPDX-License-Identifier: Apache-2.0
#include "models/host/nvme/nvme_completions.h"

#include <algorithm>

namespace strobe::host::nvme {

namespace {

constexpr unsigned doNotRetry = 0x8000U;

// The same command would fail again, whatever other commands do in between.
bool isPermanent(NvmeStatus status)
{
    switch (status) {
    case NvmeStatus::Success:
    case NvmeStatus::DataTransferError:
    case NvmeStatus::InternalError:
    case NvmeStatus::AbortRequested:
    case NvmeStatus::AsyncEventLimitExceeded:
    case NvmeStatus::InvalidQueueDeletion: // its submission queues may go
    case NvmeStatus::CompareFailure:       // other data may be written
    case NvmeStatus::FormatInProgress:
    case NvmeStatus::TooManyActiveZones:
    case NvmeStatus::TooManyOpenZones:
    case NvmeStatus::UnrecoveredReadError: return false;
    default: return true;
    }
}

} // namespace

void ErrorLog::note(std::uint16_t queue, std::uint16_t id, NvmeStatus status)
{
    std::rotate(entries_.begin(), entries_.end() - 1, entries_.end());
    entries_[0] = {++count_, queue, id, status};
}

void CompletionPath::finish(std::uint16_t queue, std::uint16_t id, NvmeStatus status, std::uint64_t result, Time now)
{
    queues_.completed(queue);
    if (status != NvmeStatus::Success) {
        ++counters_.errors;
        errorLog_.note(queue, id, status);
    }
    const SubmissionQueue& sq = queues_.submissionQueue(queue);
    CompletionEntry completion;
    completion.result = static_cast<std::uint32_t>(result);
    completion.resultHigh = static_cast<std::uint32_t>(result >> 32);
    completion.sqHead = static_cast<std::uint16_t>(sq.reported);
    completion.sqId = queue;
    completion.commandId = id;
    completion.statusAndPhase =
        static_cast<std::uint16_t>(static_cast<unsigned>(status) << 1U | (isPermanent(status) ? doNotRetry : 0U));
    const CompletionQueue& cq = queues_.completionQueue(sq.completionQueue);
    if (cq.isFull() || !cq.held.empty()) {
        ++counters_.heldBack;
        queues_.hold(sq.completionQueue, completion);
    } else {
        post(sq.completionQueue, completion, now);
    }
    if (const auto deletion = queues_.takeDeletion(queue))
        finish(0, *deletion, NvmeStatus::Success, 0, now);
}

void CompletionPath::post(std::uint16_t id, CompletionEntry completion, Time now)
{
    const std::uint64_t address = queues_.claimEntry(id, completion);
    port_.postCompletion(address, id, completion, now);
    const CompletionQueue& cq = queues_.completionQueue(id);
    if (cq.interrupts)
        interrupts_.completed(cq.vector, now, [&](const Interrupts::Message& message) { send(message, now); });
}

void CompletionPath::postHeld(std::uint16_t cq, Time now)
{
    while (const auto completion = queues_.takeHeld(cq))
        post(cq, *completion, now);
}

void CompletionPath::send(const Interrupts::Message& message, Time now)
{
    ++counters_.messages;
    port_.postMessage(message.address, message.data, now);
}

void CompletionPath::advance(Time now)
{
    interrupts_.advance(now, [&](const Interrupts::Message& message) { send(message, now); });
}

} // namespace strobe::host::nvme
