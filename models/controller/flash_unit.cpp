// SPDX-License-Identifier: Apache-2.0
//
// Lists and descriptors: fetching, admitting, retiring in order. What happens to row runs is in flash_unit_rows.cpp.
#include "models/controller/flash_unit.h"

#include "models/base/check.h"
#include "models/base/strobe_registers.h"

#include <algorithm>

namespace strobe::controller {

namespace layout = regs::flashDescriptor;

namespace {

std::size_t opcodeIndex(SuperchipOpcode opcode)
{
    const auto index = static_cast<std::size_t>(opcode);
    return index <= superchipOpcodeTable.size() ? index : 0;
}

} // namespace

FlashUnit::FlashUnit(UnitId id, const FlashUnitConfig& config, const SuperchipMap& map, const SuperchipMap& oneChip,
                     IdVector<ChannelId, EccEngines>& ecc, MemoryPort& memory, UnitPort& port)
    : id_(id), jobs_(config.operations + 1), slots_(config.operations), map_(map), oneChip_(oneChip), ecc_(ecc),
      memory_(memory), port_(port), config_(config)
{
    check(config.operations > 0, "a flash unit needs at least one row run at a time");
    const std::size_t rowBytes = map.sectorsPerRow() * stride(config.dataMode);
    blocks_.resize(jobs_.size() * 2 * map.chips());
    for (Slot& slot : slots_) {
        slot.manySpares.resize(buses() > 1 ? buses() : 0);
        slot.lanes.resize(linesOf(rowBytes));
        slot.sequence.resize(buses() > 1 ? rowBytes : 0);
    }
}

bool FlashUnit::submit(BusAddress head, Time now)
{
    if (unfinished_.size() - synthesizedOpen_ > config_.depth) {
        ++counters_.listsRefused;
        Failure failure;
        failure.kind = FailureKind::ListRefused;
        failure.at = now;
        failure.unit = id_;
        failure.descriptor = head;
        port_.noteFailure(failure);
        return false;
    }
    unfinished_.push(now);
    heads_.push(head);
    maxWaiting_ = std::max(maxWaiting_, waitingLists());
    advance(now);
    return true;
}

void FlashUnit::submitSynthesized(const FlashDescriptor& descriptor, Time now)
{
    unfinished_.push(now);
    ++synthesizedOpen_;
    synthesized_.push(descriptor);
    maxWaiting_ = std::max(maxWaiting_, waitingLists());
    advance(now);
}

void FlashUnit::wake(std::uint32_t token, Time now)
{
    if (token == fetchToken()) {
        isToldToFetch_ = false;
        if (isFetching_)
            descriptorArrived(now);
    } else if (slots_[token].stage == Stage::Decoding) {
        storeRow(token, now);
    } else {
        check(slots_[token].stage == Stage::StoringData, "a flash unit was woken for nothing");
        finishRow(slots_[token]);
    }
    advance(now);
}

void FlashUnit::advance(Time now)
{
    do {
        skipStarted();
    } while (retireJob(now) || startRow(now) || fetchDescriptor(now));
}

void FlashUnit::skipStarted()
{
    while (jobsStarted_ < jobCount_ && jobs_[jobIndex(jobsStarted_)].isStarted())
        ++jobsStarted_;
}

bool FlashUnit::startRow(Time now)
{
    if (jobsStarted_ == jobCount_)
        return false;
    const auto slot = std::find_if(slots_.begin(), slots_.end(), [](const Slot& s) { return s.isFree; });
    const std::uint32_t job = jobIndex(jobsStarted_);
    if (slot == slots_.end() || !mayStart(jobs_[job]) || mayOvertake(job))
        return false;
    startSlot(static_cast<std::uint32_t>(slot - slots_.begin()), job, now);
    return true;
}

// Pages that a merge programs and pages that it copies take different ways to the die, but pages of a block must come
// in order: the next row waits while an earlier one of the same dies is under way.
bool FlashUnit::mayOvertake(std::uint32_t jobNumber) const
{
    const Job& job = jobs_[jobNumber];
    if (!job.descriptor.hasSectorTable || job.descriptor.opcode == SuperchipOpcode::Read || job.rowsOpen == 0)
        return false;
    const std::uint32_t row = job.map->rowRun(job.cursor, job.end).row;
    return std::any_of(slots_.begin(), slots_.end(),
                       [&](const Slot& s) { return !s.isFree && s.job == jobNumber && s.run.row == row; });
}

// What is still under way of earlier descriptors may stand in the way: see "Order" in the header.
bool FlashUnit::mayStart(const Job& job) const
{
    for (std::uint32_t i = 0; i < jobsStarted_; ++i) {
        const Job& earlier = jobs_[jobIndex(i)];
        if (earlier.rowsOpen == 0)
            continue;
        const bool takesData = job.descriptor.opcode == SuperchipOpcode::Program || job.descriptor.hasSectorTable;
        const bool mayFeed = earlier.descriptor.opcode == SuperchipOpcode::Read && takesData;
        if (earlier.descriptor.superchip != job.descriptor.superchip || earlier.map != job.map)
            return false;
        if (mayFeed && !earlier.descriptor.isToHost())
            return false;
        // Sectors of one command go to the host in order.
        if (job.descriptor.isToHost() && earlier.descriptor.isToHost() && earlier.sent != earlier.descriptor.sectors &&
            earlier.descriptor.hostSlot() == job.descriptor.hostSlot())
            return false;
    }
    return true;
}

bool FlashUnit::retireJob(Time now)
{
    if (jobCount_ == 0 || !jobs_[firstJob_].isStarted() || jobs_[firstJob_].rowsOpen != 0)
        return false;
    Job& job = jobs_[firstJob_];
    firstJob_ = jobIndex(1);
    --jobCount_;
    --jobsStarted_;

    if (job.outcome.code == StatusCode::Pending)
        job.outcome.code = StatusCode::Ok;
    const bool hasFailed = job.outcome.code != StatusCode::Ok;
    ++counters_.descriptors[job.isReadable ? opcodeIndex(job.descriptor.opcode) : 0];
    counters_.failed += hasFailed ? 1 : 0;
    synthesizedOpen_ -= job.isSynthesized ? 1 : 0;
    if (job.endsList) // before firmware can know: it may write HEAD when it does
        finishList(now);

    if (job.isSynthesized) {
        port_.synthesizedDone(job.descriptor.cookie, !hasFailed, now);
        return true;
    }
    const Time end = writeBack(job, now);
    if (job.descriptor.report || hasFailed)
        port_.reportEvent({job.outcome, job.address, job.descriptor.cookie, id_}, end);
    return true;
}

// STATUS, and behind it COOKIE (as it was) and SPARE0..3 if there is a spare record to return: one burst.
Time FlashUnit::writeBack(const Job& job, Time now)
{
    static_assert(layout::COOKIE == layout::STATUS + 4 && layout::SPARE0 == layout::STATUS + 8);
    if (!job.isReadable)
        return now;
    const FlashDescriptor& descriptor = job.descriptor;
    const bool hasSpare = descriptor.opcode == SuperchipOpcode::Read && descriptor.inlineSpare &&
                          (job.outcome.code == StatusCode::Ok || job.outcome.code == StatusCode::Uncorrectable);
    std::array<std::uint32_t, 6> words{
        statusWord(job.outcome), descriptor.cookie, job.spare[0], job.spare[1], job.spare[2], job.spare[3]};
    const std::uint32_t bytes = hasSpare ? sizeof words : sizeof words[0];
    const Moved moved = moveControl(job.address + layout::STATUS, words.data(), bytes, Direction::ToMemory, now);
    check(moved.ok, "memory that held a descriptor is gone");
    spend(Stage::WritingBack, moved.end - now);
    return moved.end;
}

void FlashUnit::finishList(Time now)
{
    const Time arrived = std::max(unfinished_.pop(), measuredFrom_);
    const Time start = std::max(arrived, lastFinish_);
    usage_.account(arrived, start, now - start);
    lastFinish_ = now;
    ++counters_.lists;
}

FlashUnit::Job& FlashUnit::newJob(BusAddress address)
{
    if (jobCount_ == 0)
        firstJob_ = 0; // memory used last is used again: it is still near
    Job& job = jobs_[jobIndex(jobCount_)];
    job.descriptor = {};
    job.address = address;
    job.isReadable = false;
    job.isSynthesized = false;
    job.endsList = true;
    job.cursor = job.end = job.pagesStarted = 0;
    job.sent = 0;
    job.map = &map_;
    job.isStopped = false;
    job.outcome = {};
    return job;
}

bool FlashUnit::takeSynthesized(Time now)
{
    Job& job = newJob({});
    job.descriptor = synthesized_.pop();
    job.isReadable = job.isSynthesized = true;
    const MalformedReason reason = validate(job.descriptor, map_, config_.dataBuffer, config_.hasHost);
    if (reason != MalformedReason::None) {
        refuse(job, reason, now);
    } else if (fetchBlockLists(job, now)) {
        isFetching_ = true;
        return true;
    }
    admitJob(job);
    return true;
}

bool FlashUnit::fetchDescriptor(Time now)
{
    if (isFetching_ || jobsStarted_ != jobCount_ || jobCount_ == jobs_.size())
        return false;
    if (raw(nextDescriptor_) == 0 && heads_.empty() && !hasSynthesized())
        return false;
    if (now < fetchedAt_) { // the one before is still on its way
        if (!isToldToFetch_)
            port_.wakeUnit(id_, fetchToken(), fetchedAt_);
        isToldToFetch_ = true;
        return false;
    }
    if (raw(nextDescriptor_) == 0 && heads_.empty())
        return takeSynthesized(now);
    const BusAddress address = raw(nextDescriptor_) != 0 ? nextDescriptor_ : heads_.pop();
    nextDescriptor_ = {};

    Job& job = newJob(address);
    MalformedReason reason = MalformedReason::DescriptorAddress;
    if (isDescriptorAddress(address)) {
        DescriptorWords words;
        const Moved moved = moveControl(address, words.data(), descriptorBytes, Direction::FromMemory, now);
        if (moved.ok) {
            spend(Stage::FetchingDescriptor, moved.end - now);
            job.descriptor = parseDescriptor(words);
            job.map = job.descriptor.isOneChip ? &oneChip_ : &map_;
            malformed_ = validate(job.descriptor, *job.map, config_.dataBuffer, config_.hasHost);
            isFetching_ = true;
            fetchedAt_ = moved.end;
            if (!startAhead(moved.end))
                port_.wakeUnit(id_, fetchToken(), moved.end);
            return true;
        }
        reason = MalformedReason::DescriptorOutsideMemory;
    }
    refuse(job, reason, now);
    ++jobCount_;
    return true;
}

// What asks for no further burst before the bus need not be woken for: its rows are sent now for the time at which the
// descriptor is here. Nothing that happens until then can take their slots away. False: it has to wait.
bool FlashUnit::startAhead(Time arrival)
{
    const Job& job = jobs_[jobIndex(jobCount_)];
    const FlashDescriptor& descriptor = job.descriptor;
    const bool hasFreeSlot = std::any_of(slots_.begin(), slots_.end(), [](const Slot& s) { return s.isFree; });
    const bool needsMore = descriptor.opcode == SuperchipOpcode::Program || descriptor.hasSectorTable ||
                           !descriptor.inlineBlocks || malformed_ != MalformedReason::None;
    if (needsMore || !hasFreeSlot || !mayStart(job))
        return false;
    descriptorArrived(arrival);
    while (startRow(arrival))
        skipStarted();
    return true;
}

// The descriptor is here, or, at the second call, its block lists are.
void FlashUnit::descriptorArrived(Time now)
{
    Job& job = jobs_[jobIndex(jobCount_)];
    const FlashDescriptor& descriptor = job.descriptor;
    if (!isFetchingLists_) {
        job.isReadable = true;
        job.endsList = raw(descriptor.next) == 0;
        nextDescriptor_ = descriptor.next;
        if (malformed_ != MalformedReason::None)
            refuse(job, malformed_, now);
        else if (!descriptor.inlineBlocks && !descriptor.isUnmapped() && fetchBlockLists(job, now))
            return;
    }
    admitJob(job);
}

// Behind the others, ready to be started.
void FlashUnit::admitJob(Job& job)
{
    isFetchingLists_ = false;
    isFetching_ = false;
    if (!job.isStopped) {
        const FlashDescriptor& descriptor = job.descriptor;
        const bool isErase = descriptor.opcode == SuperchipOpcode::Erase;
        job.cursor = isErase ? 0 : descriptor.startSector;
        job.end = isErase ? job.map->degrees().chip : descriptor.endSector();
    }
    ++jobCount_;
}

// False: they cannot be read, the descriptor is refused.
bool FlashUnit::fetchBlockLists(Job& job, Time now)
{
    const std::uint32_t bytes = job.map->chips() * 4;
    std::uint32_t* targets = &blocks_[fetchedBlocks(job)];
    std::uint32_t* sources = targets + map_.chips();
    Moved moved = moveControl(BusAddress{job.descriptor.blocks}, targets, bytes, Direction::FromMemory, now);
    if (moved.ok && job.descriptor.opcode == SuperchipOpcode::CopyBack)
        moved = moveControl(BusAddress{job.descriptor.sourceBlocks}, sources, bytes, Direction::FromMemory, moved.end);
    if (!moved.ok) {
        refuse(job, MalformedReason::BlocksOutsideMemory, now);
        return false;
    }
    spend(Stage::FetchingDescriptor, moved.end - now);
    port_.wakeUnit(id_, fetchToken(), moved.end);
    isFetchingLists_ = true;
    return true;
}

// What stands in the data buffer is sectors, which may not be bytes at all.
Moved FlashUnit::moveControl(BusAddress address, void* data, std::uint32_t bytes, Direction direction, Time at)
{
    if (config_.dataBuffer.contains(address))
        return {at, false};
    return memory_.move(address, bytes, {static_cast<std::byte*>(data), DataMode::Bytes}, direction, at);
}

void FlashUnit::refuse(Job& job, MalformedReason reason, Time now)
{
    job.isStopped = true;
    if (job.outcome.code == StatusCode::Pending)
        job.outcome.code = StatusCode::Malformed;
    Failure failure;
    failure.kind = FailureKind::MalformedDescriptor;
    failure.at = now;
    failure.unit = id_;
    failure.descriptor = job.address;
    failure.malformed = reason;
    port_.noteFailure(failure);
}

void FlashUnit::resetCounters(Time now)
{
    measuredFrom_ = now;
    usage_.resetUsage();
    counters_ = {};
    maxWaiting_ = waitingLists();
}

} // namespace strobe::controller
