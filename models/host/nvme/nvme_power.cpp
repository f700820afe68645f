// SPDX-License-Identifier: Apache-2.0
#include "models/host/nvme/nvme_power.h"

#include "models/base/check.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace strobe::host::nvme {

PowerStates::PowerStates(std::vector<PowerState> states) : states_(std::move(states))
{
    check(states_.size() <= most, "an NVMe controller has at most 32 power states");
    if (states_.empty())
        states_.push_back(usualPowerState);
}

void PowerStates::reset(Time now)
{
    follow(course_, now);
    table_ = {};
    isAutonomous_ = false;
    course_.isBusy = false;
    if (course_.state != 0)
        enter(course_, 0, now);
    course_.readyAt = course_.idleFrom = now;
}

// --- the course of time ----------------------------------------------------------------------------------------------

void PowerStates::enter(Course& course, std::uint32_t state, Time at) const
{
    const std::uint32_t before = course.state;
    course.use[before].time += at - course.from;
    course.state = state;
    course.from = at;
    ++course.use[state].entries;
    // What is left of the last entry comes first.
    course.readyAt = std::max(at, course.readyAt) + states_[state].entryTime;
    if (isOperational(state)) {
        course.readyAt += states_[before].exitTime;
        course.active = state;
    }
    course.idleFrom = course.readyAt;
}

void PowerStates::follow(Course& course, Time now) const
{
    while (isAutonomous_ && !course.isBusy) {
        const Transition& next = table_[course.state];
        const Time at = course.idleFrom + next.after;
        if (next.after == Time{} || next.to == course.state || at > now)
            return;
        enter(course, next.to, at);
    }
}

bool PowerStates::select(std::uint32_t state, Time now)
{
    if (state >= states_.size())
        return false;
    follow(course_, now);
    if (state != course_.state)
        enter(course_, state, now);
    return true;
}

std::uint32_t PowerStates::current(Time now)
{
    follow(course_, now);
    return course_.state;
}

bool PowerStates::setTable(const Table& table, Time now)
{
    const bool isLegal = std::all_of(
        table.begin(), table.begin() + static_cast<std::ptrdiff_t>(states_.size()),
        [this](const Transition& t) { return t.after == Time{} || (t.to < states_.size() && !isOperational(t.to)); });
    if (!isLegal)
        return false;
    follow(course_, now);
    table_ = table;
    course_.idleFrom = std::max(course_.idleFrom, now);
    return true;
}

void PowerStates::enableTransitions(bool isOn, Time now)
{
    follow(course_, now);
    isAutonomous_ = isOn;
    course_.idleFrom = std::max(course_.idleFrom, now);
}

Time PowerStates::wake(Time now)
{
    follow(course_, now);
    course_.isBusy = true;
    if (!isOperational(course_.state))
        enter(course_, course_.active, now);
    return std::max(now, course_.readyAt);
}

void PowerStates::rest(Time now)
{
    if (!course_.isBusy) // what has ended was no I/O command: a format, the flush of a shutdown
        return;
    course_.isBusy = false;
    course_.idleFrom = std::max(now, course_.readyAt);
}

std::vector<PowerStateUse> PowerStates::use(Time now) const
{
    Course course = course_;
    follow(course, now);
    course.use[course.state].time += std::max(now - course.from, Time{});
    return {course.use.begin(), course.use.begin() + static_cast<std::ptrdiff_t>(states_.size())};
}

// --- the table -------------------------------------------------------------------------------------------------------

PowerStates::Table transitionsForTolerance(const std::vector<PowerState>& states, Time tolerance)
{
    constexpr Time millisecond = std::chrono::milliseconds(1);
    constexpr std::int64_t idleForLatency = 50;
    PowerStates::Table table{};
    PowerStates::Transition deeper{};
    for (std::size_t state = states.size(); state-- > 0;) {
        table[state] = deeper;
        const Time latency = states[state].entryTime + states[state].exitTime;
        if (state == 0 || states[state].isOperational || latency > tolerance)
            continue;
        const Time idle = latency * idleForLatency;
        deeper = {static_cast<std::uint8_t>(state),
                  std::max<Time>(millisecond, (idle + millisecond - Time{1}) / millisecond * millisecond)};
    }
    return table;
}

namespace {

constexpr unsigned stateShift = 3;
constexpr unsigned timeShift = 8;
constexpr std::uint64_t stateMask = 0x1F;
constexpr std::uint64_t timeMask = 0xFF'FFFF;

} // namespace

std::array<std::uint64_t, PowerStates::most> encode(const PowerStates::Table& table)
{
    std::array<std::uint64_t, PowerStates::most> structure{};
    std::transform(table.begin(), table.end(), structure.begin(), [](const PowerStates::Transition& t) {
        const auto idle = static_cast<std::uint64_t>(t.after / std::chrono::milliseconds(1));
        return std::uint64_t{t.to} << stateShift | std::min(idle, timeMask) << timeShift;
    });
    return structure;
}

PowerStates::Table decodeTransitions(const std::array<std::uint64_t, PowerStates::most>& structure)
{
    PowerStates::Table table{};
    std::transform(structure.begin(), structure.end(), table.begin(), [](std::uint64_t entry) {
        return PowerStates::Transition{static_cast<std::uint8_t>(entry >> stateShift & stateMask),
                                       std::chrono::milliseconds(entry >> timeShift & timeMask)};
    });
    return table;
}

} // namespace strobe::host::nvme
