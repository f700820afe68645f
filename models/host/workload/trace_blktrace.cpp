// SPDX-License-Identifier: Apache-2.0
#include "models/host/workload/trace_blktrace.h"

#include "models/host/workload/trace_bytes.h"
#include "models/host/workload/trace_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>

namespace strobe::host {

namespace {

using Action = BlockEvent::Action;
using Operation = BlockEvent::Operation;

constexpr std::size_t headerBytes = 48;
constexpr std::size_t actionAt = 28;
constexpr std::size_t dataLengthAt = 46;
constexpr std::uint32_t magic = 0x65617400; // the lowest byte is the version
constexpr std::uint32_t magicMask = 0xFFFFFF00;
constexpr std::uint32_t version = 7;
constexpr std::uint32_t actionMask = 0xFF; // above it: a flag for control groups

enum Category : std::uint32_t { // of the action's upper half
    readCategory = 1U << 16,
    writeCategory = 1U << 17,
    flushCategory = 1U << 18,
    passThroughCategory = 1U << 25,
    noteCategory = 1U << 26,
    discardCategory = 1U << 29,
    fuaCategory = 1U << 31
};

Action actionOf(std::uint32_t word)
{
    if ((word & (noteCategory | passThroughCategory)) != 0)
        return Action::Other;
    switch (word & actionMask) {
    case 1: return Action::Queue;
    case 6: return Action::Requeue;
    case 7: return Action::Issue;
    case 8: return Action::Complete;
    default: return Action::Other;
    }
}

Operation operationOf(std::uint32_t word)
{
    if ((word & discardCategory) != 0)
        return Operation::Discard;
    if ((word & writeCategory) != 0)
        return Operation::Write;
    return (word & readCategory) != 0 ? Operation::Read : Operation::None;
}

bool hasIssue(std::string_view head)
{
    while (head.size() >= headerBytes) {
        if (actionOf(littleEndian<std::uint32_t>(head, actionAt)) == Action::Issue)
            return true;
        head.remove_prefix(std::min(head.size(), headerBytes + littleEndian<std::uint16_t>(head, dataLengthAt)));
    }
    return false;
}

Action takenAction(const TraceHead& head, std::vector<TraceText>& others)
{
    const bool hasIssues = hasIssue(head.bytes) || std::any_of(others.begin(), others.end(), [](TraceText& text) {
                               return hasIssue(text.peekBytes());
                           });
    return hasIssues ? Action::Issue : Action::Queue;
}

} // namespace

bool BlktraceReader::probe(const TraceHead& head)
{
    return head.bytes.size() >= sizeof magic && (littleEndian<std::uint32_t>(head.bytes, 0) & magicMask) == magic;
}

BlktraceReader::BlktraceReader(TraceText text, const TraceHead& head, std::vector<TraceText> others)
    : TraceReader(std::move(text)), others_(std::move(others)), events_(takenAction(head, others_))
{
    streams_.push_back({&source(), takeEvent(source())});
    for (TraceText& other : others_)
        streams_.push_back({&other, takeEvent(other)});
}

std::vector<TraceText> BlktraceReader::openOthers(const std::string& path)
{
    namespace fs = std::filesystem;
    constexpr std::string_view middle = ".blktrace.";
    const fs::path file(path);
    const std::string name = file.filename().string();
    const std::size_t at = name.rfind(middle);
    if (at == std::string::npos)
        return {};
    const std::size_t cpuAt = at + middle.size();
    const std::size_t cpuEnd = std::min(name.find_first_not_of("0123456789", cpuAt), name.size());
    const std::string_view ending = std::string_view(name).substr(cpuEnd); // of a compressed file
    std::map<std::uint64_t, std::string> found;                            // by CPU
    std::error_code ignored;
    const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
        const std::string other = entry.path().filename().string();
        if (other == name || other.size() <= cpuAt + ending.size() || other.compare(0, cpuAt, name, 0, cpuAt) != 0 ||
            std::string_view(other).substr(other.size() - ending.size()) != ending)
            continue;
        const std::string cpu = other.substr(cpuAt, other.size() - ending.size() - cpuAt);
        if (isWholeNumber(cpu) && cpu.size() < 10)
            found.emplace(std::stoull(cpu), entry.path().string());
    }
    std::vector<TraceText> others;
    others.reserve(found.size());
    for (const auto& [cpu, otherPath] : found)
        others.emplace_back(otherPath);
    return others;
}

std::optional<BlktraceReader::Event> BlktraceReader::takeEvent(TraceText& text)
{
    Event event;
    event.byte = text.position();
    const std::string_view bytes = takeRecord(text, headerBytes);
    if (bytes.empty())
        return std::nullopt;
    const auto mark = littleEndian<std::uint32_t>(bytes, 0);
    if (mark != (magic | version))
        failAtByte(text, event.byte,
                   fmt::format("a record of blktrace version {} ({:#010x})", version, magic | version),
                   fmt::format("{:#010x}", mark));
    const auto action = littleEndian<std::uint32_t>(bytes, actionAt);
    event.stamp = littleEndian<std::uint64_t>(bytes, 8);
    event.device = littleEndian<std::uint32_t>(bytes, 36);
    event.block.action = actionOf(action);
    event.block.operation = operationOf(action);
    event.block.flushBefore = (action & flushCategory) != 0;
    event.block.fua = (action & fuaCategory) != 0;
    event.block.bytes = littleEndian<std::uint32_t>(bytes, 24);
    event.block.sector = event.block.bytes == 0 ? 0 : littleEndian<std::uint64_t>(bytes, 16);
    if (event.block.action != Action::Other && event.block.sector > maxTraceSector)
        failAtByte(text, event.byte + 16, fmt::format("a sector up to {}", maxTraceSector),
                   std::to_string(event.block.sector));
    if (const auto data = littleEndian<std::uint16_t>(bytes, dataLengthAt); data != 0)
        takeRecord(text, data);
    return event;
}

std::uint32_t BlktraceReader::deviceNumber(std::uint32_t device)
{
    const auto found = std::find(devices_.begin(), devices_.end(), device);
    const auto number = static_cast<std::uint32_t>(found - devices_.begin());
    if (found == devices_.end())
        devices_.push_back(device);
    return number;
}

bool BlktraceReader::addEarliest(std::optional<SkipReason>& skipped)
{
    Stream* earliest = nullptr;
    for (Stream& stream : streams_) {
        if (stream.event && (earliest == nullptr || stream.event->stamp < earliest->event->stamp))
            earliest = &stream;
    }
    if (earliest == nullptr)
        return false;
    Event event = *earliest->event;
    if (event.block.action == Action::Other) {
        skipped = SkipReason::OtherEvent;
    } else {
        const std::optional<Time> at = clock_.since(event.stamp);
        if (!at)
            failAtByte(*earliest->text, event.byte + 8, "a time stamp within 53 days of the first request's",
                       std::to_string(event.stamp));
        event.block.at = *at;
        event.block.device = deviceNumber(event.device);
        skipped = events_.add(event.block);
    }
    earliest->event = takeEvent(*earliest->text);
    return true;
}

bool BlktraceReader::next(TraceRecord& record)
{
    while (!events_.take(record)) {
        std::optional<SkipReason> skipped;
        if (!addEarliest(skipped)) {
            events_.finish();
            return events_.take(record);
        }
        if (skipped) {
            record = TraceRecord{};
            record.skipped = skipped;
            return true;
        }
    }
    return true;
}

} // namespace strobe::host
