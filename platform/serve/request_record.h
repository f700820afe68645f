#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Records the requests of block clients as they arrive, as fio's iolog (models/host/workload/iolog_writer.h), with the
// times of the simulation. iolog has fewer kinds of request: a write of zeros is recorded as a write, or as a trim if
// the sectors need not stay allocated. Requests for extents are not recorded.

#include "models/host/workload/iolog_writer.h"
#include "platform/serve/block_request.h"

#include <utility>

namespace strobe::platform::serve {

class RequestRecord {
public:
    // As of IologWriter.
    RequestRecord(host::IologWriter::Sink sink, Time begin) : writer_(std::move(sink), begin) {}

    void add(const BlockRequest& request, Time at);
    void end(Time at) { writer_.end(at); } // once

private:
    host::IologWriter writer_;
};

} // namespace strobe::platform::serve
