// SPDX-License-Identifier: Apache-2.0
#include "platform/serve/request_record.h"

namespace strobe::platform::serve {

namespace {

host::RequestKind kindOf(const BlockRequest& request)
{
    switch (request.kind) {
    case BlockKind::Read: return host::RequestKind::Read;
    case BlockKind::Write: return host::RequestKind::Write;
    case BlockKind::Zero: return request.mayTrim ? host::RequestKind::Trim : host::RequestKind::Write;
    case BlockKind::Trim: return host::RequestKind::Trim;
    case BlockKind::Flush: break;
    }
    return host::RequestKind::Flush;
}

} // namespace

void RequestRecord::add(const BlockRequest& request, Time at)
{
    host::Request recorded;
    recorded.kind = kindOf(request);
    recorded.fua = request.fua;
    recorded.lba = request.lba;
    recorded.sectors = static_cast<std::uint32_t>(request.sectors); // a client's request has less than 4 GiB
    writer_.add(recorded, at);
}

} // namespace strobe::platform::serve
