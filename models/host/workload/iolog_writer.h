#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Writes requests in fio's iolog version 3, a trace that scenarios replay (trace_fio_iolog.h) and that fio replays.
// Times are in whole microseconds since the record began.
//
// iolog has no FUA: a write or trim with FUA is followed by a sync. A request that is longer than traces have them
// (maxTraceSectors) becomes several. Contents are not recorded.

#include "models/host/request.h"

#include <functional>
#include <string_view>

namespace strobe::host {

class IologWriter {
public:
    using Sink = std::function<void(std::string_view text)>;

    // The sink gets the text line by line. Errors of writing: of the sink.
    IologWriter(Sink sink, Time begin);
    ~IologWriter() = default;
    IologWriter(const IologWriter&) = delete;
    IologWriter& operator=(const IologWriter&) = delete;

    // REQUIRES: `at` not before `begin`, nor before that of the previous request.
    void add(const Request& request, Time at);
    void end(Time at); // once

private:
    void line(Time at, const char* action);

    Sink sink_;
    Time begin_;
};

} // namespace strobe::host
