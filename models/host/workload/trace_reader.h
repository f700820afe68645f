#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A trace format: how its lines or bytes become records. The menu is the table in trace_formats.cpp; a new format is a
// class, a row there and a row in traceFormatTable. Readers are streaming: they keep the names of a trace's files and,
// where a record needs what follows it, a bounded lookahead.
// TraceSource handles addresses, sizes and disorder in the same way for all formats.

#include "models/base/config_error.h"
#include "models/base/time.h"
#include "models/host/request.h"
#include "models/host/workload/trace_text.h"
#include "models/host/workload/workload_config.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace strobe::host {

// One line or event: a request in bytes, or the reason why it is not one (then only `skipped` is valid).
struct TraceRecord {
    std::optional<SkipReason> skipped;
    RequestKind kind = RequestKind::Read;
    bool fua = false;         // write only
    std::uint32_t file = 0;   // which file or disk of the trace, in order of appearance
    std::uint64_t offset = 0; // bytes, at most 2^63 - 1
    std::uint64_t length = 0; // bytes, at most maxTraceLength; zero for flush
    Time at{};                // since the first request of the trace; may be before the previous record's
    Time response{};          // response time in the recording; zero: unknown
    std::uint64_t line = 0;   // position of its time: line and column, or 0 in a binary file
    std::size_t timeColumn = 1;
};

inline constexpr std::uint64_t maxTraceLength = 0xFFFFFFFF; // block layers keep request lengths in 32 bits
inline constexpr std::uint64_t maxTraceSector = INT64_MAX / 512;
inline constexpr std::uint64_t maxTraceSectors = maxTraceLength / 512; // of one request

class TraceReader {
public:
    explicit TraceReader(TraceText text) : text_(std::move(text)) {}
    virtual ~TraceReader() = default;
    TraceReader(const TraceReader&) = delete;
    TraceReader& operator=(const TraceReader&) = delete;

    // The next record. False at the end. Throws ConfigError at a broken line.
    virtual bool next(TraceRecord& record) = 0;
    virtual TraceFormat format() const = 0;
    virtual bool hasTimes() const { return true; } // false: all records have time zero
    const TraceText& text() const { return text_; }

protected:
    TraceText& source() { return text_; }

private:
    TraceText text_;
};

// A format with one record per line, possibly with lines before or after.
class LineTraceReader : public TraceReader {
public:
    using TraceReader::TraceReader;
    bool next(TraceRecord& record) final;

protected:
    virtual void parse(std::string_view line, TraceRecord& record) = 0;
};

// Names of files or disks, numbered in order of appearance.
class TraceFiles {
public:
    std::uint32_t number(std::string_view name);

private:
    std::map<std::string, std::uint32_t, std::less<>> numbers_;
    std::string lastName_;
    std::uint32_t lastNumber_ = 0;
};

// Time stamps in ticks since any epoch, turned into times since the first request.
class TraceClock {
public:
    explicit TraceClock(Time tick) : tick_(tick) {}
    // Nothing if the stamp is more than 53 days away from the first, beyond what a Time holds exactly twice.
    std::optional<Time> since(std::uint64_t stamp);
    // The same; a stamp too far away is a ConfigError at the line that `text` gave last.
    Time since(std::uint64_t stamp, const TraceText& text, std::size_t column);
    Time ticks(std::uint64_t count) const; // at most 53 days

private:
    std::uint64_t most() const;

    Time tick_;
    std::optional<std::uint64_t> first_;
};

// The beginning of a file, for detecting its format.
struct TraceHead {
    std::string_view bytes;              // 64 KiB at most
    std::vector<std::string_view> lines; // of them, the first few hundred
};

// The content of a trace fits two formats with different meanings: the format must be given.
class AmbiguousTrace : public ConfigError {
public:
    using ConfigError::ConfigError;
};

// Opens the trace in its configured format, or in the one that its content shows. Throws AmbiguousTrace, or
// ConfigError: the file cannot be read, is empty, or is in none of the formats.
std::unique_ptr<TraceReader> openTrace(const TraceConfig& config);
std::unique_ptr<TraceReader> openTrace(TraceText text, const TraceConfig& config);

} // namespace strobe::host
