// SPDX-License-Identifier: Apache-2.0
#include "models/host/nvme/nvme_admin.h"

#include "models/host/nvme/nvme_identify.h"
#include "models/host/nvme/nvme_zones.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace strobe::host::nvme {

namespace {

using LogPage = std::array<std::byte, 512>;

LogPage errorLogPage(const ErrorLog& log)
{
    constexpr std::uint32_t entryBytes = 64;
    LogPage page{};
    std::byte* entry = page.data();
    for (const ErrorLog::Entry& error : log.entries()) {
        std::memcpy(entry, &error.count, 8);
        std::memcpy(entry + 8, &error.queue, 2);
        std::memcpy(entry + 10, &error.id, 2);
        const auto status = static_cast<std::uint16_t>(static_cast<unsigned>(error.status) << 1U);
        std::memcpy(entry + 12, &status, 2);
        entry += entryBytes;
    }
    return page;
}

LogPage firmwareSlotPage()
{
    LogPage page{};
    page[0] = std::byte{1};   // the active slot
    page[8] = std::byte{'1'}; // its revision
    return page;
}

} // namespace

void AdminCommands::reset()
{
    features_.reset();
    events_.reset();
}

void AdminCommands::execute(const SubmissionEntry& submission, std::uint32_t pageBytes, Time now)
{
    const auto answered = answer(submission, pageBytes, now);
    if (answered)
        parts_.completions.finish(0, submission.id(), answered->status, answered->result, now);
    reportEvent(now); // a request may find one, and reading the error log allows the next
}

std::optional<AdminCommands::Answer> AdminCommands::answer(const SubmissionEntry& submission, std::uint32_t pageBytes,
                                                           Time now)
{
    QueueManager& queues = parts_.queues;
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
    case AdminOpcode::SetFeatures: return setFeature(submission);
    case AdminOpcode::GetFeatures: return getFeature(submission);
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

AdminCommands::Answer AdminCommands::setFeature(const SubmissionEntry& submission)
{
    Answer answer;
    answer.status = features_.set(submission, answer.result);
    return answer;
}

AdminCommands::Answer AdminCommands::getFeature(const SubmissionEntry& submission) const
{
    Answer answer;
    answer.status = features_.get(submission, answer.result);
    return answer;
}

// --- data to the host ------------------------------------------------------------------------------------------------

NvmeStatus AdminCommands::returnData(const SubmissionEntry& submission, const void* data, std::uint32_t bytes,
                                     std::uint32_t pageBytes, Time now)
{
    const std::uint64_t first = submission.prp1();
    const auto inFirst = static_cast<std::uint32_t>(std::min<std::uint64_t>(bytes, pageBytes - first % pageBytes));
    if (first % 4 != 0 || (bytes > inFirst && submission.prp2() % pageBytes != 0))
        return NvmeStatus::PrpOffsetInvalid;
    const auto* source = static_cast<const std::byte*>(data);
    if (!parts_.memory.write(first, source, inFirst) ||
        (bytes > inFirst && !parts_.memory.write(submission.prp2(), source + inFirst, bytes - inFirst)))
        return NvmeStatus::DataTransferError;
    const PcieConfig& config = parts_.port.config();
    TlpTrain train = writeTrain(config, first, inFirst);
    train.add(writeTrain(config, submission.prp2(), bytes - inFirst));
    parts_.port.link().sendUp(train, now); // ahead of the completion, in the same direction
    return NvmeStatus::Success;
}

NvmeStatus AdminCommands::identify(const SubmissionEntry& submission, std::uint32_t pageBytes, Time now)
{
    enum Structure : std::uint32_t {
        oneNamespace = 0,
        controller = 1,
        activeList = 2,
        descriptors = 3,
        namespaceOfCommandSet = 5,
        controllerOfCommandSet = 6
    };
    const ZoneShape zones = parts_.io.zones();
    const bool isOfZones = zones.sectors != 0 && submission.dword[11] >> 24U == zonedCommandSet;
    const std::uint32_t space = submission.namespaceId();
    IdentifyPage page{};
    switch (submission.dword[10] & 0xFFU) {
    case oneNamespace:
        if (space != 1 && space != allNamespaces)
            return NvmeStatus::InvalidNamespace;
        page = identifyNamespace(parts_.io.capacitySectors());
        break;
    case controller:
        page = identifyController(
            {maxTransferPages, AsyncEvents::requestLimit, std::uint32_t{ErrorLog::size}, of_.hasVolatileCache});
        break;
    case activeList:
        if (space >= 0xFFFF'FFFE)
            return NvmeStatus::InvalidNamespace;
        page = activeNamespaces(space);
        break;
    case descriptors:
        if (space != 1)
            return NvmeStatus::InvalidNamespace;
        page = namespaceDescriptors(zones.sectors != 0);
        break;
    case namespaceOfCommandSet:
        if (!isOfZones)
            return NvmeStatus::InvalidField;
        if (space != 1)
            return NvmeStatus::InvalidNamespace;
        page = identifyZonedNamespace(zones);
        break;
    case controllerOfCommandSet:
        if (!isOfZones)
            return NvmeStatus::InvalidField;
        page = identifyZonedController();
        break;
    default: return NvmeStatus::InvalidField;
    }
    return returnData(submission, page.data(), identifyBytes, pageBytes, now);
}

NvmeStatus AdminCommands::getLogPage(const SubmissionEntry& submission, std::uint32_t pageBytes, Time now)
{
    enum Log : std::uint32_t { errors = 1, smart = 2, firmwareSlots = 3, extendedHealth = 0xC0 };
    constexpr std::uint32_t retainBit = 1U << 15U;
    const std::uint32_t dwords = (submission.dword[10] >> 16U) + 1 + (low16(submission.dword[11]) << 16U);
    const std::uint64_t offset = submission.quad(12);
    const IoCommands::Statistics& io = parts_.io.statistics();
    const ErrorLog& errorLog = parts_.completions.errorLog();
    const auto health = [this] { return of_.health ? of_.health() : DriveHealth{}; };
    LogPage page{};
    switch (submission.dword[10] & 0xFFU) {
    case errors:
        page = errorLogPage(errorLog);
        if ((submission.dword[10] & retainBit) == 0)
            events_.logRead();
        break;
    case smart:
        page = smartLog({io.sectorsRead, io.sectorsWritten, io.reads, io.writes, io.mediaErrors, errorLog.count(),
                         of_.powerLosses + std::uint64_t{1}, of_.powerLosses},
                        health());
        break;
    case extendedHealth: page = extendedHealthLog({io.mediaErrors, of_.powerLosses}, health()); break;
    case firmwareSlots: page = firmwareSlotPage(); break;
    default: return NvmeStatus::InvalidLogPage;
    }
    if (offset % 4 != 0 || offset > page.size())
        return NvmeStatus::InvalidField;
    const auto bytes =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(dwords * std::uint64_t{4}, page.size() - offset));
    return returnData(submission, page.data() + offset, bytes, pageBytes, now);
}

// --- asynchronous events ---------------------------------------------------------------------------------------------

void AdminCommands::raise(std::uint32_t event, Time now)
{
    events_.raise(event);
    reportEvent(now);
}

void AdminCommands::reportEvent(Time now)
{
    if (const auto report = events_.next())
        parts_.completions.finish(0, report->id, NvmeStatus::Success, report->event, now);
}

} // namespace strobe::host::nvme
