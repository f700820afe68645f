// SPDX-License-Identifier: Apache-2.0
#include "models/host/workload/trace_summary.h"

#include "models/base/check.h"
#include "models/base/content.h"
#include "models/host/workload/source_trace.h"

#include <algorithm>
#include <bitset>
#include <cmath>
#include <unordered_map>
#include <vector>

namespace strobe::host {

namespace {

// A set of sectors of several files: a hash of groups of 512.
class SectorSet {
public:
    void insert(std::uint32_t stream, std::uint64_t first, std::uint64_t last)
    {
        for (std::uint64_t word = first / 64; word <= last / 64; ++word) {
            const std::uint64_t from = std::max(first, word * 64) % 64;
            const std::uint64_t to = std::min(last, word * 64 + 63) % 64;
            group(stream, word / 8)[word % 8] |= (~std::uint64_t{0} >> (63 - to)) & (~std::uint64_t{0} << from);
        }
    }

    std::uint64_t sectors() const
    {
        std::uint64_t count = 0;
        for (const auto& [key, words] : groups_) {
            for (const std::uint64_t word : words)
                count += std::bitset<64>(word).count();
        }
        return count;
    }

    std::uint64_t pages() const // eight sectors each
    {
        std::uint64_t count = 0;
        for (const auto& [key, words] : groups_) {
            for (std::uint64_t word : words) {
                for (; word != 0; word >>= 8)
                    count += (word & 0xFF) != 0 ? 1U : 0U;
            }
        }
        return count;
    }

private:
    using Words = std::array<std::uint64_t, 8>;

    // Requests often follow each other: the group of the last one is kept.
    Words& group(std::uint32_t stream, std::uint64_t number)
    {
        const std::uint64_t key = std::uint64_t{stream} << 46 ^ number; // 2^46 groups reach the end of a file
        if (last_ == nullptr || key != lastKey_) {
            last_ = &groups_[key]; // stays where it is when others come
            lastKey_ = key;
        }
        return *last_;
    }

    std::unordered_map<std::uint64_t, Words> groups_;
    Words* last_ = nullptr;
    std::uint64_t lastKey_ = 0;
};

// Arrivals in seconds since the first.
class BusiestSecond {
public:
    void arrived(Time sinceFirst)
    {
        const std::int64_t second = sinceFirst / std::chrono::seconds(1);
        count_ = second == second_ ? count_ + 1 : 1;
        second_ = second;
        most_ = std::max(most_, count_);
    }
    std::uint64_t most() const { return most_; }

private:
    std::int64_t second_ = 0;
    std::uint64_t count_ = 0;
    std::uint64_t most_ = 0;
};

double share(std::uint64_t part, std::uint64_t whole)
{
    return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

bool isReadOrWrite(RequestKind kind)
{
    return kind == RequestKind::Read || kind == RequestKind::Write;
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

std::uint64_t TraceSummary::bytesPercentile(RequestKind kind, double percent) const
{
    check(percent >= 0 && percent <= 100, "a percentile is between 0 and 100");
    const double wanted = percent / 100 * static_cast<double>(requestsOf(kind));
    std::uint64_t below = 0;
    for (const auto& [size, count] : sizes[static_cast<std::size_t>(kind)]) {
        below += count;
        if (static_cast<double>(below) >= wanted)
            return std::uint64_t{size} * sectorBytes;
    }
    return 0;
}

double TraceSummary::readRatio() const
{
    return share(requestsOf(RequestKind::Read), requestsOf(RequestKind::Read) + requestsOf(RequestKind::Write));
}

double TraceSummary::sequentialShare() const
{
    return share(sequential, requestsOf(RequestKind::Read) + requestsOf(RequestKind::Write));
}

double TraceSummary::arrivalsPerSecond() const
{
    return duration <= Time{} ? 0 : static_cast<double>(counts.requests) / toSeconds(duration);
}

TraceSummary summarise(RequestSource& source)
{
    TraceSummary summary;
    summary.description = source.describe();
    SectorSet touched;
    BusiestSecond busiest;
    std::vector<std::uint64_t> ends; // of the last read or write, by stream
    double responses = 0;            // seconds
    std::optional<Time> first;
    while (const auto request = source.next()) {
        const auto kind = static_cast<std::size_t>(request->kind);
        ++summary.requests[kind];
        if (!first)
            first = request->arrival;
        summary.duration = request->arrival - *first;
        busiest.arrived(summary.duration);
        if (request->response > Time{}) {
            ++summary.responses;
            responses += toSeconds(request->response);
        }
        if (request->stream >= ends.size())
            ends.resize(request->stream + std::size_t{1}, UINT64_MAX);
        if (request->sectors == 0)
            continue;
        summary.sectors[kind] += request->sectors;
        ++summary.sizes[kind][request->sectors];
        const std::uint64_t end = request->lba + request->sectors;
        summary.highestSector = std::max(summary.highestSector, end);
        if (isReadOrWrite(request->kind)) {
            touched.insert(request->stream, request->lba, end - 1);
            summary.sequential += request->lba == ends[request->stream] ? 1U : 0U;
            ends[request->stream] = end;
        }
    }
    summary.streams = ends.size();
    summary.footprintSectors = touched.sectors();
    summary.footprintPages = touched.pages();
    summary.peakPerSecond = busiest.most();
    if (summary.responses != 0)
        summary.meanResponse = Time{std::llround(responses / static_cast<double>(summary.responses) * 1e12)};
    summary.counts = source.counts();
    return summary;
}

TraceSummary summariseTrace(const TraceConfig& config)
{
    TraceConfig whole = config;
    whole.maxSectors = static_cast<std::uint32_t>(maxTraceLength / sectorBytes + 2);
    whole.layout = FileLayout::Overlay; // addresses within a file; the stream is its number
    auto reader = openTrace(whole);
    const TraceFormat format = reader->format();
    const bool hasTimes = reader->hasTimes();
    TraceSource source(std::move(reader), whole, TraceFold{});
    TraceSummary summary = summarise(source);
    summary.format = format;
    summary.hasTimes = hasTimes;
    return summary;
}

} // namespace strobe::host
