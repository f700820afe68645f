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

// The name of the first state; no command of the debugger contains it.
constexpr std::string_view beginning = "\n";

} // namespace

void ReverseExecution::connect(GdbServer& server)
{
    server_ = &server;
    server.setHistory(this);
}

std::uint64_t ReverseExecution::position() const
{
    std::uint64_t sum = 0;
    for (std::size_t hart = 0; hart < target_.harts(); ++hart)
        sum += progress(hart);
    return sum;
}

void ReverseExecution::goBack(Way way, std::size_t hart)
{
    Goal goal;
    if (way == Way::Begin) {
        goal.kind = Goal::Kind::Reach;
        goal.reason = Halt::Reason::Reset;
        if (hasBeginning_)
            states_.resumeNamed(beginning, orders(goal));
        return;
    }
    const auto state = states_.before(position());
    if (!state)
        return;
    if (way == Way::Continue) {
        goal.kind = Goal::Kind::Search;
        goal.cycles = position();
    } else {
        goal.kind = Goal::Kind::Reach;
        if (progress(hart) == 0) {
            goal.reason = Halt::Reason::Begin;
            resume(0, goal);
        }
        goal.hart = hart;
        goal.cycles = progress(hart) - 1;
    }
    resume(*state, goal);
}

void ReverseExecution::goBackTo(Time at, std::uint64_t cycles, const Halt& halt)
{
    Goal goal;
    goal.kind = Goal::Kind::Reach;
    goal.hart = halt.hart;
    goal.cycles = std::max<std::uint64_t>(progress(halt.hart) - std::min(progress(halt.hart), cycles), 1);
    goal.at = at;
    goal.reason = halt.reason;
    goal.signal = halt.signal;
    goal.text = halt.text;
    if (const auto state = states_.before(goal.cycles))
        resume(*state, goal);
}

std::optional<std::int64_t> ReverseExecution::allow(std::size_t hart, std::int64_t cycles, Time local)
{
    if (server_->isConnected() && states_.isDue())
        keep();
    if (goal_.kind == Goal::Kind::None)
        return cycles;
    if (goal_.kind == Goal::Kind::Search)
        return allowSearch(cycles);
    if (goal_.hart != anyHart && goal_.hart != hart)
        return cycles;
    const std::uint64_t here = progress(hart);
    if (goal_.hart == anyHart || here >= goal_.cycles) {
        if (target_.core(hart).interrupts() < goal_.interrupts)
            return enterInterrupt();
        if (local < goal_.at)
            return 1;
        arrive(hart, goal_.reason);
        return std::nullopt;
    }
    if (here == milestone()) {
        keep();
        return allow(hart, cycles, local); // a copy that is resumed here has another goal
    }
    return std::min(cycles, static_cast<std::int64_t>(milestone() - here));
}

std::optional<std::int64_t> ReverseExecution::allowSearch(std::int64_t cycles)
{
    const std::uint64_t here = position();
    if (here >= goal_.cycles)
        endSearch();
    return std::min(cycles, static_cast<std::int64_t>(goal_.cycles - here));
}

// At the cycles of the goal, before its interrupt. It is pending and is entered at once; or the next instruction, an
// access, is to wait for other modules, which will cause it: then it is tried, and is not executed.
std::int64_t ReverseExecution::enterInterrupt()
{
    isInterruptTried_ = !isInterruptTried_;
    return isInterruptTried_ ? 0 : 1;
}

void ReverseExecution::arrive(std::size_t hart, Halt::Reason why)
{
    arrival_ = Halt{why, hart, goal_.text, goal_.signal, goal_.watch};
    goal_ = {};
    server_->session().arm();
}

bool ReverseExecution::losesPower()
{
    for (std::size_t hart = 0; hart < target_.harts(); ++hart)
        lostAt_[hart] = progress(hart);
    if (goal_.kind == Goal::Kind::Search && goal_.cycles <= position() + target_.harts())
        endSearch();
    if (goal_.kind != Goal::Kind::Reach || goal_.hart == anyHart || goal_.cycles > lostAt_[goal_.hart] + 1)
        return false;
    arrive(goal_.hart, Halt::Reason::Event);
    return true;
}

void ReverseExecution::endsPart()
{
    if (goal_.kind == Goal::Kind::Search && goal_.cycles <= position())
        endSearch();
}

// The first point of each new hart is one after the power loss.
void ReverseExecution::powerOn()
{
    for (std::size_t hart = 0; hart < target_.harts(); ++hart)
        before_[hart] = lostAt_[hart] + 1;
}

// The next place on the way to the point where a state is to be kept, in cycles of the goal's hart; one that is already
// behind or was kept: not. The point itself: there is none.
std::uint64_t ReverseExecution::milestone() const
{
    for (const std::uint64_t distance : milestones) {
        if (goal_.cycles > distance && goal_.cycles - distance > keptAt_ &&
            goal_.cycles - distance >= progress(goal_.hart))
            return goal_.cycles - distance;
    }
    return goal_.cycles;
}

Halt ReverseExecution::arrival()
{
    check(arrival_.has_value(), "the hart has not arrived");
    return *std::exchange(arrival_, std::nullopt);
}

