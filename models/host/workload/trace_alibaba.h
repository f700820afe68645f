#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The Alibaba cloud block traces of 2020 (Li et al., IISWC 2020), CSV:
//   device_id,opcode,offset,length,timestamp
// Offset and length are bytes, the timestamp microseconds since 1970, the opcode R or W. Each device is a file of its
// own. A line that names the columns is skipped.

#include "models/host/workload/trace_reader.h"

namespace strobe::host {

class AlibabaReader final : public LineTraceReader {
public:
    explicit AlibabaReader(TraceText text) : LineTraceReader(std::move(text)) {}
    TraceFormat format() const override { return TraceFormat::Alibaba; }
    static bool probe(const TraceHead& head);

private:
    void parse(std::string_view line, TraceRecord& record) override;

    TraceFiles devices_;
    TraceClock clock_{std::chrono::microseconds(1)};
};

} // namespace strobe::host
