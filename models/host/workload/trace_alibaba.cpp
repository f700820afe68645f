// SPDX-License-Identifier: Apache-2.0
#include "models/host/workload/trace_alibaba.h"

#include "models/host/workload/trace_fields.h"

namespace strobe::host {

namespace {
constexpr std::string_view alibabaColumns = "device_id,opcode,offset,length,timestamp";
} // namespace

bool AlibabaReader::probe(const TraceHead& head)
{
    return anyLine(head.lines, FieldSeparator::Comma, [](const std::vector<std::string_view>& f) {
        return f.size() == 5 && ((f[0] == "device_id" && f[4] == "timestamp") ||
                                 ((f[1] == "R" || f[1] == "W") && isWholeNumber(f[2]) && isWholeNumber(f[4])));
    });
}

void AlibabaReader::parse(std::string_view line, TraceRecord& record)
{
    if (line == alibabaColumns) {
        record.skipped = SkipReason::Header;
        return;
    }
    TraceFields fields(text(), line, FieldSeparator::Comma);
    const std::string_view device = fields.word("the number of the device");
    const std::string_view opcode = fields.word("the opcode, R or W");
    if (opcode != "R" && opcode != "W")
        fields.fail("the opcode, R or W");
    record.kind = opcode == "R" ? RequestKind::Read : RequestKind::Write;
    record.offset = fields.number("the offset in bytes");
    record.length = fields.number("the length in bytes", maxTraceLength);
    const std::uint64_t stamp = fields.number("the time in microseconds");
    record.timeColumn = fields.column();
    fields.expectEnd();
    if (record.length == 0) {
        record.skipped = SkipReason::ZeroLength;
        return;
    }
    record.file = devices_.number(device);
    record.at = clock_.since(stamp, text(), record.timeColumn);
}

} // namespace strobe::host
