#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The compact form of a trace of firmware: a section file (section_file.h) with the section "META" (cores, file name
// and digest of the image) and sections "ENTR" with entries (trace_codec.h), one continuing the other. Format:
// docs/firmware/observation.md.

#include "models/cpu/debug/trace_codec.h"
#include "platform/assembly/section_file.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace strobe::platform {

struct FirmwareTraceOrigin {
    std::uint8_t cores = 1;
    std::string image;  // name of its file
    std::string digest; // digestOf() its contents
};

class FirmwareTraceWriter {
public:
    // Keeps at most `limit` entries; the others are counted.
    FirmwareTraceWriter(const FirmwareTraceOrigin& origin, std::uint64_t limit);

    void add(const cpu::TraceEntry& entry);
    std::uint64_t kept() const { return kept_; }
    std::uint64_t leftOut() const { return leftOut_; }
    std::string file() &&; // once

private:
    void endSection();

    std::uint64_t limit_;
    std::uint64_t kept_ = 0;
    std::uint64_t leftOut_ = 0;
    cpu::TraceEncoder encoder_;
    ByteWriter section_;
    SectionWriter sections_;
};

class FirmwareTraceReader {
public:
    // `file` must outlive the reader. Throws DamagedBytes, as next() does.
    explicit FirmwareTraceReader(std::string_view file);
    FirmwareTraceReader(const FirmwareTraceReader&) = delete;
    FirmwareTraceReader& operator=(const FirmwareTraceReader&) = delete;
    ~FirmwareTraceReader() = default;

    const FirmwareTraceOrigin& origin() const { return origin_; }
    std::optional<cpu::TraceEntry> next(); // nothing: the file is over

private:
    SectionReader sections_;
    FirmwareTraceOrigin origin_;
    cpu::TraceDecoder decoder_;
    std::string section_;
    ByteReader entries_{section_};
};

} // namespace strobe::platform
