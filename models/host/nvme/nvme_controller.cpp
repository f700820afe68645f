// SPDX-License-Identifier: Apache-2.0
//
// Registers, doorbells, queues, and what is under way on the link.
#include "models/host/nvme/nvme_controller.h"

#include "models/base/check.h"

#include <algorithm>

namespace strobe::host::nvme {

namespace {

constexpr std::uint32_t field(std::uint32_t value, std::uint32_t shift, std::uint32_t bits)
{
    return value >> shift & ((1U << bits) - 1);
}

constexpr std::uint32_t largestPage = 4; // MPSMAX: 64 KiB
constexpr std::uint32_t weightedSupported = 1U << 17U;
constexpr std::uint32_t contiguousRequired = 1U << 16U;
constexpr std::uint32_t timeout = 20; // of 500 ms
constexpr std::uint32_t writableControl = 0x00FF'FFF1;

// Trying a command that failed so again is in vain.
bool isPermanent(Status status)
{
    switch (status) {
    case Status::Success:
    case Status::DataTransferError:
    case Status::InternalError:
    case Status::AbortRequested:
    case Status::UnrecoveredReadError: return false;
    default: return true;
    }
}

} // namespace

Controller::Controller(const ControllerConfig& config, DataMode dataMode, PcieLink& link, HostMemory& memory)
    : config_(config), dataMode_(dataMode), link_(link), memory_(memory), interrupts_(config.queues + 1)
{
    check((config.queues + 1) * 2 * (4U << config.doorbellStride) <= reg::msixTable - reg::doorbells,
          "the doorbells of an NVMe controller reach into its MSI-X table");
    reset();
}

void Controller::connect(HostPort& drive)
{
    check(drive.slots() <= maxSlots, "an NVMe port has no more than 4096 command slots in the drive");
    drive_ = &drive;
    contexts_.resize(drive.slots());
    for (std::uint32_t slot = drive.slots(); slot-- > 0;)
        freeContexts_.push_back(static_cast<std::uint16_t>(slot));
}

// --- registers -------------------------------------------------------------------------------------------------------

void Controller::writeRegister(std::uint32_t offset, std::uint32_t bytes, std::uint64_t value, Time now)
{
    if ((bytes != 4 && bytes != 8) || offset % bytes != 0)
        return;
    events_.push(link_.writeRegister(config_.bar, bytes, now),
                 {Event::Kind::Register, static_cast<std::uint8_t>(bytes), offset, value});
}

std::uint64_t Controller::readRegister(std::uint32_t offset, std::uint32_t bytes) const
{
    if ((bytes != 4 && bytes != 8) || offset % bytes != 0)
        return 0;
    return bytes == 4 ? readDword(offset) : std::uint64_t{readDword(offset + 4)} << 32 | readDword(offset);
}

std::uint32_t Controller::readDword(std::uint32_t offset) const
{
    if (offset >= reg::msixPending)
        return interrupts_.readPending(offset - reg::msixPending);
    if (offset >= reg::msixTable)
        return interrupts_.readTable(offset - reg::msixTable);
    switch (offset) {
    case reg::CAP: return (config_.entries - 1) | contiguousRequired | weightedSupported | timeout << 24U;
    case reg::CAP + 4: return config_.doorbellStride | 1U << 5U | largestPage << 20U; // NVM command set, MPSMAX
    case reg::VS: return version;
    case reg::INTMS:
    case reg::INTMC: return interrupts_.pinMask;
    case reg::CC: return cc_;
    case reg::CSTS: return csts_;
    case reg::AQA: return aqa_;
    case reg::ASQ: return static_cast<std::uint32_t>(asq_);
    case reg::ASQ + 4: return static_cast<std::uint32_t>(asq_ >> 32);
    case reg::ACQ: return static_cast<std::uint32_t>(acq_);
    case reg::ACQ + 4: return static_cast<std::uint32_t>(acq_ >> 32);
    default: return 0; // doorbells and what is reserved
    }
}

void Controller::applyWrite(std::uint32_t offset, std::uint32_t value, Time now)
{
    constexpr std::uint64_t low = 0xFFFF'FFFF;
    constexpr std::uint32_t pageMask = 0xFFF;
    const auto setLow = [&](std::uint64_t& target) { target = (target & ~low) | (value & ~pageMask); };
    const auto setHigh = [&](std::uint64_t& target) { target = (target & low) | std::uint64_t{value} << 32; };
    if (offset >= reg::msixTable) {
        if (offset < reg::msixPending)
            interrupts_.writeTable(offset - reg::msixTable, value);
        return;
    }
    if (offset >= reg::doorbells) {
        ringDoorbell(offset - reg::doorbells, value, now);
        return;
    }
    switch (offset) {
    case reg::INTMS: interrupts_.pinMask |= value; break;
    case reg::INTMC: interrupts_.pinMask &= ~value; break;
    case reg::CC: configure(value & writableControl, now); break;
    case reg::AQA: aqa_ = value & 0x0FFF'0FFF; break;
    case reg::ASQ: setLow(asq_); break;
    case reg::ASQ + 4: setHigh(asq_); break;
    case reg::ACQ: setLow(acq_); break;
    case reg::ACQ + 4: setHigh(acq_); break;
    default: break; // read-only or reserved
    }
}

void Controller::setMsix(bool isEnabled, bool isMasked)
{
    interrupts_.setMsix(isEnabled, isMasked);
}

bool Controller::pin() const
{
    if (interrupts_.isMsix())
        return false;
    for (const CompletionQueue& cq : cqs_) {
        if (cq.exists && cq.interrupts && cq.occupied() > 0 && (interrupts_.pinMask & 1U) == 0)
            return true;
    }
    return false;
}

// --- enable, reset, shutdown -----------------------------------------------------------------------------------------

void Controller::configure(std::uint32_t value, Time now)
{
    const bool wasEnabled = (cc_ & ccEnable) != 0;
    const bool isEnabled = (value & ccEnable) != 0;
    const bool shutDownAsked = field(cc_, 14, 2) == 0 && field(value, 14, 2) != 0;
    cc_ = value;
    if (!wasEnabled && isEnabled)
        enable();
    else if (wasEnabled && !isEnabled)
        reset();
    else if (shutDownAsked && isEnabled)
        shutDown();
    updateReady();
    pump(now);
}

void Controller::enable()
{
    const std::uint32_t page = field(cc_, 7, 4);
    const std::uint32_t sqEntries = field(aqa_, 0, 12) + 1;
    const std::uint32_t cqEntries = field(aqa_, 16, 12) + 1;
    pageBytes_ = 4096U << std::min(page, largestPage);
    const std::uint32_t arbitration = field(cc_, 11, 3);
    if (field(cc_, 4, 3) != 0 || page > largestPage || arbitration > 1 || sqEntries < 2 || cqEntries < 2 ||
        asq_ % pageBytes_ != 0 || acq_ % pageBytes_ != 0) {
        fatal();
        return;
    }
    arbiter_.configure(arbitration == 1 ? Arbitration::Weighted : Arbitration::RoundRobin);
    sqs_[0] = {true, asq_, sqEntries, 0, Priority::Urgent};
    cqs_[0] = {true, acq_, cqEntries, 0, true};
}

// The drive keeps working on what it has; its answers are dropped.
void Controller::reset()
{
    ++generation_;
    sqs_.assign(1, {});
    cqs_.assign(1, {});
    waiting_.assign(1, {});
    interrupts_.reset();
    features_ = {};
    features_[static_cast<std::size_t>(Feature::Arbitration)] = defaultBurst;
    arbiter_.setFeature(defaultBurst);
    features_[static_cast<std::size_t>(Feature::VolatileWriteCache)] = 1;
    grantedQueues_ = 0;
    eventRequests_.clear();
    pendingEvents_.clear();
    deletions_.clear();
    isEventMasked_ = false;
    isShuttingDown_ = false;
    promised_ = 0;
    for (std::size_t slot = 0; slot < contexts_.size(); ++slot) {
        Context& context = contexts_[slot];
        if (context.state == Context::State::Gathering) {
            context.state = Context::State::Free;
            freeContexts_.push_back(static_cast<std::uint16_t>(slot));
        }
        context.isDropped = context.state == Context::State::InDrive;
    }
    csts_ &= ~(cstsFatal | cstsShutdownMask);
}

void Controller::updateReady()
{
    const bool isEnabled = (cc_ & ccEnable) != 0;
    if (isEnabled && isDriveReady_ && sqs_[0].exists && (csts_ & cstsReady) == 0 && inDrive_ == 0)
        csts_ |= cstsReady;
    else if (!isEnabled && inDrive_ == 0)
        csts_ &= ~cstsReady;
}

void Controller::shutDown()
{
    isShuttingDown_ = true;
    csts_ = (csts_ & ~cstsShutdownMask) | cstsShutdownBusy;
}

void Controller::fatal()
{
    csts_ |= cstsFatal;
}

void Controller::driveReady(Time now)
{
    isDriveReady_ = true;
    updateReady();
    pump(now);
}

// --- doorbells -------------------------------------------------------------------------------------------------------

void Controller::ringDoorbell(std::uint32_t offset, std::uint32_t value, Time now)
{
    if (!isRunning())
        return;
    const std::uint32_t index = offset / (4U << config_.doorbellStride);
    const std::uint32_t id = index / 2;
    const bool isCompletion = index % 2 != 0;
    if (offset % (4U << config_.doorbellStride) != 0 || (isCompletion ? !hasCq(id) : !hasSq(id))) {
        raise(invalidDoorbellRegister, now);
        return;
    }
    if (isCompletion) {
        CompletionQueue& cq = cqs_[id];
        const std::uint32_t taken = (value + cq.entries - cq.head) % cq.entries;
        if (value >= cq.entries || taken == 0 || taken > cq.occupied()) {
            raise(invalidDoorbellValue, now);
            return;
        }
        cq.head = value;
        postWaiting(static_cast<std::uint16_t>(id), now);
        return;
    }
    SubmissionQueue& sq = sqs_[id];
    const std::uint32_t added = (value + sq.entries - sq.tail) % sq.entries;
    if (value >= sq.entries || added == 0 || added > sq.free()) {
        raise(invalidDoorbellValue, now);
        return;
    }
    sq.tail = value;
    pump(now);
}

// --- fetching --------------------------------------------------------------------------------------------------------

void Controller::pump(Time now)
{
    if (!isRunning())
        return;
    if (isShuttingDown_) { // nothing is fetched any more; when the drive is idle, it flushes
        if (inDrive_ != 0 || promised_ != 0 || freeContexts_.size() != contexts_.size())
            return;
        isShuttingDown_ = false;
        const std::uint16_t slot = freeContexts_.back();
        freeContexts_.pop_back();
        Context& context = contexts_[slot];
        context.isShutdown = true;
        context.isDropped = context.isZeroes = context.hasFailed = false;
        context.command = {slot, RequestKind::Flush, false, 0, 0};
        context.ranges.clear();
        start(slot, now);
        return;
    }
    if ((csts_ & cstsShutdownMask) != 0)
        return;
    while (sqs_[0].waiting() > 0)
        fetch(0, sqs_[0].waiting(), now);
    for (;;) {
        const auto available = static_cast<std::uint32_t>(freeContexts_.size()) - promised_;
        const auto grant = available > 0 ? arbiter_.next(sqs_, available) : std::nullopt;
        if (!grant)
            return;
        fetch(grant->queue, grant->commands, now);
    }
}

// Up to `count` entries, as many as lie together.
void Controller::fetch(std::uint16_t queue, std::uint32_t count, Time now)
{
    SubmissionQueue& sq = sqs_[queue];
    count = std::min(count, sq.entries - sq.head);
    Read read;
    read.purpose = Read::Purpose::Commands;
    read.queue = queue;
    read.count = count;
    read.address = sq.base + std::uint64_t{sq.head} * submissionBytes;
    sq.head = (sq.head + count) % sq.entries;
    sq.outstanding += count;
    sq.fetched += count;
    if (queue != 0) {
        promised_ += count;
        ++counters_.fetches;
        counters_.commands += count;
        counters_.byPriority[static_cast<std::size_t>(sq.priority)] += count;
    }
    startRead(read, link_.requestRead(read.address, count * submissionBytes, now));
}

// --- reads of host memory --------------------------------------------------------------------------------------------

std::uint32_t Controller::startRead(const Read& read, Time at)
{
    if (freeReads_.empty()) {
        freeReads_.push_back(static_cast<std::uint32_t>(reads_.size()));
        reads_.emplace_back();
    }
    const std::uint32_t index = freeReads_.back();
    freeReads_.pop_back();
    reads_[index] = read;
    reads_[index].generation = generation_;
    events_.push(at, {Event::Kind::ReadStart, 0, index, 0});
    return index;
}

void Controller::readStarts(std::uint32_t index, Time now)
{
    Read& read = reads_[index];
    TlpTrain train;
    std::uint32_t bytes = 0;
    switch (read.purpose) {
    case Read::Purpose::Commands: bytes = read.count * submissionBytes; break;
    case Read::Purpose::PageList: bytes = read.count * std::uint32_t{sizeof(std::uint64_t)}; break;
    case Read::Purpose::Ranges: bytes = read.count * rangeBytes; break;
    case Read::Purpose::Data:
        eachPiece(contexts_[read.order.slot], read.order,
                  [&](std::uint64_t address, std::uint64_t, std::uint32_t part) {
                      train.add(completionTrain(link_.config(), address, part));
                  });
        break;
    }
    if (read.purpose != Read::Purpose::Data)
        train = completionTrain(link_.config(), read.address, bytes);
    const PcieLink::Arrival arrival = link_.completeReads(train, now);
    read.last = arrival.last;
    if (read.purpose == Read::Purpose::Data)
        events_.push(arrival.first, {Event::Kind::ReadFirst, 0, index, 0});
    else
        events_.push(arrival.last, {Event::Kind::ReadDone, 0, index, 0});
}

void Controller::readDone(std::uint32_t index, Time now)
{
    const Read read = reads_[index];
    freeReads_.push_back(index);
    if (read.purpose == Read::Purpose::Data) {
        dataArrives(read, now); // the drive waits for it, whatever has become of the controller
        return;
    }
    if (read.generation != generation_)
        return;
    switch (read.purpose) {
    case Read::Purpose::Commands: commandsArrived(read, now); break;
    case Read::Purpose::PageList: pageListArrived(read, now); break;
    case Read::Purpose::Ranges: rangesArrived(read, now); break;
    case Read::Purpose::Data: break;
    }
}

void Controller::commandsArrived(const Read& read, Time now)
{
    for (std::uint32_t i = 0; i < read.count && read.generation == generation_; ++i) {
        Submission submission;
        if (!memory_.read(read.address + std::uint64_t{i} * submissionBytes, submission.dword.data(),
                          submissionBytes)) {
            fatal();
            return;
        }
        SubmissionQueue& sq = sqs_[read.queue];
        sq.reported = (sq.reported + 1) % sq.entries;
        if (read.queue == 0)
            admin(submission, now);
        else
            execute(read.queue, submission, now);
    }
}

// --- completions -----------------------------------------------------------------------------------------------------

void Controller::finish(std::uint16_t queue, std::uint16_t id, Status status, std::uint32_t result, Time now)
{
    SubmissionQueue& sq = sqs_[queue];
    --sq.outstanding;
    if (status != Status::Success)
        noteError(queue, id, status);
    Completion completion;
    completion.result = result;
    completion.sqHead = static_cast<std::uint16_t>(sq.reported);
    completion.sqId = queue;
    completion.commandId = id;
    completion.statusAndPhase =
        static_cast<std::uint16_t>(static_cast<unsigned>(status) << 1U | (isPermanent(status) ? 0x8000U : 0U));
    const std::uint16_t cq = sq.completionQueue;
    if (cqs_[cq].isFull() || !waiting_[cq].empty()) {
        ++counters_.heldBack;
        waiting_[cq].push(completion);
    } else {
        post(cq, completion, now);
    }
    if (sq.outstanding != 0)
        return;
    for (std::size_t i = 0; i < deletions_.size(); ++i) { // somebody waits for this queue's last command
        const Deletion deletion = deletions_[i];
        if (deletion.queue != queue)
            continue;
        deletions_.erase(deletions_.begin() + static_cast<std::ptrdiff_t>(i));
        sq = {};
        finish(0, deletion.id, Status::Success, 0, now);
        return;
    }
}

void Controller::post(std::uint16_t id, Completion completion, Time now)
{
    CompletionQueue& cq = cqs_[id];
    completion.statusAndPhase = static_cast<std::uint16_t>(completion.statusAndPhase | (cq.phase ? 1U : 0U));
    const std::uint64_t address = cq.base + std::uint64_t{cq.tail} * completionBytes;
    if (++cq.tail == cq.entries) {
        cq.tail = 0;
        cq.phase = !cq.phase;
    }
    posted_.push({address, completion, generation_});
    events_.push(link_.write(address, completionBytes, now), {Event::Kind::Completion, 0, 0, 0});
    if (!cq.interrupts)
        return;
    interrupts_.completed(cq.vector, now, [&](const Interrupts::Message& message) {
        ++counters_.messages;
        messages_.push({message.address, message.data});
        events_.push(link_.write(message.address, 4, now), {Event::Kind::Message, 0, 0, 0});
    });
}

void Controller::postWaiting(std::uint16_t cq, Time now)
{
    while (!waiting_[cq].empty() && !cqs_[cq].isFull())
        post(cq, waiting_[cq].pop(), now);
}

// --- what is due -----------------------------------------------------------------------------------------------------

void Controller::advance(Time now)
{
    while (events_.isDue(now)) {
        const Event event = events_.pop();
        switch (event.kind) {
        case Event::Kind::Register:
            applyWrite(event.index, static_cast<std::uint32_t>(event.value), now);
            if (event.bytes == 8)
                applyWrite(event.index + 4, static_cast<std::uint32_t>(event.value >> 32), now);
            break;
        case Event::Kind::ReadStart: readStarts(event.index, now); break;
        case Event::Kind::ReadFirst:
        case Event::Kind::ReadDone: readDone(event.index, now); break;
        case Event::Kind::Transfer: drive_->transferDone(event.value, now); break;
        case Event::Kind::Completion: {
            const Posted posted = posted_.pop();
            if (posted.generation == generation_ && !memory_.write(posted.address, &posted.completion, completionBytes))
                fatal();
            break;
        }
        case Event::Kind::Message: {
            const Message message = messages_.pop();
            if (message_)
                message_(message.address, message.data, now);
            break;
        }
        }
    }
    interrupts_.advance(now, [&](const Interrupts::Message& message) {
        ++counters_.messages;
        messages_.push({message.address, message.data});
        events_.push(link_.write(message.address, 4, now), {Event::Kind::Message, 0, 0, 0});
    });
}

} // namespace strobe::host::nvme
