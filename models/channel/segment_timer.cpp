// SPDX-License-Identifier: Apache-2.0
#include "models/channel/segment_timer.h"

#include <algorithm>

namespace strobe::channel {

SegmentTimer::SegmentTimer(const BusSchedule& schedule, const nand::Operation& op)
    : schedule_(schedule), timing_(schedule.timing()), op_(op),
      outCycle_(op.outputCycle != Time{} ? op.outputCycle : timing_.outCycle()),
      commandLines_(timing_.hasCommandLines ? BusLines::Command : BusLines::All),
      dataLines_(timing_.hasCommandLines ? BusLines::Data : BusLines::All),
      noLines_(timing_.hasCommandLines ? BusLines::None : BusLines::All)
{
}

Time SegmentTimer::drainTime(const nand::Operation& op)
{
    return std::max(op.sampleAt - op.outputCycle, Time{});
}

std::vector<Segment> SegmentTimer::tenure(const Sequence& sequence)
{
    segments_.clear();
    if (!sequence.empty())
        add({SegmentKind::ChipEnable, "tCS", Extent::Tcs});
    for (const Step& step : sequence)
        add(step);
    segments_.erase(std::remove_if(segments_.begin(), segments_.end(),
                                   [](const Segment& s) { return s.cycles == 0 && s.duration == Time{}; }),
                    segments_.end());
    return std::move(segments_);
}

Time SegmentTimer::durationOf(const Sequence& sequence)
{
    segments_.clear();
    for (const Step& step : sequence)
        add(step);
    Time total{};
    for (const Segment& segment : segments_)
        total += segment.duration;
    return total;
}

void SegmentTimer::add(const Step& step)
{
    const nand::Part& part = schedule_.part();
    switch (step.extent) {
    case Extent::OneCycle: cycles(step, 1); break;
    case Extent::ColumnCycles: cycles(step, part.columnCycles); break;
    case Extent::RowCycles: cycles(step, part.rowCycles); break;
    case Extent::StatusByte: answer(step, 1, timing_.answerPeriod()); break;
    case Extent::IdBytes:
        answer(step, static_cast<std::uint32_t>(part.id.size()),
               timing_.hasCommandLines ? timing_.answerPeriod() : outCycle_);
        drain();
        break;
    case Extent::SpareRecord: data(step, spareRecordBytes); break;
    case Extent::Replaced: replaced(step); break;
    case Extent::Parameters: parameters(step); break;
    case Extent::Tfeat: wait(step, std::max(part.times.tFEAT, timing_.tWB), noLines_); break;
    case Extent::Tcs: wait(step, timing_.tCS, commandLines_); break;
    case Extent::Tadl: wait(step, timing_.tADL, noLines_); break;
    case Extent::Tccs: wait(step, timing_.tCCS, noLines_); break;
    case Extent::Twhr: wait(step, timing_.tWHR, commandLines_); break;
    case Extent::PageData:
        data(step, schedule_.dataBytes(op_.sectors));
        drain();
        break;
    }
}

// Commands and addresses.
void SegmentTimer::cycles(const Step& step, std::uint32_t count)
{
    segments_.push_back({step.kind, step.label, count, timing_.cycle * count, true, commandLines_});
}

void SegmentTimer::wait(const Step& step, Time duration, BusLines lines)
{
    segments_.push_back({step.kind, step.label, 0, duration, true, lines});
}

// Status and id: whole cycles.
void SegmentTimer::answer(const Step& step, std::uint32_t count, Time cycle)
{
    if (timing_.hasCommandLines)
        segments_.push_back({step.kind, step.label, count, cycle * count, true, commandLines_});
    else
        strobed(step, count, timing_.dataOutPreamble + cycle * count + timing_.dataOutPostamble,
                timing_.dataOutPreamble, timing_.dataOutPostamble, {});
}

void SegmentTimer::data(const Step& step, std::uint32_t bytes)
{
    const bool isIn = step.kind == SegmentKind::DataIn;
    const std::uint32_t count = (bytes + timing_.bytesPerCycle - 1) / timing_.bytesPerCycle;
    const std::uint32_t warmUp = isIn ? timing_.warmUpIn : timing_.warmUpOut;
    const Time cycle = isIn ? timing_.inCycle() : outCycle_;
    strobed(step, count, isIn ? schedule_.dataInTime(bytes) : schedule_.dataOutTime(bytes, outCycle_),
            isIn ? timing_.dataInPreamble : timing_.dataOutPreamble,
            isIn ? timing_.dataInPostamble : timing_.dataOutPostamble,
            {SegmentKind::Wait, "warm-up", warmUp, cycle * warmUp, true, dataLines_});
}

// Data clocks between preamble and postamble; `total` is the duration of all of it.
void SegmentTimer::strobed(const Step& step, std::uint32_t count, Time total, Time before, Time after,
                           const Segment& warmUp)
{
    if (count == 0)
        return;
    segments_.push_back({SegmentKind::Wait, "preamble", 0, before, true, dataLines_});
    segments_.push_back(warmUp);
    segments_.push_back({step.kind, step.label, count, total - before - warmUp.duration - after, true, dataLines_});
    segments_.push_back({SegmentKind::Wait, "postamble", 0, after, true, dataLines_});
}

// Of SET FEATURES: on command lines a packet each.
void SegmentTimer::parameters(const Step& step)
{
    if (timing_.hasCommandLines)
        cycles(step, nand::featureBytes);
    else
        data(step, nand::featureBytes * timing_.bytesPerCycle);
}

void SegmentTimer::replaced(const Step& step)
{
    bool isFirst = true;
    const auto steps = [&](const Sequence& sequence) {
        for (const Step& each : sequence)
            add(each);
    };
    const auto run = [&](std::uint32_t bytes) {
        if (!isFirst)
            steps(columnOfReplaced());
        isFirst = false;
        steps(beforeReplaced(timing_.hasCommandLines));
        data(step, bytes);
        steps(afterReplaced(timing_.hasCommandLines));
    };
    forEachRun(op_.replaced, [&](std::uint32_t sectors) { run(schedule_.dataBytes(sectors)); });
    if (op_.replacesSpare)
        run(spareRecordBytes);
}

// The last byte is on its way.
void SegmentTimer::drain()
{
    if (op_.outputCycle != Time{})
        segments_.push_back({SegmentKind::Wait, "sampling", 0, drainTime(op_), true, dataLines_});
}

} // namespace strobe::channel
