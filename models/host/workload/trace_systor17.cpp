// SPDX-License-Identifier: Apache-2.0
#include "models/host/workload/trace_systor17.h"

#include "models/host/workload/trace_fields.h"

namespace strobe::host {

namespace {
constexpr std::string_view systorColumns = "Timestamp,Response,IOType,LUN,Offset,Size";
} // namespace

bool Systor17Reader::probe(const TraceHead& head)
{
    return anyLine(head.lines, FieldSeparator::Comma, [](const std::vector<std::string_view>& f) {
        return f.size() == 6 && ((f[0] == "Timestamp" && f[5] == "Size") ||
                                 (isDecimalNumber(f[0]) && (f[1].empty() || isDecimalNumber(f[1])) &&
                                  (f[2] == "R" || f[2] == "W") && isWholeNumber(f[4])));
    });
}

void Systor17Reader::parse(std::string_view line, TraceRecord& record)
{
    if (line == systorColumns) {
        record.skipped = SkipReason::Header;
        return;
    }
    TraceFields fields(text(), line, FieldSeparator::Comma);
    const std::uint64_t stamp = fields.decimal("the time in seconds", 9);
    record.timeColumn = fields.column();
    const std::optional<std::uint64_t> response = fields.optionalDecimal("the response time in seconds, or nothing", 9);
    const std::string_view type = fields.optionalWord();
    if (type != "R" && type != "W" && !type.empty())
        fields.fail("the type, R, W or nothing");
    record.kind = type == "R" ? RequestKind::Read : RequestKind::Write;
    const std::string_view lun = fields.word("the number of the LUN");
    record.offset = fields.number("the offset in bytes");
    record.length = fields.number("the size in bytes", maxTraceLength);
    fields.expectEnd();
    if (type.empty() || record.length == 0) {
        record.skipped = type.empty() ? SkipReason::OtherCommand : SkipReason::ZeroLength;
        return;
    }
    record.file = luns_.number(lun);
    record.at = clock_.since(stamp, text(), record.timeColumn);
    record.response = clock_.ticks(response.value_or(0));
}

} // namespace strobe::host
