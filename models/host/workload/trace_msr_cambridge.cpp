// SPDX-License-Identifier: Apache-2.0
#include "models/host/workload/trace_msr_cambridge.h"

#include "models/host/workload/trace_fields.h"

#include <algorithm>
#include <array>

namespace strobe::host {

namespace {

constexpr std::string_view columnNames = "Timestamp,Hostname,DiskNumber,Type,Offset,Size,ResponseTime";

// Seven fields, digits first, Read or Write fourth.
bool looksLikeRecord(std::string_view line)
{
    std::array<std::string_view, 7> fields;
    for (std::size_t i = 0; i < fields.size(); ++i) {
        const std::size_t comma = line.find(',');
        if ((comma == std::string_view::npos) != (i + 1 == fields.size()))
            return false;
        fields[i] = line.substr(0, comma);
        line.remove_prefix(comma == std::string_view::npos ? line.size() : comma + 1);
    }
    const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
    return !fields[0].empty() && std::all_of(fields[0].begin(), fields[0].end(), isDigit) &&
           (fields[3] == "Read" || fields[3] == "Write");
}

} // namespace

bool MsrCambridgeReader::probe(const std::vector<std::string_view>& lines)
{
    return std::any_of(lines.begin(), lines.end(),
                       [](std::string_view line) { return line == columnNames || looksLikeRecord(line); });
}

void MsrCambridgeReader::parse(std::string_view line, TraceRecord& record)
{
    if (line == columnNames) {
        record.skipped = SkipReason::Header;
        return;
    }
    TraceFields fields(text(), line, FieldSeparator::Comma);
    const std::uint64_t stamp = fields.number("the time stamp in units of 100 ns");
    record.timeColumn = fields.column();
    const std::string_view host = fields.word("the name of the host");
    const std::size_t hostBegin = static_cast<std::size_t>(host.data() - line.data());
    const std::string_view disk = fields.word("the number of the disk");
    const std::size_t diskEnd = static_cast<std::size_t>(disk.data() - line.data()) + disk.size();
    const std::string_view type = fields.word("the type, Read or Write");
    if (type != "Read" && type != "Write")
        fields.fail("the type, Read or Write");
    record.kind = type == "Read" ? RequestKind::Read : RequestKind::Write;
    record.offset = fields.number("the offset in bytes");
    record.length = fields.number("the size in bytes", maxTraceLength);
    fields.number("the response time in units of 100 ns", UINT64_MAX);
    fields.expectEnd();
    if (record.length == 0) {
        record.skipped = SkipReason::ZeroLength;
        return;
    }
    record.file = disks_.number(line.substr(hostBegin, diskEnd - hostBegin)); // "host,disk"
    const auto at = clock_.since(stamp);
    if (!at)
        failAt(text(), record.timeColumn, "a time stamp within 53 days of the first request's", std::to_string(stamp));
    record.at = *at;
}

} // namespace strobe::host
