// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/debug/reverse_execution.h"

#include "models/base/check.h"
#include "models/cpu/debug/gdb_packets.h"

#include <algorithm>
#include <array>
#include <sstream>
#include <utility>

namespace strobe::cpu {

namespace {

// How long before a point to which the debugger has gone back states are kept, in cycles: it is likely to go back
// again.
constexpr std::array<std::uint64_t, 3> milestones{1'000'000, 30'000, 1'000};

} // namespace

void ReverseExecution::connect(GdbServer& server)
{
    server_ = &server;
    server.setHistory(this);
}

void ReverseExecution::goBack(Way way)
{
    const auto state = states_.before(position());
    if (!state)
        return;
    Goal goal;
    goal.kind = way == Way::Continue ? Goal::Kind::Search : Goal::Kind::Reach;
    switch (way) {
    case Way::Step: goal.cycles = position() - 1; break;
    case Way::Continue: goal.cycles = position(); break;
    case Way::Begin:
        goal.cycles = states_.position(0);
        goal.reason = Halt::Reason::Reset;
        resume(0, goal);
    }
    resume(*state, goal);
}

void ReverseExecution::goBackTo(Time at, std::uint64_t cycles, const Halt& halt)
{
    Goal goal;
    goal.kind = Goal::Kind::Reach;
    goal.cycles = std::max<std::uint64_t>(position() - std::min(position(), cycles), 1);
    goal.at = at;
    goal.reason = halt.reason;
    goal.signal = halt.signal;
    goal.text = halt.text;
    if (const auto state = states_.before(goal.cycles))
        resume(*state, goal);
}

std::optional<std::int64_t> ReverseExecution::allow(std::int64_t cycles, Time local)
{
    if (server_->isConnected() && states_.isDue())
        keep();
    const std::uint64_t here = position();
    if (goal_.kind == Goal::Kind::None)
        return cycles;
    if (goal_.kind == Goal::Kind::Search) {
        if (here >= goal_.cycles)
            endSearch();
        return std::min(cycles, static_cast<std::int64_t>(goal_.cycles - here));
    }
    if (here >= goal_.cycles) {
        if (target_.core(0).interrupts() < goal_.interrupts)
            return 0;
        if (local < goal_.at)
            return 1;
        arrive(goal_.reason);
        return std::nullopt;
    }
    if (here == milestone())
        keep();
    const std::uint64_t next = milestone();
    return std::min(cycles, static_cast<std::int64_t>((next > here ? next : goal_.cycles) - here));
}

void ReverseExecution::arrive(Halt::Reason why)
{
    arrival_ = Halt{why, 0, goal_.text, goal_.signal, goal_.watch};
    goal_ = {};
    server_->session().arm();
}

bool ReverseExecution::losesPower()
{
    lostAt_ = position();
    if (goal_.kind == Goal::Kind::Search && goal_.cycles <= lostAt_ + 1)
        endSearch();
    if (goal_.kind != Goal::Kind::Reach || goal_.cycles > lostAt_ + 1)
        return false;
    arrive(Halt::Reason::Event);
    return true;
}

// The first point of the new hart is one after the power loss.
void ReverseExecution::powerOn()
{
    before_ = lostAt_ + 1;
}

// The next place on the way to the point where a state is to be kept; one that is already behind or was kept: not.
std::uint64_t ReverseExecution::milestone() const
{
    const std::uint64_t last = states_.count() == 0 ? 0 : states_.position(states_.count() - 1);
    for (const std::uint64_t distance : milestones) {
        if (goal_.cycles > distance && goal_.cycles - distance > last && goal_.cycles - distance >= position())
            return goal_.cycles - distance;
    }
    return 0;
}

Halt ReverseExecution::arrival()
{
    check(arrival_.has_value(), "the hart has not arrived");
    return *std::exchange(arrival_, std::nullopt);
}

void ReverseExecution::stopped(rv32::Stop why)
{
    if (goal_.kind != Goal::Kind::Search)
        return;
    const std::uint64_t here = position();
    Goal hit;
    hit.kind = Goal::Kind::Reach;
    if (why == rv32::Stop::Breakpoint && here < goal_.cycles) {
        hit.cycles = here;
        hit.interrupts = target_.core(0).interrupts();
        hit.reason = Halt::Reason::Breakpoint;
        found_ = hit;
    } else if (why == rv32::Stop::Watchpoint && here > resumedAt_) {
        hit.cycles = here - 1;
        hit.reason = Halt::Reason::Watchpoint;
        hit.watch = target_.core(0).watchHit();
        found_ = hit;
    }
}

void ReverseExecution::endSearch()
{
    if (found_.kind != Goal::Kind::None)
        resume(*states_.before(found_.cycles + 1), found_);
    Goal next;
    if (const auto earlier = states_.before(resumedAt_)) {
        next.kind = Goal::Kind::Search;
        next.cycles = resumedAt_ + 1; // a breakpoint at the state itself belongs to the part before
        resume(*earlier, next);
    }
    next.kind = Goal::Kind::Reach;
    next.cycles = resumedAt_;
    next.reason = Halt::Reason::Begin;
    resume(0, next);
}

// --- states ----------------------------------------------------------------------------------------------------------

void ReverseExecution::keep()
{
    if (const auto message = states_.keep(position()))
        takeOver(*message);
}

void ReverseExecution::resume(std::size_t state, const Goal& goal)
{
    std::ostringstream message;
    const rv32::Watchpoint& point = goal.watch.watchpoint;
    message << static_cast<int>(goal.kind) << ' ' << goal.cycles << ' ' << goal.interrupts << ' '
            << static_cast<int>(goal.reason) << ' ' << goal.watch.address << ' ' << point.address << ' ' << point.bytes
            << ' ' << point.onLoad << ' ' << point.onStore << ' ' << goal.at.count() << ' ' << goal.signal << ' '
            << toHex(goal.text) << '\n'
            << server_->session().saved();
    states_.resume(state, message.str());
}

void ReverseExecution::takeOver(const std::string& message)
{
    std::istringstream text(message);
    int kind = 0;
    int reason = 0;
    Time::rep at = 0;
    goal_ = {};
    found_ = {};
    rv32::Watchpoint& point = goal_.watch.watchpoint;
    text >> kind >> goal_.cycles >> goal_.interrupts >> reason >> goal_.watch.address >> point.address >> point.bytes >>
        point.onLoad >> point.onStore >> at >> goal_.signal;
    goal_.at = Time(at);
    goal_.kind = static_cast<Goal::Kind>(kind);
    goal_.reason = static_cast<Halt::Reason>(reason);
    resumedAt_ = position();
    std::string event;
    std::getline(text, event); // the rest of the first line
    goal_.text = fromHex(std::string_view(event).substr(1)).value_or("");
    std::string session;
    std::getline(text, session);
    server_->session().restore(session);
    if (goal_.kind == Goal::Kind::Reach)
        server_->session().disarm();
}

} // namespace strobe::cpu
