#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The MSR Cambridge block traces (SNIA IOTTA; Narayanan et al., FAST 2008), CSV:
//   Timestamp,Hostname,DiskNumber,Type,Offset,Size,ResponseTime
// Timestamp and response time are Windows file times (100 ns), offset and size bytes, type Read or Write. Lines are
// sorted by issue time, with small disorder. A line that names the columns is skipped (counted). The response time
// serves dependent replay. Each host and disk is a file of its own.

#include "models/host/workload/trace_reader.h"

namespace strobe::host {

class MsrCambridgeReader final : public LineTraceReader {
public:
    explicit MsrCambridgeReader(TraceText text) : LineTraceReader(std::move(text)) {}
    TraceFormat format() const override { return TraceFormat::MsrCambridge; }
    static bool probe(const TraceHead& head);

private:
    void parse(std::string_view line, TraceRecord& record) override;

    TraceFiles disks_;
    TraceClock clock_{std::chrono::nanoseconds(100)};
};

} // namespace strobe::host
