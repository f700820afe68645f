// SPDX-License-Identifier: Apache-2.0
#include "models/channel/chip_states.h"

#include "models/base/check.h"

#include <algorithm>

namespace strobe::channel {

using nand::Opcode;

const std::vector<ChipTransition>& chipTransitions()
{
    using S = ChipState;
    using E = ChipEvent;
    static const std::vector<ChipTransition> rows{
        {Opcode::Read, S::Cmd1Ready, E::Command, S::AddrReady}, // 00h
        {Opcode::Read, S::AddrReady, E::Addressed, S::AddrReady},
        {Opcode::Read, S::AddrReady, E::Confirm, S::Operating}, // 30h
        {Opcode::Read, S::Operating, E::Ready, S::Cmd2Ready},
        {Opcode::Read, S::Cmd2Ready, E::Take, S::DataOut},
        {Opcode::Read, S::DataOut, E::Taken, S::Cmd1Ready},

        {Opcode::Program, S::Cmd1Ready, E::Command, S::AddrReady}, // 80h
        {Opcode::Program, S::AddrReady, E::Addressed, S::DataReady},
        {Opcode::Program, S::DataReady, E::Filled, S::Cmd2Ready},
        {Opcode::Program, S::Cmd2Ready, E::Confirm, S::Operating}, // 10h
        {Opcode::Program, S::Operating, E::Ready, S::Cmd1Ready},

        {Opcode::Erase, S::Cmd1Ready, E::Command, S::AddrReady}, // 60h
        {Opcode::Erase, S::AddrReady, E::Addressed, S::Cmd2Ready},
        {Opcode::Erase, S::Cmd2Ready, E::Confirm, S::Operating}, // D0h
        {Opcode::Erase, S::Operating, E::Ready, S::Cmd1Ready},

        {Opcode::CopyBack, S::Cmd1Ready, E::Command, S::AddrReady}, // 00h
        {Opcode::CopyBack, S::AddrReady, E::Addressed, S::Cmd2Ready},
        {Opcode::CopyBack, S::Cmd2Ready, E::Command, S::AddrReady}, // 35h
        {Opcode::CopyBack, S::AddrReady, E::Command, S::AddrReady}, // 85h
        {Opcode::CopyBack, S::Cmd2Ready, E::Confirm, S::Operating}, // 10h
        {Opcode::CopyBack, S::Operating, E::Ready, S::Cmd1Ready},
    };
    return rows;
}

std::optional<ChipState> nextChipState(Opcode opcode, ChipState from, ChipEvent on)
{
    for (const ChipTransition& row : chipTransitions()) {
        if (row.opcode == opcode && row.from == from && row.on == on)
            return row.to;
    }
    return std::nullopt;
}

namespace {

class Machine {
public:
    explicit Machine(Opcode opcode, Time start) : opcode_(opcode), at_(start) {}

    void stay(Time until, bool onBus)
    {
        if (until <= at_)
            return;
        if (!spans_.empty() && spans_.back().state == state_ && spans_.back().onBus == onBus)
            spans_.back().end = until;
        else
            spans_.push_back({state_, at_, until, onBus});
        at_ = until;
    }
    void event(ChipEvent on)
    {
        const auto next = nextChipState(opcode_, state_, on);
        check(next.has_value(), "an event is not allowed in the state of a chip");
        state_ = *next;
    }
    Time at() const { return at_; }
    ChipState state() const { return state_; }
    std::vector<ChipSpan> take() { return std::move(spans_); }

private:
    Opcode opcode_;
    ChipState state_ = ChipState::Cmd1Ready;
    Time at_;
    std::vector<ChipSpan> spans_;
};

// A command takes effect with its cycle, which still belongs to the state before it; addresses and data fill the state
// that they belong to.
void request(Machine& machine, const std::vector<Segment>& segments)
{
    for (std::size_t i = 0; i < segments.size(); ++i) {
        machine.stay(machine.at() + segments[i].duration, true);
        const bool isLast = i + 1 == segments.size();
        const bool another = !isLast && segments[i + 1].kind == SegmentKind::Address;
        if (segments[i].kind == SegmentKind::Command)
            machine.event(isLast ? ChipEvent::Confirm : ChipEvent::Command);
        else if (segments[i].kind == SegmentKind::Address && !another)
            machine.event(ChipEvent::Addressed);
        else if (segments[i].kind == SegmentKind::DataIn)
            machine.event(ChipEvent::Filled);
    }
}

} // namespace

std::vector<ChipSpan> chipStates(const BusSchedule& schedule, const nand::Operation& op)
{
    const bool hasMachine =
        op.opcode <= Opcode::CopyBack && op.form == nand::Form::Alone && !op.pslc && !schedule.hasCommandLines();
    if (!hasMachine || op.status == nand::Status::Illegal)
        return {};
    Machine machine(op.opcode, op.requestStart);
    request(machine, schedule.requestSegments(op));
    machine.stay(op.ready, false);
    machine.event(ChipEvent::Ready);
    const Time response = op.done - schedule.responseTime(op);
    machine.stay(response, false);
    if (machine.state() == ChipState::Cmd2Ready)
        machine.event(ChipEvent::Take);
    machine.stay(op.done, true);
    if (machine.state() == ChipState::DataOut)
        machine.event(ChipEvent::Taken);
    check(machine.state() == ChipState::Cmd1Ready, "an operation ends before its chip is done");
    return machine.take();
}

} // namespace strobe::channel
