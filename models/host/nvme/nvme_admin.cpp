// SPDX-License-Identifier: Apache-2.0
//
// Admin commands, features, logs and asynchronous events.
#include "models/host/nvme/nvme_controller.h"
#include "models/host/nvme/nvme_identify.h"

#include <algorithm>

namespace strobe::host::nvme {

namespace {

constexpr Time coalescingUnit = std::chrono::microseconds(100);

constexpr std::uint32_t low16(std::uint32_t value)
{
    return value & 0xFFFFU;
}

} // namespace

void Controller::admin(const Submission& submission, Time now)
{
    std::uint32_t result = 0;
    Status status = Status::InvalidOpcode;
    switch (static_cast<AdminOpcode>(submission.opcode())) {
    case AdminOpcode::Identify: status = identify(submission, now); break;
    case AdminOpcode::GetLogPage: status = getLogPage(submission, now); break;
    case AdminOpcode::CreateCq: status = createCq(submission); break;
    case AdminOpcode::CreateSq: status = createSq(submission); break;
    case AdminOpcode::DeleteCq: status = deleteCq(submission); break;
    case AdminOpcode::DeleteSq:
        status = deleteSq(submission);
        if (status == Status::Success && sqs_[low16(submission.dword[10])].exists)
            return; // answered when its last command is
        break;
    case AdminOpcode::SetFeatures: status = setFeature(submission, result); break;
    case AdminOpcode::GetFeatures: status = getFeature(submission, result); break;
    case AdminOpcode::Abort:
        status = Status::Success;
        result = 1; // not aborted
        break;
    case AdminOpcode::AsyncEventRequest:
        if (eventRequests_.size() < asyncEventLimit) {
            eventRequests_.push_back(submission.id());
            deliverEvents(now);
            return; // answered by an event
        }
        status = Status::AsyncEventLimitExceeded;
        break;
    }
    finish(0, submission.id(), status, result, now);
    if (static_cast<AdminOpcode>(submission.opcode()) == AdminOpcode::GetLogPage)
        deliverEvents(now); // which the log may have unmasked
}

// --- data to the host ------------------------------------------------------------------------------------------------

// Up to two pages at PRP 1 and 2.
Status Controller::returnData(const Submission& submission, const void* data, std::uint32_t bytes, Time now)
{
    const std::uint64_t first = submission.prp1();
    const auto inFirst = static_cast<std::uint32_t>(std::min<std::uint64_t>(bytes, pageBytes_ - first % pageBytes_));
    if (first % 4 != 0 || (bytes > inFirst && submission.prp2() % pageBytes_ != 0))
        return Status::PrpOffsetInvalid;
    const auto* source = static_cast<const std::byte*>(data);
    if (!memory_.write(first, source, inFirst) ||
        (bytes > inFirst && !memory_.write(submission.prp2(), source + inFirst, bytes - inFirst)))
        return Status::DataTransferError;
    TlpTrain train = writeTrain(link_.config(), first, inFirst);
    train.add(writeTrain(link_.config(), submission.prp2(), bytes - inFirst));
    link_.sendUp(train, now); // ahead of the completion, on the same line
    return Status::Success;
}

Status Controller::identify(const Submission& submission, Time now)
{
    enum Structure : std::uint32_t { oneNamespace = 0, controller = 1, activeList = 2, descriptors = 3 };
    const std::uint32_t structure = submission.dword[10] & 0xFFU;
    const std::uint32_t space = submission.namespaceId();
    IdentifyPage page{};
    switch (structure) {
    case oneNamespace:
        if (space != 1 && space != allNamespaces)
            return Status::InvalidNamespace;
        page = identifyNamespace(drive_->capacitySectors());
        break;
    case controller:
        page = identifyController({maxTransferPages, asyncEventLimit, static_cast<std::uint32_t>(errorLog_.size())});
        break;
    case activeList:
        if (space >= 0xFFFF'FFFE)
            return Status::InvalidNamespace;
        page = activeNamespaces(space);
        break;
    case descriptors:
        if (space != 1)
            return Status::InvalidNamespace;
        page = namespaceDescriptors();
        break;
    default: return Status::InvalidField;
    }
    return returnData(submission, page.data(), identifyBytes, now);
}

Status Controller::getLogPage(const Submission& submission, Time now)
{
    enum Page : std::uint32_t { errors = 1, smart = 2, firmwareSlots = 3 };
    constexpr std::uint32_t errorEntryBytes = 64;
    constexpr std::uint32_t retainBit = 1U << 15U;
    const std::uint32_t dwords = (submission.dword[10] >> 16U) + 1 + (low16(submission.dword[11]) << 16U);
    const std::uint64_t offset = submission.quad(12);
    std::array<std::byte, 512> page{};
    switch (submission.dword[10] & 0xFFU) {
    case errors:
        for (std::size_t i = 0; i < errorLog_.size(); ++i) {
            std::byte* entry = page.data() + i * errorEntryBytes;
            std::memcpy(entry, &errorLog_[i].count, 8);
            std::memcpy(entry + 8, &errorLog_[i].queue, 2);
            std::memcpy(entry + 10, &errorLog_[i].id, 2);
            const auto status = static_cast<std::uint16_t>(static_cast<unsigned>(errorLog_[i].status) << 1U);
            std::memcpy(entry + 12, &status, 2);
        }
        if ((submission.dword[10] & retainBit) == 0)
            isEventMasked_ = false;
        break;
    case smart:
        page = smartLog(
            {smart_.sectorsRead, smart_.sectorsWritten, smart_.reads, smart_.writes, smart_.mediaErrors, errorCount_});
        break;
    case firmwareSlots:
        page[0] = std::byte{1};
        page[8] = std::byte{'1'};
        break;
    default: return Status::InvalidLogPage;
    }
    if (offset % 4 != 0 || offset > page.size())
        return Status::InvalidField;
    const auto bytes =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(dwords * std::uint64_t{4}, page.size() - offset));
    return returnData(submission, page.data() + offset, bytes, now);
}

// --- queues ----------------------------------------------------------------------------------------------------------

Status Controller::createCq(const Submission& submission)
{
    const std::uint32_t id = low16(submission.dword[10]);
    const std::uint32_t entries = (submission.dword[10] >> 16U) + 1;
    const std::uint32_t vector = submission.dword[11] >> 16U;
    const std::uint32_t granted = grantedQueues_ == 0 ? config_.queues : grantedQueues_;
    if (id == 0 || id > granted || hasCq(id))
        return Status::InvalidQueueIdentifier;
    if (entries < 2 || entries > config_.entries)
        return Status::InvalidQueueSize;
    if ((submission.dword[11] & 1U) == 0) // physically contiguous, as CAP demands
        return Status::InvalidField;
    if (submission.prp1() % pageBytes_ != 0)
        return Status::PrpOffsetInvalid;
    if (vector >= interrupts_.count())
        return Status::InvalidInterruptVector;
    if (cqs_.size() <= id) {
        cqs_.resize(id + 1);
        waiting_.resize(id + 1);
    }
    cqs_[id] = {true, submission.prp1(), entries, vector, (submission.dword[11] & 2U) != 0};
    return Status::Success;
}

Status Controller::createSq(const Submission& submission)
{
    const std::uint32_t id = low16(submission.dword[10]);
    const std::uint32_t entries = (submission.dword[10] >> 16U) + 1;
    const std::uint32_t cq = submission.dword[11] >> 16U;
    const std::uint32_t granted = grantedQueues_ == 0 ? config_.queues : grantedQueues_;
    if (id == 0 || id > granted || hasSq(id))
        return Status::InvalidQueueIdentifier;
    if (cq == 0 || !hasCq(cq))
        return Status::CompletionQueueInvalid;
    if (entries < 2 || entries > config_.entries)
        return Status::InvalidQueueSize;
    if ((submission.dword[11] & 1U) == 0)
        return Status::InvalidField;
    if (submission.prp1() % pageBytes_ != 0)
        return Status::PrpOffsetInvalid;
    if (sqs_.size() <= id)
        sqs_.resize(id + 1);
    sqs_[id] = {true, submission.prp1(), entries, static_cast<std::uint16_t>(cq),
                static_cast<Priority>(submission.dword[11] >> 1U & 3U)};
    return Status::Success;
}

Status Controller::deleteCq(const Submission& submission)
{
    const std::uint32_t id = low16(submission.dword[10]);
    if (id == 0 || !hasCq(id))
        return Status::InvalidQueueIdentifier;
    const bool isUsed = std::any_of(sqs_.begin() + 1, sqs_.end(),
                                    [id](const SubmissionQueue& sq) { return sq.exists && sq.completionQueue == id; });
    if (isUsed)
        return Status::InvalidQueueDeletion;
    cqs_[id] = {};
    while (!waiting_[id].empty())
        waiting_[id].pop();
    return Status::Success;
}

// What has not been fetched is dropped; the rest is completed first.
Status Controller::deleteSq(const Submission& submission)
{
    const std::uint32_t id = low16(submission.dword[10]);
    if (id == 0 || !hasSq(id))
        return Status::InvalidQueueIdentifier;
    SubmissionQueue& sq = sqs_[id];
    sq.tail = sq.head;
    if (sq.outstanding == 0)
        sq = {};
    else
        deletions_.push_back({static_cast<std::uint16_t>(id), submission.id()});
    return Status::Success;
}

// --- features --------------------------------------------------------------------------------------------------------

Status Controller::setFeature(const Submission& submission, std::uint32_t& result)
{
    constexpr std::uint32_t saveBit = 1U << 31U;
    const std::uint32_t number = submission.dword[10] & 0xFFU;
    const std::uint32_t value = submission.dword[11];
    if ((submission.dword[10] & saveBit) != 0)
        return Status::FeatureNotSaveable;
    switch (static_cast<Feature>(number)) {
    case Feature::NumberOfQueues: {
        const bool hasQueues = std::any_of(sqs_.begin() + 1, sqs_.end(), [](const auto& q) { return q.exists; }) ||
                               std::any_of(cqs_.begin() + 1, cqs_.end(), [](const auto& q) { return q.exists; });
        if (hasQueues)
            return Status::CommandSequenceError;
        if (low16(value) == 0xFFFF || value >> 16U == 0xFFFF)
            return Status::InvalidField;
        grantedQueues_ = std::min(config_.queues, std::max(low16(value), value >> 16U) + 1);
        result = (grantedQueues_ - 1) | (grantedQueues_ - 1) << 16U;
        features_[number] = result;
        return Status::Success;
    }
    case Feature::Arbitration: arbiter_.setFeature(value); break;
    case Feature::InterruptCoalescing:
        interrupts_.setCoalescing(value & 0xFFU, coalescingUnit * (value >> 8U & 0xFFU));
        break;
    case Feature::InterruptVector:
        if (!interrupts_.setVectorCoalescing(low16(value), (value >> 16U & 1U) != 0))
            return Status::InvalidField;
        return Status::Success;
    case Feature::VolatileWriteCache: features_[number] = value & 1U; return Status::Success;
    case Feature::PowerManagement:
        if ((value & 0x1FU) != 0) // there is one power state
            return Status::InvalidField;
        break;
    case Feature::TemperatureThreshold:
    case Feature::ErrorRecovery:
    case Feature::WriteAtomicity:
    case Feature::AsyncEvents: break;
    default: return Status::InvalidField;
    }
    features_[number] = value;
    return Status::Success;
}

Status Controller::getFeature(const Submission& submission, std::uint32_t& result) const
{
    const std::uint32_t number = submission.dword[10] & 0xFFU;
    const std::uint32_t value = submission.dword[11];
    switch (static_cast<Feature>(number)) {
    case Feature::NumberOfQueues: {
        const std::uint32_t granted = grantedQueues_ == 0 ? config_.queues : grantedQueues_;
        result = (granted - 1) | (granted - 1) << 16U;
        return Status::Success;
    }
    case Feature::InterruptVector:
        if (low16(value) >= interrupts_.count())
            return Status::InvalidField;
        result = low16(value) | (interrupts_.isVectorCoalescingDisabled(low16(value)) ? 1U << 16U : 0U);
        return Status::Success;
    case Feature::Arbitration:
    case Feature::InterruptCoalescing:
    case Feature::VolatileWriteCache:
    case Feature::PowerManagement:
    case Feature::TemperatureThreshold:
    case Feature::ErrorRecovery:
    case Feature::WriteAtomicity:
    case Feature::AsyncEvents: result = features_[number]; return Status::Success;
    }
    return Status::InvalidField;
}

// --- asynchronous events ---------------------------------------------------------------------------------------------

void Controller::raise(std::uint32_t event, Time now)
{
    constexpr std::size_t kept = 8;
    if (pendingEvents_.size() < kept)
        pendingEvents_.push_back(event);
    deliverEvents(now);
}

// One event of a type is told, then no more until the host has read the log.
void Controller::deliverEvents(Time now)
{
    if (pendingEvents_.empty() || eventRequests_.empty() || isEventMasked_)
        return;
    const std::uint32_t event = pendingEvents_.front();
    pendingEvents_.erase(pendingEvents_.begin());
    const std::uint16_t id = eventRequests_.front();
    eventRequests_.erase(eventRequests_.begin());
    isEventMasked_ = true;
    finish(0, id, Status::Success, event, now);
}

void Controller::noteError(std::uint16_t queue, std::uint16_t id, Status status)
{
    ++counters_.errors;
    std::rotate(errorLog_.begin(), errorLog_.end() - 1, errorLog_.end());
    errorLog_[0] = {++errorCount_, queue, id, status};
}

} // namespace strobe::host::nvme
