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
      isSimple_(drive.buses == 1), isWhole_(isSimple_ && drive.planes == 1 && (sink == nullptr || sink->comesLate())),
      pageSectors_(drive.pageSectors), pages_(drive.units), operations_(drive.dies)
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
    ++batches_;
    occupations_ = 0;
    new (std::exchange(next_, events_.data())) EventKind{EventKind::End};
    static const void* const handlers[] = {
        &&Completed,   &&Ordered, &&PageEnded,       &&Listed,         &&Fetched,  &&Begun,   &&RowStarted,
        &&UnitsPlaced, &&Sent,    &&Finished,        &&FinishedWhole,  &&RowEnded, &&Retired, &&FellAsleep,
        &&WokeUp,      &&Granted, &&FinishedForSink, &&GrantedForSink, &&End};
// A jump, not a product. NOLINTNEXTLINE(bugprone-macro-parentheses)
#define NEXT() goto* handlers[static_cast<std::size_t>(kindAt(at))]
    NEXT();
Completed : {
    const auto& e = eventAt<Completed>(at);
    stages_.follow(*e.request, e.isMeasured, e.at);
    NEXT();
}
Ordered : {
    const auto& e = eventAt<Ordered>(at);
    stages_.join(*e.request, e.transfer, e.number, e.at);
    NEXT();
}
PageEnded : {
    PageJob& page = *eventAt<PageEnded>(at).page;
    const std::uint64_t job = stages_.jobs().ended(page);
    if (sink_ != nullptr && page.finished != never)
        tell(page.op, job);
    if (stages_.jobs().isKeepDue())
        stages_.keepJobs();
    pages_.over(page);
    NEXT();
}
Listed : {
    const auto& e = eventAt<Listed>(at);
    if (kindAt(at) == EventKind::Fetched) { // nearly always
        const std::byte* after = at;
        const auto& f = eventAt<Fetched>(after);
        if (f.job.unit == e.unit && f.job.isSynthesized == e.isSynthesized) {
            at = after;
            stages_.jobs().listedAndFetched(f.job, e.at, e.sleeps, f.at);
            NEXT();
        }
    }
    stages_.jobs().listed(e.unit, e.isSynthesized, e.at, e.sleeps);
    NEXT();
}
Fetched : {
    const auto& e = eventAt<Fetched>(at);
    stages_.jobs().fetched(e.job, e.at);
    NEXT();
}
Begun : {
    const auto& e = eventAt<Begun>(at);
    stages_.jobs().begun(e.job, e.listed, e.sleeps, e.at);
    NEXT();
}
RowStarted : {
    const auto& e = eventAt<RowStarted>(at);
    stages_.jobs().rowStarted(e.unit, e.slot, e.place, e.at, e.before);
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
FinishedWhole : {
    const auto& e = eventAt<FinishedWhole>(at);
    stages_.jobs().finished(e.ticket, e.slot, e.op, e.at, e.decoded);
    if (sink_ != nullptr)
        tell(e.op, stages_.jobs().jobOf(e.ticket.unit, e.slot));
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
    const auto& e = eventAt<Slept>(at);
    stages_.sleep().fellAsleep(e.core, e.at);
    NEXT();
}
WokeUp : {
    const auto& e = eventAt<Slept>(at);
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

[[gnu::flatten]] void StageEvents::issued(const host::Command& command, std::uint64_t number, Time from, Time at)
{
    if (sink_ != nullptr && !stages_.isStopped())
        sink_->opened(number, from);
    stages_.issued(command, number, from, at);
}

[[gnu::flatten]] void StageEvents::completed(std::uint16_t slot, bool isMeasured, Time at)
{
    if (RequestStages::Request* const request = stages_.completed(slot))
        add<Completed>(EventKind::Completed, request, isMeasured, at);
}

[[gnu::flatten]] void StageEvents::arrived(const host::Command& command, Time at)
{
    stages_.arrived(command.slot, hostSlotOf_ ? hostSlotOf_(command) : command.slot, at);
}

void StageEvents::announced(std::uint16_t slot, Time at)
{
    stages_.announced(slot, at);
}

void StageEvents::ordered(const host::ObservedTransfer& transfer, Time at)
{
    if (RequestStages::Request* const request = stages_.ordered(transfer, at))
        add<Ordered>(EventKind::Ordered, request, transfer, request->transfers.size() - 1, at);
}

[[gnu::flatten]] void StageEvents::moved(std::uint64_t handle, std::uint16_t slot, Time at)
{
    stages_.moved(handle, slot, at);
}

void StageEvents::ended(std::uint16_t slot, Time at)
{
    stages_.ended(slot, at);
}

void StageEvents::fellAsleep(std::uint32_t core, Time at)
{
    stages_.marks().fellAsleep(core, at);
    add<Slept>(EventKind::FellAsleep, core, at);
}

void StageEvents::wokeUp(std::uint32_t core, Time at)
{
    stages_.marks().wokeUp(core, at);
    add<Slept>(EventKind::WokeUp, core, at);
}

void StageEvents::listed(UnitId unit, bool isSynthesized, Time at)
{
    if (list_.at != never)
        reportList();
    list_ = {unit, isSynthesized, at, stages_.marks().now(), pages_.retiredJobs()};
}

void StageEvents::fetched(const Job& job, Time at)
{
    if (isWhole_ && pages_.begin(job, list_, at, pageSectors_) != nullptr)
        list_.at = never;
    else
        reportJob(job, at);
}

void StageEvents::rowStarted(UnitId unit, std::uint32_t slot, std::uint32_t place, Time at)
{
    if (!pages_.rowStarted(unit, slot, place, at))
        startRow(unit, slot, place, at);
}

void StageEvents::unitsPlaced(UnitId unit, std::uint32_t slot, BusAddress first, std::uint32_t sectors)
{
    PageJob* const page = pages_.ofSlot(unit, slot);
    if (page != nullptr && page->placedCount < page->placed.size()) {
        page->placed[page->placedCount++] = {first, sectors};
        return;
    }
    reportPage(page);
    add<UnitsPlaced>(EventKind::UnitsPlaced, unit, slot, first, sectors);
}

void StageEvents::sent(controller::Ticket ticket, std::uint32_t slot, const nand::Operation&, Time dataAt, Time at)
{
    PageJob* const page = pages_.ofSlot(ticket.unit, slot);
    if (page == nullptr || page->isSent) {
        reportSent(page, ticket, slot, dataAt, at);
        return;
    }
    page->isSent = true;
    page->dataAt = dataAt;
    page->sent = at;
}

void StageEvents::finished(controller::Ticket ticket, std::uint32_t slot, const nand::Operation& op, Time at,
                           Time decoded)
{
    PageJob* const page = pages_.ofSlot(ticket.unit, slot);
    const WholeOperation* const whole = isWhole_ ? operations_.finished(op, at) : nullptr;
    if (page == nullptr || whole == nullptr || page->finished != never) {
        reportFinished(page, whole, ticket, slot, op, at, decoded);
        return;
    }
    occupied(*whole, at);
    page->op = *whole;
    page->finished = at;
    page->decoded = decoded;
}

inline void StageEvents::occupied(const WholeOperation& whole, Time at)
{
    if (operations_.isReported(whole.op.die, batches_) || occupations_ == mostOccupations)
        flush(); // what the die did before
    ++occupations_;
    stages_.jobs().dies().occupied(whole, at);
}

void StageEvents::rowEnded(UnitId unit, std::uint32_t slot, Time at)
{
    PageJob* const page = pages_.ofSlot(unit, slot);
    if (page == nullptr || page->rowEnded != never)
        reportRowEnd(page, unit, slot, at);
    else
        page->rowEnded = at;
}

void StageEvents::retired(UnitId unit, std::uint32_t place, Time at, Time visible)
{
    PageJob* const page = pages_.retired(unit, place, at, visible);
    if (page == nullptr || page->rowEnded == never)
        reportRetired(page, unit, place, at, visible);
    else
        add<PageEnded>(EventKind::PageEnded, page);
}

void StageEvents::granted(const nand::Operation& op, channel::NandInterface::Phase phase, Time possible, Time start,
                          Time busTime)
{
    if (!isWhole_ || !operations_.granted(op, phase, possible, start, busTime))
        reportAlone(op, phase, {possible, start, busTime});
}

// --- event by event --------------------------------------------------------------------------------------------------

// The list listed last waits for its unit.
void StageEvents::reportList()
{
    pages_.queued(list_.unit, list_.isSynthesized);
    add<Listed>(EventKind::Listed, list_.unit, list_.isSynthesized, list_.at, list_.sleeps);
    list_.at = never;
}

void StageEvents::reportJob(const Job& job, Time at)
{
    if (list_.at != never)
        reportList();
    const ObservedJob observed(job);
    pages_.beginOther(observed);
    add<Fetched>(EventKind::Fetched, observed, at);
}

void StageEvents::startRow(UnitId unit, std::uint32_t slot, std::uint32_t place, Time at)
{
    PageJob* const page = pages_.ofPlace(unit, place);
    const bool isFirst = page != nullptr && page->rowStarted == never;
    if (page != nullptr && !isFirst)
        reportPage(page);
    const UnitWork work = pages_.otherRowStarted(unit, slot, place, at); // so there is a place for the row's page
    if (isFirst) {
        pages_.rowStarted(unit, slot, place, at);
        return;
    }
    add<RowStarted>(EventKind::RowStarted, unit, slot, place, at, work);
    row_ = {at, unit, slot};
}

void StageEvents::reportSent(PageJob* page, controller::Ticket ticket, std::uint32_t slot, Time dataAt, Time at)
{
    reportPage(page);
    if (isSimple_ && at == row_.at && ticket.unit == row_.unit && slot == row_.slot && dataAt <= at)
        return; // with the start of the row: no time has passed
    add<Sent>(EventKind::Sent, ticket, slot, dataAt, at);
}

void StageEvents::reportFinished(PageJob* page, const WholeOperation* whole, controller::Ticket ticket,
                                 std::uint32_t slot, const nand::Operation& op, Time at, Time decoded)
{
    reportPage(page);
    if (whole != nullptr) {
        occupied(*whole, at);
        add<FinishedWhole>(EventKind::FinishedWhole, ticket, slot, *whole, at, decoded);
        return;
    }
    if (isWhole_) {
        if (operations_.isOpen(op))
            reportWhole(op.die);
        operations_.ended(op.die, op.requestStart);
        operations_.reported(op.die, batches_);
    }
    if (sink_ == nullptr)
        add<Finished>(EventKind::Finished, ticket, slot, op, at, decoded);
    else
        add<FinishedForSink>(EventKind::FinishedForSink, ticket, slot, op, at, decoded);
}

void StageEvents::reportRowEnd(PageJob* page, UnitId unit, std::uint32_t slot, Time at)
{
    reportPage(page);
    add<RowEnded>(EventKind::RowEnded, unit, slot, at);
}

void StageEvents::reportRetired(PageJob* page, UnitId unit, std::uint32_t place, Time at, Time visible)
{
    reportPage(page);
    add<Retired>(EventKind::Retired, unit, place, at, visible);
}

void StageEvents::reportAlone(const nand::Operation& op, channel::NandInterface::Phase phase,
                              const GrantedSegment& segment)
{
    if (isWhole_) {
        reportWhole(op.die);
        if (phase == channel::NandInterface::Phase::Request && !operations_.isKnown(op.die, op.requestStart))
            operations_.begun(op.die, segment.start);
    }
    operations_.reported(op.die, batches_);
    reportGrant(op, phase, segment);
    if (isWhole_ && op.opcode == nand::Opcode::ReadId && phase == channel::NandInterface::Phase::Response)
        operations_.ended(op.die, op.requestStart);
}

void StageEvents::reportGrant(const ObservedOperation& op, channel::NandInterface::Phase phase,
                              const GrantedSegment& segment)
{
    add<Granted>(sink_ == nullptr ? EventKind::Granted : EventKind::GrantedForSink, op, phase, segment.possible,
                 segment.start, segment.busTime);
}

// What was put together of the operation that has the die.
void StageEvents::reportWhole(DieId die)
{
    const unsigned segments = operations_.segments(die);
    if (segments == 0)
        return;
    const WholeOperation& whole = operations_.takeBack(die);
    reportGrant(whole.op, channel::NandInterface::Phase::Request, whole.request);
    if (segments > 1)
        reportGrant(whole.op, channel::NandInterface::Phase::Response, whole.response);
}

void StageEvents::reportPage(PageJob* job)
{
    if (job == nullptr)
        return;
    PageJob& page = *job;
    const UnitId unit = page.job.unit;
    pages_.close(page);
    add<Begun>(EventKind::Begun, page.job, page.listed, page.sleeps, page.fetched);
    if (page.rowStarted != never)
        add<RowStarted>(EventKind::RowStarted, unit, page.slot, page.job.place, page.rowStarted, page.unit);
    for (std::uint32_t i = 0; i < page.placedCount; ++i)
        add<UnitsPlaced>(EventKind::UnitsPlaced, unit, page.slot, page.placed[i].first, page.placed[i].sectors);
    const controller::Ticket ticket{unit, 0}; // with one bus per superchip its lane is not used
    if (page.isSent)
        add<Sent>(EventKind::Sent, ticket, page.slot, page.dataAt, page.sent);
    if (page.finished != never)
        add<FinishedWhole>(EventKind::FinishedWhole, ticket, page.slot, page.op, page.finished, page.decoded);
    if (page.rowEnded != never)
        add<RowEnded>(EventKind::RowEnded, unit, page.slot, page.rowEnded);
    pages_.over(page);
}

void StageEvents::tell(const WholeOperation& whole, std::uint64_t job)
{
    if (stages_.isStopped())
        return;
    sink_->segment(whole.op, channel::NandInterface::Phase::Request, whole.request.start, whole.request.end());
    sink_->segment(whole.op, channel::NandInterface::Phase::Response, whole.response.start, whole.response.end());
    sink_->operation(whole, job);
}

} // namespace strobe::platform
