// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/stage_events.h"

#include <new>
#include <type_traits>
#include <utility>

#pragma GCC diagnostic ignored "-Wpedantic"

namespace strobe::platform {

StageEvents::StageEvents(const ObservedDrive& drive, RequestStatistics* statistics, StageSink* sink,
                         HostSlotOf hostSlotOf)
    : hostSlotOf_(std::move(hostSlotOf)), sink_(sink), stages_(drive, statistics), events_(batch + largest),
      next_(events_.data()), full_(events_.data() + (sink == nullptr || sink->comesLate() ? batch : 1)),
      isSimple_(drive.buses == 1)
{
    stages_.tell(sink);
}

// --- what becomes of it ----------------------------------------------------------------------------------------------

template <class T>
const T& StageEvents::eventAt(const std::byte*& at)
{
    const auto& kept = *std::launder(reinterpret_cast<const KeptEvent<T>*>(at));
    at += sizeof kept;
    return kept.event;
}

inline StageEvents::EventKind StageEvents::kindAt(const std::byte* at)
{
    return *std::launder(reinterpret_cast<const EventKind*>(at));
}

template <class T, class... Members>
inline void StageEvents::add(EventKind kind, const Members&... members)
{
    static_assert(std::is_standard_layout_v<KeptEvent<T>> && std::is_trivially_copyable_v<T>);
    static_assert(alignof(KeptEvent<T>) == alignof(EventKind));
    static_assert(sizeof(KeptEvent<T>) <= largest);
    new (next_) KeptEvent<T>{kind, {members...}};
    next_ += sizeof(KeptEvent<T>);
    if (next_ >= full_)
        flush();
}

// Flattened: each of these functions is called once per event, and most of them are short. With the checks of
// sanitizers gcc takes minutes for that. Each event's code jumps to that of the next one: computed gotos are an
// extension of gcc and clang. The handlers are in the order of EventKind.
#ifndef __SANITIZE_ADDRESS__
[[gnu::flatten]]
#endif
void StageEvents::flush()
{
    const std::byte* at = events_.data();
    new (std::exchange(next_, events_.data())) EventKind{EventKind::End};
    static const void* const handlers[] = {
        &&Issued,  &&Completed,  &&Arrived,         &&Announced,      &&Ordered,  &&Moved,    &&Ended,   &&Listed,
        &&Fetched, &&RowStarted, &&UnitsPlaced,     &&Sent,           &&Finished, &&RowEnded, &&Retired, &&FellAsleep,
        &&WokeUp,  &&Granted,    &&FinishedForSink, &&GrantedForSink, &&End};
// A jump, not a product. NOLINTNEXTLINE(bugprone-macro-parentheses)
#define NEXT() goto* handlers[static_cast<std::size_t>(kindAt(at))]
    NEXT();
Issued : {
    const auto& e = eventAt<Issued>(at);
    stages_.issued(e.command, e.number, e.from, e.at);
    NEXT();
}
Completed : {
    const auto& e = eventAt<Completed>(at);
    stages_.completed(e.slot, e.isMeasured, e.at);
    NEXT();
}
Arrived : {
    const auto& e = eventAt<Arrived>(at);
    stages_.arrived(e.slot, e.hostSlot, e.at);
    NEXT();
}
Announced : {
    const auto& e = eventAt<Announced>(at);
    stages_.announced(e.slot, e.at);
    NEXT();
}
Ordered : {
    const auto& e = eventAt<Ordered>(at);
    stages_.ordered(e.transfer, e.at);
    NEXT();
}
Moved : {
    const auto& e = eventAt<Moved>(at);
    stages_.moved(e.handle, e.slot, e.at);
    NEXT();
}
Ended : {
    const auto& e = eventAt<Ended>(at);
    stages_.ended(e.slot, e.at);
    NEXT();
}
Listed : {
    const auto& e = eventAt<Listed>(at);
    if (kindAt(at) == EventKind::Fetched) { // nearly always
        const std::byte* after = at;
        const auto& f = eventAt<Fetched>(after);
        if (f.job.unit == e.unit && f.job.isSynthesized == e.isSynthesized) {
            at = after;
            stages_.jobs().listedAndFetched(f.job, e.at, stages_.sleep().mark(), f.at);
            NEXT();
        }
    }
    stages_.jobs().listed(e.unit, e.isSynthesized, e.at, stages_.sleep().mark());
    NEXT();
}
Fetched : {
    const auto& e = eventAt<Fetched>(at);
    stages_.jobs().fetched(e.job, e.at);
    NEXT();
}
RowStarted : {
    const auto& e = eventAt<RowStarted>(at);
    stages_.jobs().rowStarted(e.unit, e.slot, e.place, e.at);
    NEXT();
}
UnitsPlaced : {
    const auto& e = eventAt<UnitsPlaced>(at);
    stages_.jobs().unitsPlaced(e.unit, e.slot, e.first, e.sectors);
    NEXT();
}
Sent : {
    const auto& e = eventAt<Sent>(at);
    stages_.jobs().sent(e.ticket, e.slot, e.dataAt, e.at);
    NEXT();
}
Finished : {
    const auto& e = eventAt<Finished>(at);
    stages_.jobs().finished(e.ticket, e.slot, e.op, e.at, e.decoded);
    NEXT();
}
RowEnded : {
    const auto& e = eventAt<RowEnded>(at);
    stages_.jobs().rowEnded(e.unit, e.slot, e.at);
    NEXT();
}
Retired : {
    const auto& e = eventAt<Retired>(at);
    stages_.jobs().retired(e.unit, e.place, e.at, e.visible);
    if (stages_.jobs().isKeepDue())
        stages_.keepJobs();
    NEXT();
}
FellAsleep : {
    const auto& e = eventAt<FellAsleep>(at);
    stages_.sleep().fellAsleep(e.core, e.at);
    NEXT();
}
WokeUp : {
    const auto& e = eventAt<WokeUp>(at);
    stages_.sleep().wokeUp(e.core, e.at);
    NEXT();
}
Granted : {
    const auto& e = eventAt<Granted>(at);
    stages_.jobs().dies().granted(e.op, e.phase, e.possible, e.start, e.busTime);
    NEXT();
}
FinishedForSink : {
    const auto& e = eventAt<FinishedForSink>(at);
    stages_.jobs().finished(e.ticket, e.slot, e.op.op, e.at, e.decoded);
    if (!stages_.isStopped())
        sink_->operation(e.op, stages_.jobs().jobOf(e.ticket.unit, e.slot));
    NEXT();
}
GrantedForSink : {
    const auto& e = eventAt<Granted>(at);
    if (!stages_.isStopped()) {
        stages_.jobs().dies().granted(e.op, e.phase, e.possible, e.start, e.busTime);
        sink_->segment(e.op, e.phase, e.start, e.start + e.busTime);
    }
    NEXT();
}
End:
    return;
#undef NEXT
}

// --- what is observed ------------------------------------------------------------------------------------------------

void StageEvents::issued(const host::Command& command, std::uint64_t number, Time from, Time at)
{
    if (sink_ != nullptr && !stages_.isStopped())
        sink_->opened(number, from);
    add<Issued>(EventKind::Issued, command, number, from, at);
}

void StageEvents::completed(std::uint16_t slot, bool isMeasured, Time at)
{
    add<Completed>(EventKind::Completed, slot, isMeasured, at);
}

void StageEvents::arrived(const host::Command& command, Time at)
{
    add<Arrived>(EventKind::Arrived, command.slot, hostSlotOf_ ? hostSlotOf_(command) : command.slot, at);
}

void StageEvents::announced(std::uint16_t slot, Time at)
{
    add<Announced>(EventKind::Announced, slot, at);
}

void StageEvents::ordered(const host::ObservedTransfer& transfer, Time at)
{
    add<Ordered>(EventKind::Ordered, transfer, at);
}

void StageEvents::moved(std::uint64_t handle, std::uint16_t slot, Time at)
{
    add<Moved>(EventKind::Moved, handle, slot, at);
}

void StageEvents::ended(std::uint16_t slot, Time at)
{
    add<Ended>(EventKind::Ended, slot, at);
}

void StageEvents::listed(UnitId unit, bool isSynthesized, Time at)
{
    add<Listed>(EventKind::Listed, unit, isSynthesized, at);
}

void StageEvents::fetched(const Job& job, Time at)
{
    add<Fetched>(EventKind::Fetched, job, at);
}

void StageEvents::rowStarted(UnitId unit, std::uint32_t slot, std::uint32_t place, Time at)
{
    add<RowStarted>(EventKind::RowStarted, unit, slot, place, at);
    row_ = {at, unit, slot};
}

void StageEvents::unitsPlaced(UnitId unit, std::uint32_t slot, BusAddress first, std::uint32_t sectors)
{
    add<UnitsPlaced>(EventKind::UnitsPlaced, unit, slot, first, sectors);
}

void StageEvents::sent(controller::Ticket ticket, std::uint32_t slot, const nand::Operation&, Time dataAt, Time at)
{
    if (isSimple_ && at == row_.at && ticket.unit == row_.unit && slot == row_.slot && dataAt <= at)
        return; // with the start of the row: no time has passed
    add<Sent>(EventKind::Sent, ticket, slot, dataAt, at);
}

void StageEvents::finished(controller::Ticket ticket, std::uint32_t slot, const nand::Operation& op, Time at,
                           Time decoded)
{
    if (sink_ == nullptr)
        add<Finished>(EventKind::Finished, ticket, slot, op, at, decoded);
    else
        finishedForSink(ticket, slot, op, at, decoded);
}

void StageEvents::finishedForSink(controller::Ticket ticket, std::uint32_t slot, const nand::Operation& op, Time at,
                                  Time decoded)
{
    add<FinishedForSink>(EventKind::FinishedForSink, ticket, slot, op, at, decoded);
}

void StageEvents::rowEnded(UnitId unit, std::uint32_t slot, Time at)
{
    add<RowEnded>(EventKind::RowEnded, unit, slot, at);
}

void StageEvents::retired(UnitId unit, std::uint32_t place, Time at, Time visible)
{
    add<Retired>(EventKind::Retired, unit, place, at, visible);
}

void StageEvents::fellAsleep(std::uint32_t core, Time at)
{
    add<FellAsleep>(EventKind::FellAsleep, core, at);
}

void StageEvents::wokeUp(std::uint32_t core, Time at)
{
    add<WokeUp>(EventKind::WokeUp, core, at);
}

void StageEvents::granted(const nand::Operation& op, channel::NandInterface::Phase phase, Time possible, Time start,
                          Time busTime)
{
    if (sink_ == nullptr)
        add<Granted>(EventKind::Granted, op, phase, possible, start, busTime);
    else
        grantedForSink(op, phase, possible, start, busTime);
}

void StageEvents::grantedForSink(const nand::Operation& op, channel::NandInterface::Phase phase, Time possible,
                                 Time start, Time busTime)
{
    add<Granted>(EventKind::GrantedForSink, op, phase, possible, start, busTime);
}

} // namespace strobe::platform
