// SPDX-License-Identifier: Apache-2.0
#include "platform/app/activity_look.h"

#include "models/base/config_error.h"
#include "platform/app/commands.h"
#include "platform/config/units.h"
#include "platform/report/text_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace strobe::platform {

namespace {

// By start; jobs that begin at the same instant are in the order of the resources.
std::vector<Activity> inOrder(const ActivityLog& log)
{
    std::vector<Activity> sorted = log.activities();
    std::stable_sort(sorted.begin(), sorted.end(), [](const Activity& a, const Activity& b) {
        return a.start != b.start ? a.start < b.start : a.lane < b.lane;
    });
    return sorted;
}

std::string microseconds(Time time)
{
    return fmt::format("{:.3f}", static_cast<double>(time.count()) / 1e6);
}

Time timeOf(const char* option, const std::string& text)
{
    const Parsed time = parseQuantity(Quantity::Time, text);
    if (!time.value)
        throw ConfigError(fmt::format("{} {}: {}", option, text, time.error));
    return picoseconds(*time.value);
}

} // namespace

ActivityLook::ActivityLook(const ActivityCommand& command) : command_(command)
{
    if (command.file.empty())
        return;
    const Time length = timeOf("--activity-length", command.length);
    if (length == Time{})
        throw ConfigError("--activity-length " + command.length + ": must be above zero; the default is 1ms");
    for (const std::string& name : command.of) {
        if (name.empty())
            throw ConfigError("--activity-of: an empty name matches all resources; omit the option for all");
    }
    log_.emplace(timeOf("--activity-from", command.from), length, command.limit, command.of);
    if (!isOnOutput())
        file_ = std::make_unique<OutputFile>(command.file);
}

void ActivityLook::commit() const
{
    if (!log_)
        return;
    if (file_)
        file_->commit(activityCsv(*log_));
    else
        printOut(activityTable(*log_));
    if (log_->activities().empty())
        fmt::print(stderr,
                   "{}: no resource was busy from {} on for {}; the window may lie after the end of the run, "
                   "or power was off\n",
                   isOnOutput() ? "--activity" : command_.file, command_.from, command_.length);
    if (log_->dropped() != 0)
        fmt::print(stderr,
                   "{}: {} more jobs are not in it; --activity-limit {} holds them, or a shorter --activity-length\n",
                   isOnOutput() ? "--activity" : command_.file, log_->dropped(), command_.limit + log_->dropped());
}

std::string activityCsv(const ActivityLog& log)
{
    std::string text = "resource,what,arrived_ps,start_ps,end_ps\n";
    for (const Activity& a : inOrder(log)) {
        text += fmt::format("{},{},{},{},{}\n", log.lanes()[a.lane], a.what, a.arrived.count(), a.start.count(),
                            a.end.count());
    }
    return text;
}

std::string activityTable(const ActivityLog& log)
{
    TextTable table({"from us", "to us", "us", "resource", "what", "waited us"}, {3, 4});
    const std::vector<Activity> all = inOrder(log);
    for (const Activity& a : all) {
        const Time origin = all.front().start;
        table.row({microseconds(a.start - origin), microseconds(a.end - origin), microseconds(a.end - a.start),
                   log.lanes()[a.lane], std::string(a.what),
                   a.start > a.arrived ? microseconds(a.start - a.arrived) : std::string()});
    }
    return table.text();
}

} // namespace strobe::platform
