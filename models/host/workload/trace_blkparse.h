#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Text of blkparse with its default columns (blkparse manual; include/uapi/linux/blktrace_api.h for the events):
//   major,minor cpu sequence seconds process action RWBS [sector + sectors] [program]
// Actions: D issue, Q queue, C complete, R requeue; others are skipped, and so is the summary at the end. RWBS: the
// first F asks for a flush before, R, W, D or N is the operation (D discards, N is none), an F after it is FUA; the
// other letters are ignored. Sectors have 512 bytes. A command of the pass-through kind has no sectors here and is
// skipped.

#include "models/host/workload/trace_block_events.h"
#include "models/host/workload/trace_fields.h"
#include "models/host/workload/trace_reader.h"

namespace strobe::host {

class BlkparseReader final : public TraceReader {
public:
    BlkparseReader(TraceText text, const TraceHead& head);
    bool next(TraceRecord& record) override;
    TraceFormat format() const override { return TraceFormat::Blkparse; }
    static bool probe(const TraceHead& head);

private:
    std::optional<SkipReason> parse(std::string_view line);
    static void parseOperation(TraceFields& fields, BlockEvent& event);

    BlockEvents events_;
    TraceFiles devices_;
    TraceClock clock_{std::chrono::nanoseconds(1)};
    bool inSummary_ = false;
};

} // namespace strobe::host
