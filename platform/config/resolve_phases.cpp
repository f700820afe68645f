// SPDX-License-Identifier: Apache-2.0
//
// What phases, and the jobs beside their own ones, need of the drive and of the host: zones, placement handles,
// submission queues.
#include "platform/config/flash_plan.h"
#include "platform/config/resolve_sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace strobe::platform {

namespace {

template <class Visit> // visit(host::SourceConfig&, path)
void eachJob(Resolving& r, Visit visit)
{
    for (std::size_t i = 0; i < r.file.workload.phases.size(); ++i) {
        host::PhaseConfig& phase = r.file.workload.phases[i];
        const std::string path = fmt::format("/workload/phases/{}", i);
        visit(phase.source, path);
        for (std::size_t job = 0; job < phase.concurrentJobs.size(); ++job)
            visit(phase.concurrentJobs[job].source, fmt::format("{}/concurrentJobs/{}", path, job));
    }
}

// Each phase goes to one namespace.
void namespaces(Resolving& r, std::uint64_t capacity)
{
    std::vector<PartSize>& sizes = r.result.host.nvme.namespaces;
    if (r.result.host.interface != HostProtocol::Nvme)
        sizes.clear();
    auto problem = problemOf(sizes, 0);
    if (!problem && r.checks.isFlashValid())
        problem = problemOf(sizes, capacity);
    if (problem) {
        r.checks.expect(false, fmt::format("/host/nvme/namespaces/{}/size", problem->part), problem->message);
        sizes.clear();
    }
    r.checks.expect(sizes.size() <= 1 || r.result.firmware.ftl != Ftl::Zoned, "/host/nvme/namespaces",
                    "a drive with zones has one namespace: must be empty", {"/firmware/ftl"});
    const std::size_t count = std::max<std::size_t>(sizes.size(), 1);
    eachJob(r, [&](host::SourceConfig& source, const std::string& path) {
        const bool exists = source.space.number <= count;
        if (!problem)
            r.checks.expect(exists, path + "/namespace",
                            count == 1 ? std::string("the drive has one namespace: must be 1 (host.nvme.namespaces)")
                                       : fmt::format("the drive has namespaces 1 to {} (host.nvme.namespaces)", count),
                            {"/host/nvme/namespaces"});
        source.space.number = exists ? source.space.number : 1;
        source.space.sizes = sizes;
    });
}

// The phases of a drive with zones go to the sectors that can be written.
void zones(Resolving& r)
{
    if (r.result.firmware.ftl != Ftl::Zoned)
        return;
    const ZonedConfig& config = r.result.firmware.zoned;
    const PlannedZones zones = plannedZones(r.result.nand.part.geometry, r.result.nand.array, config.dies, config.rows);
    eachJob(r, [&](host::SourceConfig& source, const std::string& path) {
        source.zones.space = {zones.sectors, zones.capacity};
        r.checks.expect(source.mix.trimRatio == 0, path + "/trimRatio",
                        "a drive with zones has no trims: must be 0; zones.command reset makes zones empty",
                        {"/firmware/ftl"});
    });
}

// Handles of phases and jobs exist.
void placement(Resolving& r)
{
    const std::uint32_t handles = r.result.firmware.placement.handles;
    if (handles == 0 && r.file.firmware.config.placement.handles != 0 && r.result.firmware.ftl == Ftl::PageMap)
        return; // the reason is reported already
    const std::string has = handles == 0 ? "the drive has no data placement: must be none"
                                         : fmt::format("the drive has placement handles 0 to {}", handles - 1);
    eachJob(r, [&](const host::SourceConfig& source, const std::string& path) {
        r.checks.expect(source.placement.value_or(0) < std::max(handles, source.placement ? 0U : 1U),
                        path + "/placement", has, {"/firmware/pageMap/placement/handles"});
    });
}

std::uint64_t queuesFrom(std::uint32_t first, std::uint32_t count) // first counts from zero
{
    std::uint64_t mask = 0;
    for (std::uint32_t queue = first; queue < first + count && queue < host::QueueChoice::mostQueues; ++queue)
        mask |= std::uint64_t{1} << queue;
    return mask;
}

// The queues of a class, as the host's driver creates them.
std::uint64_t queuesOf(host::QueueClass wanted, const host::NvmeConfig& c)
{
    switch (wanted) {
    case host::QueueClass::Urgent: return queuesFrom(0, c.classes.urgent);
    case host::QueueClass::High: return queuesFrom(c.classes.urgent, c.classes.high);
    case host::QueueClass::Medium: return queuesFrom(c.classes.urgent + c.classes.high, c.classes.medium);
    case host::QueueClass::Low: break;
    }
    const std::uint32_t others = c.classes.urgent + c.classes.high + c.classes.medium;
    return queuesFrom(others, c.queues > others ? c.queues - others : 0);
}

void queueOf(Resolving& r, host::QueueChoice& choice, const std::string& path)
{
    const HostConfig& host = r.result.host;
    if (!r.checks.expect(host.interface == HostProtocol::Nvme, path,
                         fmt::format("{} has no submission queues to choose from: must be any, or host.interface nvme",
                                     enumName(host.interface)),
                         {"/host/interface"}))
        return;
    if (!choice.ofClass) {
        r.checks.expect((choice.numbers & ~queuesFrom(0, host.nvme.queues)) == 0, path,
                        fmt::format("the host has {} (host.nvme.queues)",
                                    host.nvme.queues == 1 ? std::string("one queue, number 1")
                                                          : fmt::format("queues 1 to {}", host.nvme.queues)),
                        {"/host/nvme/queues"});
        return;
    }
    if (!r.checks.expect(host.nvme.arbitration == host::nvme::Arbitration::Weighted, path,
                         "queues have classes with weighted arbitration only: must be any or numbers, or "
                         "host.nvme.arbitration weighted",
                         {"/host/nvme/arbitration"}))
        return;
    choice.mask = queuesOf(*choice.ofClass, host.nvme);
    r.checks.expect(choice.mask != 0, path,
                    fmt::format("no queue is of class {} (host.nvme.classes, host.nvme.queues)", choice.text()),
                    {"/host/nvme/classes", "/host/nvme/queues"});
}

void queues(Resolving& r)
{
    eachJob(r, [&](host::SourceConfig& source, const std::string& path) {
        if (!source.queues.isAny())
            queueOf(r, source.queues, path + "/queues");
    });
}

} // namespace

void resolvePhases(Resolving& r, std::uint64_t capacity)
{
    namespaces(r, capacity);
    zones(r);
    placement(r);
    queues(r);
}

} // namespace strobe::platform
