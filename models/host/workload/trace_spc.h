#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// SPC trace files (Storage Performance Council, trace file format 1.0.1), as the UMass repository has them:
//   ASU,LBA,Size,Opcode,Timestamp[,…]
// LBA counts 512-byte blocks within the application storage unit, size bytes, timestamp seconds since the start; opcode
// is r or w, in either case. Further fields are ignored. Each unit is a file of its own.

#include "models/host/workload/trace_reader.h"

namespace strobe::host {

class SpcReader final : public LineTraceReader {
public:
    explicit SpcReader(TraceText text) : LineTraceReader(std::move(text)) {}
    TraceFormat format() const override { return TraceFormat::Spc; }
    static bool probe(const TraceHead& head);

private:
    void parse(std::string_view line, TraceRecord& record) override;

    TraceFiles units_;
    TraceClock clock_{std::chrono::nanoseconds(1)};
};

} // namespace strobe::host
