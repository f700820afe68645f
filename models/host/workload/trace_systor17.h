#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The SYSTOR '17 traces of virtual desktops (SNIA IOTTA; Lee et al., SYSTOR 2017), CSV:
//   Timestamp,Response,IOType,LUN,Offset,Size
// Timestamp (since 1970) and response are seconds, offset and size bytes, the type R or W. Rows are in the order of
// completion, so times may decrease. A row without a type is not a read or write and is skipped, as is the line that
// names the columns. The response may be absent; it serves dependent replay. Each LUN is a file of its own.

#include "models/host/workload/trace_reader.h"

namespace strobe::host {

class Systor17Reader final : public LineTraceReader {
public:
    explicit Systor17Reader(TraceText text) : LineTraceReader(std::move(text)) {}
    TraceFormat format() const override { return TraceFormat::Systor17; }
    static bool probe(const TraceHead& head);

private:
    void parse(std::string_view line, TraceRecord& record) override;

    TraceFiles luns_;
    TraceClock clock_{std::chrono::nanoseconds(1)};
};

} // namespace strobe::host
