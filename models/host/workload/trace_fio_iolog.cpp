// SPDX-License-Identifier: Apache-2.0
#include "models/host/workload/trace_fio_iolog.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace strobe::host {

namespace {

enum class Meaning : std::uint8_t { File, Wait, Read, Write, Trim, Flush };

struct Action {
    std::string_view name;
    Meaning meaning;
};

constexpr std::array<Action, 9> actions{{{"read", Meaning::Read},
                                         {"write", Meaning::Write},
                                         {"trim", Meaning::Trim},
                                         {"sync", Meaning::Flush},
                                         {"datasync", Meaning::Flush},
                                         {"wait", Meaning::Wait},
                                         {"add", Meaning::File},
                                         {"open", Meaning::File},
                                         {"close", Meaning::File}}};

const Action* actionNamed(std::string_view name)
{
    const auto* found =
        std::find_if(actions.begin(), actions.end(), [name](const Action& action) { return action.name == name; });
    return found == actions.end() ? nullptr : found;
}

// 53 days, the longest distance of a TraceClock.
constexpr std::uint64_t maxMicroseconds = static_cast<std::uint64_t>(INT64_MAX) / 2'000'000;

constexpr const char* anAction = "an action: read, write, trim, sync, datasync, wait, add, open or close";

} // namespace

FioIologReader::FioIologReader(TraceText trace, std::string_view header, std::uint64_t maxWait)
    : LineTraceReader(std::move(trace)), maxWait_(maxWait)
{
    std::string_view line;
    if (!source().next(line) || line != header)
        failAt(text(), 1, fmt::format("'{}'", header), line);
}

bool FioIologReader::parseAction(TraceFields& fields, TraceRecord& record, std::uint64_t& wait)
{
    const std::string_view file = fields.word("the name of a file");
    const Action* action = actionNamed(fields.word(anAction));
    if (action == nullptr)
        fields.fail(anAction);
    switch (action->meaning) {
    case Meaning::File:
        record.skipped = SkipReason::FileAction;
        fields.expectEnd();
        return false;
    case Meaning::Wait:
        record.skipped = SkipReason::Wait;
        wait = fields.number("the time to wait", maxWait_);
        fields.number("the length, 0");
        fields.expectEnd();
        return true;
    case Meaning::Read: record.kind = RequestKind::Read; break;
    case Meaning::Write: record.kind = RequestKind::Write; break;
    case Meaning::Trim: record.kind = RequestKind::Trim; break;
    case Meaning::Flush: record.kind = RequestKind::Flush; break;
    }
    record.file = files_.number(file);
    record.offset = fields.number("the offset in bytes");
    record.length = fields.number("the length in bytes", maxTraceLength);
    fields.expectEnd();
    if (record.kind == RequestKind::Flush)
        record.offset = record.length = 0; // fio repeats the last offset here
    else if (record.length == 0)
        record.skipped = SkipReason::ZeroLength;
    return false;
}

FioIologV2Reader::FioIologV2Reader(TraceText text, WaitMeaning meaning)
    : FioIologReader(std::move(text), header,
                     meaning == WaitMeaning::MillisecondsSinceStart ? maxMicroseconds / 1000 : maxMicroseconds),
      meaning_(meaning)
{
}

bool FioIologV2Reader::probe(const TraceHead& head)
{
    return !head.lines.empty() && head.lines.front() == header;
}

void FioIologV2Reader::parse(std::string_view line, TraceRecord& record)
{
    TraceFields fields(text(), line, FieldSeparator::Blanks);
    std::uint64_t wait = 0;
    if (parseAction(fields, record, wait)) {
        // A time that has already passed does not cause a wait.
        now_ = meaning_ == WaitMeaning::MillisecondsSinceStart ? std::max(now_, wait * 1000) : now_ + wait;
        if (now_ > maxMicroseconds)
            fields.fail("waits of at most 53 days altogether");
    }
    if (!record.skipped)
        record.at = clock_.since(now_).value_or(never); // cannot be too far: checked above
}

FioIologV3Reader::FioIologV3Reader(TraceText text) : FioIologReader(std::move(text), header, maxMicroseconds) {}

bool FioIologV3Reader::probe(const TraceHead& head)
{
    return !head.lines.empty() && head.lines.front() == header;
}

void FioIologV3Reader::parse(std::string_view line, TraceRecord& record)
{
    TraceFields fields(text(), line, FieldSeparator::Blanks);
    const std::uint64_t stamp = fields.number("the time in microseconds");
    record.timeColumn = fields.column();
    std::uint64_t ignored = 0;
    parseAction(fields, record, ignored);
    if (record.skipped)
        return;
    record.at = clock_.since(stamp, text(), record.timeColumn);
}

} // namespace strobe::host
