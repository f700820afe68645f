// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/stage_events.h"

#include <new>
#include <type_traits>
#include <utility>

namespace strobe::platform {

StageEvents::StageEvents(const ObservedDrive& drive, RequestStatistics* statistics, StageSink* sink,
                         HostSlotOf hostSlotOf)
    : hostSlotOf_(std::move(hostSlotOf)), sink_(sink), comesLate_(sink == nullptr || sink->comesLate()),
      isSimple_(drive.buses == 1), analysis_(drive, statistics, sink),
      thread_(blockBytes,
              [this](const std::byte* begin, const std::byte* end) {
                  analysis_.handle(begin, end);
                  if (sink_ != nullptr)
                      sink_->takeOver();
              }),
      next_(thread_.block()), room_(comesLate_ ? blockBytes - stage_event::largest : 1), full_(next_ + room_)
{
}

template <class T, class... Members>
inline void StageEvents::add(const Members&... members)
{
    static_assert(std::is_standard_layout_v<T>);
    static_assert(std::is_trivially_copyable_v<T>);
    static_assert(alignof(T) <= stage_event::alignment);
    static_assert(sizeof(T) <= stage_event::largest);
    new (next_) T{T::id, members...};
    next_ += stage_event::storedBytes<T>;
    if (next_ >= full_)
        pass();
}

void StageEvents::pass()
{
    const std::byte* const end = next_;
    if (isOver_) {
        next_ = thread_.block();
        return;
    }
    if (!comesLate_) {
        next_ = thread_.block();
        analysis_.handle(next_, end);
        return;
    }
    if (sink_ != nullptr)
        sink_->handOver();
    thread_.pass(end);
    next_ = thread_.block();
    full_ = next_ + room_;
    thread_.rethrow();
}

void StageEvents::flush()
{
    pass();
    thread_.wait();
}

void StageEvents::end()
{
    flush();
    isOver_ = true;
}

void StageEvents::issued(const host::Command& command, std::uint64_t number, Time from, Time at)
{
    add<stage_event::Issued>(command.kind, command.slot, command.sectors, command.lba, number, from, at);
}

void StageEvents::completed(std::uint16_t slot, bool isMeasured, Time at)
{
    add<stage_event::Completed>(isMeasured, slot, at);
}

void StageEvents::arrived(const host::Command& command, Time at)
{
    add<stage_event::Arrived>(command.slot, hostSlotOf_ ? hostSlotOf_(command) : command.slot, at);
}

void StageEvents::announced(std::uint16_t slot, Time at)
{
    add<stage_event::Announced>(slot, at);
}

void StageEvents::ordered(const host::ObservedTransfer& transfer, Time at)
{
    add<stage_event::Ordered>(transfer.toHost, transfer.slot, transfer.sectors, transfer.handle, transfer.isDirect,
                              transfer.isDirect ? transfer.token : transfer.buffer, at);
}

void StageEvents::moved(std::uint64_t handle, std::uint16_t slot, Time at)
{
    add<stage_event::MovedSectors>(slot, handle, at);
}

void StageEvents::ended(std::uint16_t slot, Time at)
{
    add<stage_event::Ended>(slot, at);
}

void StageEvents::listed(UnitId unit, bool isSynthesized, Time at)
{
    add<stage_event::Listed>(isSynthesized, unit, at);
}

void StageEvents::fetched(const Job& job, Time at)
{
    add<stage_event::Fetched>(job, at);
}

void StageEvents::rowStarted(UnitId unit, std::uint32_t slot, std::uint32_t place, Time at)
{
    row_ = {at, unit, slot};
    add<stage_event::RowStarted>(unit, slot, place, at);
}

void StageEvents::unitsPlaced(UnitId unit, std::uint32_t slot, BusAddress first, std::uint32_t sectors)
{
    add<stage_event::UnitsPlaced>(unit, slot, first, sectors);
}

void StageEvents::sent(controller::Ticket ticket, std::uint32_t slot, const nand::Operation&, Time dataAt, Time at)
{
    if (isSimple_ && at == row_.at && ticket.unit == row_.unit && slot == row_.slot && dataAt <= at)
        return; // with the start of the row: no time has passed
    add<stage_event::Sent>(ticket, slot, dataAt, at);
}

void StageEvents::finished(controller::Ticket ticket, std::uint32_t slot, const nand::Operation& op, Time at,
                           Time decoded)
{
    if (sink_ != nullptr)
        add<stage_event::FinishedForSink>(ticket, op, slot, at, decoded);
    else
        add<stage_event::FinishedOperation>(op.die, ticket, slot, op.requestStart, at, decoded);
}

void StageEvents::rowEnded(UnitId unit, std::uint32_t slot, Time at)
{
    add<stage_event::RowEnded>(unit, slot, at);
}

void StageEvents::retired(UnitId unit, std::uint32_t place, Time at, Time visible)
{
    add<stage_event::Retired>(unit, place, at, visible);
}

void StageEvents::fellAsleep(std::uint32_t core, Time at)
{
    add<stage_event::FellAsleep>(core, at);
}

void StageEvents::wokeUp(std::uint32_t core, Time at)
{
    add<stage_event::WokeUp>(core, at);
}

void StageEvents::granted(const nand::Operation& op, channel::NandInterface::Phase phase, Time possible, Time start,
                          Time busTime)
{
    if (phase != channel::NandInterface::Phase::Request)
        add<stage_event::Continued>(phase, op.opcode, op.purpose, op.form, op.die, op.requestStart, possible, start,
                                    busTime);
    else if (op.requestStart == start)
        add<stage_event::Began>(op.opcode, op.purpose, op.form, op.die, op.target.block, op.submitted, possible, start,
                                busTime);
    else
        add<stage_event::Granted>(phase, op, possible, start, busTime);
}

} // namespace strobe::platform
