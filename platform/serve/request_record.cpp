// SPDX-License-Identifier: Apache-2.0
#include "platform/serve/request_record.h"

#include "models/base/content.h"

#include <fmt/format.h>

#include <chrono>
#include <utility>

namespace strobe::platform::serve {

namespace {

constexpr const char* fileName = "/strobe/drive";

} // namespace

RequestRecord::RequestRecord(Sink sink, Time begin) : sink_(std::move(sink)), begin_(begin)
{
    sink_("fio version 3 iolog\n");
    line(begin, "add");
    line(begin, "open");
}

void RequestRecord::add(const BlockRequest& request, Time at)
{
    switch (request.kind) {
    case BlockKind::Read: line(at, "read", request); break;
    case BlockKind::Write: line(at, "write", request); break;
    case BlockKind::Zero: line(at, request.mayTrim ? "trim" : "write", request); break;
    case BlockKind::Trim: line(at, "trim", request); break;
    case BlockKind::Flush: line(at, "sync", request); break;
    }
    if (request.fua && request.kind != BlockKind::Read && request.kind != BlockKind::Flush)
        line(at, "sync", BlockRequest{});
}

void RequestRecord::end(Time at)
{
    line(at, "close");
}

void RequestRecord::line(Time at, const char* action)
{
    const auto us = std::chrono::duration_cast<std::chrono::microseconds>(at - begin_).count();
    sink_(fmt::format("{} {} {}\n", us, fileName, action));
}

void RequestRecord::line(Time at, const char* action, const BlockRequest& request)
{
    line(at, fmt::format("{} {} {}", action, request.lba * sectorBytes, request.sectors * sectorBytes).c_str());
}

} // namespace strobe::platform::serve
