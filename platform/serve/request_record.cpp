// SPDX-License-Identifier: Apache-2.0
#include "platform/serve/request_record.h"

#include "models/base/content.h"

#include <chrono>

namespace strobe::platform::serve {

namespace {

constexpr const char* fileName = "/strobe/drive";

} // namespace

RequestRecord::RequestRecord(std::ostream& output, Time begin) : output_(output), begin_(begin)
{
    output_ << "fio version 3 iolog\n";
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
    output_.flush();
}

void RequestRecord::line(Time at, const char* action)
{
    output_ << std::chrono::duration_cast<std::chrono::microseconds>(at - begin_).count() << ' ' << fileName << ' '
            << action << '\n';
}

void RequestRecord::line(Time at, const char* action, const BlockRequest& request)
{
    output_ << std::chrono::duration_cast<std::chrono::microseconds>(at - begin_).count() << ' ' << fileName << ' '
            << action << ' ' << request.lba * sectorBytes << ' ' << request.sectors * sectorBytes << '\n';
}

} // namespace strobe::platform::serve
