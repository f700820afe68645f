// SPDX-License-Identifier: Apache-2.0
#include "models/channel/combined_segments.h"

#include "models/base/check.h"
#include "models/channel/word_lines.h"

namespace strobe::channel {

namespace {

void append(std::vector<Segment>& all, const std::vector<Segment>& more)
{
    all.insert(all.end(), more.begin(), more.end());
}

nand::Operation in(nand::Form form, nand::Operation op)
{
    op.form = form;
    return op;
}

} // namespace

std::vector<Segment> multiPlaneSegments(const BusSchedule& schedule, const nand::Operation& op, std::uint32_t planes)
{
    check(planes >= 2, "a multi-plane command needs at least two planes");
    const nand::Operation plane = in(nand::Form::Plane, op);
    const nand::Operation last = in(nand::Form::LastPlane, op);
    std::vector<Segment> all;
    for (std::uint32_t i = 0; i + 1 < planes; ++i) {
        append(all, schedule.requestSegments(plane));
        append(all, schedule.arraySegments(plane));
    }
    append(all, schedule.requestSegments(last));
    append(all, schedule.arraySegments(last));
    for (std::uint32_t i = 0; i < planes; ++i)
        append(all, schedule.responseSegments(last));
    return all;
}

std::vector<Segment> wordLineSegments(const BusSchedule& schedule, const nand::Operation& op, std::uint32_t planes)
{
    const nand::DieGeometry& geometry = schedule.part().geometry;
    std::vector<nand::Operation> operations(std::size_t{planes} * geometry.pagesPerProgram, op);
    std::vector<Waiting> pages;
    for (nand::Operation& page : operations) {
        const auto number = static_cast<std::uint32_t>(pages.size());
        page.target = {number / geometry.pagesPerProgram, number % geometry.pagesPerProgram};
        pages.push_back({&page});
    }
    orderRequests(geometry, pages);
    std::vector<Segment> all;
    for (const Waiting& page : pages) {
        append(all, schedule.requestSegments(*page.op));
        append(all, schedule.arraySegments(*page.op));
    }
    for (const Waiting& page : pages)
        append(all, schedule.responseSegments(*page.op));
    return all;
}

std::vector<Segment> cachedPageSegments(const BusSchedule& schedule, const nand::Operation& op)
{
    return schedule.segments(in(nand::Form::Cache, op));
}

Time cachePeriod(const BusSchedule& schedule, const nand::Operation& op)
{
    Time onTheWay{};
    for (const Segment& s : cachedPageSegments(schedule, op))
        onTheWay += s.duration;
    const Time busy = schedule.arrayTime(in(nand::Form::Cache, op));
    return std::max(onTheWay, schedule.arrayTime(in(nand::Form::Alone, op)) + busy);
}

Time multiPlaneCachePeriod(const BusSchedule& schedule, const nand::Operation& program, std::uint32_t planes)
{
    const auto durationOf = [&](nand::Form form) {
        Time total{};
        for (const Segment& s : schedule.segments(in(form, program)))
            total += s.duration;
        return total;
    };
    const Time onTheWay = durationOf(nand::Form::Plane) * (planes - 1) + durationOf(nand::Form::LastPlaneCache);
    const Time busy = schedule.arrayTime(in(nand::Form::LastPlaneCache, program));
    return std::max(onTheWay, schedule.arrayTime(in(nand::Form::Alone, program)) + busy);
}

} // namespace strobe::channel
