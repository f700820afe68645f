// SPDX-License-Identifier: Apache-2.0
#include "models/host/workload/source_trace.h"

#include "models/base/check.h"
#include "models/base/content.h"
#include "models/host/workload/trace_fields.h"

#include <fmt/format.h>

#include <algorithm>

namespace strobe::host {

TraceSource::TraceSource(const TraceConfig& config, TraceFold fold, SourceLimits limits)
    : TraceSource(openTrace(config), config, fold, limits)
{
}

TraceSource::TraceSource(std::unique_ptr<TraceReader> reader, const TraceConfig& config, TraceFold fold,
                         SourceLimits limits)
    : reader_(std::move(reader)), config_(config), fold_(fold), limits_(limits)
{
    check(fold.sectors > 0 && config.maxSectors > 0, "a trace needs space and a size limit above zero");
}

std::optional<Request> TraceSource::next()
{
    if (counts_.requests >= limits_.requests || volumeSectors_ >= limits_.sectors)
        return std::nullopt;
    Request request;
    if (pendingSectors_ > 0) {
        ++counts_.split;
    } else {
        if (!prepare())
            return std::nullopt;
        if (pending_.kind == RequestKind::Flush) {
            ++counts_.requests;
            return pending_;
        }
    }
    request = pending_;
    const std::uint64_t toEnd = fold_.firstSector + fold_.sectors - pending_.lba;
    const std::uint64_t sectors = std::min({pendingSectors_, toEnd, std::uint64_t{config_.maxSectors}});
    request.sectors = static_cast<std::uint32_t>(sectors);
    pendingSectors_ -= sectors;
    pending_.lba = sectors == toEnd ? fold_.firstSector : pending_.lba + sectors;
    volumeSectors_ += sectors;
    ++counts_.requests;
    if (((request.lba | request.sectors) & 7) != 0)
        ++counts_.unaligned4k;
    return request;
}

// The next record becomes pending_. False at the end of the trace.
bool TraceSource::prepare()
{
    TraceRecord record;
    if (!takeRecord(record))
        return false;
    pending_ = Request{};
    pending_.kind = record.kind;
    pending_.fua = record.fua;
    pending_.stream = record.file;
    pending_.arrival = arrivalOf(record);
    pending_.response = record.response;
    if (record.kind == RequestKind::Flush)
        return true;
    const std::uint64_t first = record.offset / sectorBytes;
    const std::uint64_t end = (record.offset + record.length + sectorBytes - 1) / sectorBytes;
    if (record.offset % sectorBytes != 0 || record.length % sectorBytes != 0)
        ++counts_.roundedToSector;
    const std::uint64_t base = baseOf(record.file);
    if (base + end > fold_.sectors)
        ++counts_.folded;
    pending_.lba = fold_.firstSector + (base + first) % fold_.sectors;
    pendingSectors_ = end - first;
    return true;
}

bool TraceSource::takeRecord(TraceRecord& record)
{
    if (config_.disorder != DisorderPolicy::Sort)
        return readRequest(record);
    while (!order_.isFull() && readRequest(record))
        order_.add(record);
    counts_.reordered = order_.reordered();
    if (order_.isEmpty())
        return false;
    record = order_.take();
    return true;
}

// The next record that is a request, in the order of the file.
bool TraceSource::readRequest(TraceRecord& record)
{
    while (reader_->next(record)) {
        ++counts_.records;
        if (!record.skipped)
            return true;
        counts_.skip(*record.skipped);
    }
    if (counts_.records == 0)
        throw ConfigError(
            fmt::format("{}: expected a trace, found a file that has no requests", reader_->text().name()));
    return false;
}

// The earliest request is the beginning, even if it is not the first of the file.
Time TraceSource::arrivalOf(const TraceRecord& record)
{
    if (!begin_)
        begin_ = record.at;
    const Time arrival = record.at - *begin_;
    if (arrival < lastArrival_) {
        if (config_.disorder == DisorderPolicy::Reject)
            failAt(reader_->text(), record.line, record.timeColumn, "a time not before the previous request's",
                   toText(lastArrival_ - arrival) + " earlier");
        ++counts_.clamped;
        return lastArrival_;
    }
    lastArrival_ = arrival;
    return arrival;
}

// 0, 1/2, 1/4, 3/4, 1/8, … of the region: each new file lands in the middle of the largest gap, regardless of how many
// follow.
std::uint64_t TraceSource::baseOf(std::uint32_t file) const
{
    if (config_.layout == FileLayout::Overlay || file == 0)
        return 0;
    std::uint64_t base = 0;
    std::uint64_t part = fold_.sectors;
    for (; file != 0 && part != 0; file >>= 1) {
        part /= 2;
        base += (file & 1) != 0 ? part : std::uint64_t{0};
    }
    return base & ~std::uint64_t{7}; // 4 KiB aligned
}

std::string TraceSource::describe() const
{
    return fmt::format("trace {} ({})", reader_->text().name(), enumName(reader_->format()));
}

} // namespace strobe::host
