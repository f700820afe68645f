// SPDX-License-Identifier: Apache-2.0
#include "models/host/workload/trace_arc.h"

#include "models/host/workload/trace_fields.h"

#include <algorithm>

namespace strobe::host {

bool ArcReader::probe(const TraceHead& head)
{
    return anyLine(head.lines, FieldSeparator::Blanks, [](const std::vector<std::string_view>& f) {
        return f.size() == 4 && f[2] == "0" && std::all_of(f.begin(), f.end(), isWholeNumber);
    });
}

void ArcReader::parse(std::string_view line, TraceRecord& record)
{
    TraceFields fields(text(), line, FieldSeparator::Blanks);
    record.offset = fields.number("the first block", maxTraceSector) * 512;
    record.length = fields.number("the number of blocks", maxTraceSectors) * 512;
    fields.number("a zero");
    fields.number("the number of the request");
    fields.expectEnd();
    if (record.length == 0)
        record.skipped = SkipReason::ZeroLength;
}

} // namespace strobe::host
