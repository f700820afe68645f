// SPDX-License-Identifier: Apache-2.0
#include "models/host/workload/trace_block_events.h"

#include <algorithm>

namespace strobe::host {

std::optional<SkipReason> BlockEvents::add(const BlockEvent& event)
{
    using Operation = BlockEvent::Operation;
    if (event.action == BlockEvent::Action::Complete)
        complete(event);
    else if (event.action == BlockEvent::Action::Requeue)
        requeued_.insert(keyOf(event));
    if (event.action != taken_ || requeued_.erase(keyOf(event)) > 0)
        return SkipReason::OtherEvent;
    if (event.bytes == 0) {
        if (!event.flushBefore)
            return event.operation == Operation::None ? SkipReason::OtherCommand : SkipReason::ZeroLength;
        hold(event, RequestKind::Flush, false);
        return std::nullopt;
    }
    if (event.operation == Operation::None)
        return SkipReason::OtherCommand;
    if (event.flushBefore)
        hold(event, RequestKind::Flush, true); // its completion time is not in the trace
    hold(event,
         event.operation == Operation::Read    ? RequestKind::Read
         : event.operation == Operation::Write ? RequestKind::Write
                                               : RequestKind::Trim,
         false);
    return std::nullopt;
}

// Flushes have no sector: one key for each device.
std::uint64_t BlockEvents::keyOf(const BlockEvent& event)
{
    constexpr std::uint64_t flushSector = std::uint64_t{1} << 54;
    return (std::uint64_t{event.device} << 55) ^ (event.bytes == 0 ? flushSector : event.sector);
}

void BlockEvents::hold(const BlockEvent& event, RequestKind kind, bool isComplete)
{
    TraceRecord record;
    record.kind = kind;
    record.file = event.device;
    record.at = event.at;
    record.line = event.line;
    record.timeColumn = event.timeColumn;
    if (kind != RequestKind::Flush) {
        record.offset = event.sector * 512;
        record.length = event.bytes;
        record.fua = event.fua && kind == RequestKind::Write;
    }
    const std::uint64_t key = keyOf(event);
    if (!isComplete)
        underWay_.try_emplace(key, firstHeld_ + held_.size());
    held_.push_back({record, key, isComplete});
}

void BlockEvents::complete(const BlockEvent& event)
{
    const auto found = underWay_.find(keyOf(event));
    if (found == underWay_.end())
        return;
    Held& held = held_[found->second - firstHeld_];
    held.isComplete = true;
    held.record.response = std::max(event.at - held.record.at, Time{});
    underWay_.erase(found);
}

bool BlockEvents::take(TraceRecord& record)
{
    if (held_.empty() || (!held_.front().isComplete && !isFinished_ && held_.size() < window))
        return false;
    const Held& oldest = held_.front();
    if (!oldest.isComplete) { // its completion, if there is one after all, no longer finds it
        const auto found = underWay_.find(oldest.key);
        if (found != underWay_.end() && found->second == firstHeld_)
            underWay_.erase(found);
    }
    record = oldest.record;
    held_.pop_front();
    ++firstHeld_;
    return true;
}

} // namespace strobe::host
