// SPDX-License-Identifier: Apache-2.0
#include "models/host/workload/trace_reader.h"

namespace strobe::host {

bool TraceReader::next(TraceRecord& record)
{
    std::string_view line;
    if (!text_.next(line))
        return false;
    record.skipped.reset();
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
    const std::uint64_t ticks = before ? *first_ - stamp : stamp - *first_;
    if (ticks > static_cast<std::uint64_t>(never.count() / 2 / tick_.count()))
        return std::nullopt;
    const Time distance = tick_ * static_cast<std::int64_t>(ticks);
    return before ? -distance : distance;
}

} // namespace strobe::host
