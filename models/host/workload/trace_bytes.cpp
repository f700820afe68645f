// SPDX-License-Identifier: Apache-2.0
#include "models/host/workload/trace_bytes.h"

#include "models/base/config_error.h"

#include <fmt/format.h>

namespace strobe::host {

void failAtByte(const TraceText& text, std::uint64_t byte, const std::string& expected, const std::string& found)
{
    throw ConfigError(fmt::format("{}: byte {}: expected {}, found {}", text.name(), byte, expected, found));
}

std::string_view takeRecord(TraceText& text, std::size_t size)
{
    const std::uint64_t begin = text.position();
    const std::string_view bytes = text.bytes(size);
    if (!bytes.empty() && bytes.size() < size)
        failAtByte(text, begin, fmt::format("a record of {} bytes", size), fmt::format("the last {}", bytes.size()));
    return bytes;
}

} // namespace strobe::host
