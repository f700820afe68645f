#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The Tencent cloud block storage traces (SNIA IOTTA; Zhang et al., ATC 2020), CSV:
//   Timestamp,Offset,Size,IOType,VolumeID
// The timestamp is whole seconds since 1970, offset and size count 512-byte sectors, the type is 0 to read and 1 to
// write. Each volume is a file of its own.
// When within its second a request arrived is not recorded: the n requests that follow each other with the same stamp
// are spread evenly over it, the k-th at (k - 1)/n. They are held until the next stamp, so memory grows with the
// busiest second.

#include "models/host/workload/trace_reader.h"

#include <deque>

namespace strobe::host {

class TencentReader final : public TraceReader {
public:
    explicit TencentReader(TraceText text) : TraceReader(std::move(text)) {}
    bool next(TraceRecord& record) override;
    TraceFormat format() const override { return TraceFormat::Tencent; }
    static bool probe(const TraceHead& head);

private:
    std::uint64_t parse(std::string_view line, TraceRecord& record); // the stamp
    void spread(std::size_t end);                                    // held_ up to `end` have one stamp

    TraceFiles volumes_;
    TraceClock clock_{std::chrono::seconds(1)};
    std::deque<TraceRecord> held_; // the last may be of another second than the others
    std::size_t ready_ = 0;        // of held_: their times are set
    std::uint64_t stamp_ = 0;      // of those that are not ready
};

} // namespace strobe::host
