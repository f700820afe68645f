// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/stage_analysis.h"

#include <new>

namespace strobe::platform {

StageAnalysis::StageAnalysis(const ObservedDrive& drive, RequestStatistics* statistics, StageSink* sink)
    : sink_(sink), stages_(drive, statistics)
{
    stages_.tell(sink);
}

namespace {

template <class T>
const T& eventAt(const std::byte*& at) // the event there; `at`: after it
{
    const T& event = *std::launder(reinterpret_cast<const T*>(at));
    at += stage_event::storedBytes<T>;
    return event;
}

} // namespace

void StageAnalysis::granted(const ObservedOperation& op, stage_event::BusPhase phase, Time possible, Time start,
                            Time busTime)
{
    stages_.jobs().dies().granted(op, phase, possible, start, busTime);
    if (sink_ != nullptr && !stages_.isStopped())
        sink_->segment(op, phase, start, start + busTime);
}

// Flattened: most of what it calls is short. With the checks of sanitizers gcc takes minutes for that.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
[[gnu::flatten]]
#endif
void StageAnalysis::handle(const std::byte* begin, const std::byte* end)
{
    FlashJobLog& jobs = stages_.jobs();
    for (const std::byte* at = begin; at != end;) {
        switch (*std::launder(reinterpret_cast<const StageEventKind*>(at))) {
        case StageEventKind::Issued: {
            const auto& e = eventAt<stage_event::Issued>(at);
            if (sink_ != nullptr && !stages_.isStopped())
                sink_->opened(e.number, e.from);
            stages_.issued({e.slot, e.requestKind, false, e.lba, e.sectors}, e.number, e.from, e.at);
            break;
        }
        case StageEventKind::Completed: {
            const auto& e = eventAt<stage_event::Completed>(at);
            stages_.completed(e.slot, e.isMeasured, e.at);
            break;
        }
        case StageEventKind::Arrived: {
            const auto& e = eventAt<stage_event::Arrived>(at);
            stages_.arrived(e.slot, e.hostSlot, e.at);
            break;
        }
        case StageEventKind::Announced: {
            const auto& e = eventAt<stage_event::Announced>(at);
            stages_.announced(e.slot, e.at);
            break;
        }
        case StageEventKind::Ordered: {
            const auto& e = eventAt<stage_event::Ordered>(at);
            stages_.ordered(e.transfer(), e.at);
            break;
        }
        case StageEventKind::MovedSectors: {
            const auto& e = eventAt<stage_event::MovedSectors>(at);
            stages_.moved(e.handle, e.slot, e.at);
            break;
        }
        case StageEventKind::Ended: {
            const auto& e = eventAt<stage_event::Ended>(at);
            stages_.ended(e.slot, e.at);
            break;
        }
        case StageEventKind::Listed: {
            const auto& e = eventAt<stage_event::Listed>(at);
            jobs.listed(e.unit, e.isSynthesized, e.at, stages_.sleep().mark());
            break;
        }
        case StageEventKind::Fetched: {
            const auto& e = eventAt<stage_event::Fetched>(at);
            jobs.fetched(e.job, e.at);
            break;
        }
        case StageEventKind::RowStarted: {
            const auto& e = eventAt<stage_event::RowStarted>(at);
            jobs.rowStarted(e.unit, e.slot, e.place, e.at);
            break;
        }
        case StageEventKind::UnitsPlaced: {
            const auto& e = eventAt<stage_event::UnitsPlaced>(at);
            jobs.unitsPlaced(e.unit, e.slot, e.first, e.sectors);
            break;
        }
        case StageEventKind::Sent: {
            const auto& e = eventAt<stage_event::Sent>(at);
            jobs.sent(e.ticket, e.slot, e.dataAt, e.at);
            break;
        }
        case StageEventKind::FinishedOperation: {
            const auto& e = eventAt<stage_event::FinishedOperation>(at);
            jobs.finished(e.ticket, e.slot, e.op(), e.at, e.decoded);
            break;
        }
        case StageEventKind::FinishedForSink: {
            const auto& e = eventAt<stage_event::FinishedForSink>(at);
            jobs.finished(e.ticket, e.slot, e.op.op, e.at, e.decoded);
            if (!stages_.isStopped())
                sink_->operation(e.op, jobs.jobOf(e.ticket.unit, e.slot));
            break;
        }
        case StageEventKind::RowEnded: {
            const auto& e = eventAt<stage_event::RowEnded>(at);
            jobs.rowEnded(e.unit, e.slot, e.at);
            break;
        }
        case StageEventKind::Retired: {
            const auto& e = eventAt<stage_event::Retired>(at);
            jobs.retired(e.unit, e.place, e.at, e.visible);
            if (jobs.isKeepDue())
                stages_.keepJobs();
            break;
        }
        case StageEventKind::FellAsleep: {
            const auto& e = eventAt<stage_event::FellAsleep>(at);
            stages_.sleep().fellAsleep(e.core, e.at);
            break;
        }
        case StageEventKind::WokeUp: {
            const auto& e = eventAt<stage_event::WokeUp>(at);
            stages_.sleep().wokeUp(e.core, e.at);
            break;
        }
        case StageEventKind::Began: {
            const auto& e = eventAt<stage_event::Began>(at);
            granted(e.op(), stage_event::BusPhase::Request, e.possible, e.start, e.busTime);
            break;
        }
        case StageEventKind::Granted: {
            const auto& e = eventAt<stage_event::Granted>(at);
            granted(e.op, e.phase, e.possible, e.start, e.busTime);
            break;
        }
        case StageEventKind::Continued: {
            const auto& e = eventAt<stage_event::Continued>(at);
            granted(e.op(), e.phase, e.possible, e.start, e.busTime);
            break;
        }
        }
    }
}

} // namespace strobe::platform
