// SPDX-License-Identifier: Apache-2.0
#include "models/host/nvme/nvme_admin.h"

namespace strobe::host::nvme {

void AdminCommands::reset(Time now)
{
    features_.reset();
    events_.reset();
    reportedWarnings_ = 0;
    timestamp_.reset(now);
    if (management_.value() != 0)
        management_.set(0, *parts_.io.heat(), now);
    limitPower();
    incoming_.clear();
}

void AdminCommands::driveConnected()
{
    const DriveHeat* const heat = parts_.io.heat();
    features_.warnFrom(temperatures().warning, heat != nullptr ? heat->sensors() : 0);
    limitPower();
}

void AdminCommands::execute(const SubmissionEntry& submission, std::uint32_t pageBytes, Time now)
{
    const auto answered = answer(submission, pageBytes, now);
    if (answered)
        parts_.completions.finish(0, submission.id(), answered->status, answered->result, now);
    checkHealth(now); // a request may find an event, and reading a log allows the next
}

std::optional<AdminCommands::Answer> AdminCommands::answer(const SubmissionEntry& submission, std::uint32_t pageBytes,
                                                           Time now)
{
    QueueManager& queues = parts_.queues;
    if ((submission.dword[0] & fusedOrSgl) != 0)
        return Answer{NvmeStatus::InvalidField};
    switch (static_cast<AdminOpcode>(submission.opcode())) {
    case AdminOpcode::Identify: return Answer{identify(submission, pageBytes, now)};
    case AdminOpcode::GetLogPage: return Answer{getLogPage(submission, pageBytes, now)};
    case AdminOpcode::CreateCq: return Answer{queues.createCq(submission, pageBytes)};
    case AdminOpcode::CreateSq: return Answer{queues.createSq(submission, pageBytes)};
    case AdminOpcode::DeleteCq: return Answer{queues.deleteCq(submission)};
    case AdminOpcode::DeleteSq: {
        const NvmeStatus status = queues.deleteSq(submission);
        if (status == NvmeStatus::Success && queues.hasSq(low16(submission.dword[10])))
            return std::nullopt; // when the last command of the queue is complete
        return Answer{status};
    }
    case AdminOpcode::SetFeatures: return setFeature(submission, pageBytes, now);
    case AdminOpcode::GetFeatures: return getFeature(submission, pageBytes, now);
    case AdminOpcode::FormatNvm: return format(submission, now);
    case AdminOpcode::GetLbaStatus: return Answer{getLbaStatus(submission, pageBytes, now)};
    case AdminOpcode::Abort: {
        const std::uint32_t of = submission.dword[10];
        const bool isAborted =
            parts_.io.abort(static_cast<std::uint16_t>(low16(of)), static_cast<std::uint16_t>(of >> 16U));
        return Answer{NvmeStatus::Success, isAborted ? 0U : 1U};
    }
    case AdminOpcode::AsyncEventRequest:
        if (events_.request(submission.id()))
            return std::nullopt; // when there is an event
        return Answer{NvmeStatus::AsyncEventLimitExceeded};
    }
    return Answer{NvmeStatus::InvalidOpcode};
}

// --- format ----------------------------------------------------------------------------------------------------------

std::optional<AdminCommands::Answer> AdminCommands::format(const SubmissionEntry& submission, Time now)
{
    constexpr std::uint32_t formatOrProtection = 0xEFU; // without bit 4, which is about metadata: there is none
    constexpr std::uint32_t userDataErase = 1;          // 2 is a cryptographic erase
    const std::uint32_t space = submission.namespaceId();
    if (isZoned())
        return Answer{NvmeStatus::InvalidOpcode};
    if (!parts_.io.hasNamespace(space) && space != allNamespaces)
        return Answer{NvmeStatus::InvalidNamespace};
    if ((submission.dword[10] & formatOrProtection) != 0)
        return Answer{NvmeStatus::InvalidFormat};
    if ((submission.dword[10] >> 9U & 7U) > userDataErase)
        return Answer{NvmeStatus::InvalidField};
    if (!parts_.io.isEmpty())
        return Answer{NvmeStatus::CommandSequenceError};
    parts_.io.format(submission.id(), space, now);
    return std::nullopt; // when the drive has deallocated the blocks
}

// --- asynchronous events ---------------------------------------------------------------------------------------------

void AdminCommands::raise(std::uint32_t event, Time now)
{
    events_.raise(event);
    reportEvent(now);
}

void AdminCommands::raiseWarnings(Time now)
{
    const std::uint8_t wanted = features_.wantedWarnings();
    if (wanted == 0)
        return;
    const std::uint8_t present = warnings(now);
    reportedWarnings_ &= present;
    const auto raise = [&](std::uint8_t bit, std::uint32_t event) {
        if ((present & wanted & ~reportedWarnings_ & bit) != 0 && events_.raise(event))
            reportedWarnings_ |= bit;
    };
    raise(warning::spare, spareBelowThreshold);
    raise(warning::temperature, temperatureThreshold);
}

void AdminCommands::checkHealth(Time now)
{
    raiseWarnings(now);
    reportEvent(now);
}

void AdminCommands::reportEvent(Time now)
{
    if (const auto report = events_.next())
        parts_.completions.finish(0, report->id, NvmeStatus::Success, report->event, now);
}

} // namespace strobe::host::nvme
