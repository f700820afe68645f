// SPDX-License-Identifier: Apache-2.0
#include "models/host/workload/trace_vscsi1.h"

#include "models/host/workload/trace_bytes.h"

#include <fmt/format.h>

#include <array>

namespace strobe::host {

namespace {

constexpr std::size_t recordBytes = 32;
constexpr std::uint16_t version1 = 256;

struct Command {
    std::uint16_t code;
    RequestKind kind;
};

constexpr std::array<Command, 10> commands{{{0x08, RequestKind::Read},
                                            {0x28, RequestKind::Read},
                                            {0xA8, RequestKind::Read},
                                            {0x88, RequestKind::Read},
                                            {0x0A, RequestKind::Write},
                                            {0x2A, RequestKind::Write},
                                            {0xAA, RequestKind::Write},
                                            {0x8A, RequestKind::Write},
                                            {0x35, RequestKind::Flush},
                                            {0x91, RequestKind::Flush}}};

std::optional<RequestKind> kindOf(std::uint16_t code)
{
    for (const Command& command : commands) {
        if (command.code == code)
            return command.kind;
    }
    return std::nullopt;
}

} // namespace

// Whole records only, all of this version, and a read or write among them.
bool Vscsi1Reader::probe(const TraceHead& head)
{
    bool isReadOrWrite = false;
    for (std::size_t at = 0; at + recordBytes <= head.bytes.size(); at += recordBytes) {
        if (littleEndian<std::uint16_t>(head.bytes, at + 14) != version1)
            return false;
        const auto code = littleEndian<std::uint16_t>(head.bytes, at + 12);
        isReadOrWrite = isReadOrWrite || kindOf(code).value_or(RequestKind::Flush) != RequestKind::Flush;
    }
    return isReadOrWrite;
}

bool Vscsi1Reader::next(TraceRecord& record)
{
    const std::uint64_t begin = text().position();
    const std::string_view bytes = takeRecord(source(), recordBytes);
    if (bytes.empty())
        return false;
    record = TraceRecord{};
    const auto version = littleEndian<std::uint16_t>(bytes, 14);
    if (version != version1)
        failAtByte(text(), begin + 14, fmt::format("version {}", version1), std::to_string(version));
    const auto kind = kindOf(littleEndian<std::uint16_t>(bytes, 12));
    if (!kind) {
        record.skipped = SkipReason::OtherCommand;
        return true;
    }
    record.kind = *kind;
    const auto length = littleEndian<std::uint32_t>(bytes, 4);
    const auto sector = littleEndian<std::uint64_t>(bytes, 16);
    const auto stamp = littleEndian<std::uint64_t>(bytes, 24);
    if (*kind != RequestKind::Flush) {
        if (length == 0) {
            record.skipped = SkipReason::ZeroLength;
            return true;
        }
        if (sector > maxTraceSector)
            failAtByte(text(), begin + 16, fmt::format("a sector up to {}", maxTraceSector), std::to_string(sector));
        record.offset = sector * 512;
        record.length = length;
    }
    const std::optional<Time> at = clock_.since(stamp);
    if (!at)
        failAtByte(text(), begin + 24, "a time stamp within 53 days of the first request's", std::to_string(stamp));
    record.at = *at;
    return true;
}

} // namespace strobe::host
