#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Writes the requests of block clients as they arrive, in fio's iolog version 3: a trace that scenarios replay
// (models/host/workload/trace_fio_iolog.h) and that fio replays. Times are those of the simulation, in whole
// microseconds since the record began.
//
// iolog has fewer kinds of request, so a write of zeros is recorded as a write, or as a trim if the sectors need not
// stay allocated, and what has FUA is followed by a sync. Contents and requests for extents are not recorded.

#include "models/base/time.h"
#include "platform/serve/block_request.h"

#include <functional>
#include <string_view>

namespace strobe::platform::serve {

class RequestRecord {
public:
    using Sink = std::function<void(std::string_view text)>;

    // The sink gets the text line by line. Errors of writing: of the sink.
    RequestRecord(Sink sink, Time begin);
    ~RequestRecord() = default;
    RequestRecord(const RequestRecord&) = delete;
    RequestRecord& operator=(const RequestRecord&) = delete;

    void add(const BlockRequest& request, Time at);
    void end(Time at); // once

private:
    void line(Time at, const char* action);
    void line(Time at, const char* action, const BlockRequest& request);

    Sink sink_;
    Time begin_;
};

} // namespace strobe::platform::serve
