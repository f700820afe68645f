#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// fio's iolog, versions 2 and 3 (fio manual, "Trace file format"; meanings checked against fio 3.33).
//   version 2   FILE add|open|close                          version 3   the same after a time stamp in microseconds
//               FILE read|write|trim OFFSET LENGTH           since the start; no wait lines
//               FILE sync|datasync OFFSET LENGTH
//               FILE wait TIME 0
// sync and datasync become flushes. fio itself skips a wait in version 3 and so does this reader (counted). The gap
// before the first request is dropped, as for every format.

#include "models/host/workload/trace_fields.h"
#include "models/host/workload/trace_reader.h"

namespace strobe::host {

class FioIologReader : public LineTraceReader {
public:
    // Takes the header line. maxWait: the longest wait, in the file's unit.
    FioIologReader(TraceText text, std::string_view header, std::uint64_t maxWait);

protected:
    // FILE ACTION [OFFSET LENGTH]; true if the line is a wait, whose time is then in `wait`.
    bool parseAction(TraceFields& fields, TraceRecord& record, std::uint64_t& wait);

private:
    std::uint64_t maxWait_;
    TraceFiles files_;
};

class FioIologV2Reader final : public FioIologReader {
public:
    static constexpr std::string_view header = "fio version 2 iolog";
    FioIologV2Reader(TraceText text, WaitMeaning meaning);
    TraceFormat format() const override { return TraceFormat::FioIologV2; }
    static bool probe(const TraceHead& head);

private:
    void parse(std::string_view line, TraceRecord& record) override;

    WaitMeaning meaning_;
    std::uint64_t now_ = 0; // microseconds
    TraceClock clock_{std::chrono::microseconds(1)};
};

class FioIologV3Reader final : public FioIologReader {
public:
    static constexpr std::string_view header = "fio version 3 iolog";
    explicit FioIologV3Reader(TraceText text);
    TraceFormat format() const override { return TraceFormat::FioIologV3; }
    static bool probe(const TraceHead& head);

private:
    void parse(std::string_view line, TraceRecord& record) override;

    TraceClock clock_{std::chrono::microseconds(1)};
};

} // namespace strobe::host
