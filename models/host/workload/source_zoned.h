#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The requests of another source on a drive with zones: that source sees only the sectors that can be written, without
// the gaps between zones. A request that would cross the border of a zone becomes one for each zone. Writes may be
// appends; or each request is a command for the zone in which it begins.

#include "models/host/request.h"
#include "models/host/workload/workload_config.h"

#include <memory>

namespace strobe::host {

class ZonedSource final : public RequestSource {
public:
    // REQUIRES: config.space has sectors; requests are not longer than a zone
    ZonedSource(std::unique_ptr<RequestSource> source, const ZonesConfig& config);

    std::optional<Request> next() override;
    std::optional<std::uint64_t> total() const override { return source_->total(); }
    const SourceCounts& counts() const override { return counts_; }
    std::string describe() const override;

private:
    Request placed(Request request);

    std::unique_ptr<RequestSource> source_;
    ZonesConfig config_;
    std::optional<Request> rest_; // of a request that crosses a border
    SourceCounts counts_;
};

} // namespace strobe::host
