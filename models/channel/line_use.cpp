// SPDX-License-Identifier: Apache-2.0
#include "models/channel/line_use.h"

#include "models/base/check.h"
#include "models/channel/bus_schedule.h"
#include "models/channel/bus_steps.h"

namespace strobe::channel {

namespace {

void addCommand(LineUse& use, Time from, Time to)
{
    LineUse::Span* last = use.commands == 0 ? nullptr : &use.command[use.commands - 1];
    if (last != nullptr && (last->to == from || use.commands == LineUse::maxSpans))
        last->to = to;
    else
        use.command[use.commands++] = {from, to};
}

// The same with `more` data.
LineUse lengthened(LineUse use, Time more)
{
    if (!use.hasData())
        return use;
    for (std::uint32_t i = 0; i < use.commands; ++i) {
        if (use.command[i].from >= use.data.to) {
            use.command[i].from += more;
            use.command[i].to += more;
        }
    }
    use.data.to += more;
    use.duration += more;
    return use;
}

} // namespace

InterfaceTiming withCommandLines(InterfaceTiming timing, Time clock)
{
    check(timing.mayHaveCommandLines, "an interface has no separate command lines");
    check(clock > Time{}, "command lines need a clock period");
    timing.hasCommandLines = true;
    timing.cycle = packetClocks * clock;
    timing.answerCycle = answerClocks * clock;
    return timing;
}

LineUse lineUseOf(const std::vector<Segment>& tenure)
{
    LineUse use;
    Time at{};
    for (const Segment& segment : tenure) {
        const Time end = at + segment.duration;
        if (segment.lines == BusLines::Command && segment.duration > Time{}) {
            addCommand(use, at, end);
        } else if (segment.lines == BusLines::Data && segment.duration > Time{}) {
            if (!use.hasData())
                use.data.from = at;
            use.data.to = end;
        }
        at = end;
    }
    use.duration = at;
    return use;
}

std::size_t LineUses::index(nand::Form form, nand::Opcode opcode)
{
    return static_cast<std::size_t>(form) * nand::opcodeTable.size() + static_cast<std::size_t>(opcode);
}

LineUses::LineUses(const BusSchedule& schedule)
    : templates_(nand::formTable.size() * nand::opcodeTable.size()),
      sectorIn_(schedule.dataInTime(schedule.dataBytes(1))), sectorOut_(schedule.dataOutTime(schedule.dataBytes(1)))
{
    for (const Sequences& row : sequenceTable(true)) {
        nand::Operation op;
        op.opcode = row.opcode;
        op.form = row.form;
        op.sectors = 1;
        Template& made = templates_[index(row.form, row.opcode)];
        made.request = lineUseOf(schedule.requestSegments(op));
        made.response = lineUseOf(schedule.responseSegments(op));
        op.pslc = true;
        made.inPslcMode = lineUseOf(schedule.requestSegments(op));
    }
    const Time end = schedule.cacheEndTime();
    cacheEnd_.command[cacheEnd_.commands++] = {Time{}, end};
    cacheEnd_.duration = end;
}

LineUse LineUses::request(const BusSchedule& schedule, const nand::Operation& op, nand::Form form) const
{
    if (form == nand::Form::CopyIn && op.opcode == nand::Opcode::CopyBack) // depends on what is replaced
        return lineUseOf(schedule.requestSegments(op));
    const Template& made = templates_[index(form, op.opcode)];
    return lengthened(op.pslc ? made.inPslcMode : made.request,
                      schedule.dataInTime(schedule.dataBytes(op.sectors)) - sectorIn_);
}

LineUse LineUses::response(const BusSchedule& schedule, const nand::Operation& op) const
{
    const LineUse& made = templates_[index(op.form, op.opcode)].response;
    const bool isPage = made.hasData() && op.form != nand::Form::CopyOut; // else a spare record
    return isPage ? lengthened(made, schedule.dataOutTime(schedule.dataBytes(op.sectors)) - sectorOut_) : made;
}

} // namespace strobe::channel
