// SPDX-License-Identifier: Apache-2.0
#include "models/host/workload/iolog_writer.h"

#include "models/base/content.h"
#include "models/host/workload/trace_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

namespace strobe::host {

namespace {

constexpr const char* fileName = "/strobe/drive";
constexpr const char* sync = "sync 0 0";

const char* actionOf(RequestKind kind)
{
    switch (kind) {
    case RequestKind::Read: return "read";
    case RequestKind::Write:
    case RequestKind::Append: return "write";
    case RequestKind::Trim: return "trim";
    default: return "sync";
    }
}

} // namespace

IologWriter::IologWriter(Sink sink, Time begin) : sink_(std::move(sink)), begin_(begin)
{
    sink_("fio version 3 iolog\n");
    line(begin, "add");
    line(begin, "open");
}

void IologWriter::add(const Request& request, Time at)
{
    if (request.kind == RequestKind::Flush) {
        line(at, sync);
        return;
    }
    if (isOfZone(request.kind))
        return; // the format has no such action
    for (std::uint64_t done = 0; done < request.sectors;) {
        const std::uint64_t sectors = std::min(request.sectors - done, maxTraceSectors);
        const std::string text =
            fmt::format("{} {} {}", actionOf(request.kind), (request.lba + done) * sectorBytes, sectors * sectorBytes);
        line(at, text.c_str());
        done += sectors;
    }
    if (request.fua && (request.kind == RequestKind::Write || request.kind == RequestKind::Trim))
        line(at, sync);
}

void IologWriter::end(Time at)
{
    line(at, "close");
}

void IologWriter::line(Time at, const char* action)
{
    const auto us = std::chrono::duration_cast<std::chrono::microseconds>(at - begin_).count();
    sink_(fmt::format("{} {} {}\n", us, fileName, action));
}

} // namespace strobe::host
