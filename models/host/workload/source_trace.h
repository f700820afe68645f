#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A recorded trace as a request source. Bytes become sectors (widened to whole ones), addresses are folded into a
// region of the drive (modulo its size; a request across its end is split), long requests are split, and times never
// decrease: records are sorted by time, within a window. All of it is counted; nothing is dropped silently.

#include "models/host/workload/source_synthetic.h"
#include "models/host/workload/trace_order.h"
#include "models/host/workload/trace_reader.h"

#include <memory>

namespace strobe::host {

// Where a trace's requests go. The default is the whole address range, for inspecting a trace without a drive.
struct TraceFold {
    std::uint64_t firstSector = 0;
    std::uint64_t sectors = std::uint64_t{1} << 56;
};

class TraceSource final : public RequestSource {
public:
    // REQUIRES: fold.sectors > 0, config.maxSectors > 0. Opens the file; throws ConfigError.
    TraceSource(const TraceConfig& config, TraceFold fold, SourceLimits limits = {});
    TraceSource(std::unique_ptr<TraceReader> reader, const TraceConfig& config, TraceFold fold,
                SourceLimits limits = {});

    std::optional<Request> next() override; // throws ConfigError: a broken line, no requests
    const SourceCounts& counts() const override { return counts_; }
    std::string describe() const override;

private:
    bool prepare();
    bool takeRecord(TraceRecord& record);
    bool readRequest(TraceRecord& record);
    Time arrivalOf(const TraceRecord& record);
    std::uint64_t baseOf(std::uint32_t file) const;

    std::unique_ptr<TraceReader> reader_;
    TraceConfig config_;
    TraceFold fold_;
    SourceLimits limits_;
    SourceCounts counts_;
    TraceOrder order_;
    std::optional<Time> begin_;
    Time lastArrival_{};
    std::uint64_t volumeSectors_ = 0;

    // The rest of the current record.
    Request pending_;
    std::uint64_t pendingSectors_ = 0;
};

} // namespace strobe::host
