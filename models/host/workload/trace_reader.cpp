// SPDX-License-Identifier: Apache-2.0
#include "models/host/workload/trace_reader.h"

#include "models/host/workload/trace_fields.h"

#include <algorithm>

namespace strobe::host {

bool LineTraceReader::next(TraceRecord& record)
{
    std::string_view line;
    if (!source().next(line))
        return false;
    record = TraceRecord{};
    record.line = text().lineNumber();
    if (line.find_first_not_of(" \t") == std::string_view::npos)
        record.skipped = SkipReason::Blank;
    else
        parse(line, record);
    return true;
}

std::uint32_t TraceFiles::number(std::string_view name)
{
    if (name == lastName_ && !numbers_.empty())
        return lastNumber_;
    auto found = numbers_.find(name);
    if (found == numbers_.end())
        found = numbers_.emplace(std::string(name), static_cast<std::uint32_t>(numbers_.size())).first;
    lastName_ = name;
    lastNumber_ = found->second;
    return lastNumber_;
}

std::optional<Time> TraceClock::since(std::uint64_t stamp)
{
    if (!first_)
        first_ = stamp;
    const bool before = stamp < *first_;
    const std::uint64_t distance = before ? *first_ - stamp : stamp - *first_;
    if (distance > most())
        return std::nullopt;
    return before ? -ticks(distance) : ticks(distance);
}

Time TraceClock::ticks(std::uint64_t count) const
{
    return tick_ * static_cast<std::int64_t>(std::min(count, most()));
}

std::uint64_t TraceClock::most() const
{
    return static_cast<std::uint64_t>(never.count() / 2 / tick_.count());
}

Time TraceClock::since(std::uint64_t stamp, const TraceText& text, std::size_t column)
{
    const std::optional<Time> time = since(stamp);
    if (!time)
        failAt(text, column, "a time stamp within 53 days of the first request's", std::to_string(stamp));
    return *time;
}

} // namespace strobe::host
