// SPDX-License-Identifier: Apache-2.0
#include "platform/app/activity_recording.h"

#include "models/base/config_error.h"
#include "platform/app/commands.h"
#include "platform/app/option_values.h"
#include "platform/report/text_table.h"
#include "platform/report/timeline.h"

#include <fmt/format.h>

#include <vector>

namespace strobe::platform {

namespace {

std::string microseconds(Time time)
{
    return fmt::format("{:.3f}", static_cast<double>(time.count()) / 1e6);
}

} // namespace

ActivityRecording::ActivityRecording(const ActivityCommand& command) : command_(command)
{
    if (command.file.empty() && command.timeline.empty())
        return;
    const Time length = timeOf("--activity-length", command.length);
    if (length == Time{})
        throw ConfigError("--activity-length " + command.length + ": must be above zero; the default is 1ms");
    for (const std::string& name : command.of) {
        if (name.empty())
            throw ConfigError("--activity-of: an empty name matches all resources; omit the option for all");
    }
    if (command.slowest != 0 && !command.file.empty())
        throw ConfigError(
            "--timeline-slowest: records no fixed window, so --activity cannot be written by the same run");
    const Time from = timeOf("--activity-from", command.from);
    if (command.slowest != 0)
        logDrawn(command);
    else
        log_.emplace(from, length, command.limit, command.of);
    if (!command.file.empty() && !isOnOutput())
        file_ = std::make_unique<OutputFile>(command.file);
    if (command.timeline.empty())
        return;
    timeline_ = std::make_unique<OutputFile>(command.timeline);
    const Time until = length < never - from ? from + length : never;
    recorder_.emplace(TimelineBounds{{from, until}, command.limit, command.requests, command.slowest}, *log_);
}

// All of the run, but only what the timeline draws: the others would cost time, and room under the limit.
void ActivityRecording::logDrawn(const ActivityCommand& command)
{
    log_.emplace(Time{}, never, command.limit, command.of);
    for (const ResourceGroup group : undrawnGroups())
        log_->leaveOut(group);
}

void ActivityRecording::commit(Time end)
{
    if (!log_)
        return;
    if (recorder_)
        recorder_->finish();
    if (file_)
        file_->commit(activityCsv(*log_));
    else if (isOnOutput())
        printOut(activityTable(*log_));
    if (timeline_)
        timeline_->commit(timelineTrace(*log_, recorder_->records(), recorder_->windows()));
    const std::string place = file_ ? command_.file : isOnOutput() ? std::string("--activity") : command_.timeline;
    const std::string missing = whatIsMissing(end);
    if (!missing.empty())
        fmt::print(stderr, "{}: {}\n", place, missing);
    const std::uint64_t dropped = log_->dropped() + (recorder_ ? recorder_->dropped() : 0);
    if (dropped != 0)
        fmt::print(stderr, "{}: {} not in it; --activity-limit {} holds them, or a shorter --activity-length\n", place,
                   dropped == 1 ? "1 more record is" : fmt::format("{} more records are", dropped),
                   command_.limit + dropped);
}

// What was asked for and did not happen in the run, which ended at `end`; empty: nothing.
std::string ActivityRecording::whatIsMissing(Time end) const
{
    const std::size_t found = recorder_ ? recorder_->requests() : 0;
    if (command_.slowest != 0) {
        if (found == 0)
            return "it is empty: no request of a measured phase ended (--timeline-slowest)";
        return found < command_.slowest
                   ? fmt::format("--timeline-slowest {}: the measured phases have only {} request{}", command_.slowest,
                                 found, found == 1 ? "" : "s")
                   : std::string();
    }
    if (timeOf("--activity-from", command_.from) >= end)
        return fmt::format("it is empty: the run ended at {}, before --activity-from {}", toText(end), command_.from);
    if (log_->activities().empty())
        return fmt::format("no resource was busy from {} on for {} (the run ended at {})", command_.from,
                           command_.length, toText(end));
    if (found < command_.requests)
        return fmt::format("--timeline-requests {}: {} began and ended from {} on within {}", command_.requests, found,
                           command_.from, command_.length);
    if (recorder_ && found == 0)
        return fmt::format("no request began and ended from {} on within {}; --timeline-slowest 5 draws what happened "
                           "during the slowest requests, --activity-from another window",
                           command_.from, command_.length);
    return {};
}

std::string activityCsv(const ActivityLog& log)
{
    std::string text = "resource,what,arrived_ps,start_ps,end_ps\n";
    for (const Activity& a : log.inOrder()) {
        text += fmt::format("{},{},{},{},{}\n", log.lanes()[a.lane].name, log.nameOf(a.what), a.arrived.count(),
                            a.start.count(), a.end.count());
    }
    return text;
}

std::string activityTable(const ActivityLog& log)
{
    TextTable table({"from us", "to us", "us", "resource", "what", "waited us"}, {3, 4});
    const std::vector<Activity> all = log.inOrder();
    for (const Activity& a : all) {
        const Time origin = all.front().start;
        table.row({microseconds(a.start - origin), microseconds(a.end - origin), microseconds(a.end - a.start),
                   log.lanes()[a.lane].name, std::string(log.nameOf(a.what)),
                   a.start > a.arrived ? microseconds(a.start - a.arrived) : std::string()});
    }
    return table.text();
}

} // namespace strobe::platform
