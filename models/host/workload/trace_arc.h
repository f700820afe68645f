#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The lists of disk reads used in the ARC paper (Megiddo and Modha, FAST 2003): first block, number of blocks, a zero,
// number of the request, between blanks. Blocks are 512 bytes. Only reads, and no times: for closed loops.

#include "models/host/workload/trace_reader.h"

namespace strobe::host {

class ArcReader final : public LineTraceReader {
public:
    explicit ArcReader(TraceText text) : LineTraceReader(std::move(text)) {}
    TraceFormat format() const override { return TraceFormat::Arc; }
    bool hasTimes() const override { return false; }
    static bool probe(const TraceHead& head);

private:
    void parse(std::string_view line, TraceRecord& record) override;
};

} // namespace strobe::host
