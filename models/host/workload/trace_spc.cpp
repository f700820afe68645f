// SPDX-License-Identifier: Apache-2.0
#include "models/host/workload/trace_spc.h"

#include "models/host/workload/trace_fields.h"

namespace strobe::host {

namespace {

constexpr const char* anOpcode = "the opcode, r or w";

std::optional<RequestKind> kindOf(std::string_view opcode)
{
    if (opcode == "r" || opcode == "R")
        return RequestKind::Read;
    if (opcode == "w" || opcode == "W")
        return RequestKind::Write;
    return std::nullopt;
}

} // namespace

bool SpcReader::probe(const TraceHead& head)
{
    return anyLine(head.lines, FieldSeparator::Comma, [](const std::vector<std::string_view>& f) {
        return f.size() >= 5 && isWholeNumber(f[0]) && isWholeNumber(f[1]) && isWholeNumber(f[2]) && kindOf(f[3]) &&
               isDecimalNumber(f[4]);
    });
}

void SpcReader::parse(std::string_view line, TraceRecord& record)
{
    TraceFields fields(text(), line, FieldSeparator::Comma);
    const std::string_view unit = fields.word("the number of the storage unit");
    record.offset = fields.number("the address in sectors", maxTraceSector) * 512;
    record.length = fields.number("the size in bytes", maxTraceLength);
    const auto kind = kindOf(fields.word(anOpcode));
    if (!kind)
        fields.fail(anOpcode);
    record.kind = *kind;
    const std::uint64_t stamp = fields.decimal("the time in seconds", 9);
    record.timeColumn = fields.column();
    if (record.length == 0) {
        record.skipped = SkipReason::ZeroLength;
        return;
    }
    record.file = units_.number(unit);
    record.at = clock_.since(stamp, text(), record.timeColumn);
}

} // namespace strobe::host
