// SPDX-License-Identifier: Apache-2.0
#include "models/host/workload/trace_tencent.h"

#include "models/host/workload/trace_fields.h"

namespace strobe::host {

namespace {

constexpr std::string_view tencentColumns = "Timestamp,Offset,Size,IOType,VolumeID";

bool isType(std::string_view field)
{
    return field == "0" || field == "1";
}

} // namespace

bool TencentReader::probe(const TraceHead& head)
{
    return anyLine(head.lines, FieldSeparator::Comma, [](const std::vector<std::string_view>& f) {
        return f.size() == 5 && ((f[0] == "Timestamp" && f[4] == "VolumeID") ||
                                 (isWholeNumber(f[0]) && isWholeNumber(f[1]) && isWholeNumber(f[2]) && isType(f[3]) &&
                                  isWholeNumber(f[4])));
    });
}

bool TencentReader::next(TraceRecord& record)
{
    std::string_view line;
    while (ready_ == 0 && source().next(line)) {
        TraceRecord& last = held_.emplace_back();
        last.line = text().lineNumber();
        if (line.find_first_not_of(" \t") == std::string_view::npos) {
            last.skipped = SkipReason::Blank;
        } else if (line == tencentColumns) {
            last.skipped = SkipReason::Header;
        } else {
            const std::uint64_t stamp = parse(line, last);
            if (held_.size() > 1 && stamp != stamp_)
                spread(held_.size() - 1);
            stamp_ = stamp;
        }
    }
    if (ready_ == 0)
        spread(held_.size()); // the last second of the trace
    if (ready_ == 0)
        return false;
    record = held_.front();
    held_.pop_front();
    --ready_;
    return true;
}

void TencentReader::spread(std::size_t end)
{
    std::int64_t requests = 0;
    for (std::size_t i = 0; i < end; ++i)
        requests += held_[i].skipped ? 0 : 1;
    std::int64_t earlier = 0;
    for (std::size_t i = 0; i < end; ++i) {
        if (!held_[i].skipped)
            held_[i].at += scaled(std::chrono::seconds(1), earlier++, requests);
    }
    ready_ = end;
}

std::uint64_t TencentReader::parse(std::string_view line, TraceRecord& record)
{
    TraceFields fields(text(), line, FieldSeparator::Comma);
    const std::uint64_t stamp = fields.number("the time in seconds");
    record.offset = fields.number("the offset in sectors", maxTraceSector) * 512;
    record.length = fields.number("the size in sectors", maxTraceSectors) * 512;
    const std::string_view type = fields.word("the type, 0 to read or 1 to write");
    if (!isType(type))
        fields.fail("the type, 0 to read or 1 to write");
    record.kind = type == "0" ? RequestKind::Read : RequestKind::Write;
    const std::string_view volume = fields.word("the number of the volume");
    fields.expectEnd();
    if (record.length == 0) {
        record.skipped = SkipReason::ZeroLength;
        return stamp;
    }
    record.file = volumes_.number(volume);
    record.at = clock_.since(stamp, text(), record.timeColumn);
    return stamp;
}

} // namespace strobe::host
