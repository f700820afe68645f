// SPDX-License-Identifier: Apache-2.0
#include "models/host/workload/trace_blkparse.h"

#include <algorithm>
#include <array>

namespace strobe::host {

namespace {

using Action = BlockEvent::Action;
using Operation = BlockEvent::Operation;

Action actionOf(std::string_view word)
{
    struct Row {
        std::string_view word;
        Action action;
    };
    static constexpr std::array<Row, 4> rows{
        {{"Q", Action::Queue}, {"D", Action::Issue}, {"C", Action::Complete}, {"R", Action::Requeue}}};
    const auto* found = std::find_if(rows.begin(), rows.end(), [word](const Row& row) { return row.word == word; });
    return found == rows.end() ? Action::Other : found->action;
}

bool isDevice(std::string_view field)
{
    const std::size_t comma = std::min(field.find(','), field.size());
    return comma < field.size() && isWholeNumber(field.substr(0, comma)) && isWholeNumber(field.substr(comma + 1));
}

bool isEvent(const std::vector<std::string_view>& f)
{
    return f.size() >= 6 && isDevice(f[0]) && isWholeNumber(f[1]) && isWholeNumber(f[2]) && isDecimalNumber(f[3]) &&
           isWholeNumber(f[4]);
}

Action takenAction(const TraceHead& head)
{
    const bool hasIssues = anyLine(head.lines, FieldSeparator::Blanks, [](const std::vector<std::string_view>& f) {
        return isEvent(f) && actionOf(f[5]) == Action::Issue;
    });
    return hasIssues ? Action::Issue : Action::Queue;
}

// "CPU0 (name):" and "Total (name):" begin the summary; blkparse also says which files it reads.
bool beginsSummary(std::string_view line)
{
    return line.substr(0, 3) == "CPU" || line.substr(0, 7) == "Total (";
}

} // namespace

bool BlkparseReader::probe(const TraceHead& head)
{
    return anyLine(head.lines, FieldSeparator::Blanks, isEvent);
}

BlkparseReader::BlkparseReader(TraceText text, const TraceHead& head)
    : TraceReader(std::move(text)), events_(takenAction(head))
{
}

bool BlkparseReader::next(TraceRecord& record)
{
    std::string_view line;
    while (!events_.take(record)) {
        if (!source().next(line)) {
            events_.finish();
            return events_.take(record);
        }
        if (const std::optional<SkipReason> skipped = parse(line)) {
            record = TraceRecord{};
            record.skipped = skipped;
            return true;
        }
    }
    return true;
}

std::optional<SkipReason> BlkparseReader::parse(std::string_view line)
{
    if (line.find_first_not_of(" \t") == std::string_view::npos)
        return SkipReason::Blank;
    inSummary_ = inSummary_ || beginsSummary(line);
    if (inSummary_ || line.substr(0, 11) == "Input file ")
        return SkipReason::Text;
    TraceFields fields(text(), line, FieldSeparator::Blanks);
    const std::string_view device = fields.word("a device like 8,0");
    if (!isDevice(device))
        fields.fail("a device like 8,0");
    fields.number("the number of the CPU");
    fields.number("the sequence number");
    const std::uint64_t stamp = fields.decimal("the time in seconds", 9);
    BlockEvent event;
    event.line = text().lineNumber();
    event.timeColumn = fields.column();
    fields.number("the number of the process");
    event.action = actionOf(fields.word("an action, like Q, D or C"));
    if (event.action == Action::Other)
        return SkipReason::OtherEvent;
    event.device = devices_.number(device);
    parseOperation(fields, event);
    event.at = clock_.since(stamp, text(), event.timeColumn);
    return events_.add(event);
}

void BlkparseReader::parseOperation(TraceFields& fields, BlockEvent& event)
{
    constexpr const char* rwbs = "the kind of the request, like R, WS or FN";
    for (const char letter : fields.word(rwbs)) {
        switch (letter) {
        case 'R': event.operation = Operation::Read; break;
        case 'W': event.operation = Operation::Write; break;
        case 'D': event.operation = Operation::Discard; break;
        case 'F': (event.operation == Operation::None ? event.flushBefore : event.fua) = true; break;
        case 'N':
        case 'S':
        case 'M':
        case 'A':
        case 'E':
        case 'V':
        case 'Z':
        case 'U': break;
        default: fields.fail(rwbs);
        }
    }
    if (fields.isAtEnd() || fields.peek() == '[')
        return; // no sectors: a flush
    const std::uint64_t sector = fields.number("the first sector", UINT64_MAX);
    if (fields.peek() == '(') { // the length and the bytes of a pass-through command
        event.operation = Operation::None;
        return;
    }
    if (fields.peek() != '+')
        return; // the completion of a flush has only a zero
    fields.word("a plus");
    event.bytes = fields.number("the number of sectors", maxTraceSectors) * 512;
    event.sector = event.bytes == 0 ? 0 : sector;
    if (event.sector > maxTraceSector)
        fields.fail("a request within 8 EiB");
}

} // namespace strobe::host
