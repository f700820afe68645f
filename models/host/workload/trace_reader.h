#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A trace format: how its lines become records. The menu is the table in trace_formats.cpp; a new format is a class, a
// row there and a row in traceFormatTable. Readers are streaming and keep no more than the names of a trace's files.
// What becomes of addresses, sizes and disorder is TraceSource's business, the same for all formats.

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

// One line: a request in bytes, or the reason why it is none (then only `skipped` counts).
struct TraceRecord {
    std::optional<SkipReason> skipped;
    RequestKind kind = RequestKind::Read;
    std::uint32_t file = 0;   // which file or disk of the trace, in order of appearance
    std::uint64_t offset = 0; // bytes, at most 2^63 - 1
    std::uint64_t length = 0; // bytes, at most maxTraceLength; zero for flush
    Time at{};                // since the first request of the trace; may lie before the previous record's
    std::size_t timeColumn = 1;
};

inline constexpr std::uint64_t maxTraceLength = 0xFFFFFFFF; // block layers keep request lengths in 32 bits

class TraceReader {
public:
    explicit TraceReader(TraceText text) : text_(std::move(text)) {}
    virtual ~TraceReader() = default;
    TraceReader(const TraceReader&) = delete;
    TraceReader& operator=(const TraceReader&) = delete;

    // The next record. False at the end. Throws ConfigError at a broken line.
    bool next(TraceRecord& record);

    virtual TraceFormat format() const = 0;
    const TraceText& text() const { return text_; }

protected:
    virtual void parse(std::string_view line, TraceRecord& record) = 0;
    bool nextLine(std::string_view& line) { return text_.next(line); } // for headers

private:
    TraceText text_;
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

private:
    Time tick_;
    std::optional<std::uint64_t> first_;
};

// Opens the trace in its configured format, or in the one its content shows. Throws ConfigError: the file cannot be
// read, is empty, or is in no format of the menu.
std::unique_ptr<TraceReader> openTrace(const TraceConfig& config);
std::unique_ptr<TraceReader> openTrace(TraceText text, const TraceConfig& config);

} // namespace strobe::host
