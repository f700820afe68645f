// SPDX-License-Identifier: Apache-2.0
#include "models/base/resource.h"

#include "models/base/activity_log.h"
#include "models/base/statistics.h"

namespace strobe {

namespace {

double quotient(Time time, Time measured)
{
    return measured <= Time{} ? 0 : static_cast<double>(time.count()) / static_cast<double>(measured.count());
}

} // namespace

double ResourceUsage::utilisation(Time measured) const
{
    return quotient(busy, measured);
}

double ResourceUsage::meanQueue(Time measured) const
{
    return quotient(waited, measured);
}

void ResourceUsage::declare(Statistics& stats, Time measured)
{
    const Time meanWait = jobs == 0 ? Time{} : waited / static_cast<std::int64_t>(jobs);
    stats.derive("utilisation", Unit::Ratio, "share of the measured time in use", utilisation(measured));
    stats.add("busy", Unit::Duration, "time in use", busy);
    stats.add("jobs", Unit::Count, "jobs done", jobs);
    stats.add("waited", Unit::Duration, "sum of the waits of all jobs, from arrival to start", waited);
    stats.derive("mean_wait", Unit::Duration, "mean wait of a job, those that did not wait included", meanWait);
    stats.add("max_wait", Unit::Duration, "longest wait of a job", maxWaited, Merge::Maximum);
    stats.derive("mean_queue", Unit::Ratio, "jobs waiting, averaged over the measured time", meanQueue(measured));
    stats.add("max_queue", Unit::Count, "most jobs that waited at once", maxQueue, Merge::Maximum);
}

void Resource::queue(Time arrived, Time start)
{
    usage_.waited += start - arrived;
    usage_.maxWaited = std::max(usage_.maxWaited, start - arrived);
    while (!starts_.empty() && starts_.front() <= arrived)
        starts_.pop();
    starts_.push(start);
    noteQueue(starts_.size());
}

void Resource::note(Time arrived, Time start, Time end) const
{
    log_->note(lane_, arrived, start, end);
}

} // namespace strobe