void ReverseExecution::stopped(std::size_t hart, rv32::Stop why)
{
    if (goal_.kind != Goal::Kind::Search)
        return;
    Goal hit;
    hit.kind = Goal::Kind::Reach;
    hit.hart = hart;
    hit.cycles = progress(hart);
    hit.position = position();
    if (why == rv32::Stop::Breakpoint && hit.position < goal_.cycles) {
        hit.interrupts = target_.core(hart).interrupts();
        hit.reason = Halt::Reason::Breakpoint;
        found_ = hit;
    } else if (why == rv32::Stop::Watchpoint && hit.position > resumedAt_) {
        --hit.cycles;
        --hit.position;
        hit.reason = Halt::Reason::Watchpoint;
        hit.watch = target_.core(hart).watchHit();
        found_ = hit;
    }
}

void ReverseExecution::endSearch()
{
    if (found_.kind != Goal::Kind::None)
        resume(*states_.before(found_.position + 1), found_);
    Goal next;
    if (const auto earlier = states_.before(resumedAt_)) {
        next.kind = Goal::Kind::Search;
        next.cycles = resumedAt_ + 1; // a breakpoint at the state itself belongs to the part before
        resume(*earlier, next);
    }
    next.kind = Goal::Kind::Reach;
    next.reason = Halt::Reason::Begin;
    resume(0, next);
}

// --- snapshots -------------------------------------------------------------------------------------------------------

std::optional<std::string> ReverseExecution::snapshot(std::string_view name)
{
    if (name.empty())
        return "write it as: monitor snapshot NAME\n" + namesText();
    if (name.size() > ProcessSnapshots::longestName)
        return "a name has at most " + std::to_string(ProcessSnapshots::longestName) + " characters\n";
    if (!states_.isRoomFor(name))
        return "no further snapshot can be kept; one is replaced by another of its name\n" + namesText();
    const auto message = states_.keepAs(name, position());
    if (!message)
        return "snapshot \"" + std::string(name) + "\": " + target_.monitor("time").value_or("\n");
    takeOver(*message);
    if (isReplaying())
        return std::nullopt;
    return "restored; \"maintenance flush register-cache\" shows its registers\n" +
           target_.monitor("time").value_or("");
}

std::string ReverseExecution::restore(std::string_view name)
{
    const std::vector<std::string> names = states_.names();
    if (std::find(names.begin(), names.end(), name) != names.end())
        states_.resumeNamed(name, orders({}));
    return (name.empty() ? "write it as: monitor restore NAME\n"
                         : "there is no snapshot \"" + std::string(name) + "\"\n") +
           namesText();
}

std::string ReverseExecution::namesText() const
{
    std::string text;
    for (const std::string& name : states_.names()) {
        if (name != beginning)
            text += (text.empty() ? "" : ", ") + name;
    }
    return "snapshots: " + (text.empty() ? "none" : text) + "\n";
}

void ReverseExecution::end()
{
    states_.forget();
    states_.dropNamed();
}

// --- states ----------------------------------------------------------------------------------------------------------

void ReverseExecution::keep()
{
    const bool isFirst = !std::exchange(hasBeginning_, true);
    if (const auto message = isFirst ? states_.keepAs(beginning, position()) : states_.keep(position()))
        takeOver(*message);
    if (goal_.kind == Goal::Kind::Reach && goal_.hart != anyHart)
        keptAt_ = progress(goal_.hart);
}

void ReverseExecution::resume(std::size_t state, const Goal& goal)
{
    states_.resume(state, orders(goal));
}

std::string ReverseExecution::orders(const Goal& goal) const
{
    std::ostringstream message;
    const rv32::Watchpoint& point = goal.watch.watchpoint;
    message << static_cast<int>(goal.kind) << ' ' << goal.hart << ' ' << goal.cycles << ' ' << goal.interrupts << ' '
            << static_cast<int>(goal.reason) << ' ' << goal.watch.address << ' ' << point.address << ' ' << point.bytes
            << ' ' << point.onLoad << ' ' << point.onStore << ' ' << goal.at.count() << ' ' << goal.signal << ' '
            << toHex(goal.text) << '\n'
            << server_->session().saved();
    return message.str();
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
    text >> kind >> goal_.hart >> goal_.cycles >> goal_.interrupts >> reason >> goal_.watch.address >> point.address >>
        point.bytes >> point.onLoad >> point.onStore >> at >> goal_.signal;
    goal_.at = Time(at);
    goal_.kind = static_cast<Goal::Kind>(kind);
    goal_.reason = static_cast<Halt::Reason>(reason);
    resumedAt_ = position();
    ++takeovers_;
    isInterruptTried_ = false;
    std::string event;
    std::getline(text, event); // the rest of the first line
    goal_.text = fromHex(std::string_view(event).substr(1)).value_or("");
    std::string session;
    std::getline(text, session);
    server_->session().restore(session);
    if (goal_.kind == Goal::Kind::Reach) {
        leaveForEarlier();
        server_->session().disarm();
    }
}

// The hart of a step may have been past its point already, when others had gone on.
void ReverseExecution::leaveForEarlier()
{
    if (goal_.hart == anyHart || progress(goal_.hart) <= goal_.cycles)
        return;
    if (const auto earlier = states_.before(position()))
        resume(*earlier, goal_);
    goal_.hart = anyHart;
    goal_.reason = Halt::Reason::Begin;
}

} // namespace strobe::cpu
