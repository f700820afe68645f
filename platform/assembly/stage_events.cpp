// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/stage_events.h"

#include "platform/assembly/stage_sink.h"

#include <new>
#include <type_traits>
#include <utility>

namespace strobe::platform {

StageEvents::StageEvents(const ObservedDrive& drive, RequestStatistics* statistics, StageSink* sink,
                         HostSlotOf hostSlotOf)
    : hostSlotOf_(std::move(hostSlotOf)), sink_(sink), stages_(drive, statistics), events_(batch + largest),
      full_(sink == nullptr ? batch : 1)
{
    stages_.tell(sink);
}

// --- what becomes of it ----------------------------------------------------------------------------------------------

struct StageEvents::Handler {
    RequestStages& stages;

    void operator()(const Issued& e) const { stages.issued(e.command, e.number, e.from, e.at); }
    void operator()(const Completed& e) const { stages.completed(e.slot, e.isMeasured, e.at); }
    void operator()(const Arrived& e) const { stages.arrived(e.slot, e.hostSlot, e.at); }
    void operator()(const Announced& e) const { stages.announced(e.slot, e.at); }
    void operator()(const Ordered& e) const { stages.ordered(e.transfer, e.at); }
    void operator()(const Moved& e) const { stages.moved(e.handle, e.slot, e.at); }
    void operator()(const Ended& e) const { stages.ended(e.slot, e.at); }
    void operator()(const Listed& e) const
    {
        stages.jobs().listed(e.unit, e.isSynthesized, e.at, stages.sleep().mark());
    }
    void operator()(const Fetched& e) const { stages.jobs().fetched(e.job, e.at); }
    void operator()(const RowStarted& e) const { stages.jobs().rowStarted(e.unit, e.slot, e.place, e.at); }
    void operator()(const UnitsPlaced& e) const { stages.jobs().unitsPlaced(e.unit, e.slot, e.first, e.sectors); }
    void operator()(const Sent& e) const { stages.jobs().sent(e.ticket, e.slot, e.dataAt, e.at); }
    void operator()(const Finished& e) const { stages.jobs().finished(e.ticket, e.slot, e.op, e.at, e.decoded); }
    void operator()(const RowEnded& e) const { stages.jobs().rowEnded(e.unit, e.slot, e.at); }
    void operator()(const Retired& e) const { stages.jobs().retired(e.unit, e.place, e.at, e.visible); }
    void operator()(const FellAsleep& e) const { stages.sleep().fellAsleep(e.core, e.at); }
    void operator()(const WokeUp& e) const { stages.sleep().wokeUp(e.core, e.at); }
    void operator()(const Granted& e) const
    {
        stages.jobs().dies().granted(e.op, e.phase, e.possible, e.start, e.busTime);
    }
};

// Flattened: each of these functions is called once per event, and most of them are short.
template <class T>
[[gnu::flatten]] std::size_t StageEvents::handOn(RequestStages& stages, const Kept& kept)
{
    Handler{stages}(reinterpret_cast<const KeptEvent<T>&>(kept).event);
    return sizeof(KeptEvent<T>);
}

template <class T, class... Members>
void StageEvents::add(const Members&... members)
{
    static_assert(std::is_standard_layout_v<KeptEvent<T>> && std::is_trivially_copyable_v<T>);
    static_assert(alignof(KeptEvent<T>) == alignof(Kept));
    static_assert(sizeof(KeptEvent<T>) <= largest);
    new (&events_[used_]) KeptEvent<T>{{handOn<T>}, {members...}};
    used_ += sizeof(KeptEvent<T>);
    if (used_ >= full_)
        flush();
}

void StageEvents::flush()
{
    const std::size_t end = std::exchange(used_, 0);
    for (std::size_t at = 0; at != end;) {
        const Kept& kept = *std::launder(reinterpret_cast<const Kept*>(&events_[at]));
        at += kept.handOn(stages_, kept);
    }
}

// --- what is observed ------------------------------------------------------------------------------------------------

void StageEvents::issued(const host::Command& command, std::uint64_t number, Time from, Time at)
{
    add<Issued>(command, number, from, at);
}

void StageEvents::completed(std::uint16_t slot, bool isMeasured, Time at)
{
    add<Completed>(slot, isMeasured, at);
}

void StageEvents::arrived(const host::Command& command, Time at)
{
    add<Arrived>(command.slot, hostSlotOf_ ? hostSlotOf_(command) : command.slot, at);
}

void StageEvents::announced(std::uint16_t slot, Time at)
{
    add<Announced>(slot, at);
}

void StageEvents::ordered(const host::ObservedTransfer& transfer, Time at)
{
    add<Ordered>(transfer, at);
}

void StageEvents::moved(std::uint64_t handle, std::uint16_t slot, Time at)
{
    add<Moved>(handle, slot, at);
}

void StageEvents::ended(std::uint16_t slot, Time at)
{
    add<Ended>(slot, at);
}

void StageEvents::listed(UnitId unit, bool isSynthesized, Time at)
{
    add<Listed>(unit, isSynthesized, at);
}

void StageEvents::fetched(const Job& job, Time at)
{
    add<Fetched>(job, at);
}

void StageEvents::rowStarted(UnitId unit, std::uint32_t slot, std::uint32_t place, Time at)
{
    add<RowStarted>(unit, slot, place, at);
}

void StageEvents::unitsPlaced(UnitId unit, std::uint32_t slot, BusAddress first, std::uint32_t sectors)
{
    add<UnitsPlaced>(unit, slot, first, sectors);
}

void StageEvents::sent(controller::Ticket ticket, std::uint32_t slot, const nand::Operation&, Time dataAt, Time at)
{
    add<Sent>(ticket, slot, dataAt, at);
}

void StageEvents::finished(controller::Ticket ticket, std::uint32_t slot, const nand::Operation& op, Time at,
                           Time decoded)
{
    add<Finished>(ticket, slot, op, at, decoded);
    if (sink_ != nullptr && !stages_.isStopped())
        sink_->operation(op, stages_.jobs().jobOf(ticket.unit, slot));
}

void StageEvents::rowEnded(UnitId unit, std::uint32_t slot, Time at)
{
    add<RowEnded>(unit, slot, at);
}

void StageEvents::retired(UnitId unit, std::uint32_t place, Time at, Time visible)
{
    add<Retired>(unit, place, at, visible);
}

void StageEvents::fellAsleep(std::uint32_t core, Time at)
{
    add<FellAsleep>(core, at);
}

void StageEvents::wokeUp(std::uint32_t core, Time at)
{
    add<WokeUp>(core, at);
}

void StageEvents::granted(const nand::Operation& op, channel::NandInterface::Phase phase, Time possible, Time start,
                          Time busTime)
{
    if (stages_.isStopped())
        return;
    add<Granted>(op, phase, possible, start, busTime);
    if (sink_ != nullptr)
        sink_->segment(op, phase, start, start + busTime);
}

} // namespace strobe::platform
