// SPDX-License-Identifier: Apache-2.0
//
// I/O commands: what they ask for, where their data lies, and its way between host memory and the drive.
#include "models/base/check.h"
#include "models/host/nvme/nvme_controller.h"

#include <algorithm>

namespace strobe::host::nvme {

namespace {

Status statusOf(CommandStatus status)
{
    switch (status) {
    case CommandStatus::Ok: return Status::Success;
    case CommandStatus::Uncorrectable: return Status::UnrecoveredReadError;
    case CommandStatus::OutOfRange: return Status::LbaOutOfRange;
    case CommandStatus::NotSupported: return Status::InvalidOpcode;
    case CommandStatus::DeviceFault: return Status::InternalError;
    }
    checkFailed("unknown command status", __FILE__, __LINE__);
}

constexpr std::uint64_t entryBytes = sizeof(std::uint64_t); // of a page list

} // namespace

// --- commands --------------------------------------------------------------------------------------------------------

void Controller::execute(std::uint16_t queue, const Submission& submission, Time now)
{
    --promised_;
    const std::uint16_t slot = freeContexts_.back();
    freeContexts_.pop_back();
    Context& context = contexts_[slot];
    context.state = Context::State::Gathering;
    context.isDropped = context.isShutdown = context.isZeroes = context.hasFailed = false;
    context.queue = queue;
    context.id = submission.id();
    context.command = {};
    context.command.slot = slot;
    context.pages.clear();
    context.pagesLeft = 0;
    context.ranges.clear();
    context.nextRange = 0;
    const Status status = prepare(context, submission);
    if (status == Status::Success)
        gather(slot, submission, now);
    else
        release(slot, status, now);
}

Status Controller::prepare(Context& context, const Submission& submission)
{
    Command& command = context.command;
    const auto opcode = static_cast<IoOpcode>(submission.opcode());
    const std::uint32_t space = submission.namespaceId();
    if ((submission.dword[0] >> 8U & 0xC3U) != 0) // fused, or SGLs
        return Status::InvalidField;
    if (space != 1 && !(space == allNamespaces && opcode == IoOpcode::Flush))
        return Status::InvalidNamespace;
    const bool cacheIsOff = features_[static_cast<std::size_t>(Feature::VolatileWriteCache)] == 0;
    switch (opcode) {
    case IoOpcode::Flush: command.kind = RequestKind::Flush; return Status::Success;
    case IoOpcode::Read: command.kind = RequestKind::Read; return prepareBlocks(context, submission, true);
    case IoOpcode::Write:
    case IoOpcode::WriteZeroes:
        command.kind = RequestKind::Write;
        command.fua = cacheIsOff || (submission.dword[12] & fuaBit) != 0;
        context.isZeroes = opcode == IoOpcode::WriteZeroes;
        return prepareBlocks(context, submission, !context.isZeroes);
    case IoOpcode::DatasetManagement:
        command.kind = RequestKind::Trim;
        context.ranges.resize((submission.dword[10] & 0xFFU) + 1);
        return preparePages(context, context.ranges.size() * rangeBytes, submission);
    }
    return Status::InvalidOpcode;
}

Status Controller::prepareBlocks(Context& context, const Submission& submission, bool movesData)
{
    Command& command = context.command;
    command.lba = submission.quad(10);
    command.sectors = (submission.dword[12] & 0xFFFFU) + 1;
    const std::uint64_t capacity = drive_->capacitySectors();
    if (command.lba >= capacity || command.sectors > capacity - command.lba)
        return Status::LbaOutOfRange;
    return movesData ? preparePages(context, std::uint64_t{command.sectors} * sectorBytes, submission)
                     : Status::Success;
}

// What the two entries of the command say of its pages; the rest is in lists.
Status Controller::preparePages(Context& context, std::uint64_t bytes, const Submission& submission)
{
    const std::uint64_t first = submission.prp1();
    context.offset = first % pageBytes_;
    const bool tagsWouldTear = dataMode_ != DataMode::Bytes && context.offset % sectorBytes != 0;
    if (first % 4 != 0 || (tagsWouldTear && context.ranges.empty()))
        return Status::PrpOffsetInvalid;
    context.pages.push_back(first - context.offset);
    const std::uint64_t inFirst = pageBytes_ - context.offset;
    if (bytes <= inFirst)
        return Status::Success;
    const std::uint64_t pages = (bytes - inFirst + pageBytes_ - 1) / pageBytes_;
    const std::uint64_t second = submission.prp2();
    if (pages > 1) {
        context.pagesLeft = pages;
        return second % entryBytes == 0 ? Status::Success : Status::PrpOffsetInvalid;
    }
    context.pages.push_back(second);
    return second % pageBytes_ == 0 ? Status::Success : Status::PrpOffsetInvalid;
}

// Page lists first, then ranges, then the drive.
void Controller::gather(std::uint16_t slot, const Submission& submission, Time now)
{
    const Context& context = contexts_[slot];
    if (context.pagesLeft > 0) {
        fetchPageList(slot, submission.prp2(), now);
    } else if (!context.ranges.empty()) {
        Read read;
        read.purpose = Read::Purpose::Ranges;
        read.slot = slot;
        read.count = static_cast<std::uint32_t>(context.ranges.size());
        read.address = submission.prp1();
        startRead(read, link_.requestRead(read.address, read.count * rangeBytes, now));
    } else {
        start(slot, now);
    }
}

// As much of a list as lies in one page; if the command needs more, the last entry there points to the next.
void Controller::fetchPageList(std::uint16_t slot, std::uint64_t address, Time now)
{
    const std::uint64_t room = (pageBytes_ - address % pageBytes_) / entryBytes;
    Read read;
    read.purpose = Read::Purpose::PageList;
    read.slot = slot;
    read.count = static_cast<std::uint32_t>(std::min(room, contexts_[slot].pagesLeft));
    read.address = address;
    startRead(read, link_.requestRead(address, read.count * std::uint32_t{entryBytes}, now));
}

void Controller::pageListArrived(const Read& read, Time now)
{
    Context& context = contexts_[read.slot];
    std::vector<std::uint64_t>& pages = context.pages;
    const std::size_t before = pages.size();
    pages.resize(before + read.count);
    if (!memory_.read(read.address, &pages[before], read.count * std::uint32_t{entryBytes})) {
        release(read.slot, Status::DataTransferError, now);
        return;
    }
    const bool continues = read.count < context.pagesLeft;
    const std::uint64_t next = pages.back();
    if (continues)
        pages.pop_back();
    context.pagesLeft -= pages.size() - before;
    const bool hasOffset = std::any_of(pages.begin() + static_cast<std::ptrdiff_t>(before), pages.end(),
                                       [this](std::uint64_t page) { return page % pageBytes_ != 0; });
    if (hasOffset || (continues && next % entryBytes != 0))
        release(read.slot, Status::PrpOffsetInvalid, now);
    else if (continues)
        fetchPageList(read.slot, next, now);
    else
        start(read.slot, now);
}

void Controller::rangesArrived(const Read& read, Time now)
{
    Context& context = contexts_[read.slot];
    const std::uint64_t capacity = drive_->capacitySectors();
    const auto bytes = static_cast<std::uint32_t>(context.ranges.size() * rangeBytes);
    const auto inFirst = static_cast<std::uint32_t>(std::min<std::uint64_t>(bytes, pageBytes_ - context.offset));
    auto* target = reinterpret_cast<std::byte*>(context.ranges.data());
    if (!memory_.read(read.address, target, inFirst) ||
        (bytes > inFirst && !memory_.read(context.pages[1], target + inFirst, bytes - inFirst))) {
        release(read.slot, Status::DataTransferError, now);
        return;
    }
    for (const Range& range : context.ranges) {
        if (range.lba > capacity || range.blocks > capacity - range.lba) {
            release(read.slot, Status::LbaOutOfRange, now);
            return;
        }
    }
    start(read.slot, now);
}

void Controller::start(std::uint16_t slot, Time now)
{
    Context& context = contexts_[slot];
    context.state = Context::State::InDrive;
    ++inDrive_;
    if (context.command.kind == RequestKind::Trim) {
        submitRange(slot, now);
        return;
    }
    if (context.command.kind == RequestKind::Read) {
        ++smart_.reads;
        smart_.sectorsRead += context.command.sectors;
    } else if (context.command.kind == RequestKind::Write) {
        ++smart_.writes;
        smart_.sectorsWritten += context.command.sectors;
    }
    drive_->submit(context.command, now);
}

// The next range of a deallocation; empty ones are passed over.
void Controller::submitRange(std::uint16_t slot, Time now)
{
    Context& context = contexts_[slot];
    while (context.nextRange < context.ranges.size() && context.ranges[context.nextRange].blocks == 0)
        ++context.nextRange;
    if (context.nextRange == context.ranges.size()) {
        release(slot, Status::Success, now);
        return;
    }
    const Range& range = context.ranges[context.nextRange++];
    context.command.lba = range.lba;
    context.command.sectors = range.blocks;
    drive_->submit(context.command, now);
}

void Controller::complete(std::uint16_t slot, CommandStatus status, Time now)
{
    Context& context = contexts_[slot];
    check(context.state == Context::State::InDrive, "the drive completed a command that it does not have");
    if (status == CommandStatus::Uncorrectable)
        ++smart_.mediaErrors;
    if (status == CommandStatus::Ok && context.command.kind == RequestKind::Trim && !context.isDropped) {
        submitRange(slot, now);
        return;
    }
    const bool isUnreachable = status == CommandStatus::Ok && context.hasFailed;
    release(slot, isUnreachable ? Status::DataTransferError : statusOf(status), now);
}

// The slot is free again, and whoever waits is told.
void Controller::release(std::uint16_t slot, Status status, Time now)
{
    Context& context = contexts_[slot];
    inDrive_ -= context.state == Context::State::InDrive ? 1U : 0U;
    context.state = Context::State::Free;
    freeContexts_.push_back(slot);
    if (context.isDropped) {
        updateReady();
    } else if (context.isShutdown) {
        csts_ = (csts_ & ~cstsShutdownMask) | cstsShutdownDone;
    } else {
        finish(context.queue, context.id, status, 0, now);
    }
    pump(now);
}

// --- data ------------------------------------------------------------------------------------------------------------

Content Controller::staged(std::uint32_t sectors)
{
    staging_.resize(std::max(staging_.size(), sectors * stride(dataMode_)));
    return staging_.empty() ? Content{} : Content{staging_.data(), dataMode_};
}

bool Controller::moveToHost(const Context& context, const TransferOrder& order, Content content)
{
    bool isReachable = true;
    const bool isWhole = context.offset % sectorBytes == 0;
    eachPiece(context, order, [&](std::uint64_t address, std::uint64_t done, std::uint32_t part) {
        const bool moved =
            isWhole ? memory_.writeSectors(address, part / std::uint32_t{sectorBytes}, content.at(done / sectorBytes))
                    : memory_.write(address, content.data + done, part);
        isReachable = isReachable && moved;
    });
    return isReachable;
}

bool Controller::moveToDrive(const Context& context, const TransferOrder& order, Content content)
{
    bool isReachable = true;
    const bool isWhole = context.offset % sectorBytes == 0;
    eachPiece(context, order, [&](std::uint64_t address, std::uint64_t done, std::uint32_t part) {
        const bool moved =
            isWhole ? memory_.readSectors(address, part / std::uint32_t{sectorBytes}, content.at(done / sectorBytes))
                    : memory_.read(address, content.data + done, part);
        isReachable = isReachable && moved;
    });
    return isReachable;
}

void Controller::transfer(const TransferOrder& order, Time now)
{
    check(order.sectors > 0, "a transfer of no sectors");
    Context& context = contexts_[order.slot];
    if (context.isZeroes) {
        takeZeroes(order, now);
        return;
    }
    TlpTrain train;
    if (order.toHost) {
        const Content content = staged(order.sectors);
        const Time inMemory = drive_->accessBuffer(order.handle, 0, order.sectors, content, now);
        std::uint32_t last = 0;
        eachPiece(context, order, [&](std::uint64_t address, std::uint64_t, std::uint32_t part) {
            train.add(writeTrain(link_.config(), address, part));
            last = std::min(part, link_.config().maxPayload) + requestOverhead(address);
        });
        if (!context.isDropped && !moveToHost(context, order, content))
            context.hasFailed = true;
        const Time sent = link_.sendUp(train, now) - link_.config().latency;
        const Time done = std::max(sent, inMemory + link_.lineTime(last)); // the last packet follows the fetch
        events_.push(done, {Event::Kind::Transfer, 0, 0, order.handle});
        return;
    }
    Read read;
    read.purpose = Read::Purpose::Data;
    read.order = order;
    eachPiece(context, order, [&](std::uint64_t address, std::uint64_t, std::uint32_t part) {
        train.add(requestTrain(link_.config(), address, part));
    });
    startRead(read, link_.requestReads(train, now));
}

// The first byte of a transfer to the drive is here; the drive's memory is taken from now on.
void Controller::dataArrives(const Read& read, Time now)
{
    Context& context = contexts_[read.order.slot];
    const Content content = staged(read.order.sectors);
    if (!context.isDropped && !moveToDrive(context, read.order, content)) {
        context.hasFailed = true;
        clearSectors(content, read.order.sectors);
    }
    const Time inMemory = drive_->accessBuffer(read.order.handle, 0, read.order.sectors, content, now);
    events_.push(std::max(read.last, inMemory), {Event::Kind::Transfer, 0, 0, read.order.handle});
}

void Controller::takeZeroes(const TransferOrder& order, Time now)
{
    const Content content = staged(order.sectors);
    clearSectors(content, order.sectors);
    const Time inMemory = drive_->accessBuffer(order.handle, 0, order.sectors, content, now);
    events_.push(inMemory, {Event::Kind::Transfer, 0, 0, order.handle});
}

} // namespace strobe::host::nvme
