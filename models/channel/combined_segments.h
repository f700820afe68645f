#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Segments of joined commands on an idle bus: for `strobe inspect timing` and for closed-form tests. Pure.

#include "models/channel/bus_schedule.h"

#include <cstdint>
#include <vector>

namespace strobe::channel {

// One multi-plane command on `planes` planes, each with the operation's sectors, with everything that uses the
// bus. REQUIRES: planes >= 2; a read, program or erase.
std::vector<Segment> multiPlaneSegments(const BusSchedule& schedule, const nand::Operation& op, std::uint32_t planes);

// A program of one word line of each of `planes` planes, the same. REQUIRES: a part with word lines; a program.
std::vector<Segment> wordLineSegments(const BusSchedule& schedule, const nand::Operation& op, std::uint32_t planes);

// A page in the middle of a long cache read or cache program: its segments, without its array time, which continues
// after them.
std::vector<Segment> cachedPageSegments(const BusSchedule& schedule, const nand::Operation& op);
// Time from completion of the previous page to completion of this one: bus and waits, or the array, whichever is
// slower.
//   read     max{request + max(tRCBSY, tWB) + tRR + data out, tR + tRCBSY}
//   program  max{request + max(tCBSY, tWB) + poll delay + status, tPROG + tCBSY}
Time cachePeriod(const BusSchedule& schedule, const nand::Operation& op);
// The same of a long cache program of several planes, for a page of each:
//   max{planes (request + status) + (planes - 1) max(tDBSY, tWB) + max(tCBSY, tWB) + poll delay, tPROG + tCBSY}
Time multiPlaneCachePeriod(const BusSchedule& schedule, const nand::Operation& program, std::uint32_t planes);

} // namespace strobe::channel
