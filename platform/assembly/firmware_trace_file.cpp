// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/firmware_trace_file.h"

#include <utility>

namespace strobe::platform {

namespace {

constexpr std::string_view traceMagic = "STRBFTRC";
constexpr std::uint32_t traceVersion = 1;
constexpr std::string_view metaName = "META";
constexpr std::string_view entriesName = "ENTR";
constexpr std::size_t sectionBytes = std::size_t{1} << 22U; // before compression; the last entry may go beyond
constexpr std::size_t longestEntry = 4096;
constexpr std::size_t longestMeta = std::size_t{1} << 16U;

} // namespace

FirmwareTraceWriter::FirmwareTraceWriter(const FirmwareTraceOrigin& origin, std::uint64_t limit) : limit_(limit)
{
    ByteWriter meta;
    meta.put(origin.cores);
    meta.put(std::string_view(origin.image));
    meta.put(std::string_view(origin.digest));
    sections_.add(metaName, meta.bytes());
}

void FirmwareTraceWriter::add(const cpu::TraceEntry& entry)
{
    if (kept_ == limit_) {
        ++leftOut_;
        return;
    }
    ++kept_;
    encoder_.add(entry, section_);
    if (section_.bytes().size() >= sectionBytes)
        endSection();
}

void FirmwareTraceWriter::endSection()
{
    if (section_.bytes().empty())
        return;
    sections_.add(entriesName, section_.bytes());
    section_ = {};
}

std::string FirmwareTraceWriter::file() &&
{
    endSection();
    return std::move(sections_).file(traceMagic, traceVersion);
}

FirmwareTraceReader::FirmwareTraceReader(std::string_view file)
    : sections_(file, traceMagic, traceVersion, "a trace of firmware in binary form")
{
    const std::string meta = sections_.take(metaName, longestMeta);
    ByteReader in(meta);
    origin_.cores = in.take<std::uint8_t>();
    if (origin_.cores == 0 || origin_.cores > cpu::TraceEntry::mostCores)
        throw DamagedBytes("a number in it is too large");
    origin_.image = in.takeText();
    origin_.digest = in.takeText();
}

std::optional<cpu::TraceEntry> FirmwareTraceReader::next()
{
    while (entries_.isAtEnd()) {
        if (sections_.left() == 0) {
            sections_.finish();
            return std::nullopt;
        }
        section_ = sections_.take(entriesName, sectionBytes + longestEntry);
        entries_ = ByteReader(section_);
    }
    return decoder_.take(entries_);
}

} // namespace strobe::platform
