// SPDX-License-Identifier: Apache-2.0
#include "models/controller/flash_unit.h"

#include "models/base/check.h"
#include "models/base/strobe_registers.h"

#include <algorithm>
#include <array>

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
                     IdVector<ChannelId, EccEngines>& ecc, FlashDmaPort& memory, UnitPort& port)
    : context_{id, map, oneChip, memory, port, ecc, config, {}, nullptr}, window_(config.operations + 1),
      fetcher_(context_, window_.places()), rows_(context_)
{
    check(config.operations > 0, "a flash unit needs at least one row run at a time");
}

bool FlashUnit::submit(BusAddress head, Time now)
{
    if (unfinished_.size() - synthesizedOpen_ > context_.config.depth) {
        ++context_.counters.listsRefused;
        Failure failure;
        failure.kind = FailureKind::ListRefused;
        failure.at = now;
        failure.unit = context_.id;
        failure.descriptor = head;
        context_.port.noteFailure(failure);
        return false;
    }
    fetcher_.addList(head);
    addUnfinished(false, now);
    return true;
}

void FlashUnit::submitSynthesized(const FlashDescriptor& descriptor, Time now)
{
    ++synthesizedOpen_;
    fetcher_.addSynthesized(descriptor);
    addUnfinished(true, now);
}

void FlashUnit::addUnfinished(bool isSynthesized, Time now)
{
    unfinished_.push(now);
    maxWaiting_ = std::max(maxWaiting_, waitingLists());
    if (context_.observer != nullptr)
        context_.observer->listed(context_.id, isSynthesized, now);
    advance(now);
}

void FlashUnit::wake(std::uint32_t token, Time now)
{
    if (token != DescriptorFetcher::token(context_))
        rows_.wake(context_, token, now);
    else if (fetcher_.takeWake())
        fetcher_.arrived(context_, window_, now);
    advance(now);
}

void FlashUnit::operationDone(std::uint16_t lane, const nand::Operation& op, Time now)
{
    if (rows_.operationDone(context_, lane, op, now))
        advance(now);
}

void FlashUnit::hostTook(std::uint16_t lane, Time now)
{
    rows_.hostTook(context_, lane, now);
    advance(now);
}

// Mostly there is nothing left to do: decided here, without a call.
void FlashUnit::advance(Time now)
{
    for (bool hasAdvanced = true; hasAdvanced;) {
        window_.skipStarted();
        if (window_.isFirstDone())
            retire(window_.retire(), now);
        else if (UnitJob* const read = context_.config.hasPlaneReads ? window_.retireEarly() : nullptr; read != nullptr)
            retire(*read, now);
        else if (!window_.areAllStarted())
            hasAdvanced = startRow(now);
        else
            hasAdvanced = fetcher_.mayFetch(window_) && fetchDescriptor(now);
    }
}

bool FlashUnit::startRow(Time now)
{
    const std::uint32_t slot = rows_.findFree();
    UnitJob& job = window_.starting();
    if (slot == RowSlots::none || !window_.mayStart(job) || rows_.mustWait(job))
        return false;
    if (context_.observer != nullptr)
        context_.observer->rowStarted(context_.id, slot, placeOf(job), now);
    rows_.start(context_, slot, job, now);
    return true;
}

void FlashUnit::retire(UnitJob& job, Time now)
{
    if (job.outcome.code == StatusCode::Pending)
        job.outcome.code = StatusCode::Ok;
    const bool hasFailed = job.outcome.code != StatusCode::Ok;
    ++context_.counters.descriptors[job.isReadable ? opcodeIndex(job.descriptor.opcode) : 0];
    context_.counters.failed += hasFailed ? 1 : 0;
    synthesizedOpen_ -= job.isSynthesized ? 1 : 0;
    if (job.endsList) // before firmware can read it: it may write HEAD then
        finishList(now);

    if (job.isSynthesized) {
        if (context_.observer != nullptr)
            context_.observer->retired(context_.id, placeOf(job), now, now);
        context_.port.synthesizedDone(job.descriptor.cookie, !hasFailed, now);
        return;
    }
    const Time end = writeBack(job, now);
    Time visible = end;
    if (job.descriptor.report || hasFailed)
        visible = context_.port.reportEvent({job.outcome, job.address, job.descriptor.cookie, context_.id}, end);
    if (context_.observer != nullptr)
        context_.observer->retired(context_.id, placeOf(job), now, visible);
}

// STATUS, then COOKIE (unchanged) and SPARE0..3 if there is a spare record to return: one burst.
Time FlashUnit::writeBack(const UnitJob& job, Time now)
{
    static_assert(layout::COOKIE == layout::STATUS + 4 && layout::SPARE0 == layout::STATUS + 8);
    if (!job.isReadable)
        return now;
    checkOwnership(job, context_, now);
    const FlashDescriptor& descriptor = job.descriptor;
    const bool hasSpare = descriptor.opcode == SuperchipOpcode::Read && descriptor.inlineSpare &&
                          (job.outcome.code == StatusCode::Ok || job.outcome.code == StatusCode::Uncorrectable);
    std::array<std::uint32_t, 6> words{statusWord(job.outcome), descriptor.cookie};
    if (hasSpare)
        std::copy(job.spare.begin(), job.spare.end(), words.begin() + 2);
    const std::uint32_t bytes = hasSpare ? sizeof words : sizeof words[0];
    const Moved moved =
        context_.moveControl(job.address + layout::STATUS, words.data(), bytes, Direction::ToMemory, now);
    check(moved.ok, "memory that held a descriptor is no longer mapped");
    context_.spend(Stage::WritingBack, moved.end - now);
    return moved.end;
}

void FlashUnit::finishList(Time now)
{
    const Time arrived = std::max(unfinished_.pop(), measuredFrom_);
    const Time start = std::max(arrived, lastFinish_);
    usage_.account(arrived, start, now - start);
    lastFinish_ = now;
    ++context_.counters.lists;
}

bool FlashUnit::fetchDescriptor(Time now)
{
    switch (fetcher_.fetch(context_, window_, now)) {
    case DescriptorFetcher::Result::Nothing: return false;
    case DescriptorFetcher::Result::Done: return true;
    case DescriptorFetcher::Result::Arriving: break;
    }
    if (!startAhead(fetcher_.arrivesAt()))
        context_.port.wakeUnit(context_.id, DescriptorFetcher::token(context_), fetcher_.arrivesAt());
    return true;
}

// A descriptor that needs no further burst before the bus needs no wake-up: its rows are sent now for the time of its
// arrival. Nothing that happens until then can take their slots. False: it has to wait.
bool FlashUnit::startAhead(Time arrival)
{
    const UnitJob& job = window_.arriving();
    if (!fetcher_.needsNoMore(job) || rows_.findFree() == RowSlots::none || !window_.mayStart(job))
        return false;
    fetcher_.arrived(context_, window_, arrival);
    while (!window_.areAllStarted() && startRow(arrival))
        window_.skipStarted();
    return true;
}

void FlashUnit::resetCounters(Time now)
{
    measuredFrom_ = now;
    usage_.resetUsage();
    context_.counters = {};
    maxWaiting_ = waitingLists();
}

} // namespace strobe::controller
