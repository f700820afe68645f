// SPDX-License-Identifier: Apache-2.0
#include "models/host/workload/trace_five_columns.h"

#include <algorithm>
#include <charconv>

namespace strobe::host {

namespace {

constexpr std::uint64_t longestGapInMilliseconds = 10'000;

std::optional<std::uint64_t> value(std::string_view field, int base)
{
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), number, base);
    return error == std::errc{} && end == field.data() + field.size() ? std::optional(number) : std::nullopt;
}

// Formats that the first lines of a trace match.
struct Candidates {
    bool mqsimSsdsim = false;
    bool disksim = false;
};

Candidates candidates(const TraceHead& head)
{
    std::uint64_t lines = 0;
    std::uint64_t first = 0;
    std::uint64_t last = 0;
    bool isDisksim = false;
    for (const std::string_view line : head.lines) {
        const auto f = fieldsOf(line, FieldSeparator::Blanks);
        if (f.size() != 5 || !isDecimalNumber(f[0]) || !isWholeNumber(f[1]) || !isWholeNumber(f[2]) ||
            !isWholeNumber(f[3]) || !value(f[4], 16))
            continue;
        const std::optional<std::uint64_t> arrival = value(f[0], 10);
        isDisksim = isDisksim || !arrival || value(f[4], 16) > 1;
        first = lines == 0 ? arrival.value_or(0) : std::min(first, arrival.value_or(0));
        last = std::max(last, arrival.value_or(0));
        ++lines;
    }
    const bool tooFarForDisksim =
        lines >= 2 && last > first && (last - first) / (lines - 1) >= longestGapInMilliseconds;
    return {lines > 0 && !isDisksim, lines > 0 && (isDisksim || !tooFarForDisksim)};
}

} // namespace

void FiveColumnReader::parseRest(TraceFields& fields, std::uint64_t stamp, TraceRecord& record)
{
    record.timeColumn = fields.column();
    const std::string_view device = fields.word("the number of the device");
    record.offset = fields.number("the address in sectors", maxTraceSector) * 512;
    record.length = fields.number("the size in sectors", maxTraceSectors) * 512;
    record.kind = kind(fields);
    fields.expectEnd();
    if (record.length == 0) {
        record.skipped = SkipReason::ZeroLength;
        return;
    }
    record.file = devices_.number(device);
    record.at = clock_.since(stamp, text(), record.timeColumn);
}

bool MqsimSsdsimReader::probe(const TraceHead& head)
{
    return candidates(head).mqsimSsdsim;
}

void MqsimSsdsimReader::parse(std::string_view line, TraceRecord& record)
{
    TraceFields fields(text(), line, FieldSeparator::Blanks);
    const std::uint64_t stamp = fields.number("the arrival in nanoseconds");
    parseRest(fields, stamp, record);
}

RequestKind MqsimSsdsimReader::kind(TraceFields& fields) const
{
    constexpr const char* aType = "the type, 0 to write or 1 to read";
    const std::string_view type = fields.word(aType);
    if (type != "0" && type != "1")
        fields.fail(aType);
    return type == "0" ? RequestKind::Write : RequestKind::Read;
}

bool DisksimReader::probe(const TraceHead& head)
{
    return candidates(head).disksim;
}

void DisksimReader::parse(std::string_view line, TraceRecord& record)
{
    TraceFields fields(text(), line, FieldSeparator::Blanks);
    const std::uint64_t stamp = fields.decimal("the arrival in milliseconds", 9);
    parseRest(fields, stamp, record);
}

RequestKind DisksimReader::kind(TraceFields& fields) const
{
    constexpr const char* theFlags = "the flags in hexadecimal";
    const std::optional<std::uint64_t> flags = value(fields.word(theFlags), 16);
    if (!flags)
        fields.fail(theFlags);
    return (*flags & 1) != 0 ? RequestKind::Read : RequestKind::Write;
}

} // namespace strobe::host
