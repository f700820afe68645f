// SPDX-License-Identifier: Apache-2.0
#include "models/controller/descriptor_fetcher.h"

#include <algorithm>

namespace strobe::controller {

DescriptorFetcher::DescriptorFetcher(const UnitContext& unit, std::size_t places)
    : blocks_(places * 2 * unit.map.chips())
{
}

DescriptorFetcher::Result DescriptorFetcher::fetch(UnitContext& unit, JobWindow& window, Time now)
{
    if (now < arrivesAt_) { // the previous one has not arrived yet
        if (!isWakeOrdered_)
            unit.port.wakeUnit(unit.id, token(unit), arrivesAt_);
        isWakeOrdered_ = true;
        return Result::Nothing;
    }
    if (!hasLists())
        return takeSynthesized(unit, window, now);
    if (raw(next_) == 0) {
        next_ = heads_.pop();
        loop_.begin(next_);
    }
    const BusAddress address = next_;
    next_ = {};
    const bool isInExecution = window.holds(address);

    UnitJob& job = window.beginArrival(address, unit.map);
    MalformedReason reason = MalformedReason::DescriptorAddress;
    if (isDescriptorAddress(address)) {
        DescriptorWords words;
        const Moved moved = unit.moveControl(address, words.data(), descriptorBytes, Direction::FromMemory, now);
        if (moved.ok) {
            unit.spend(Stage::FetchingDescriptor, moved.end - now);
            std::copy_n(words.begin(), job.orders.size(), job.orders.begin());
            job.descriptor = parseDescriptor(words);
            job.map = job.descriptor.isOneChip ? &unit.oneChip : &unit.map;
            malformed_ = validate(job.descriptor, *job.map, unit.config.dataBuffer, unit.config.hasHost);
            if (isInExecution)
                malformed_ = MalformedReason::InExecution;
            if (loop_.isClosedBy(address, job.descriptor.next)) {
                job.descriptor.next = {}; // the list ends here
                malformed_ = MalformedReason::ListLoops;
            }
            isFetching_ = true;
            arrivesAt_ = moved.end;
            return Result::Arriving;
        }
        reason = MalformedReason::DescriptorOutsideMemory;
    }
    job.descriptor = {};
    refuseJob(job, unit, reason, now);
    reportJob(unit, window, job, now);
    window.admit();
    return Result::Done;
}

bool DescriptorFetcher::needsNoMore(const UnitJob& job) const
{
    return !job.takesData() && !job.descriptor.hasUnitTable && job.descriptor.inlineBlocks &&
           malformed_ == MalformedReason::None;
}

DescriptorFetcher::Result DescriptorFetcher::takeSynthesized(UnitContext& unit, JobWindow& window, Time now)
{
    UnitJob& job = window.beginArrival({}, unit.map);
    job.descriptor = synthesized_.pop();
    job.isReadable = job.isSynthesized = true;
    const MalformedReason reason = validate(job.descriptor, unit.map, unit.config.dataBuffer, unit.config.hasHost);
    if (reason != MalformedReason::None) {
        refuseJob(job, unit, reason, now);
    } else if (fetchBlockLists(unit, window, job, now)) {
        isFetching_ = true;
        return Result::Done;
    }
    admit(unit, window, job, now);
    return Result::Done;
}

void DescriptorFetcher::arrived(UnitContext& unit, JobWindow& window, Time now)
{
    UnitJob& job = window.arriving();
    const FlashDescriptor& descriptor = job.descriptor;
    if (!isFetchingLists_) {
        job.isReadable = true;
        job.endsList = raw(descriptor.next) == 0;
        next_ = descriptor.next;
        if (malformed_ != MalformedReason::None)
            refuseJob(job, unit, malformed_, now);
        else if (!descriptor.inlineBlocks && !descriptor.isUnmapped() && fetchBlockLists(unit, window, job, now))
            return;
    }
    admit(unit, window, job, now);
}

// After the others, ready to be started.
void DescriptorFetcher::admit(const UnitContext& unit, JobWindow& window, UnitJob& job, Time now)
{
    isFetchingLists_ = false;
    isFetching_ = false;
    if (!job.isStopped) {
        const FlashDescriptor& descriptor = job.descriptor;
        const bool isErase = descriptor.opcode == SuperchipOpcode::Erase;
        job.cursor = isErase ? 0 : descriptor.startSector;
        job.end = isErase ? job.map->degrees().chip : descriptor.endSector();
        const std::uint32_t* fetched = blocksOf(unit, window, job);
        job.targetBlocks = descriptor.inlineBlocks ? &descriptor.blocks : fetched;
        if (descriptor.opcode == SuperchipOpcode::CopyBack)
            job.sourceBlocks = descriptor.inlineBlocks ? &descriptor.sourceBlocks : fetched + unit.map.chips();
    }
    reportJob(unit, window, job, now);
    window.admit();
}

void DescriptorFetcher::reportJob(const UnitContext& unit, const JobWindow& window, const UnitJob& job, Time now)
{
    if (unit.observer != nullptr)
        unit.observer->fetched(
            {unit.id, static_cast<std::uint32_t>(window.placeOf(job)), job.descriptor, job.isSynthesized, job.endsList},
            now);
}

// False: they cannot be read, the descriptor is refused.
bool DescriptorFetcher::fetchBlockLists(UnitContext& unit, JobWindow& window, UnitJob& job, Time now)
{
    const std::uint32_t bytes = job.map->chips() * 4;
    std::uint32_t* targets = blocksOf(unit, window, job);
    std::uint32_t* sources = targets + unit.map.chips();
    const FlashDescriptor& descriptor = job.descriptor;
    Moved moved = unit.moveControl(BusAddress{descriptor.blocks}, targets, bytes, Direction::FromMemory, now);
    if (moved.ok && descriptor.opcode == SuperchipOpcode::CopyBack)
        moved = unit.moveControl(BusAddress{descriptor.sourceBlocks}, sources, bytes, Direction::FromMemory, moved.end);
    if (!moved.ok) {
        refuseJob(job, unit, MalformedReason::BlocksOutsideMemory, now);
        return false;
    }
    unit.spend(Stage::FetchingDescriptor, moved.end - now);
    unit.port.wakeUnit(unit.id, token(unit), moved.end);
    isFetchingLists_ = true;
    return true;
}

} // namespace strobe::controller
