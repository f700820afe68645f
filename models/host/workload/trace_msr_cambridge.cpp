// SPDX-License-Identifier: Apache-2.0
#include "models/host/workload/trace_msr_cambridge.h"

#include "models/host/workload/trace_fields.h"

namespace strobe::host {

namespace {

constexpr std::string_view msrColumns = "Timestamp,Hostname,DiskNumber,Type,Offset,Size,ResponseTime";

} // namespace

bool MsrCambridgeReader::probe(const TraceHead& head)
{
    return anyLine(head.lines, FieldSeparator::Comma, [](const std::vector<std::string_view>& f) {
        return f.size() == 7 && ((isWholeNumber(f[0]) && (f[3] == "Read" || f[3] == "Write")) ||
                                 (f[0] == "Timestamp" && f[6] == "ResponseTime"));
    });
}

void MsrCambridgeReader::parse(std::string_view line, TraceRecord& record)
{
    if (line == msrColumns) {
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
    const std::uint64_t response = fields.number("the response time in units of 100 ns", UINT64_MAX);
    fields.expectEnd();
    if (record.length == 0) {
        record.skipped = SkipReason::ZeroLength;
        return;
    }
    record.file = disks_.number(line.substr(hostBegin, diskEnd - hostBegin)); // "host,disk"
    record.at = clock_.since(stamp, text(), record.timeColumn);
    record.response = clock_.ticks(response);
}

} // namespace strobe::host
