// SPDX-License-Identifier: Apache-2.0
#include "models/host/workload/trace_summary.h"

#include "models/base/content.h"
#include "models/host/workload/source_trace.h"

#include <algorithm>
#include <unordered_map>

namespace strobe::host {

namespace {

// A set of page numbers: a hash of 64-page groups.
class PageSet {
public:
    void insert(std::uint64_t first, std::uint64_t last)
    {
        for (std::uint64_t group = first / 64; group <= last / 64; ++group) {
            const std::uint64_t from = std::max(first, group * 64) % 64;
            const std::uint64_t to = std::min(last, group * 64 + 63) % 64;
            groups_[group] |= (~std::uint64_t{0} >> (63 - to)) & (~std::uint64_t{0} << from);
        }
    }

    std::uint64_t size() const
    {
        std::uint64_t pages = 0;
        for (const auto& [group, members] : groups_) {
            for (std::uint64_t rest = members; rest != 0; rest &= rest - 1)
                ++pages;
        }
        return pages;
    }

private:
    std::unordered_map<std::uint64_t, std::uint64_t> groups_;
};

constexpr std::uint64_t sectorsPerPage = 4096 / sectorBytes;

std::size_t sizeBin(std::uint32_t sectors)
{
    std::size_t bin = 0;
    while (bin + 1 < TraceSummary::sizeBins && (std::uint64_t{1} << bin) < sectors)
        ++bin;
    return bin;
}

} // namespace

std::uint64_t TraceSummary::bytesOf(RequestKind kind) const
{
    return sectors[static_cast<std::size_t>(kind)] * sectorBytes;
}

double TraceSummary::meanBytesOf(RequestKind kind) const
{
    const std::uint64_t count = requestsOf(kind);
    return count == 0 ? 0 : static_cast<double>(bytesOf(kind)) / static_cast<double>(count);
}

double TraceSummary::readRatio() const
{
    const std::uint64_t reads = requestsOf(RequestKind::Read);
    const std::uint64_t both = reads + requestsOf(RequestKind::Write);
    return both == 0 ? 0 : static_cast<double>(reads) / static_cast<double>(both);
}

double TraceSummary::arrivalsPerSecond() const
{
    return duration <= Time{} ? 0 : static_cast<double>(counts.requests) / toSeconds(duration);
}

TraceSummary summarise(RequestSource& source)
{
    TraceSummary summary;
    summary.description = source.describe();
    PageSet pages;
    std::optional<Time> first;
    while (const auto request = source.next()) {
        const auto kind = static_cast<std::size_t>(request->kind);
        ++summary.requests[kind];
        if (!first)
            first = request->arrival;
        summary.duration = request->arrival - *first;
        if (request->sectors == 0)
            continue;
        summary.sectors[kind] += request->sectors;
        ++summary.sizes[sizeBin(request->sectors)];
        const std::uint64_t end = request->lba + request->sectors;
        summary.highestSector = std::max(summary.highestSector, end);
        if (request->kind == RequestKind::Read || request->kind == RequestKind::Write)
            pages.insert(request->lba / sectorsPerPage, (end - 1) / sectorsPerPage);
    }
    summary.footprintPages = pages.size();
    summary.counts = source.counts();
    return summary;
}

TraceSummary summariseTrace(const TraceConfig& config)
{
    TraceConfig whole = config;
    whole.maxSectors = static_cast<std::uint32_t>(maxTraceLength / sectorBytes + 2);
    TraceSource source(whole, TraceFold{});
    return summarise(source);
}

} // namespace strobe::host
