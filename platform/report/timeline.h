#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Recorded jobs as a Perfetto trace: a track per resource, in groups from the host to the dies. Jobs of a resource that
// overlap (pipelined operations of a die) are placed on further tracks of the same name, which the viewer draws as one.
// Each slice has the job's wait before its start (waited_ps).

#include "models/base/activity_log.h"

#include <string>

namespace strobe::platform {

std::string timelineTrace(const ActivityLog& log); // protobuf, as in perfetto_trace.h

} // namespace strobe::platform
