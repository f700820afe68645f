// SPDX-License-Identifier: Apache-2.0
#include "models/channel/bus_schedule.h"

#include "models/base/check.h"
#include "models/channel/bus_steps.h"
#include "models/channel/segment_timer.h"
#include "models/nand/snap_read.h"

#include <algorithm>

namespace strobe::channel {

using nand::Form;
using nand::Opcode;

namespace {

Time totalOf(const std::vector<Segment>& segments)
{
    Time total{};
    for (const Segment& segment : segments)
        total += segment.duration;
    return total;
}

} // namespace

BusSchedule::BusSchedule(const InterfaceTiming& timing, const nand::Part& part)
    : timing_(timing), part_(part), sectorsPerPage_(part.geometry.sectorsPerPage())
{
    check(timing.cycle > Time{}, "a bus needs a clock period");
    check(timing.bytesPerCycle == 1 || timing.bytesPerCycle == 2, "a bus moves one or two bytes per cycle");
    check(sectorsPerPage_ > 0, "a page holds whole sectors");
    dataIn_ = {timing.inCycle(), timing.dataInPreamble, timing.warmUpIn, timing.dataInPostamble};
    dataOut_ = {timing.outCycle(), timing.dataOutPreamble, timing.warmUpOut, timing.dataOutPostamble};
    for (std::uint32_t sectors = 0; sectors <= sectorsPerPage_; ++sectors) {
        dataIn_.sectorTimes.push_back(dataInTime(dataBytes(sectors)));
        dataOut_.sectorTimes.push_back(dataOutTime(dataBytes(sectors)));
    }
    for (const Sequences& row : sequenceTable(timing.hasCommandLines)) {
        nand::Operation withoutData;
        withoutData.opcode = row.opcode;
        withoutData.form = row.form;
        Fixed& fixed = fixed_[index(row.form, row.opcode)];
        fixed.request = totalOf(requestSegments(withoutData));
        fixed.response = totalOf(responseSegments(withoutData));
        fixed.blind = row.busy ? timing.tWB : Time{};
        fixed.notice = row.notice == Notice::Trr    ? timing.tRR
                       : row.notice == Notice::Poll ? timing.statusPollDelay
                                                    : Time{};
        fixed.hasPrefix = takesPrefix(row.form, row.opcode);
        fixed.dataIn = contains(row.request, SegmentKind::DataIn, Extent::PageData);
        fixed.dataOut = contains(row.response, SegmentKind::DataOut, Extent::PageData);
    }
    const nand::Operation none;
    SegmentTimer timer(*this, none);
    againReplaced_ = timer.durationOf(columnOfReplaced());
    aroundReplaced_ = timer.durationOf(beforeReplaced(timing.hasCommandLines)) +
                      timer.durationOf(afterReplaced(timing.hasCommandLines));
    if (timing.hasCommandLines)
        lineUses_ = std::make_shared<const LineUses>(*this);
}

std::uint32_t BusSchedule::dataBytes(std::uint32_t sectors) const
{
    const std::uint64_t spare =
        (std::uint64_t{part_.geometry.spareBytes} * sectors + sectorsPerPage_ - 1) / sectorsPerPage_;
    const std::uint64_t bytes = sectors * sectorBytes + spare;
    const std::uint64_t accesses = part_.accesses(sectors);
    return static_cast<std::uint32_t>((bytes + accesses - 1) / accesses);
}

Time BusSchedule::dataTime(const Direction& direction, std::uint32_t bytes) const
{
    if (bytes == 0)
        return {};
    return direction.preamble + direction.cycle * direction.warmUp +
           scaled(direction.cycle, bytes, timing_.bytesPerCycle) + direction.postamble;
}

Time BusSchedule::ownClockResponse(const nand::Operation& op) const
{
    const Fixed& fixed = fixed_[index(op.form, op.opcode)];
    const Time answers = op.opcode == Opcode::ReadId
                             ? (op.outputCycle - timing_.outCycle()) * static_cast<std::int64_t>(part_.id.size())
                             : Time{};
    const Time data = fixed.dataOut ? dataOutTime(dataBytes(op.sectors), op.outputCycle) : Time{};
    return fixed.response + answers + data + SegmentTimer::drainTime(op);
}

Time BusSchedule::copyInTime(const nand::Operation& op) const
{
    Time data{};
    Time runs{};
    const auto run = [&](Time bytes) {
        data += bytes;
        runs += againReplaced_ + aroundReplaced_;
    };
    forEachRun(op.replaced, [&](std::uint32_t sectors) { run(sectorTime(dataIn_, sectors)); });
    if (op.replacesSpare)
        run(dataInTime(spareRecordBytes));
    const Time firstAddress = runs > Time{} ? againReplaced_ : Time{}; // part of the fixed time
    return fixed_[index(nand::Form::CopyIn, Opcode::CopyBack)].request + data + runs - firstAddress;
}

LineUse BusSchedule::requestUse(const nand::Operation& op, nand::Form form) const
{
    return lineUses_->request(*this, op, form);
}

LineUse BusSchedule::responseUse(const nand::Operation& op) const
{
    return lineUses_->response(*this, op);
}

LineUse BusSchedule::cacheEndUse() const
{
    return lineUses_->cacheEnd();
}

Time BusSchedule::arrayTime(const nand::Operation& op) const
{
    Time total{};
    for (const Segment& segment : arraySegments(op))
        total += segment.kind == SegmentKind::Array ? segment.duration : Time{};
    return total;
}

std::vector<Segment> BusSchedule::requestSegments(const nand::Operation& op) const
{
    Sequence request = sequencesOf(op, timing_.hasCommandLines).request;
    if (nand::isSnapRead(part_, op))
        request.back() = command("20h");
    if (!op.pslc || !takesPrefix(op.form, op.opcode))
        return SegmentTimer(*this, op).tenure(request);
    Sequence prefixed = request;
    const auto isFeature = [](const Step& step) { return step.extent == Extent::Tfeat; };
    const auto feature = std::find_if(prefixed.begin(), prefixed.end(), isFeature); // SET FEATURES comes first
    auto first = feature == prefixed.end() ? prefixed.begin() : feature + 1;
    if (first->kind == SegmentKind::ChipEnable) // after the wait, on separate command lines
        ++first;
    prefixed.insert(first, command(enumName(part_.pslc.prefix).data()));
    return SegmentTimer(*this, op).tenure(prefixed);
}

std::vector<Segment> BusSchedule::responseSegments(const nand::Operation& op) const
{
    const Sequences& sequences = sequencesOf(op, timing_.hasCommandLines);
    const bool leftOut = sequences.statusIsOptional && !timing_.statusAfterArray;
    return SegmentTimer(*this, op).tenure(leftOut ? Sequence{} : sequences.response);
}

// Between request and response, off the bus: array time, the time added by tWB, and the delay until it is noticed.
std::vector<Segment> BusSchedule::arraySegments(const nand::Operation& op) const
{
    const nand::ArrayTimes& times = part_.times;
    std::vector<Segment> segments;
    const auto off = [&](SegmentKind kind, const char* label, Time duration) {
        if (duration > Time{})
            segments.push_back({kind, label, 0, duration, false, BusLines::None});
    };
    const auto busy = [&](const char* label, Time duration) { off(SegmentKind::Array, label, duration); };
    const bool isErase = op.opcode == Opcode::Erase;
    if (op.form == Form::WordLinePage) {
        busy("tPBSY", times.tPBSY);
    } else if (op.form == Form::Plane || op.form == Form::WordLinePlane) {
        busy("tDBSY", times.tDBSY);
    } else if (op.form == Form::Suspend) {
        busy(isErase ? "tESUSP" : "tPSUSP", isErase ? times.tESUSP : times.tPSUSP);
    } else if (op.form == Form::Resume) { // and the remaining time
        busy(isErase ? "tERSM" : "tPRSM", isErase ? times.tERSM : times.tPRSM);
    } else if (op.form == Form::CopyOut) {
        busy("tR", part_.tR(op.source.page, op.pslc));
    } else if (op.form == Form::CopyIn) {
        busy("tPROG", part_.tPROG(op.target.page, op.pslc));
    } else if (op.form == Form::Cache || op.form == Form::LastPlaneCache) {
        busy(op.opcode == Opcode::Read ? "tRCBSY" : "tCBSY", op.opcode == Opcode::Read ? times.tRCBSY : times.tCBSY);
    } else {
        switch (op.opcode) {
        case Opcode::Read: busy("tR", nand::readTime(part_, op)); break;
        case Opcode::Program: busy("tPROG", part_.tPROG(op.target.page, op.pslc)); break;
        case Opcode::Erase: busy("tBERS", part_.tBERS(op.pslc)); break;
        case Opcode::CopyBack:
            busy("tR", part_.tR(op.source.page, op.pslc));
            busy("tPROG", part_.tPROG(op.target.page, op.pslc));
            break;
        case Opcode::Reset: busy("tRST", times.tRstIdle); break;
        case Opcode::ReadStatus:
        case Opcode::ReadId: break;
        }
    }
    const Fixed& fixed = fixed_[index(op.form, op.opcode)];
    off(SegmentKind::Wait, "tWB", fixed.blind - totalOf(segments));
    off(SegmentKind::Wait, op.opcode == Opcode::Read || op.form == Form::CopyOut ? "tRR" : "poll delay", fixed.notice);
    return segments;
}

std::vector<Segment> BusSchedule::segments(const nand::Operation& op) const
{
    std::vector<Segment> all = requestSegments(op);
    for (const auto& part : {arraySegments(op), responseSegments(op)})
        all.insert(all.end(), part.begin(), part.end());
    return all;
}

} // namespace strobe::channel
