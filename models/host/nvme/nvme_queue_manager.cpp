// SPDX-License-Identifier: Apache-2.0
#include "models/host/nvme/nvme_queue_manager.h"

#include <algorithm>
#include <iterator>

namespace strobe::host::nvme {

namespace {

constexpr std::uint32_t contiguousBit = 1U; // command dword 11; required, see CAP.CQR

// What a command that creates a queue of either kind says about it.
struct NewQueue {
    explicit NewQueue(const SubmissionEntry& submission)
        : id(low16(submission.dword[10])), entries((submission.dword[10] >> 16U) + 1), base(submission.prp1()),
          isContiguous((submission.dword[11] & contiguousBit) != 0)
    {
    }
    NvmeStatus verdict(std::uint32_t mostEntries, std::uint32_t pageBytes) const
    {
        if (entries < 2 || entries > mostEntries)
            return NvmeStatus::InvalidQueueSize;
        if (!isContiguous)
            return NvmeStatus::InvalidField;
        return base % pageBytes == 0 ? NvmeStatus::Success : NvmeStatus::PrpOffsetInvalid;
    }

    std::uint32_t id;
    std::uint32_t entries;
    std::uint64_t base;
    bool isContiguous;
};

} // namespace

QueueManager::QueueManager(const Limits& limits) : limits_(limits), use_(limits.pairs + 1)
{
    reset();
}

void QueueManager::reset()
{
    sqs_.assign(1, {});
    cqs_.assign(1, {});
    deletions_.clear();
    arbiter_.setFeature(defaultBurst);
    granted_ = limits_.pairs;
}

void QueueManager::openAdmin(std::uint64_t sqBase, std::uint32_t sqEntries, std::uint64_t cqBase,
                             std::uint32_t cqEntries)
{
    sqs_[0] = {true, sqBase, sqEntries, 0, QueuePriority::Urgent};
    cqs_[0] = {true, cqBase, cqEntries, 0, true};
}

// --- doorbells -------------------------------------------------------------------------------------------------------

QueueManager::Rung QueueManager::ring(std::uint32_t offset, std::uint32_t value)
{
    const std::uint32_t distance = 4U << limits_.doorbellStride;
    const std::uint32_t index = offset / distance;
    const std::uint32_t id = index / 2;
    const bool isCompletion = index % 2 != 0;
    const auto queue = static_cast<std::uint16_t>(id);
    if (offset % distance != 0 || (isCompletion ? !hasCq(id) : !hasSq(id)))
        return {Doorbell::NoSuchDoorbell, queue};
    return {isCompletion ? ringHead(cqs_[id], value) : ringTail(sqs_[id], value), queue};
}

QueueManager::Doorbell QueueManager::ringTail(SubmissionQueue& sq, std::uint32_t value)
{
    const std::uint32_t added = (value + sq.entries - sq.tail) % sq.entries;
    if (value >= sq.entries || added == 0 || added > sq.free())
        return Doorbell::InvalidValue;
    sq.tail = value;
    return Doorbell::SubmissionTail;
}

QueueManager::Doorbell QueueManager::ringHead(CompletionQueue& cq, std::uint32_t value)
{
    const std::uint32_t taken = (value + cq.entries - cq.head) % cq.entries;
    if (value >= cq.entries || taken == 0 || taken > cq.occupied())
        return Doorbell::InvalidValue;
    cq.head = value;
    return Doorbell::CompletionHead;
}

// --- admin commands --------------------------------------------------------------------------------------------------

NvmeStatus QueueManager::createCq(const SubmissionEntry& submission, std::uint32_t pageBytes)
{
    const NewQueue queue(submission);
    const std::uint32_t vector = submission.dword[11] >> 16U;
    if (queue.id == 0 || queue.id > granted_ || hasCq(queue.id))
        return NvmeStatus::InvalidQueueIdentifier;
    if (const NvmeStatus verdict = queue.verdict(limits_.entries, pageBytes); verdict != NvmeStatus::Success)
        return verdict;
    if (vector >= limits_.vectors)
        return NvmeStatus::InvalidInterruptVector;
    if (cqs_.size() <= queue.id)
        cqs_.resize(queue.id + 1);
    cqs_[queue.id] = {true, queue.base, queue.entries, vector, (submission.dword[11] & 2U) != 0};
    return NvmeStatus::Success;
}

NvmeStatus QueueManager::createSq(const SubmissionEntry& submission, std::uint32_t pageBytes)
{
    const NewQueue queue(submission);
    const std::uint32_t cq = submission.dword[11] >> 16U;
    if (queue.id == 0 || queue.id > granted_ || hasSq(queue.id))
        return NvmeStatus::InvalidQueueIdentifier;
    if (cq == 0 || !hasCq(cq))
        return NvmeStatus::CompletionQueueInvalid;
    if (const NvmeStatus verdict = queue.verdict(limits_.entries, pageBytes); verdict != NvmeStatus::Success)
        return verdict;
    if (sqs_.size() <= queue.id)
        sqs_.resize(queue.id + 1);
    sqs_[queue.id] = {true, queue.base, queue.entries, static_cast<std::uint16_t>(cq),
                      static_cast<QueuePriority>(submission.dword[11] >> 1U & 3U)};
    use_[queue.id].queue = queue.id;
    use_[queue.id].vector = cqs_[cq].interrupts ? std::optional(cqs_[cq].vector) : std::nullopt;
    return NvmeStatus::Success;
}

NvmeStatus QueueManager::deleteCq(const SubmissionEntry& submission)
{
    const std::uint32_t id = low16(submission.dword[10]);
    if (id == 0 || !hasCq(id))
        return NvmeStatus::InvalidQueueIdentifier;
    const bool isUsed = std::any_of(sqs_.begin() + 1, sqs_.end(),
                                    [id](const SubmissionQueue& sq) { return sq.exists && sq.completionQueue == id; });
    if (isUsed)
        return NvmeStatus::InvalidQueueDeletion;
    cqs_[id] = {};
    return NvmeStatus::Success;
}

NvmeStatus QueueManager::deleteSq(const SubmissionEntry& submission)
{
    const std::uint32_t id = low16(submission.dword[10]);
    if (id == 0 || !hasSq(id))
        return NvmeStatus::InvalidQueueIdentifier;
    SubmissionQueue& sq = sqs_[id];
    sq.tail = sq.head;
    if (sq.outstanding == 0)
        sq = {};
    else
        deletions_.push_back({static_cast<std::uint16_t>(id), submission.id()});
    return NvmeStatus::Success;
}

NvmeStatus QueueManager::setCount(std::uint32_t requested)
{
    const auto exists = [](const auto& queue) { return queue.exists; };
    if (std::any_of(sqs_.begin() + 1, sqs_.end(), exists) || std::any_of(cqs_.begin() + 1, cqs_.end(), exists))
        return NvmeStatus::CommandSequenceError;
    if (low16(requested) == 0xFFFF || requested >> 16U == 0xFFFF)
        return NvmeStatus::InvalidField;
    granted_ = std::min(limits_.pairs, std::max(low16(requested), requested >> 16U) + 1);
    return NvmeStatus::Success;
}

std::uint32_t QueueManager::count() const
{
    return (granted_ - 1) | (granted_ - 1) << 16U;
}

std::uint32_t QueueManager::mostCount() const
{
    return (limits_.pairs - 1) | (limits_.pairs - 1) << 16U;
}

// --- fetching --------------------------------------------------------------------------------------------------------

std::optional<QueueManager::Fetch> QueueManager::nextAdmin()
{
    const std::uint32_t waiting = sqs_[0].exists ? sqs_[0].waiting() : 0;
    return waiting == 0 ? std::nullopt : std::optional(fetch(0, waiting));
}

bool QueueManager::hasIo() const
{
    return std::any_of(sqs_.begin() + 1, sqs_.end(),
                       [](const SubmissionQueue& sq) { return sq.exists && sq.waiting() != 0; });
}

std::optional<QueueManager::Fetch> QueueManager::nextIo(std::uint32_t limit)
{
    const auto grant = arbiter_.next(sqs_, limit);
    if (!grant)
        return std::nullopt;
    const Fetch fetched = fetch(grant->queue, grant->commands);
    ++counters_.fetches;
    counters_.commands += fetched.commands;
    counters_.byPriority[static_cast<std::size_t>(sqs_[grant->queue].priority)] += fetched.commands;
    return fetched;
}

QueueManager::Fetch QueueManager::fetch(std::uint16_t queue, std::uint32_t count)
{
    SubmissionQueue& sq = sqs_[queue];
    count = std::min(count, sq.entries - sq.head);
    const Fetch fetched{queue, count, sq.base + std::uint64_t{sq.head} * submissionBytes};
    sq.head = (sq.head + count) % sq.entries;
    sq.outstanding += count;
    return fetched;
}

void QueueManager::arrived(std::uint16_t id)
{
    SubmissionQueue& sq = sqs_[id];
    sq.reported = (sq.reported + 1) % sq.entries;
}

// --- completing ------------------------------------------------------------------------------------------------------

std::optional<std::uint16_t> QueueManager::takeDeletion(std::uint16_t sq)
{
    if (deletions_.empty() || sqs_[sq].outstanding != 0)
        return std::nullopt;
    const auto found = std::find_if(deletions_.begin(), deletions_.end(),
                                    [sq](const Deletion& deletion) { return deletion.queue == sq; });
    if (found == deletions_.end())
        return std::nullopt;
    const std::uint16_t id = found->id;
    deletions_.erase(found);
    sqs_[sq] = {};
    return id;
}

std::optional<CompletionEntry> QueueManager::takeHeld(std::uint16_t id)
{
    CompletionQueue& cq = cqs_[id];
    return cq.held.empty() || cq.isFull() ? std::nullopt : std::optional(cq.held.pop());
}

std::uint64_t QueueManager::claimEntry(std::uint16_t id, CompletionEntry& completion)
{
    CompletionQueue& cq = cqs_[id];
    completion.statusAndPhase = static_cast<std::uint16_t>(completion.statusAndPhase | (cq.phase ? 1U : 0U));
    const std::uint64_t address = cq.base + std::uint64_t{cq.tail} * completionBytes;
    if (++cq.tail == cq.entries) {
        cq.tail = 0;
        cq.phase = !cq.phase;
    }
    return address;
}

void QueueManager::entryArrived(std::uint16_t id)
{
    CompletionQueue& cq = cqs_[id];
    if (cq.exists && ++cq.arrived == cq.entries)
        cq.arrived = 0;
}

bool QueueManager::hasInterruptingEntry() const
{
    return std::any_of(cqs_.begin(), cqs_.end(),
                       [](const CompletionQueue& cq) { return cq.exists && cq.interrupts && cq.hasUnread(); });
}

// --- use -------------------------------------------------------------------------------------------------------------

void QueueManager::count(std::uint16_t sq, IoOpcode opcode)
{
    QueueUse& use = use_[sq];
    switch (opcode) {
    case IoOpcode::Read: ++use.reads; break;
    case IoOpcode::Write:
    case IoOpcode::WriteZeroes:
    case IoOpcode::ZoneAppend: ++use.writes; break;
    default: ++use.others;
    }
}

std::vector<QueueUse> QueueManager::use() const
{
    std::vector<QueueUse> used;
    std::copy_if(use_.begin(), use_.end(), std::back_inserter(used),
                 [](const QueueUse& use) { return use.queue != 0; });
    return used;
}

} // namespace strobe::host::nvme
