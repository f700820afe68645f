// SPDX-License-Identifier: Apache-2.0
#include "platform/report/analysis.h"

#include <fmt/format.h>

#include <algorithm>

namespace strobe::platform {

namespace {

// At this utilisation a resource limits the run: queues grow steeply above it.
constexpr double busyThreshold = 0.70;
// A single member this busy limits a group that is not busy as a whole.
constexpr double hotThreshold = 0.90;

std::string percent(double share)
{
    return fmt::format("{:.0f} %", share * 100);
}

std::string busyList(const std::vector<GroupUsage>& groups)
{
    std::vector<const GroupUsage*> order;
    order.reserve(groups.size());
    for (const GroupUsage& group : groups)
        order.push_back(&group);
    std::stable_sort(order.begin(), order.end(),
                     [](const GroupUsage* a, const GroupUsage* b) { return a->mean > b->mean; });
    std::string text;
    for (std::size_t i = 0; i < order.size() && i < 3; ++i)
        text += fmt::format("{}{} {}", i == 0 ? "" : ", ", rowOf(order[i]->group).title, percent(order[i]->mean));
    return text;
}

} // namespace

std::uint64_t requestsOf(const std::vector<KindTotals>& kinds)
{
    std::uint64_t sum = 0;
    for (const KindTotals& k : kinds)
        sum += k.requests;
    return sum;
}

std::uint64_t bytesOf(const std::vector<KindTotals>& kinds, host::RequestKind kind)
{
    std::uint64_t sum = 0;
    for (const KindTotals& k : kinds)
        sum += k.kind == kind ? k.bytes : 0;
    return sum;
}

std::uint64_t bytesWritten(const std::vector<KindTotals>& kinds)
{
    std::uint64_t sum = 0;
    for (const KindTotals& k : kinds)
        sum += host::takesData(k.kind) ? k.bytes : 0;
    return sum;
}

std::uint64_t bytesOf(const std::vector<KindTotals>& kinds)
{
    return bytesOf(kinds, host::RequestKind::Read) + bytesWritten(kinds);
}

Throughput throughputOf(const std::vector<KindTotals>& kinds, Time time)
{
    return {requestsOf(kinds), bytesOf(kinds), time};
}

FlashCounts flashTotal(const Report& report)
{
    FlashCounts total;
    total.purpose = "total";
    for (const FlashCounts& row : report.flash)
        accumulate(total, row);
    return total;
}

double writeAmplification(const Report& report)
{
    const std::uint64_t written = bytesWritten(report.kinds);
    const FlashCounts total = flashTotal(report);
    const double programmed = static_cast<double>(total.programs + total.copyBacks) * report.pageBytes;
    return written == 0 ? 0 : programmed / static_cast<double>(written);
}

std::string writeAmplificationNote(const Report& report)
{
    const double factor = writeAmplification(report);
    if (bytesWritten(report.kinds) == 0 || factor >= 1)
        return {};
    return "below 1: some of the host's data was overwritten or trimmed while it was buffered, or is still in the "
           "buffer";
}

void declareAmplification(Statistics& stats, const Report& report)
{
    stats.derive("write_amplification", Unit::Ratio,
                 "bytes programmed into flash for each byte that the host wrote; 0 if it wrote none",
                 writeAmplification(report));
}

double totalJoule(const Report& report)
{
    double sum = 0;
    for (const EnergyReport& row : report.energy)
        sum += row.joule;
    return sum;
}

EnergyUse energyUse(const Report& report, double joule)
{
    return {joule, report.measured, bytesOf(report.kinds)};
}

void GroupUsage::declareUse(Statistics& stats) const
{
    stats.derive("members", Unit::Count, "resources of the group", std::uint64_t{members});
    stats.derive("mean_utilisation", Unit::Ratio, "share of the measured time in use, averaged over them", mean);
    stats.derive("max_utilisation", Unit::Ratio, "the same of the busiest", maximum);
}

void GroupUsage::declareWaits(Statistics& stats) const
{
    stats.derive("jobs", Unit::Count, "jobs done", jobs);
    stats.derive("mean_wait", Unit::Duration, "mean wait of a job, those that did not wait included", meanWait);
    stats.derive("max_wait", Unit::Duration, "longest wait of a job", maxWait);
    stats.derive("mean_queue", Unit::Ratio, "jobs waiting for a resource, averaged over time and resources", meanQueue);
    stats.derive("max_queue", Unit::Count, "most jobs that waited at once for one resource", maxQueue);
}

std::vector<GroupUsage> groupResources(const Report& report)
{
    std::vector<GroupUsage> groups;
    std::vector<Time> waited;
    for (const ResourceReport& resource : report.resources) {
        auto group =
            std::find_if(groups.begin(), groups.end(), [&](const GroupUsage& g) { return g.group == resource.group; });
        if (group == groups.end()) {
            groups.push_back({resource.group, 0, 0, 0, resource.name, {}, {}, 0, 0, 0, resource.pool});
            waited.emplace_back();
            group = groups.end() - 1;
        }
        const double used = resource.usage.utilisation(report.measured);
        ++group->members;
        group->mean += used; // the sum until all are seen
        if (used > group->maximum) {
            group->maximum = used;
            group->busiest = resource.name;
        }
        group->maxWait = std::max(group->maxWait, resource.usage.maxWaited);
        group->jobs += resource.usage.jobs;
        group->meanQueue += resource.usage.meanQueue(report.measured); // likewise
        group->maxQueue = std::max(group->maxQueue, resource.usage.maxQueue);
        waited[static_cast<std::size_t>(group - groups.begin())] += resource.usage.waited;
    }
    for (std::size_t i = 0; i < groups.size(); ++i) {
        groups[i].mean /= static_cast<double>(groups[i].members);
        groups[i].meanQueue /= static_cast<double>(groups[i].members);
        if (groups[i].jobs != 0)
            groups[i].meanWait = waited[i] / static_cast<std::int64_t>(groups[i].jobs);
    }
    std::stable_sort(groups.begin(), groups.end(),
                     [](const GroupUsage& a, const GroupUsage& b) { return a.group < b.group; });
    return groups;
}

std::string_view limitName(Limit limit)
{
    switch (limit) {
    case Limit::Nothing: return "nothing";
    case Limit::Resource: return "resource";
    case Limit::Imbalance: return "imbalance";
    case Limit::Arrivals: return "arrivals";
    case Limit::Latency: return "latency";
    }
    return "?";
}

void Limiting::declare(Statistics& stats) const
{
    stats.derive("utilisation", Unit::Ratio, "of the group that limits the run, or of its busiest member", utilisation);
}

Limiting limitingResource(const Report& report)
{
    const std::vector<GroupUsage> all = groupResources(report);
    const auto members = [&](ResourceGroup group) {
        const auto found =
            std::find_if(all.begin(), all.end(), [group](const GroupUsage& g) { return g.group == group; });
        return found == all.end() ? 0 : found->members;
    };
    // A flash unit is held by its operation for all of the die's time: if each die has a unit it is never the cause, it
    // only waits. The same applies to a port of the memory, because all ports share one path; and a full pool does not
    // matter as long as no job waits for a place.
    std::vector<GroupUsage> groups;
    GroupUsage pool;
    for (const GroupUsage& group : all) {
        const bool isHeldUp =
            group.group == ResourceGroup::SdramPort ||
            (group.group == ResourceGroup::Unit && members(ResourceGroup::Unit) >= members(ResourceGroup::Die));
        if (group.pool)
            pool = group;
        else if (!isHeldUp)
            groups.push_back(group);
    }
    if (report.measured <= Time{} || requestsOf(report.kinds) == 0 || groups.empty())
        return {Limit::Nothing, "", 0, "nothing was measured"};

    const auto byMean = [](const GroupUsage& a, const GroupUsage& b) { return a.mean < b.mean; };
    const auto byMaximum = [](const GroupUsage& a, const GroupUsage& b) { return a.maximum < b.maximum; };
    const GroupUsage& busiest = *std::max_element(groups.begin(), groups.end(), byMean);
    const GroupUsage& hottest = *std::max_element(groups.begin(), groups.end(), byMaximum);

    if (busiest.mean >= busyThreshold) {
        std::string sentence = fmt::format("limited by {} ({} busy{})", rowOf(busiest.group).inSentence,
                                           percent(busiest.mean), busiest.members > 1 ? " on average" : "");
        return {Limit::Resource, std::string(enumName(busiest.group)), busiest.mean, std::move(sentence)};
    }
    if (hottest.maximum >= hotThreshold) {
        return {Limit::Imbalance, std::string(enumName(hottest.group)), hottest.maximum,
                fmt::format("limited by imbalance: {} is {} busy, the {} {} on average", hottest.busiest,
                            percent(hottest.maximum), rowOf(hottest.group).title, percent(hottest.mean))};
    }

    // Nothing is busy, but requests wait for a place in the write buffer: the blocks after it have spare capacity.
    const double exhausted =
        pool.pool ? static_cast<double>(pool.pool->exhausted.count()) / static_cast<double>(report.measured.count())
                  : 0;
    if (exhausted >= busyThreshold) {
        return {Limit::Resource, std::string(enumName(pool.group)), exhausted,
                fmt::format("limited by {} ({} of the time requests wait for one of its {} pages): {}",
                            rowOf(pool.group).inSentence, percent(exhausted), pool.pool->places, busyList(groups))};
    }

    // Nothing is busy: the workload decides. The phase with most of the measured time represents the run.
    const PhaseReport* longest = nullptr;
    for (const PhaseReport& phase : report.phases) {
        if (phase.measured && (longest == nullptr || phase.end - phase.start > longest->end - longest->start))
            longest = &phase;
    }
    const std::string shares = busyList(groups);
    if (longest != nullptr && longest->pacing == host::PacingMode::Open) {
        return {Limit::Arrivals, std::string(enumName(busiest.group)), busiest.mean,
                fmt::format("limited by the arrival rate of the workload: {}", shares)};
    }
    if (longest != nullptr && longest->pacing == host::PacingMode::Dependent) {
        return {Limit::Arrivals, std::string(enumName(busiest.group)), busiest.mean,
                fmt::format("limited by what the requests of the trace wait for: {}", shares)};
    }
    const std::uint32_t depth = longest == nullptr ? 0 : longest->queueDepth;
    return {Limit::Latency, std::string(enumName(busiest.group)), busiest.mean,
            fmt::format("limited by latency at queue depth {}: {}", depth, shares)};
}

} // namespace strobe::platform
